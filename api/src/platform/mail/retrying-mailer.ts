import type { ExternalServices } from '../runtime/external-services.ts'
import type { Mail, Mailer } from './mailer.ts'

/** The server or the way to it. Wrong credentials concern every mail too. */
const ABSENCES = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EPROTOCOL', 'EAUTH', 'ENOAUTH']
const KEPT_MS = 24 * 60 * 60_000
const MOST_KEPT = 1000
const RETRY_MS = 60_000
// A server that locks accounts after wrong passwords is asked seldom.
const LONGEST_WAIT_MS = 30_000

interface Waiting {
  mail: Mail
  since: number
}

interface Options {
  services: ExternalServices
  log: (error: unknown) => void
}

interface SmtpError {
  code?: string
  responseCode?: number
  message: string
}

const isAbsence = (error: unknown) => ABSENCES.includes((error as SmtpError).code ?? '')

/** Codes from 400 to 499 mean: not now. Greylisting answers so. */
const isPassing = (error: unknown) => {
  const { responseCode = 0 } = error as SmtpError
  return responseCode >= 400 && responseCode < 500
}

const notSent = ({ kind, to }: Mail, reason: string, cause?: unknown) =>
  new Error(`The mail "${kind}" to ${to} was not sent: ${reason}`, { cause })

/**
 * Keeps mails that the server can't take now, for a day and as long as this node runs, and sends them once it can. A mail that
 * the server refuses for good fails.
 */
export function retryingMailer(
  smtp: Mailer & { verify(): Promise<unknown> },
  { services, log }: Options,
): Mailer & { close(): void } {
  const waiting: Waiting[] = []
  const server = services.watch({
    name: 'mail',
    label: 'The mail server',
    effect: "Mails wait, and password resets and invitations can't be sent; everything else works.",
    probe: () => smtp.verify(),
    longestWaitMs: LONGEST_WAIT_MS,
  })
  let timer: NodeJS.Timeout | undefined
  let isSending = false

  function keep(entry: Waiting, reason: unknown): void {
    if (waiting.length >= MOST_KEPT) return log(notSent(entry.mail, 'too many mails wait', reason))
    waiting.push(entry)
    timer ??= setTimeout(() => {
      timer = undefined
      void sendWaiting()
    }, RETRY_MS).unref()
  }

  /** Sends a mail or keeps it; fails if the server refuses it for good. */
  async function sendOrKeep(entry: Waiting): Promise<void> {
    if (Date.now() - entry.since > KEPT_MS) throw notSent(entry.mail, 'the mail server was away for a day')
    if (server.isAway) return keep(entry, undefined)
    try {
      await smtp.send(entry.mail)
    } catch (error) {
      if (isAbsence(error)) server.failed(error)
      else if (!isPassing(error)) throw notSent(entry.mail, (error as SmtpError).message, error)
      keep(entry, error)
    }
  }

  async function sendWaiting(): Promise<void> {
    if (isSending) return
    isSending = true
    for (const entry of waiting.splice(0)) await sendOrKeep(entry).catch(log)
    isSending = false
  }
  server.onReturn(() => void sendWaiting())

  return {
    send: (mail) => sendOrKeep({ mail, since: Date.now() }),
    refuseIfAway: () => server.refuseIfAway(),
    close() {
      clearTimeout(timer)
      for (const { mail } of waiting) log(notSent(mail, 'this node stopped before the mail server was back'))
    },
  }
}
