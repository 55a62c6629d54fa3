import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  user: string | undefined
  message: string
}

interface Options {
  /** Refuses every recipient. */
  refuse?: boolean
  port?: number
  /** Runs when a mail has been taken; its sender gets to know when it has ended. */
  onReceived?: (received: readonly ReceivedMail[]) => void | Promise<void>
}

async function answerAfter(handled: void | Promise<void>, answer: () => void): Promise<void> {
  await handled
  answer()
}

/** A mail server that keeps what it gets. */
export async function startMailServer({ refuse = false, port = 0, onReceived }: Options = {}) {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    // Senders keep their connections open; a server that stops does not wait for them.
    closeTimeout: 50,
    allowInsecureAuth: true,
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'secret' ? done(null, { user: username }) : done(new Error('no')),
    onRcptTo: (_address, _session, done) => done(refuse ? new Error('no such mailbox') : null),
    onData: (stream, { envelope, user }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ from, to, user, message: Buffer.concat(chunks).toString() })
        void answerAfter(onReceived?.(received), done)
      })
    },
  })
  // A sender that is killed resets its connections.
  server.on('error', () => {})
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    stop: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}
