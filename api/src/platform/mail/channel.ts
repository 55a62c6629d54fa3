import type { AppContext } from '../context.ts'
import type { Db } from '../db/connection.ts'
import { type Channel, enqueue, type NewMessage } from '../outbox/index.ts'
import { isRefusal, LONGEST_MAIL_MS, type Mail, MAILS_AT_ONCE } from './mailer.ts'

type Options = Pick<NewMessage, 'userUid' | 'isSecret' | 'key' | 'notBefore' | 'expiresAt' | 'ordering' | 'target'>

/** Keeps a mail in the transaction that causes it; any node sends it. Answers its uid, unless its key was used before. */
export async function enqueueMail(db: Db, mail: Mail, options: Options = {}): Promise<string | undefined> {
  const { kind, to, subject } = mail
  const [uid] = await enqueue(db, [{ ...options, kind, channel: 'mail', recipient: to, subject, payload: mail }])
  return uid
}

export const mailChannel = ({ mailer }: Pick<AppContext, 'mailer'>): Channel => ({
  name: 'mail',
  concurrency: MAILS_AT_ONCE,
  longestMs: LONGEST_MAIL_MS,
  away: () => mailer.away?.(),
  async send({ uid, payload }) {
    try {
      await mailer.send(payload as Mail, { id: uid })
      return { outcome: 'accepted', answer: 'The mail server took it.' }
    } catch (error) {
      return { outcome: isRefusal(error) ? 'refused' : 'failed', answer: (error as Error).message }
    }
  },
})
