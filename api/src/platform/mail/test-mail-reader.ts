import type { ReceivedMail } from './test-mail-server.ts'

const fromQuotedPrintable = (text: string) =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString()

const decoded = (text: string, encoding: string) => {
  if (/base64/i.test(encoding)) return Buffer.from(text, 'base64').toString()
  return /quoted-printable/i.test(encoding) ? fromQuotedPrintable(text) : text
}

/** A header as people read it (RFC 2047). */
const plainHeader = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, way: string, words: string) =>
      way.toLowerCase() === 'b'
        ? Buffer.from(words, 'base64').toString()
        : fromQuotedPrintable(words.replaceAll('_', ' ')),
    )

const headerOf = (head: string, name: string) =>
  new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(head.replaceAll(/\r?\n\s+/g, ' '))?.[1] ?? ''

/** A mail as a mail program shows it. */
export function readMail({ to, message }: ReceivedMail): { to: string; subject: string; text: string; html: string } {
  const [head = '', ...rest] = message.split('\r\n\r\n')
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? ''
  const parts = rest
    .join('\r\n\r\n')
    .split(`--${boundary}`)
    .map((part) => {
      const [partHead = '', ...body] = part.split('\r\n\r\n')
      const text = decoded(body.join('\r\n\r\n'), headerOf(partHead, 'Content-Transfer-Encoding'))
      return { type: headerOf(partHead, 'Content-Type'), text }
    })
  const textOf = (type: string) => parts.find((part) => part.type.startsWith(type))?.text.replaceAll('\r\n', '\n') ?? ''
  return {
    to: to[0] ?? '',
    subject: plainHeader(headerOf(head, 'Subject')),
    text: textOf('text/plain'),
    html: textOf('text/html'),
  }
}
