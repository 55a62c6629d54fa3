import type { Db } from '../../platform/db/connection.ts'
import type { OutgoingMessage } from '../../platform/outbox/index.ts'
import { checkConfirmationMail } from '../identity-provider/index.ts'
import { CONFIRMATION_MAIL, INVITATION_MAIL, RESET_MAIL } from './mails.ts'
import { startLinkTime } from './password-links.ts'

/** What happens to the link of a mail at the moment it is sent. Other mails carry no link that ends. */
const linkOf: Record<string, (db: Db, messageUid: string) => Promise<string | undefined>> = {
  [RESET_MAIL]: startLinkTime,
  [INVITATION_MAIL]: startLinkTime,
  [CONFIRMATION_MAIL]: checkConfirmationMail,
}

/** Why a message to a user must not be sent any more; undefined if it may be. */
export async function checkAccountMail(db: Db, message: OutgoingMessage): Promise<string | undefined> {
  const { uid, channel, kind, userUid, recipient } = message
  if (!userUid) return undefined
  const account = await db
    .selectFrom('user_account')
    .select(['email', 'deleted_at'])
    .where('uid', '=', userUid)
    .executeTakeFirst()
  if (!account || account.deleted_at) return 'The account was deleted.'
  // The recipient of other channels is a browser or a system.
  if (channel !== 'mail') return undefined
  if (account.email.toLowerCase() !== recipient.toLowerCase()) return 'The account has another email address now.'
  return linkOf[kind]?.(db, uid)
}
