import { NIL_UUID } from '@roadshow/contract'
import type { PopGrade } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, prepared } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { jobsWaiting } from '../../platform/observability/metrics.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { evidenceFor } from './facts.ts'
import { type DrivenShift, gradePlay } from './grade.ts'
import { rollUp } from './rollup.ts'

/** A play as it is stored, with the program of its artwork. */
interface StoredPlay {
  device_uid: string
  play_id: string
  started_at: string
  at: string
  latitude: number | null
  longitude: number | null
  artwork_program_uid: string
  shift_uid: string | null
  grade: PopGrade
}

const AT_ONCE = 5000

interface Regrading {
  play: StoredPlay
  grade: PopGrade
  shift?: DrivenShift
}

/**
 * Changes plays and, in the same statement, the rollups by what each play really changed. A play that was graded by
 * another statement meanwhile is left as it is.
 */
function changeStatement(changes: readonly Regrading[], first: string, last: string): RawBuilder<{ count: number }> {
  const regraded = rowsAsTable('g', changes, {
    device_uid: ['uuid', ({ play }) => play.device_uid],
    play_id: ['text', ({ play }) => play.play_id],
    started_at: ['timestamptz', ({ play }) => play.started_at],
    old_grade: ['text', ({ play }) => play.grade],
    old_shift_uid: ['uuid', ({ play }) => play.shift_uid],
    grade: ['text', ({ grade }) => grade],
    shift_uid: ['uuid', ({ shift }) => shift?.uid],
  })
  return prepared(sql<{ count: number }>`
  with was as materialized (
    select p.device_uid, p.play_id, p.started_at, p.program_uid, p.market_uid, p.grade,
           g.grade as new_grade, s.uid as new_shift_uid, s.program_uid as new_program_uid, s.market_uid as new_market_uid
      from ${regraded}
      join play p on p.device_uid = g.device_uid and p.play_id = g.play_id and p.started_at = g.started_at
      left join shift s on s.uid = g.shift_uid
     where p.started_at >= ${first} and p.started_at <= ${last}
       and p.grade = g.old_grade and p.shift_uid is not distinct from g.old_shift_uid
     order by p.device_uid, p.play_id for update of p
  ), changed as (
    update play p set grade = was.new_grade, shift_uid = was.new_shift_uid, program_uid = was.new_program_uid,
                      market_uid = was.new_market_uid
      from was
     where p.device_uid = was.device_uid and p.play_id = was.play_id and p.started_at = was.started_at
       and p.started_at >= ${first} and p.started_at <= ${last}
    returning p.started_at, p.truck_uid, p.side, p.duration_ms, p.address_uid,
              was.program_uid, was.market_uid, was.grade, was.new_program_uid, was.new_market_uid, was.new_grade
  ), moved as (
    select started_at, truck_uid, side, duration_ms, address_uid, program_uid, market_uid, grade, -1 as sign from changed
    union all
    select started_at, truck_uid, side, duration_ms, address_uid, new_program_uid, new_market_uid, new_grade, 1 from changed
  ), ${rollUp('moved', sql.ref('sign'))}
  select count(*) as count from changed`)
}

/** Grades the plays of a truck between two moments again, by the track and shifts known now; returns how many changed. */
export async function regrade(db: Db, truckUid: string, from: number, to: number): Promise<number> {
  const [first, last] = [new Date(from), new Date(to)].map((at) => at.toISOString())
  let after = { started_at: '-infinity', device_uid: NIL_UUID, play_id: '' }
  let count = 0
  for (;;) {
    // Not prepared: only the days asked for are touched when their times are known to the planner.
    const { rows } = await sql<StoredPlay>`
      select p.device_uid, p.play_id, p.started_at, extract(epoch from p.started_at) * 1000 as at, p.latitude,
             p.longitude, a.program_uid as artwork_program_uid, p.shift_uid, p.grade
        from play p join artwork_set a on a.uid = p.artwork_set_uid
       where p.truck_uid = ${truckUid} and p.started_at >= ${first} and p.started_at <= ${last}
         and (p.started_at, p.device_uid, p.play_id)
             > (${after.started_at}::timestamptz, ${after.device_uid}::uuid, ${after.play_id}::text)
       order by p.started_at, p.device_uid, p.play_id limit ${sql.lit(AT_ONCE)}`.execute(db)
    if (rows.length > 0) count += await regradePlays(db, truckUid, rows)
    const newest = rows.at(-1)
    if (!newest || rows.length < AT_ONCE) return count
    after = newest
  }
}

async function regradePlays(db: Db, truckUid: string, plays: StoredPlay[]): Promise<number> {
  const { outsideMarketByMetres } = await readSettings(db)
  const moments = plays.map(({ at }) => Number(at))
  const evidence = await evidenceFor(db, truckUid, moments, outsideMarketByMetres)
  const changes = plays
    .map((play) => ({ play, ...gradePlay(claimOf(play), evidence) }))
    .filter(({ play, grade, shift }) => grade !== play.grade || (shift?.uid ?? null) !== play.shift_uid)
  const [first, last] = [changes[0]?.play.started_at, changes.at(-1)?.play.started_at]
  if (first === undefined || last === undefined) return 0
  return inTransaction(db, async (db) => {
    const { rows } = await changeStatement(changes, first, last).execute(db)
    // Hours without any play left are removed.
    for (const table of ['play_hour', 'play_address_hour'] as const) {
      await sql`delete from ${sql.table(table)}
                 where truck_uid = ${truckUid} and plays = 0
                   and hour between date_trunc('hour', ${first}::timestamptz) and ${last}::timestamptz`.execute(db)
    }
    return rows[0]?.count ?? 0
  })
}

const claimOf = ({ at, latitude, longitude, artwork_program_uid }: StoredPlay) => ({
  at: Number(at),
  place: latitude === null || longitude === null ? null : { latitude, longitude },
  programUid: artwork_program_uid,
})

/** A stretch of a truck's time whose plays are to be graded again. */
interface StretchToRegrade {
  truck_uid: string
  first: string
  last: string
}

/** Stretches with new fixes, and with plays that these may prove or contradict. */
const newTracks = (since: string) => sql<StretchToRegrade>`
  with arrived as (
    select truck_uid, min(at) - interval '1 minute' as first, max(at) + interval '1 minute' as last from position
     where received_at > ${since} and at > now() - interval '1 day'
     group by truck_uid, date_trunc('hour', at)
  )
  select truck_uid, extract(epoch from first) * 1000 as first, extract(epoch from last) * 1000 as last from arrived a
   where exists (select 1 from play p
                  where p.truck_uid = a.truck_uid and p.started_at between a.first and a.last
                    and p.started_at > now() - interval '25 hours' and p.grade = 'unverified' and p.shift_uid is not null)`

/**
 * Stretches of shifts that were changed after they began: where their plays are now, which may have been moved by days,
 * and where the shifts are now. Stretches that overlap are merged.
 */
const changedShifts = (since: string) => sql<StretchToRegrade>`
  with changed as materialized (
    select uid, truck_uid, least(starts_at, started_at) as first, greatest(ends_at, stopped_at) as last from shift
     where updated_at > ${since} and least(starts_at, started_at) < now()
  ), stretches as (
    select p.truck_uid, min(p.started_at) as first, max(p.started_at) as last from changed c
      join play p on p.shift_uid = c.uid and p.started_at between c.first - interval '3 days' and c.last + interval '3 days'
     group by c.uid, p.truck_uid
    union all
    select truck_uid, first, last from changed c
     where exists (select from play p where p.truck_uid = c.truck_uid and p.started_at between c.first and c.last)
  ), merged as (
    select truck_uid, range_agg(tstzrange(first, last, '[]')) as hours from stretches group by truck_uid
  )
  select truck_uid, extract(epoch from lower(part)) * 1000 as first, extract(epoch from upper(part)) * 1000 as last
    from merged, unnest(hours) part order by truck_uid, 2`

/** Grades the plays again that new tracks and changed shifts since a moment concern. */
export async function regradeSince(db: Db, since: string, signal?: AbortSignal): Promise<void> {
  for (const due of [newTracks(since), changedShifts(since)]) {
    const { rows } = await due.execute(db)
    jobsWaiting.set({ job: JOB }, rows.length)
    for (const { truck_uid, first, last } of rows) {
      if (signal?.aborted) return
      await regrade(db, truck_uid, Number(first), Number(last))
      jobsWaiting.dec({ job: JOB })
    }
  }
}

const JOB = 'play-grades'

/** Grades plays again when tracks or shifts that they depend on have changed. */
export const regradeLateTracks = defineJob({
  name: JOB,
  every: '30s',
  lock: 'cluster',
  watermark: true,
  run: ({ db, since, signal }) => regradeSince(db, since, signal),
})
