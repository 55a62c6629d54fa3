import type { AppContext } from '../context.ts'
import type { Db } from '../db/connection.ts'
import { type Channel, enqueue, type NewMessage, type OutgoingMessage } from '../outbox/index.ts'
import { isRefusal, LONGEST_MAIL_MS, type Mail, MAILS_AT_ONCE } from './mailer.ts'

type Options = Pick<NewMessage, 'userUid' | 'isSecret' | 'key' | 'notBefore' | 'expiresAt' | 'ordering'>

/** Keeps a mail in the transaction that causes it; any node sends it. Answers its uid, unless its key was used before. */
export async function enqueueMail(db: Db, mail: Mail, options: Options = {}): Promise<string | undefined> {
  const { kind, to, subject } = mail
  const [uid] = await enqueue(db, [{ ...options, kind, channel: 'mail', recipient: to, subject, payload: mail }])
  return uid
}

/** Runs at the moment a mail is sent. Answers a sentence if it must not be sent any more. */
export type BeforeMail = (db: Db, message: OutgoingMessage) => Promise<string | undefined>

async function whyNot(db: Db, message: OutgoingMessage, checks: readonly BeforeMail[]): Promise<string | undefined> {
  for (const check of checks) {
    const reason = await check(db, message)
    if (reason) return reason
  }
  return undefined
}

/** Sends mails by the mailer of the node, unless a module says that one is not to be sent any more. */
export const mailChannel = (
  { mailer, db }: Pick<AppContext, 'mailer' | 'db'>,
  checks: readonly BeforeMail[],
): Channel => ({
  name: 'mail',
  concurrency: MAILS_AT_ONCE,
  longestMs: LONGEST_MAIL_MS,
  away: () => mailer.away?.(),
  async send(message) {
    const { uid, payload } = message
    const reason = await whyNot(db, message, checks)
    if (reason) return { outcome: 'cancelled', answer: reason }
    try {
      await mailer.send(payload as Mail, { id: uid })
      return { outcome: 'accepted', answer: 'The mail server took it.' }
    } catch (error) {
      return { outcome: isRefusal(error) ? 'refused' : 'failed', answer: (error as Error).message }
    }
  },
})
