import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { rowsAsTable } from '../db/rows-as-table.ts'
import { defineJob, intervalMs, type Job, type JobContext } from '../jobs/define-job.ts'
import { passingFailure } from '../runtime/passing-failure.ts'
import type { Watch } from './watch.ts'

const nameOf = ({ name }: Watch) => `watch ${name}`

/** The watches whose turn it is. Of all nodes, one gets the turn of each interval. */
async function takeTurns(db: Db, watches: readonly Watch[], now: number): Promise<Watch[]> {
  const turns = rowsAsTable('t', watches, {
    job: ['text', nameOf],
    began: ['timestamptz', ({ every }) => new Date(now - (now % intervalMs(every))).toISOString()],
  })
  const { rows } = await sql<{ job: string }>`
    insert into job_watermark (job, done_until) select t.job, t.began from ${turns}
    on conflict (job) do update set done_until = excluded.done_until
      where job_watermark.done_until < excluded.done_until
    returning job`.execute(db)
  return watches.filter((watch) => rows.some(({ job }) => job === nameOf(watch)))
}

/** A watch that fails keeps none of the others from looking. */
async function lookAt(watches: readonly Watch[], { signal, log, ...context }: JobContext): Promise<void> {
  const failed: string[] = []
  for (const watch of watches) {
    if (signal.aborted) return
    try {
      await watch.look(context)
    } catch (error) {
      // While the database is away, none of them can look.
      if (error instanceof Error && passingFailure(error)) throw error
      log(error)
      failed.push(watch.name)
    }
  }
  if (failed.length > 0) throw new Error(`Conditions could not be watched: ${failed.join(', ')}`)
}

/** Looks at the conditions of all modules. */
export function watchJobs(watches: readonly Watch[]): Job[] {
  const ofCluster = watches.filter(({ ofNode }) => ofNode === undefined)
  const ofNode = watches.filter((watch) => !ofCluster.includes(watch))
  return [
    defineJob('watch-conditions', async (context) =>
      lookAt(await takeTurns(context.db, ofCluster, context.now), context),
    ),
    defineJob('watch-node', (context) => lookAt(ofNode, context)),
  ]
}
