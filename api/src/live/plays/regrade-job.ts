import { sql } from 'kysely'
import type { NodeLog } from '../../platform/observability/log.ts'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { workThrough } from '../../platform/jobs/work-through.ts'
import { jobsWaiting } from '../../platform/observability/metrics.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { FIX_COVERS, noteEvidence } from '../evidence/index.ts'
import type { PlayStores } from './archive/stores.ts'
import { settleFigureChanges } from './figure-drops.ts'
import { countWaiting, GRADING_JOB, nextInTurn, queueChanges, removeGraded, UNGRADED } from './grading-queue.ts'
import { archiveFailures } from './metrics.ts'
import { NO_UID } from './rollup.ts'
import { type PlayStretch, readRunLimits, regrade, type RunLimits } from './regrade.ts'

/** Adds to the progress that people see. It is stored, so that another run or node goes on with it. */
const saveProgress = (db: Db, done: number, waiting: number) =>
  db
    .insertInto('grading_run')
    .values({ job: GRADING_JOB, done, total: done + waiting })
    .onConflict((conflict) =>
      conflict.column('job').doUpdateSet((eb) => {
        const plus = (more: number) => eb('grading_run.done', '+', more)
        return { done: plus(done), total: plus(done + waiting), updated_at: sql`now()` }
      }),
    )
    .execute()

interface GradingRun extends PlayStores {
  /** Called for each day of a truck that fails. Without it, the first failure ends the run. */
  onError?: NodeLog
  signal?: AbortSignal
  /** Ends the run between two days of trucks. */
  timeUp?: AbortSignal
}

/**
 * Leaves a day to a later run, such as one whose archived plays cannot be read: other plays do not wait for it. This run
 * has read its notes already, so it does not meet the day again.
 */
async function postpone({ db, onError }: GradingRun, stretch: PlayStretch, error: unknown): Promise<void> {
  if (!onError) throw error
  archiveFailures.inc()
  await noteEvidence(db, [stretch])
  const [from, to] = [new Date(stretch.from).toJSON(), new Date(stretch.to).toJSON()]
  const plays = `The plays of truck ${stretch.truckUid} from ${from} to ${to}`
  onError(new Error(`${plays} could not be graded. The next run tries again.`, { cause: error }))
}

/** Grades the day of a truck whose turn it is; answers false if none waits. */
async function gradeNext(run: GradingRun, atStart: RunLimits): Promise<boolean> {
  const { db, parquet, signal } = run
  const next = await nextInTurn(db, atStart)
  if (!next) return false
  // Read after the day was queued: these are the settings that it was queued for, or newer ones.
  const limits = await readRunLimits(db)
  await regrade(db, next, { limits, signal, parquet }).catch((error: unknown) => postpone(run, next, error))
  if (!signal?.aborted) await removeGraded(db, next)
  return true
}

// People see the progress of work that takes longer than this.
const VISIBLE_MS = 2000

/**
 * Grades the plays again that changes of evidence since a moment concern, and those that wait since earlier runs. What is
 * left when the time is up stays in the queue.
 */
export async function regradeSince(run: GradingRun, since: string): Promise<void> {
  const { db, timeUp = new AbortController().signal } = run
  const limits = await readRunLimits(db)
  await queueChanges(db, since, limits)
  let [done, savedAt] = [0, performance.now()]
  async function showProgress(): Promise<void> {
    const waiting = await countWaiting(db, limits)
    jobsWaiting.set({ job: GRADING_JOB }, waiting)
    await saveProgress(db, done, waiting)
    ;[done, savedAt] = [0, performance.now()]
  }
  await workThrough(timeUp, async () => {
    if (!(await gradeNext(run, limits))) return false
    done++
    if (performance.now() - savedAt > VISIBLE_MS) await showProgress()
    return true
  })
  await settleFigureChanges(db, run.signal)
  if (timeUp.aborted) return showProgress()
  jobsWaiting.set({ job: GRADING_JOB }, 0)
  await db.deleteFrom('grading_run').where('job', '=', GRADING_JOB).execute()
}

/** Grades plays again when what they are graded by has changed. */
export const regradeChangedEvidence = defineJob(
  GRADING_JOB,
  ({ db, blobs, env, since, signal, timeUp, log: onError }) =>
    regradeSince({ db, parquet: parquetOf({ blobs, env }), signal, timeUp, onError }, since),
)

/**
 * The hours with plays of a program's artwork that changes concern which the job has not worked off, wherever the shifts of
 * these plays have gone since.
 */
const changesOfProgram = (program: string) => sql`
  select h.truck_uid, h.hour, h.plays, greatest(e.first_at, h.hour - ${FIX_COVERS}) as first_at,
         least(e.last_at, h.hour + interval '1 hour' + ${FIX_COVERS}) as last_at
    from hours_with_plays(${program}) h join ${UNGRADED} e on e.truck_uid = h.truck_uid
     and h.hour + interval '1 hour' >= e.first_at - ${FIX_COVERS} and h.hour <= e.last_at + ${FIX_COVERS}`

/** Grades everything of a program now that still waits for it, as before its page is published. */
export async function finishGrading(
  { db, parquet }: PlayStores,
  { program, signal }: { program: string; signal?: AbortSignal },
): Promise<void> {
  const { rows } = await sql<PlayStretch>`
    with merged as (
      select truck_uid, range_agg(tstzrange(least(first_at, last_at), greatest(first_at, last_at), '[]')) as hours
        from (${changesOfProgram(program)}) c group by truck_uid
    )
    select truck_uid as "truckUid", (extract(epoch from lower(part)) * 1000)::float8 as "from",
           (extract(epoch from upper(part)) * 1000)::float8 as "to"
      from merged, unnest(hours) part order by 2, 1`.execute(db)
  const limits = await readRunLimits(db)
  for (const stretch of rows) {
    await regrade(db, stretch, { limits, signal, parquet })
    if (signal?.aborted) return
  }
}

export interface GradingProgress {
  /** Plays of the program that will be graded again, about: whole hours are counted. */
  waiting: number
  /** Plays at whose time nothing but the player said where the truck was. */
  withoutTrack: number
  /** How far a long run has come, in days of trucks; null if there is none. */
  run: { done: number; total: number } | null
}

/** How many plays of a program wait for being graded, and how many have no track. */
export async function gradingProgress(db: Db, { program }: { program: string }): Promise<GradingProgress> {
  const { rows } = await sql<GradingProgress>`
    select (select coalesce(sum(plays), 0)::int
              from (select distinct truck_uid, hour, plays from (${changesOfProgram(program)}) c) due) as waiting,
           (select coalesce(sum(h.no_track), 0)::int from play_hour h
             where h.program_uid = ${program} and h.market_uid <> ${NO_UID}) as "withoutTrack",
           (select json_build_object('done', done, 'total', total) from grading_run
             where job = ${GRADING_JOB} and updated_at > now() - interval '5 minutes') as run`.execute(db)
  return rows[0] ?? { waiting: 0, withoutTrack: 0, run: null }
}
