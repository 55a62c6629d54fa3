import type { Mail } from './mailer.ts'
import { htmlOf } from './mail-html.ts'
import {
  type CleanWords,
  cleanWords,
  type MailItem,
  type MailLink,
  type MailRecipient,
  type MailWords,
} from './mail-words.ts'

export type { MailRecipient, MailWords } from './mail-words.ts'

const linkText = (link: MailLink | undefined) => (link ? [`${link.label}:\n${link.url}`] : [])

function textOf(words: CleanWords): string {
  const { greeting, paragraphs, facts, items, action, second, closing, footer, unsubscribe, unsubscribeLabel } = words
  const itemText = ({ title, detail, url }: MailItem) =>
    [`- ${title}`, ...(detail ? [`  ${detail}`] : []), ...(url ? [`  ${url}`] : [])].join('\n')
  return [
    greeting,
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
    ...items.map(itemText),
    ...linkText(action),
    ...linkText(second),
    ...closing,
    ['--', footer, ...(unsubscribe ? [`${unsubscribeLabel}: ${unsubscribe.url}`] : [])].join('\n'),
  ].join('\n\n')
}

const headersOf = ({ unsubscribe }: CleanWords): Record<string, string> => ({
  // Out-of-office programs answer people, not these.
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  ...(unsubscribe && {
    'List-Unsubscribe': `<${unsubscribe.url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
})

/** Makes a mail of words: plain text, and HTML with the same sentences and links. */
export function composeMail(recipient: MailRecipient, brand: string, words: MailWords): Mail {
  const clean = cleanWords(recipient, brand, words)
  return {
    kind: words.kind,
    to: recipient.email,
    subject: clean.subject,
    text: textOf(clean),
    html: htmlOf(clean),
    headers: headersOf(clean),
  }
}
