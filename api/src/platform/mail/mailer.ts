import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { ExternalServices } from '../runtime/external-services.ts'

export interface Mail {
  /** Names the file when mails are written to the data folder. */
  kind: string
  to: string
  subject: string
  text: string
  /** The same for programs that show pictures and colors. */
  html?: string
  headers?: Record<string, string>
  /** Files that go with it; they are kept as JSON until it is sent. */
  attachments?: { name: string; type: string; base64: string }[]
}

interface Sending {
  /** The same for every attempt at a mail: mail servers know by it that it is the same. */
  id?: string
}

export interface Mailer {
  send(mail: Mail, sending?: Sending): Promise<void>
  /** A sentence while mails can't be sent. */
  away?(): string | undefined
}

interface SmtpMailer extends Mailer {
  /** Connects and signs in without sending anything. */
  verify(): Promise<unknown>
  close(): void
}

// The usual limits of the library are minutes, and other mails wait.
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** The longest that sending a mail takes: connect, greet, and a socket that is silent until it is given up. */
export const LONGEST_MAIL_MS = 60_000

export const MAILS_AT_ONCE = 5

const hostOf = (from: string) => /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'

const optionsOf = (from: string, { attachments, ...mail }: Mail, { id }: Sending): SendMailOptions => ({
  from,
  ...mail,
  attachments: attachments?.map(({ name, type, base64 }) => ({
    filename: name,
    contentType: type,
    content: base64,
    encoding: 'base64',
  })),
  messageId: id && `<${id}@${hostOf(from)}>`,
})

/** Sends by SMTP, over connections that stay open while there is something to send. */
export function smtpMailer(url: string, from: string): SmtpMailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAILS_AT_ONCE,
    // The library would send again by itself when a connection breaks, although the server may have taken the mail.
    maxRequeues: 0,
    ...TIMEOUTS,
  })
  return {
    send: async (mail, sending = {}) => void (await transport.sendMail(optionsOf(from, mail, sending))),
    verify: () => transport.verify(),
    close: () => transport.close(),
  }
}

interface SmtpError {
  code?: string
  responseCode?: number
}

/** The server or the way to it. Wrong credentials concern every mail too. */
const ABSENCES = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EPROTOCOL', 'EAUTH', 'ENOAUTH']

const isAbsence = (error: unknown) => ABSENCES.includes((error as SmtpError).code ?? '')

/** Codes from 500 on mean: never. Codes from 400 to 499 mean: not now. Greylisting answers so. */
export const isRefusal = (error: unknown): boolean =>
  !isAbsence(error) && ((error as SmtpError).responseCode ?? 0) >= 500

// A server that locks accounts after wrong passwords is asked seldom.
const LONGEST_WAIT_MS = 30_000

/** Notices when the mail server is away, and asks it again until it is back. */
export function watchedMailer(smtp: Mailer & Pick<SmtpMailer, 'verify'>, services: ExternalServices): Mailer {
  const server = services.watch({
    name: 'mail',
    label: 'The mail server',
    effect: 'Emails wait until it is back; everything else works.',
    probe: () => smtp.verify(),
    longestWaitMs: LONGEST_WAIT_MS,
  })
  return {
    async send(mail, sending) {
      try {
        await smtp.send(mail, sending)
      } catch (error) {
        if (isAbsence(error)) server.failed(error)
        throw error
      }
    },
    away: () => (server.isAway ? "The mail server can't be reached." : undefined),
  }
}

/** Without SMTP each mail becomes a file in the data folder, and the log names it. */
export function folderMailer(folder: string, from: string, log: (sentence: string) => void): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send(mail, sending = {}) {
      const { message } = await transport.sendMail(optionsOf(from, mail, sending))
      const { kind, to } = mail
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}_${kind}_${to.replace(/[^\w.@-]/g, '_')}.eml`
      const file = path.join(folder, name)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // The file is renamed when it is complete, so that readers never see half a mail.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
      log(`A mail to ${to} was written to ${file}`)
    },
  }
}
