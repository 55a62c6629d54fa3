import { createHash, timingSafeEqual } from 'node:crypto'
import { type FeedOffset, instantOfMicros, microsOf } from '../../live/plays/index.ts'
import { storableText } from '../../platform/db/storable-text.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { signWithKey } from '../../platform/runtime/secret-box.ts'

/** Feeds with an order of their own: a cursor of one means nothing to another. */
type FeedKind = 'plays' | 'adPlays' | 'positions'
const KIND_BYTE: Record<FeedKind, number> = { plays: 1, adPlays: 2, positions: 3 }

const SIGNATURE_BYTES = 16
const CHECK_BYTES = 4
const FIXED_BYTES = 1 + 16 + 8 + 16
const LONGEST_ID = 64
const LAST_MICROS = Date.UTC(2200, 0) * 1000
const NO_CURSOR = 'Not a cursor of this feed. Send the last one unchanged, or leave it out to start from the beginning.'

const uidBytes = (uid: string) => Buffer.from(uid.replaceAll('-', ''), 'hex')
const uidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
const checkOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest().subarray(0, CHECK_BYTES)
const signatureOf = (bytes: Buffer) => signWithKey(bytes, 'feed cursor').subarray(0, SIGNATURE_BYTES)

/** Which feed a cursor belongs to. */
export interface FeedName {
  kind: FeedKind
  program: string
}

function pack({ kind, program }: FeedName, { at, device, playId }: FeedOffset): Buffer {
  const micros = Buffer.alloc(8)
  micros.writeBigInt64BE(BigInt(microsOf(at)))
  return Buffer.concat([
    Buffer.from([KIND_BYTE[kind]]),
    uidBytes(program),
    micros,
    uidBytes(device),
    Buffer.from(playId),
  ])
}

/** An offset in a feed as text that partners keep, signed with the key of the deployment. */
export function writeCursor(feed: FeedName, offset: FeedOffset): string {
  const content = pack(feed, offset)
  return Buffer.concat([signatureOf(content), content]).toString('base64url')
}

/** An offset as text that the database keeps: it is not signed, so it outlives the key. */
export function writeStoredOffset(feed: FeedName, offset: FeedOffset): string {
  const content = pack(feed, offset)
  return Buffer.concat([checkOf(content), content]).toString('base64url')
}

const refuse = (text: string) => new AppError('badInput', { fields: { cursor: text } })

/** The content of a signed cursor, or of one that an earlier version gave out, which has only a check sum. */
function openCursor(bytes: Buffer): Buffer | undefined {
  const signed = bytes.subarray(SIGNATURE_BYTES)
  const isSigned =
    bytes.length > SIGNATURE_BYTES && timingSafeEqual(signatureOf(signed), bytes.subarray(0, SIGNATURE_BYTES))
  if (isSigned) return signed
  const checked = bytes.subarray(CHECK_BYTES)
  return checkOf(checked).equals(bytes.subarray(0, CHECK_BYTES)) ? checked : undefined
}

/** Whether a feed has such offsets: anyone can make a cursor with a check sum. */
function isPlausible(micros: number, playId: Buffer): boolean {
  const id = playId.toString()
  const isId = storableText(id, LONGEST_ID) === id && Buffer.from(id).equals(playId)
  return isId && micros >= 0 && micros < LAST_MICROS
}

/** Reads a cursor; refuses text that is none, and cursors of other feeds. */
export function readCursor({ kind, program }: FeedName, text: string): FeedOffset {
  const content = openCursor(Buffer.from(text, 'base64url'))
  if (!content || content.length < FIXED_BYTES) throw refuse(NO_CURSOR)
  if (content[0] !== KIND_BYTE[kind]) throw refuse('This cursor belongs to another kind of feed.')
  if (uidOf(content.subarray(1, 17)) !== program) throw refuse('This cursor belongs to the feed of another program.')
  const micros = Number(content.readBigInt64BE(17))
  const playId = content.subarray(FIXED_BYTES)
  if (!isPlausible(micros, playId)) throw refuse(NO_CURSOR)
  return {
    at: instantOfMicros(micros),
    device: uidOf(content.subarray(25, FIXED_BYTES)),
    playId: playId.toString(),
  }
}
