import type { Db } from '../db/connection.ts'
import type { Channel, OutgoingMessage } from './channel.ts'

/** Looks at a message at the moment it is sent. Answers a sentence if it must not be sent any more. */
export type BeforeSending = (db: Db, message: OutgoingMessage) => Promise<string | undefined>

/** A channel that sends only what every check lets pass: rights may have ended while a message waited. */
export const checkedChannel = (channel: Channel, db: Db, checks: readonly BeforeSending[]): Channel => ({
  ...channel,
  async send(message, log) {
    for (const check of checks) {
      const reason = await check(db, message)
      if (reason !== undefined) return { outcome: 'cancelled', answer: reason }
    }
    return channel.send(message, log)
  },
})
