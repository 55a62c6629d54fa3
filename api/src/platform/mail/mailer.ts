import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'

export interface Mail {
  /** Names the file when mails are written to the data folder. */
  kind: string
  to: string
  subject: string
  text: string
}

export interface Mailer {
  send(mail: Mail): Promise<void>
  /** Answers 503 while mails can't be sent, for calls that make no sense without one. */
  refuseIfAway?(): void
}

// The usual limits of the library are minutes, and a call may wait for its mail.
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Sends by SMTP. `verify` connects and signs in without sending anything. */
export function smtpMailer(url: string, from: string): Mailer & { verify(): Promise<unknown> } {
  const transport = createTransport({ url, ...TIMEOUTS })
  return {
    send: async ({ to, subject, text }) => void (await transport.sendMail({ from, to, subject, text })),
    verify: () => transport.verify(),
  }
}

/** Without SMTP each mail becomes a file in the data folder, and the log names it. */
export function folderMailer(folder: string, from: string, log: (sentence: string) => void): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send({ kind, to, subject, text }) {
      const { message } = await transport.sendMail({ from, to, subject, text })
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
