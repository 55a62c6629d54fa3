import { sql } from 'kysely'
import type { Db } from './connection.ts'
import { type Subscription, listen, type Listener } from './listen.ts'

/** How nodes learn of what other nodes have stored. */
export interface Signals {
  /**
   * Notifies every node after the commit. It is a hint for live views: it never fails, and a node that misses it catches
   * up a little later. Triggers send what must not be missed, in the transaction itself.
   */
  publish(channel: string): Promise<void>
  /** Receives these signals and those of the database's triggers. */
  subscribe(hearing: Subscription): Promise<Listener>
}

/** Through the database alone: enough for most installations, with nothing more to run. */
export const databaseSignals = (db: Db, url: string): Signals => ({
  publish: (channel) => sendSignal(db, channel),
  subscribe: (hearing) => listen({ ...hearing, url }),
})

export const sendSignal = async (db: Db, channel: string): Promise<void> => {
  await sql`select pg_notify(${channel}, '')`.execute(db).catch(() => {})
}
