import { setTimeout as sleep } from 'node:timers/promises'
import { type Failure, isDatabaseAway } from '../runtime/passing-failure.ts'
import { StartError } from '../runtime/start-error.ts'

// Waiting does not help: the role, its password or the database is wrong.
const REFUSED = ['28P01', '28000', '3D000']
// So is a certificate that was refused, by the codes of Node and of OpenSSL.
const REFUSED_CERTIFICATE = /CERT|UNABLE_TO_VERIFY_LEAF|ERR_TLS/

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5000
const REMIND_MS = 30_000

interface Waiting {
  limitMs: number
  say: (sentence: string) => void
  /** Ends the wait, because the process stops. */
  signal: AbortSignal
}

const isRefused = (code: string) => REFUSED.includes(code) || REFUSED_CERTIFICATE.test(code)

/** Connects to a database that may still be starting. Says why it waits, and now and then that it still does. */
export async function waitForDatabase(
  connectOnce: () => Promise<void>,
  { limitMs, say, signal }: Waiting,
): Promise<void> {
  const began = performance.now()
  let remindAt: number | undefined
  for (let tries = 0; ; tries++) {
    try {
      await connectOnce()
      if (remindAt !== undefined) say(`The database answers after ${Math.round((performance.now() - began) / 1000)} s.`)
      return
    } catch (error) {
      const { code = '', message } = error as Failure
      const waitedMs = performance.now() - began
      const isAway = isDatabaseAway(error as Failure)
      if (!isAway && !isRefused(code)) throw error
      const reason = `The database that DATABASE_URL names cannot be used: ${message || code || 'it does not answer'}.`
      if (!isAway || waitedMs >= limitMs) throw new StartError(reason)
      if (remindAt === undefined) say(`${reason} Waiting for it up to ${Math.round(limitMs / 1000)} s.`)
      else if (waitedMs >= remindAt) say(`Still waiting for the database: ${Math.round(waitedMs / 1000)} s. ${reason}`)
      if (remindAt === undefined || waitedMs >= remindAt) remindAt = waitedMs + REMIND_MS
    }
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries, 10), LONGEST_WAIT_MS)
    await sleep(waitMs, undefined, { signal }).catch(() => {
      throw new StartError('Stopped while it waited for the database.')
    })
  }
}
