import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { dayOf, keptSince } from '../../platform/db/partitions.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { workThrough } from '../../platform/jobs/work-through.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { MILES_VERSION } from './miles.ts'
import { updateMiles } from './shift-miles.ts'
import type { TimeRange } from './time-ranges.ts'
import { withTelemetryLock } from './store.ts'

const AT_ONCE = 100

const ofProgram = (program: string | undefined) =>
  program === undefined
    ? sql`true`
    : sql`truck_uid in (select truck_uid from truck_hold where program_uid = ${program})`

/**
 * Measures hours of trucks again whose shifts or earlier days have changed, of all trucks or of those of a program; answers
 * whether there are more.
 */
export const remeasureShifts = (db: Db, { at, program }: { at?: number; program?: string } = {}): Promise<boolean> =>
  withTelemetryLock(db, async (db) => {
    const now = at ?? (await sharedNow(db))
    const kept = keptSince((await readSettings(db)).keepPositionsDays, now)
    const { rows } = await sql<TimeRange & { truck: string }>`
      delete from miles_due where ctid in (select ctid from miles_due where ${ofProgram(program)} limit ${AT_ONCE})
      returning truck_uid as truck, (extract(epoch from starts_at) * 1000)::float8 as "from",
                (extract(epoch from ends_at) * 1000)::float8 as "to"`.execute(db)
    // Positions of older shifts are gone, so their miles stay.
    const due = rows.filter(({ from }) => from >= kept)
    await dropStaleTracks(
      db,
      due.map(({ truck }) => truck),
      kept,
    )
    await updateMiles(db, { now, due })
    const left = await sql<{
      any: boolean
    }>`select exists (select 1 from miles_due where ${ofProgram(program)}) as any`.execute(db)
    return left.rows[0]?.any ?? false
  })

/** Measures everything of a program now that still waits for it, as before its page is published. */
export async function finishMiles(db: Db, program: string): Promise<void> {
  while (await remeasureShifts(db, { program }));
}

/** Queues the kept days and shifts that an earlier version of the rules has measured. */
export const queueOldTracks = async (db: Db, at?: number): Promise<void> => {
  const kept = keptSince((await readSettings(db)).keepPositionsDays, at ?? (await sharedNow(db)))
  await sql`
    insert into miles_due (truck_uid, starts_at, ends_at)
    select truck_uid, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC'
      from truck_day_track where algorithm <> ${MILES_VERSION} and day >= ${dayOf(kept)}::date
     union
    select truck_uid, starts_at, ends_at
      from shift_track where algorithm <> ${MILES_VERSION} and starts_at >= ${new Date(kept)}`.execute(db)
}

/** Deletes tracks of shifts that have another truck or other hours now, or do not take place. */
const dropStaleTracks = (db: Db, trucks: readonly string[], kept: number) =>
  sql`
    delete from shift_track t
     where t.truck_uid = any(${trucks}::uuid[]) and t.starts_at >= ${new Date(kept)}
       and (t.truck_uid, t.starts_at, t.ends_at) not in (
         select h.truck_uid, min(lower(h.during)), max(upper(h.during))
           from truck_hold h where h.shift_uid = t.shift_uid group by 1)`.execute(db)

/** Lowers the coverage of running shifts whose trucks send nothing. */
export const updateCoverage = (db: Db, at?: number) =>
  withTelemetryLock(db, (db) =>
    sql`
      with hours as (select coalesce(to_timestamp(${at}::float8 / 1000), now()) as now)
      update shift_track t
         set computed_at = hours.now,
             coverage = least(1, t.heard_ms / 1000 /
               greatest(1, extract(epoch from least(hours.now, t.ends_at) - t.starts_at)))
        from hours
       where t.ends_at > hours.now - interval '2 days' and t.computed_at < least(t.ends_at, hours.now)`.execute(db),
  )

/** With or without a MyGeotab account: players report positions as well, and people change shifts. */
export const measureMilesJob = defineJob('miles', ({ db, timeUp }) => workThrough(timeUp, () => remeasureShifts(db)))

export const updateCoverageJob = defineJob('coverage', ({ db }) => updateCoverage(db))

export const queueOldTracksJob = defineJob('old-tracks', ({ db }) => queueOldTracks(db))
