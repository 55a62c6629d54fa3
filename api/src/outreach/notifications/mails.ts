import { isForDrivers, type Language, type NotificationKind } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import { composeMail } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { unsubscribeToken } from './unsubscribe-token.ts'
import { kindLabel, type NoticeText, notificationWords } from './words.ts'

type MailEnv = Pick<AppContext['env'], 'brandName' | 'publicUrl'>

export interface MailReader {
  uid: string
  email: string
  name: string
}

/** What a notification says. */
export interface NoticeWords extends NoticeText {
  kind: NotificationKind
  /** The language that it is written in. */
  language: Language
  /** The address in the console that opens the thing itself. */
  path: string
}

export const UNSUBSCRIBE_PATH = '/unsubscribe'
/** Where users read what they got. */
const BELL_PATH = '/notifications'
/** Where all open alerts are listed. */
export const FLEET_PATH = '/overview'

const urlOf = ({ publicUrl }: MailEnv, path: string) => new URL(path, publicUrl).href

const unsubscribeUrl = (env: MailEnv, userUid: string, kind: NotificationKind) =>
  urlOf(env, `${UNSUBSCRIBE_PATH}?token=${unsubscribeToken({ userUid, kind, channel: 'mail' })}`)

/** What stands around a notification: drivers have an app, staff the console. */
function frameOf(kind: NotificationKind, language: Language): { open: string; footer: string } {
  const label = kindLabel(kind, language)
  if (!isForDrivers(kind))
    return {
      open: 'Open in the console',
      footer: `You get emails about “${label}”. Change this under Notifications in the console.`,
    }
  const words = notificationWords[language]
  return { open: words.openApp, footer: words.whyThisMail(label) }
}

/** The mail of one notification. */
export function noticeMail(env: MailEnv, reader: MailReader, notice: NoticeWords): Mail {
  const { kind, subject, text, path, language } = notice
  const { open, footer } = frameOf(kind, language)
  return composeMail({ ...reader, language }, env.brandName, {
    kind,
    subject,
    paragraphs: text.split('\n'),
    action: { label: open, url: urlOf(env, path) },
    footer,
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
  const [{ kind, language }] = notices
  const { open, footer } = frameOf(kind, language)
  const more = notices.length - MOST_ITEMS
  return composeMail({ ...reader, language }, env.brandName, {
    kind,
    subject,
    paragraphs: [`${subject}.`, ...(more > 0 ? [`The first ${MOST_ITEMS} are listed here. The console has all.`] : [])],
    items: itemsOf(env, notices),
    action: { label: open, url: urlOf(env, FLEET_PATH) },
    footer,
    unsubscribe: { url: unsubscribeUrl(env, reader.uid, kind) },
  })
}

const DIGEST_KIND = 'digest'

/** One mail for the notifications that could wait. Its link leads to the settings, because it is of several kinds. */
export function digestMail(env: MailEnv, reader: MailReader, notices: readonly NoticeWords[]): Mail {
  const [first] = notices
  // What it lists for staff is in English.
  const language = notices.every((notice) => notice.language === first?.language) ? (first?.language ?? 'en') : 'en'
  const words = notificationWords[language]
  return composeMail({ ...reader, language }, env.brandName, {
    kind: DIGEST_KIND,
    subject: first && notices.length === 1 ? first.subject : words.digestSubject(notices.length),
    paragraphs: [words.digestText(notices.length)],
    items: itemsOf(env, notices),
    action: { label: words.digestAction, url: urlOf(env, BELL_PATH) },
    footer: words.whyThisDigest,
  })
}
