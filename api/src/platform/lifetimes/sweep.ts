import type { Settings } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { defineJob, type Job } from '../jobs/define-job.ts'
import { restAfter } from '../jobs/work-through.ts'
import type { Lifetime, SweepContext, SweepStep, TableLifetimes } from './lifetime.ts'

const AT_ONCE = 5000

const isoOf = (ms: number) => new Date(ms).toISOString()

/**
 * Deletes the oldest rows of a table that are older than its lifetime, up to a bounded number, in a transaction of its own.
 * Rows that another transaction has locked are left to the next run.
 */
const deleteOldest =
  (table: string, { column, before, only = sql`true` }: NonNullable<Lifetime['ends']>): SweepStep =>
  async (context) => {
    const isOld = sql`${sql.ref(column)} < ${isoOf(before(context))} and ${only}`
    // A row that is refreshed at this moment is compared again before it is deleted.
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${isOld} and ctid = any(array(
        select ctid from ${sql.table(table)} where ${isOld}
         order by ${sql.ref(column)} limit ${sql.lit(AT_ONCE)} for update skip locked))`.execute(context.db)
    return Number(numAffectedRows) === AT_ONCE
  }

function stepsOf(table: string, { ends, also }: Lifetime): SweepStep[] {
  const by = ends?.by
  const byAge: SweepStep | undefined = by
    ? (context) => by(context, isoOf(ends.before(context)))
    : ends && deleteOldest(table, ends)
  return [also, byAge].filter((step) => step !== undefined)
}

/**
 * Deletes what is older than the lifetime of its table, one piece of each table after the other until nothing is left: a
 * backlog of one table holds up no other, and neither does a failure, which is thrown at the end. Where the time of a run is
 * up, the next one goes on with the next table.
 */
export function tableSweep(tables: TableLifetimes): (context: SweepContext) => Promise<void> {
  const ring = Object.entries(tables).flatMap(([table, lifetime]) => stepsOf(table, lifetime))
  return async (context) => {
    const failures: unknown[] = []
    const due = new Set(ring)
    while (due.size > 0 && !context.signal.aborted) {
      const step = ring.shift() as SweepStep
      ring.push(step)
      if (!due.delete(step)) continue
      const began = performance.now()
      try {
        if (await step(context)) due.add(step)
      } catch (error) {
        failures.push(error)
      }
      if (due.has(step)) await restAfter(performance.now() - began, context.signal)
    }
    if (failures.length > 1) throw new AggregateError(failures, 'Sweeping several tables failed.')
    if (failures.length > 0) throw failures[0]
  }
}

/** The one job that deletes what is old. A changed setting has its effect at once. */
export function sweepJob(tables: TableLifetimes, readSettings: (db: Db) => Promise<Settings>): Job {
  const sweep = tableSweep(tables)
  return defineJob('sweep', async ({ timeUp: signal, ...context }) =>
    sweep({ ...context, signal, settings: await readSettings(context.db) }),
  )
}
