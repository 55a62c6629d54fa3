import type { Language } from '@roadshow/contract'

export interface MailLink {
  label: string
  url: string
}

/** One of several things that a mail lists. */
export interface MailItem {
  title: string
  detail?: string
  url?: string
}

/** The words of a mail. Values are plain text; names that people typed may hold anything. */
export interface MailWords {
  /** Names the mail in the list of messages, and its file where mails are written to the data folder. */
  kind: string
  subject: string
  /** What mail programs show beside the subject; the first paragraph unless given. */
  preview?: string
  paragraphs: readonly string[]
  /** Labels with their values, one row each. */
  facts?: readonly (readonly [label: string, value: string])[]
  items?: readonly MailItem[]
  action?: MailLink | undefined
  second?: MailLink | undefined
  /** What follows the links: how long they work, and what to do if it was not you. */
  closing?: readonly string[]
  /** Why the reader gets this mail. */
  footer?: string
  /** Ends mails of this kind with one click, also by the button that mail programs show. */
  unsubscribe?: { url: string } | undefined
}

export interface MailRecipient {
  email: string
  name: string
  /** The language that the mail is written in. */
  language: Language
}

/** The words as both versions of a mail use them: each on one line, links checked. */
export type CleanWords = Required<
  Pick<MailWords, 'subject' | 'preview' | 'paragraphs' | 'facts' | 'items' | 'closing'>
> &
  Pick<MailWords, 'action' | 'second' | 'unsubscribe'> & {
    greeting: string
    footer: string
    brand: string
    language: Language
    /** What the link to unsubscribe is called. */
    unsubscribeLabel: string
  }

const en = {
  greeting: (name: string) => `Hello ${name},`,
  reason: (email: string, brand: string) => `This email was sent to ${email} because of your ${brand} account.`,
  unsubscribe: 'Unsubscribe',
}

const es: typeof en = {
  greeting: (name) => `Hola, ${name}:`,
  reason: (email, brand) => `Este correo se envió a ${email} porque tiene una cuenta de ${brand}.`,
  unsubscribe: 'Cancelar suscripción',
}

/** What stands around the words of every mail. */
const frameWords: Record<Language, typeof en> = { en, es }

// Line breaks would let a name write paragraphs of its own, and marks of direction would let it turn a sentence around.
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim()

function checkedUrl(url: string): string {
  const { protocol, href } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`A mail can't link to ${protocol} addresses.`)
  return href
}

const cleanLink = (link: MailLink | undefined) => link && { label: oneLine(link.label), url: checkedUrl(link.url) }

/** Brings the words into the form that both versions of a mail use. */
export function cleanWords({ email, name, language }: MailRecipient, brand: string, words: MailWords): CleanWords {
  const paragraphs = words.paragraphs.map(oneLine)
  const frame = frameWords[language]
  return {
    brand: oneLine(brand),
    subject: oneLine(words.subject),
    preview: oneLine(words.preview ?? paragraphs[0] ?? ''),
    language,
    greeting: frame.greeting(oneLine(name)),
    paragraphs,
    facts: (words.facts ?? []).map(([label, value]) => [oneLine(label), oneLine(value)] as const),
    items: (words.items ?? []).map(({ title, detail, url }) => ({
      title: oneLine(title),
      ...(detail && { detail: oneLine(detail) }),
      ...(url && { url: checkedUrl(url) }),
    })),
    action: cleanLink(words.action),
    second: cleanLink(words.second),
    closing: (words.closing ?? []).map(oneLine),
    footer: oneLine(words.footer ?? frame.reason(email, brand)),
    unsubscribeLabel: frame.unsubscribe,
    unsubscribe: words.unsubscribe && { url: checkedUrl(words.unsubscribe.url) },
  }
}
