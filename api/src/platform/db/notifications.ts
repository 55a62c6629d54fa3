import { sql } from 'kysely'
import type { Db } from './connection.ts'
import { type Subscription, listen, type Listener } from './listen.ts'

/** How nodes hear of what others have stored. */
export interface Notifications {
  /**
   * Tells every node, after the commit. A hint for what is shown live: it never fails, and whoever misses it finds out a
   * little later. What must not be missed is notified by a trigger, in the transaction itself.
   */
  publish(channel: string): Promise<void>
  /** Hears what is told, and the database's own notifications. */
  subscribe(hearing: Subscription): Promise<Listener>
}

/** By the database alone: enough for most, and nothing more to run. */
export const databaseNotifications = (db: Db, url: string): Notifications => ({
  publish: (channel) => notify(db, channel),
  subscribe: (hearing) => listen({ ...hearing, url }),
})

export const notify = async (db: Db, channel: string): Promise<void> => {
  await sql`select pg_notify(${channel}, '')`.execute(db).catch(() => {})
}
