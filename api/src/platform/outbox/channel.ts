import type { Db } from '../db/connection.ts'
import type { JobContext } from '../jobs/define-job.ts'
import type { Ended } from './rules.ts'

export type ChannelName = 'mail' | 'push' | 'webhook'

/** A message as its channel gets it. */
export interface OutgoingMessage {
  uid: string
  channel: ChannelName
  kind: string
  recipient: string
  userUid: string | null
  target: string | null
  createdAt: string
  attempts: number
  /** What was handed over, as it came out of JSON. */
  payload: unknown
}

/** The run of the job that sends. */
export type SendingRun = Pick<JobContext, 'log' | 'trace'>

/** A way out of the building. */
export interface Channel {
  name: ChannelName
  /** Messages that one node sends at a time. */
  concurrency: number
  /** Of those, how many go to one target. Undefined where messages have no target. */
  perTarget?: number
  /** The longest that `send` takes. After it another node may try. */
  longestMs: number
  /** A sentence while nothing can be sent: messages wait without being tried. */
  away?: () => string | undefined
  /**
   * Sends one message and says how it ended: `accepted`, `failed` (it is tried again), `refused` (for good), or `cancelled`
   * where it must not be sent any more. An error that it throws counts as failed. Once the recipient has answered, errors
   * go to `log` instead: a message that was accepted must not be sent again.
   */
  send(message: OutgoingMessage, { log, trace }: SendingRun): Promise<Ended>
}

/** Looks at a message at the moment it is sent. Answers a sentence if it must not be sent any more. */
export type BeforeSending = (db: Db, message: OutgoingMessage) => Promise<string | undefined>

/** A channel that sends only what every check lets pass: rights may have ended while a message waited. */
export const checkedChannel = (channel: Channel, db: Db, checks: readonly BeforeSending[]): Channel => ({
  ...channel,
  async send(message, run) {
    for (const check of checks) {
      const reason = await check(db, message)
      if (reason !== undefined) return { outcome: 'cancelled', answer: reason }
    }
    return channel.send(message, run)
  },
})
