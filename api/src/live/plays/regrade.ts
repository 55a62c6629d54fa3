import type { PopGrade } from '@roadshow/contract'
import { CompiledQuery, sql } from 'kysely'
import { type Db, inTransaction, prepared } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { jobsWaiting } from '../../platform/observability/metrics.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { evidenceFor } from './facts.ts'
import { gradePlay } from './grade.ts'
import { ADD_TO_ADDRESSES, ADD_TO_HOURS, NOTHING, TO_ADDRESSES_THERE, TO_THOSE_THERE } from './rollup.ts'

interface GradedPlay {
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

// Not prepared: only the days asked for are touched when their times are known to the planner.
const PLAYS = `
  select p.device_uid, p.play_id, p.started_at, extract(epoch from p.started_at) * 1000 as at, p.latitude, p.longitude,
         a.program_uid as artwork_program_uid, p.shift_uid, p.grade
    from play p join artwork_set a on a.uid = p.artwork_set_uid
   where p.truck_uid = $1 and p.started_at >= $2 and p.started_at <= $3
     and (p.started_at, p.device_uid, p.play_id) > ($4::timestamptz, $5::uuid, $6::text)
   order by p.started_at, p.device_uid, p.play_id limit ${AT_ONCE}`

/**
 * Changes plays and, in the same statement, the hours by what each of them really changed. A play that somebody else
 * has judged meanwhile is left to them.
 */
const CHANGE = prepared(`
  with given as (
    select * from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::uuid[], $6::text[], $7::uuid[])
      as g (device_uid, play_id, started_at, old_grade, old_shift_uid, grade, shift_uid)
  ), was as materialized (
    select p.device_uid, p.play_id, p.started_at, p.program_uid, p.market_uid, p.grade,
           g.grade as new_grade, s.uid as new_shift_uid, s.program_uid as new_program_uid, s.market_uid as new_market_uid
      from given g
      join play p on p.device_uid = g.device_uid and p.play_id = g.play_id and p.started_at = g.started_at
      left join shift s on s.uid = g.shift_uid
     where p.started_at >= $8 and p.started_at <= $9
       and p.grade = g.old_grade and p.shift_uid is not distinct from g.old_shift_uid
     order by p.device_uid, p.play_id for update of p
  ), changed as (
    update play p set grade = was.new_grade, shift_uid = was.new_shift_uid, program_uid = was.new_program_uid,
                      market_uid = was.new_market_uid
      from was
     where p.device_uid = was.device_uid and p.play_id = was.play_id and p.started_at = was.started_at
       and p.started_at >= $8 and p.started_at <= $9
    returning p.started_at, p.truck_uid, p.side, p.duration_ms, p.address_uid,
              was.program_uid, was.market_uid, was.grade, was.new_program_uid, was.new_market_uid, was.new_grade
  ), moved as (
    select started_at, truck_uid, side, duration_ms, address_uid, program_uid, market_uid, grade, -1 as sign from changed
    union all
    select started_at, truck_uid, side, duration_ms, address_uid, new_program_uid, new_market_uid, new_grade, 1 from changed
  ), hours as (
    ${ADD_TO_HOURS}
    select date_trunc('hour', started_at), truck_uid, coalesce(program_uid, ${NOTHING}), coalesce(market_uid, ${NOTHING}),
           side, sum(sign), sum(sign * duration_ms), sum(case when grade = 'verified' then sign else 0 end),
           sum(case when grade = 'conflict' then sign else 0 end), sum(case when address_uid is null then 0 else sign end)
      from moved group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    ${TO_THOSE_THERE}
  ), addresses as (
    ${ADD_TO_ADDRESSES}
    select date_trunc('hour', started_at), truck_uid, program_uid, market_uid, address_uid, sum(sign), sum(sign * duration_ms)
      from moved where address_uid is not null and program_uid is not null group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    ${TO_ADDRESSES_THERE}
  )
  select count(*) as count from changed`)

/**
 * Judges the plays of a truck between two moments anew, by the track and the shifts that are known by now; says how
 * many changed. It is done for what comes in and changes anyway; whoever cannot wait for it calls it.
 */
export async function regrade(db: Db, truckUid: string, from: number, to: number): Promise<number> {
  const span = [new Date(from).toISOString(), new Date(to).toISOString()] as const
  let after = ['-infinity', '00000000-0000-0000-0000-000000000000', '']
  let count = 0
  for (;;) {
    const { rows } = await db.executeQuery<GradedPlay>(CompiledQuery.raw(PLAYS, [truckUid, ...span, ...after]))
    if (rows.length > 0) count += await judgeAnew(db, truckUid, rows)
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return count
    after = [last.started_at, last.device_uid, last.play_id]
  }
}

async function judgeAnew(db: Db, truckUid: string, plays: GradedPlay[]): Promise<number> {
  const { outsideMarketByMetres } = await readSettings(db)
  const evidence = await evidenceFor(
    db,
    truckUid,
    plays.map(({ at }) => Number(at)),
    outsideMarketByMetres,
  )
  const changes = plays
    .map((play) => ({ play, ...gradePlay(judgedOf(play), evidence) }))
    .filter(({ play, grade, shift }) => grade !== play.grade || (shift?.uid ?? null) !== play.shift_uid)
  const [first, last] = [changes[0], changes.at(-1)]
  if (!first || !last) return 0
  const span = [first.play.started_at, last.play.started_at]
  return inTransaction(db, async (db) => {
    const of = <T>(give: (change: (typeof changes)[number]) => T) => changes.map(give)
    const values = [
      of(({ play }) => play.device_uid),
      of(({ play }) => play.play_id),
      of(({ play }) => play.started_at),
      of(({ play }) => play.grade),
      of(({ play }) => play.shift_uid),
      of(({ grade }) => grade),
      of(({ shift }) => shift?.uid),
      ...span,
    ]
    const { rows } = await db.executeQuery<{ count: number }>(CompiledQuery.raw(CHANGE, values))
    // Hours that nothing is left of.
    for (const table of ['play_hour', 'play_address_hour'] as const) {
      await sql`delete from ${sql.table(table)}
                 where truck_uid = ${truckUid} and plays = 0
                   and hour between date_trunc('hour', ${span[0]}::timestamptz) and ${span[1]}::timestamptz`.execute(db)
    }
    return rows[0]?.count ?? 0
  })
}

const judgedOf = ({ at, latitude, longitude, artwork_program_uid }: GradedPlay) => ({
  at: Number(at),
  place: latitude === null || longitude === null ? null : { latitude, longitude },
  programUid: artwork_program_uid,
})

interface Due {
  truck_uid: string
  first: string
  last: string
}

/** Stretches of trucks that fixes came for since, and that have plays which they may prove or contradict. */
const newTracks = (since: string) => sql<Due>`
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
 * Stretches of trucks that shifts changed since, after they had begun, may be judged by in another way: where their plays
 * are, which may have been moved by days, and where they are now. What overlaps is judged once.
 */
const changedShifts = (since: string) => sql<Due>`
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

/** Judges anew what tracks and changed shifts since a moment may have changed. */
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
