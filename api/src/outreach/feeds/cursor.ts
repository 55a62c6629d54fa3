import { createHash } from 'node:crypto'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type FeedOffset, instantOfMicros, microsOf } from '../../live/plays/index.ts'

/** Feeds with an order of their own: a cursor of one means nothing to another. */
type FeedKind = 'plays' | 'adPlays' | 'positions'
const KIND_BYTE: Record<FeedKind, number> = { plays: 1, adPlays: 2, positions: 3 }

const CHECK_BYTES = 4
const FIXED_BYTES = 1 + 16 + 8 + 16

const uidBytes = (uid: string) => Buffer.from(uid.replaceAll('-', ''), 'hex')
const uidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
const checkOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest().subarray(0, CHECK_BYTES)

/** Which feed a cursor belongs to. */
export interface FeedName {
  kind: FeedKind
  program: string
}

/** An offset in a feed as text that partners keep. */
export function writeCursor({ kind, program }: FeedName, { at, device, playId }: FeedOffset): string {
  const micros = Buffer.alloc(8)
  micros.writeBigInt64BE(BigInt(microsOf(at)))
  const content = Buffer.concat([
    Buffer.from([KIND_BYTE[kind]]),
    uidBytes(program),
    micros,
    uidBytes(device),
    Buffer.from(playId),
  ])
  return Buffer.concat([checkOf(content), content]).toString('base64url')
}

const refuse = (text: string) => new AppError('badInput', { fields: { cursor: text } })

/** Reads a cursor; refuses text that is none, and cursors of other feeds. */
export function readCursor({ kind, program }: FeedName, text: string): FeedOffset {
  const bytes = Buffer.from(text, 'base64url')
  const content = bytes.subarray(CHECK_BYTES)
  if (content.length < FIXED_BYTES || !checkOf(content).equals(bytes.subarray(0, CHECK_BYTES))) {
    throw refuse('Not a cursor of this feed. Send the last one unchanged, or leave it out to start from the beginning.')
  }
  if (content[0] !== KIND_BYTE[kind]) throw refuse('This cursor belongs to another kind of feed.')
  if (uidOf(content.subarray(1, 17)) !== program) throw refuse('This cursor belongs to the feed of another program.')
  return {
    at: instantOfMicros(Number(content.readBigInt64BE(17))),
    device: uidOf(content.subarray(25, FIXED_BYTES)),
    playId: content.subarray(FIXED_BYTES).toString(),
  }
}
