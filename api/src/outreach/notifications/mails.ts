import { type NotificationKind, notificationKindOf } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import { composeMail } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { unsubscribeToken } from './unsubscribe-token.ts'

type MailEnv = Pick<AppContext['env'], 'brandName' | 'publicUrl'>

export interface MailReader {
  uid: string
  email: string
  name: string
}

/** What a notification says. */
export interface NoticeWords {
  kind: NotificationKind
  /** One line. */
  subject: string
  /** Sentences, one a line. */
  text: string
  /** The address in the console that opens the thing itself. */
  path: string
}

export const UNSUBSCRIBE_PATH = '/unsubscribe'
/** Where users choose what they get. */
const SETTINGS_PATH = '/notifications'
/** Where all open alerts are listed. */
export const FLEET_PATH = '/overview'

const urlOf = ({ publicUrl }: MailEnv, path: string) => new URL(path, publicUrl).href

const unsubscribeUrl = (env: MailEnv, userUid: string, kind: NotificationKind) =>
  urlOf(env, `${UNSUBSCRIBE_PATH}?token=${unsubscribeToken({ userUid, kind, channel: 'mail' })}`)

/** The mail of one notification. */
export function noticeMail(env: MailEnv, reader: MailReader, { kind, subject, text, path }: NoticeWords): Mail {
  const { label } = notificationKindOf(kind)
  return composeMail(reader, env.brandName, {
    kind,
    subject,
    paragraphs: text.split('\n'),
    action: { label: 'Open in the console', url: urlOf(env, path) },
    footer: `You get mails of the kind “${label}”. Change this under Notifications in the console.`,
    unsubscribe: { url: unsubscribeUrl(env, reader.uid, kind) },
  })
}

/** A mail lists at most this many; the console shows the rest. */
const MOST_ITEMS = 50

const itemsOf = (env: MailEnv, notices: readonly NoticeWords[]) =>
  notices.slice(0, MOST_ITEMS).map(({ subject, text, path }) => ({
    title: subject,
    detail: text.replaceAll('\n', ' '),
    url: urlOf(env, path),
  }))

/** One mail for alerts of one kind that came at about the same time. */
export function groupMail(
  env: MailEnv,
  reader: MailReader,
  { subject, notices }: { subject: string; notices: readonly [NoticeWords, ...NoticeWords[]] },
): Mail {
  const [{ kind }] = notices
  const { label } = notificationKindOf(kind)
  const more = notices.length - MOST_ITEMS
  return composeMail(reader, env.brandName, {
    kind,
    subject,
    paragraphs: [`${subject}.`, ...(more > 0 ? [`The first ${MOST_ITEMS} are listed here. The console has all.`] : [])],
    items: itemsOf(env, notices),
    action: { label: 'Open in the console', url: urlOf(env, FLEET_PATH) },
    footer: `You get mails of the kind “${label}”. Change this under Notifications in the console.`,
    unsubscribe: { url: unsubscribeUrl(env, reader.uid, kind) },
  })
}

const DIGEST_KIND = 'digest'

/** One mail for the notifications that could wait. Its link leads to the settings, because it is of several kinds. */
export function digestMail(env: MailEnv, reader: MailReader, notices: readonly NoticeWords[]): Mail {
  const count = notices.length === 1 ? '1 notification' : `${notices.length} notifications`
  return composeMail(reader, env.brandName, {
    kind: DIGEST_KIND,
    subject: notices.length === 1 ? (notices[0]?.subject ?? count) : `${count} since your last digest`,
    paragraphs: [`You have ${count} that you have not read yet.`],
    items: itemsOf(env, notices),
    action: { label: 'Open notifications', url: urlOf(env, SETTINGS_PATH) },
    footer: 'This is your daily digest. Change its time, or what it holds, under Notifications in the console.',
  })
}
