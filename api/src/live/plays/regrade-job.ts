import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { LogError } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { jobsWaiting } from '../../platform/observability/metrics.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { FIX_COVERS, noteEvidence } from '../evidence/index.ts'
import { archiveFailures } from './archive/metrics.ts'
import type { PlayStores } from './archive/stores.ts'
import { NO_UID } from './rollup.ts'
import { type PlayStretch, readRunLimits, regrade } from './regrade.ts'

const JOB = 'play-grades'

/**
 * Changes of evidence since a moment as stretches of trucks; those that overlap are merged. The oldest come first: an
 * archived day that is brought back is graded for all of its trucks before the next one.
 */
const mergeChanges = (changes: RawBuilder<unknown>) => sql<PlayStretch>`
  with merged as (
    select truck_uid, range_agg(tstzrange(first_at, last_at, '[]')) as hours from (${changes}) c
     -- A truck that never had a player has no plays.
     where exists (select from device d where d.truck_uid = c.truck_uid and d.kind = 'player')
     group by truck_uid
  )
  select truck_uid as "truckUid", (extract(epoch from lower(part)) * 1000)::float8 as "from",
         (extract(epoch from upper(part)) * 1000)::float8 as "to"
    from merged, unnest(hours) part order by 2, 1`

interface Progress {
  done: number
  total: number
}

const saveProgress = (db: Db, { done, total }: Progress) =>
  sql`insert into grading_run (job, done, total) values (${JOB}, ${done}, ${total})
      on conflict (job) do update set done = excluded.done, total = excluded.total, updated_at = now()`.execute(db)

interface GradingRun extends PlayStores {
  /** Called for each stretch that fails. Without it, the first failure ends the run. */
  onError?: LogError
}

/**
 * Leaves a stretch to a later run, such as one whose archived plays cannot be read: other plays do not wait for it. This
 * run has read its notes already, so it does not meet the stretch again.
 */
async function postpone({ db, onError }: GradingRun, stretch: PlayStretch, error: unknown): Promise<void> {
  if (!onError) throw error
  archiveFailures.inc()
  await noteEvidence(db, [stretch])
  const [from, to] = [new Date(stretch.from).toJSON(), new Date(stretch.to).toJSON()]
  const plays = `The plays of truck ${stretch.truckUid} from ${from} to ${to}`
  onError(new Error(`${plays} could not be graded. The next run tries again.`, { cause: error }))
}

// People see the progress of work that takes longer than this.
const VISIBLE_MS = 2000

/**
 * Grades the plays again that changes of evidence since a moment concern. It rests as long as it works, because people are
 * waiting for their lists.
 */
export async function regradeSince(run: GradingRun, since: string, signal?: AbortSignal): Promise<void> {
  const { db, parquet } = run
  const { rows } = await mergeChanges(
    sql`select truck_uid, first_at, last_at from evidence_change where changed_at > ${since}`,
  ).execute(db)
  const limits = await readRunLimits(db)
  let [savedAt, restedAt] = [performance.now(), performance.now()]
  let isVisible = false
  for (const [done, stretch] of rows.entries()) {
    jobsWaiting.set({ job: JOB }, rows.length - done)
    const onPage = async () => {
      if (performance.now() - savedAt > VISIBLE_MS) {
        await saveProgress(db, { done, total: rows.length })
        savedAt = performance.now()
        isVisible = true
      }
      await pause(Math.min(1000, performance.now() - restedAt), undefined, { signal }).catch(() => undefined)
      restedAt = performance.now()
    }
    await regrade(db, stretch, { limits, signal, onPage, parquet }).catch((error: unknown) =>
      postpone(run, stretch, error),
    )
    if (signal?.aborted) return
  }
  jobsWaiting.set({ job: JOB }, 0)
  if (isVisible) await sql`delete from grading_run where job = ${JOB}`.execute(db)
}

/** Grades plays again when what they are graded by has changed. */
export const regradeChangedEvidence = defineJob(JOB, ({ db, blobs, env, since, signal, log }) =>
  regradeSince({ db, parquet: parquetOf({ blobs, env }), onError: log }, since, signal),
)

/**
 * The hours with plays of a program's artwork that changes concern which the job has not worked off, wherever the shifts of
 * these plays have gone since.
 */
const changesOfProgram = (program: string) => sql`
  select h.truck_uid, h.hour, greatest(e.first_at, h.hour - ${FIX_COVERS}) as first_at,
         least(e.last_at, h.hour + interval '1 hour' + ${FIX_COVERS}) as last_at
    from play_hour h join evidence_change e on e.truck_uid = h.truck_uid
     and h.hour + interval '1 hour' >= e.first_at - ${FIX_COVERS} and h.hour <= e.last_at + ${FIX_COVERS}
   where h.program_uid = ${program} and h.plays > 0
     and e.changed_at > coalesce((select done_until from job_watermark where job = ${JOB}), '-infinity')`

/** Grades everything of a program now that still waits for it, as before its page is published. */
export async function finishGrading(
  { db, parquet }: PlayStores,
  { program, signal }: { program: string; signal?: AbortSignal },
): Promise<void> {
  const { rows } = await mergeChanges(
    sql`select distinct truck_uid, least(first_at, last_at) as first_at, greatest(first_at, last_at) as last_at
          from (${changesOfProgram(program)}) c`,
  ).execute(db)
  const limits = await readRunLimits(db)
  for (const stretch of rows) {
    await regrade(db, stretch, { limits, signal, parquet })
    if (signal?.aborted) return
  }
}

export interface GradingProgress {
  /** Plays of the program that will be graded again, about: whole hours are counted. */
  waiting: number
  /** Plays whose truck sent no positions at the time. */
  withoutTrack: number
  /** How far a long run has come, in stretches of trucks; null if there is none. */
  run: Progress | null
}

/** How many plays of a program wait for being graded, and how many have no track. */
export async function gradingProgress(db: Db, { program }: { program: string }): Promise<GradingProgress> {
  const { rows } = await sql<GradingProgress>`
    with due as (select truck_uid, hour from (${changesOfProgram(program)}) c)
    select (select coalesce(sum(h.plays), 0)::int from play_hour h
             where h.program_uid = ${program} and (h.truck_uid, h.hour) in (select truck_uid, hour from due)) as waiting,
           (select coalesce(sum(h.no_track), 0)::int from play_hour h
             where h.program_uid = ${program} and h.market_uid <> ${NO_UID}) as "withoutTrack",
           (select json_build_object('done', done, 'total', total) from grading_run
             where job = ${JOB} and updated_at > now() - interval '5 minutes') as run`.execute(db)
  return rows[0] ?? { waiting: 0, withoutTrack: 0, run: null }
}
