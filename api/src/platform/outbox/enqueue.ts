import { DAY_MS } from '@roadshow/contract'
import { randomUUID } from 'node:crypto'
import { sharedNow } from '../db/clock.ts'
import type { Db } from '../db/connection.ts'
import { seal, unseal } from '../runtime/secret-box.ts'
import type { ChannelName } from './channel.ts'

export interface NewMessage {
  kind: string
  channel: ChannelName
  /** The address, device or system that it goes to, as people read it. */
  recipient: string
  /** What admins read in the list of messages. */
  subject: string
  /** What the channel sends. It is sealed in the database. */
  payload: object
  /** Whether the payload is wiped when it has arrived, because it opens an account. */
  isSecret?: boolean
  /** The account that it is for. */
  userUid?: string | undefined
  /** The endpoint or browser that it goes to. */
  target?: string
  /** Messages with the same ordering leave one after the other. */
  ordering?: string
  /** A message with the same key is not made again. */
  key?: string
  /** Not before this time, because of quiet hours for one. */
  notBefore?: Date
  /** When it is of no use any more; two days from now unless given. */
  expiresAt?: Date
}

const TWO_DAYS_MS = 2 * DAY_MS

const sealPayload = (payload: object, uid: string) => seal(Buffer.from(JSON.stringify(payload)), `message ${uid}`)

/** The payload of a message; undefined if this node has another key than the one that sealed it. */
export function openPayload(payload: Buffer, uid: string): unknown {
  const opened = unseal(payload, `message ${uid}`)
  return opened && (JSON.parse(opened.toString()) as unknown)
}

function rowOf(message: NewMessage, now: number) {
  const { kind, channel, recipient, subject, payload, isSecret = false, userUid, target, ordering, key } = message
  const uid = randomUUID()
  return {
    uid,
    kind,
    channel,
    recipient,
    subject,
    payload: sealPayload(payload, uid),
    is_secret: isSecret,
    user_uid: userUid ?? null,
    target: target ?? null,
    ordering: ordering ?? null,
    key: key ?? null,
    ...(message.notBefore && { next_at: message.notBefore }),
    expires_at: message.expiresAt ?? new Date((message.notBefore?.getTime() ?? now) + TWO_DAYS_MS),
  }
}

const AT_ONCE = 500

/**
 * Keeps messages in the transaction that causes them; they are sent once it has committed, by any node. Answers the uids of
 * the new ones.
 */
export async function enqueue(db: Db, messages: readonly NewMessage[]): Promise<string[]> {
  const uids: string[] = []
  if (messages.length === 0) return uids
  const now = await sharedNow(db)
  for (let from = 0; from < messages.length; from += AT_ONCE) {
    const rows = messages.slice(from, from + AT_ONCE).map((message) => rowOf(message, now))
    const added = await db
      .insertInto('message')
      .values(rows)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('uid')
      .execute()
    uids.push(...added.map(({ uid }) => uid))
  }
  return uids
}

/** Replaces what a waiting message says, and when it is due. The caller holds its row and knows that no node has tried it. */
export async function rewriteMessage(
  db: Db,
  uid: string,
  { subject, payload, nextAt }: { subject: string; payload: object; nextAt?: Date },
): Promise<void> {
  await db
    .updateTable('message')
    .set({ subject, payload: sealPayload(payload, uid), ...(nextAt && { next_at: nextAt }) })
    .where('uid', '=', uid)
    .where('state', '=', 'waiting')
    .execute()
}
