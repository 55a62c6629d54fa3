import type { GreetingStep } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** The one row about this installation. */
export const readInstallation = (db: Db) => db.selectFrom('installation').selectAll().executeTakeFirstOrThrow()

/** Begins the greeting and the list, where no one works yet. */
export const startSetup = (db: Db) =>
  db
    .updateTable('installation')
    .set({ started_at: sql`now()` })
    .where('started_at', 'is', null)
    .execute()

export const passStep = (db: Db, step: GreetingStep) =>
  db
    .updateTable('installation')
    .set({ passed_steps: sql`array_append(passed_steps, ${step})` })
    .where(sql<boolean>`not ${step} = any (passed_steps)`)
    .execute()

export const setDismissed = (db: Db, isDismissed: boolean) =>
  db
    .updateTable('installation')
    .set({ dismissed_at: isDismissed ? sql`now()` : null })
    .execute()

/** Notes that the data are those of the demo. */
export const markDemo = (db: Db) => db.updateTable('installation').set({ demo: 'loaded' }).execute()

/** Whether the data are those of the demo, and no one has asked to empty it. */
export const isDemoLoaded = async (db: Db): Promise<boolean> => (await readInstallation(db)).demo === 'loaded'

export interface Successor {
  name: string
  email: string
  passwordHash: string
}

/** Notes that the demo is to be emptied, and who is left; false where it is none, or someone was faster. */
export async function requestEmptying(db: Db, successor: Successor): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('installation')
    .set({ demo: 'emptying', successor: JSON.stringify(successor) })
    .where('demo', '=', 'loaded')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
