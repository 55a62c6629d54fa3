import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { dayOf } from '../../platform/db/partitions.ts'
import { NO_UID } from './rollup.ts'
import type { PlayStretch, RunLimits } from './regrade.ts'

export const GRADING_JOB = 'play-grades'

// Devices may be ahead by some minutes, and shifts end later than now.
const AHEAD_MS = 2 * DAY_MS
const RECENT_DAYS = 3

/** The hours of trucks whose plays are still to be graded again. */
export const UNGRADED = sql`(
  select truck_uid, first_at, last_at from evidence_change
   where changed_at > coalesce((select done_until from job_watermark where job = ${GRADING_JOB}), '-infinity')
  union all
  select truck_uid, first_at, last_at from grading_due
  union all
  select t.uid, '-infinity', (b.next_day + 1)::timestamp at time zone 'UTC' from grading_backlog b, truck t)`

/** Queues the days of trucks that changes of evidence since a moment concern. Days that wait already get more hours. */
export async function queueChanges(db: Db, since: string, { now, kept }: RunLimits): Promise<void> {
  const [from, to] = [kept, now + AHEAD_MS].map((ms) => new Date(ms).toISOString())
  await sql`
    insert into grading_due (truck_uid, day, is_recent, first_at, last_at)
    select c.truck_uid, d.day::date, d.day > ${dayOf(now - RECENT_DAYS * DAY_MS)}::date,
           min(greatest(c.first_at, d.day at time zone 'UTC')),
           max(least(c.last_at, (d.day + interval '1 day') at time zone 'UTC'))
      from (select truck_uid, greatest(first_at, ${from}) as first_at, least(last_at, ${to}) as last_at
              from evidence_change where changed_at > ${since}) c,
           generate_series(date_trunc('day', c.first_at at time zone 'UTC'), c.last_at at time zone 'UTC', '1 day') d (day)
     -- A truck that never had a player has no plays.
     where exists (select from device p where p.truck_uid = c.truck_uid and p.kind = 'player')
     group by 1, 2, 3
    on conflict (truck_uid, day, is_recent) do update
      set first_at = least(grading_due.first_at, excluded.first_at),
          last_at = greatest(grading_due.last_at, excluded.last_at)`.execute(db)
}

/** The hours of a truck on a day of the queue. */
export interface QueuedDay extends PlayStretch {
  day: string
  isRecent: boolean
}

const QUEUED_DAY = sql`
  select truck_uid as "truckUid", day, is_recent as "isRecent", (extract(epoch from first_at) * 1000)::float8 as "from",
         (extract(epoch from last_at) * 1000)::float8 as "to" from grading_due`

/** Evidence about the last days as it came, then the latest day. Young notes are queued again by each run. */
async function firstInTurn(db: Db): Promise<QueuedDay | undefined> {
  const recent = sql<QueuedDay>`${QUEUED_DAY} where is_recent order by queued_at, truck_uid limit 1`
  const old = sql<QueuedDay>`${QUEUED_DAY} where not is_recent order by day desc, truck_uid desc limit 1`
  return (await recent.execute(db)).rows[0] ?? (await old.execute(db)).rows[0]
}

/** The last day with plays of what concerns all trucks; none is older than the kept plays. */
async function nextBacklogDay(db: Db, { kept }: RunLimits): Promise<string | undefined> {
  const { next } = await db
    .selectFrom('grading_backlog')
    .select((eb) => eb.fn.max<string | null>('next_day').as('next'))
    .executeTakeFirstOrThrow()
  if (next === null) return undefined
  const { rows: days } = await sql<{ day: string | null }>`
    select (max(hour) at time zone 'UTC')::date as day from play_hour
     where hour < (${next}::date + 1)::timestamp at time zone 'UTC' and hour >= ${new Date(kept)}`.execute(db)
  const day = days[0]?.day
  if (day) return day
  await db.deleteFrom('grading_backlog').where('next_day', '<=', next).execute()
  return undefined
}

/** Queues the next day of what concerns all trucks, unless later days wait; answers whether there was one. */
async function queueBacklogDay(db: Db, waiting: QueuedDay | undefined, limits: RunLimits): Promise<boolean> {
  if (waiting?.isRecent) return false
  const day = await nextBacklogDay(db, limits)
  if (day === undefined || (waiting && waiting.day > day)) return false
  const { rows: trucks } = await sql<{ uid: string }>`
    select distinct truck_uid as uid from play_hour
     where hour >= ${day}::timestamp at time zone 'UTC' and hour < (${day}::date + 1)::timestamp at time zone 'UTC'
       and shift_uid <> ${NO_UID}`.execute(db)
  await inTransaction(db, async (db) => {
    await sql`
      insert into grading_due (truck_uid, day, is_recent, first_at, last_at)
      select uid, ${day}::date, false, ${day}::timestamp at time zone 'UTC',
             (${day}::date + 1)::timestamp at time zone 'UTC'
        from unnest(${trucks.map(({ uid }) => uid)}::uuid[]) t (uid)
      on conflict (truck_uid, day, is_recent) do update set first_at = excluded.first_at, last_at = excluded.last_at`.execute(
      db,
    )
    await sql`update grading_backlog set next_day = ${day}::date - 1 where next_day >= ${day}`.execute(db)
  })
  return true
}

/** The day of a truck whose turn it is: evidence about the last days first, then the latest day. */
export async function nextInTurn(db: Db, limits: RunLimits): Promise<QueuedDay | undefined> {
  for (;;) {
    const waiting = await firstInTurn(db)
    if (!(await queueBacklogDay(db, waiting, limits))) return waiting
  }
}

/** Removes a day that is graded, unless more of its hours were queued meanwhile. */
export const removeGraded = (db: Db, { truckUid, day, isRecent, from, to }: QueuedDay) =>
  sql`delete from grading_due
       where truck_uid = ${truckUid} and day = ${day} and is_recent = ${isRecent}
         and first_at >= to_timestamp(${from}::float8 / 1000) - interval '1 ms'
         and last_at <= to_timestamp(${to}::float8 / 1000) + interval '1 ms'`.execute(db)

/** How many days of trucks wait, about: on days that are not queued yet, as many trucks as have players. */
export async function countWaiting(db: Db, { kept }: RunLimits): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from grading_due)
           + greatest((select max(next_day) - ${dayOf(kept)}::date + 1 from grading_backlog), 0)
             * (select count(distinct truck_uid) from device where kind = 'player' and truck_uid is not null) as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
