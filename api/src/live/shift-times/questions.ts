import type { TimeQuestion, TrackPoint } from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { EMPTY_TRACK, withFix } from '../telemetry/index.ts'
import { type Activity, type AskableTime, askableTimes, seenTime, type ShiftTimeFacts } from './rules.ts'

const msOf = (moment: SqlFragment): SqlFragment => sql`round(extract(epoch from ${moment}) * 1000)::float8`

interface StoredTimes extends ShiftTimeFacts {
  uid: string
  truckUid: string
}

/** The actual times of shifts of the last two weeks that have begun. */
async function readTimes(db: Db, uids: readonly string[]): Promise<StoredTimes[]> {
  const { rows } = await sql<StoredTimes>`
    select s.uid, s.truck_uid as "truckUid", s.status, ${msOf(sql`s.starts_at`)} as "startsAt", ${msOf(sql`s.ends_at`)} as "endsAt",
           ${msOf(sql`s.started_at`)} as "startedAt", ${msOf(sql`s.stopped_at`)} as "stoppedAt",
           s.start_corrected as "isStartCorrected", s.stop_corrected as "isStopCorrected",
           ${msOf(sql`s.starts_count_from`)} as "startsCountFrom",
           exists (select from pay_period f where f.state = 'locked' and s.local_date between f.starts_on and f.ends_on) as "isPayLocked",
           coalesce((select json_agg(json_build_object('kind', a.kind, 'about', ${msOf(sql`a.about`)}, 'seenAt', ${msOf(sql`a.seen_at`)}))
                       from shift_time_answer a where a.shift_uid = s.uid), '[]') as answers,
           coalesce((select json_agg(json_build_object('from', ${msOf(sql`lower(h.during)`)}, 'to', ${msOf(sql`upper(h.during)`)}))
                       from truck_hold h
                      where h.truck_uid = s.truck_uid and h.shift_uid <> s.uid
                        and h.during && tstzrange(s.started_at - interval '2 hours',
                                                  coalesce(s.stopped_at, s.started_at) + interval '12 hours')), '[]') as "heldByOthers"
      from shift s
     where s.uid = any(${uids}::uuid[]) and s.deleted_at is null and s.status in ('out', 'completed')
       and s.started_at is not null and s.ends_at > now() - interval '14 days'`.execute(db)
  return rows
}

type TruckTime = AskableTime & { uid: string; truckUid: string }

/** The times as a table, with outermost times that let the planner read only their weeks. */
function asTable(times: readonly TruckTime[]) {
  const first = new Date(Math.min(...times.map(({ from }) => from)))
  const last = new Date(Math.max(...times.map(({ to }) => to)))
  const table = rowsAsTable(
    'g',
    times,
    {
      truck_uid: ['uuid', ({ truckUid }) => truckUid],
      since: ['timestamptz', ({ from }) => new Date(from).toISOString()],
      until: ['timestamptz', ({ to }) => new Date(to).toISOString()],
    },
    { ordinality: 'n' },
  )
  const isWithin = (at: string) =>
    sql`${sql.ref(at)} between ${first} and ${last} and ${sql.ref(at)} between g.since and g.until`
  return { table, isWithin }
}

/** When the screens were on, minute by minute. */
async function readPlays(db: Db, times: readonly TruckTime[], activity: Activity[][]): Promise<void> {
  const { table, isWithin } = asTable(times)
  const { rows } = await sql<{ n: number; from: number; to: number }>`
    select g.n, round(extract(epoch from min(p.started_at)) * 1000)::float8 as "from",
           round(max(extract(epoch from p.started_at) * 1000 + p.duration_ms))::float8 as "to"
      from ${table} join play p on p.truck_uid = g.truck_uid and ${isWithin('p.started_at')}
     group by p.truck_uid, g.n, date_trunc('minute', p.started_at)`.execute(db)
  for (const { n, from, to } of rows) activity[n - 1]?.push({ from, to, seenBy: 'plays' })
}

/** When the wheels turned. Where a gap of the track hides the time, nothing is seen. */
async function readMoves(db: Db, times: readonly TruckTime[], activity: Activity[][]): Promise<void> {
  const { table, isWithin } = asTable(times)
  const { rows } = await sql<TrackPoint & { n: number }>`
    select g.n, (extract(epoch from p.at) * 1000)::float8 as at, p.latitude, p.longitude, p.speed_kmh as "speedKmh"
      from ${table} join position p on p.truck_uid = g.truck_uid and ${isWithin('p.at')}
     order by g.n, p.at`.execute(db)
  let track = EMPTY_TRACK
  for (const [index, { n, ...fix }] of rows.entries()) {
    const before = rows[index - 1]?.n === n ? track : EMPTY_TRACK
    track = withFix(before, fix)
    const isMove = track.meters - track.estimatedMeters > before.meters - before.estimatedMeters
    if (isMove && before.last)
      activity[n - 1]?.push({ from: Math.round(before.last.at), to: Math.round(fix.at), seenBy: 'wheels' })
  }
}

const isoOf = (ms: number) => new Date(ms).toISOString()

/** The open questions about the actual times of shifts, by the uid of the shift; most have none. */
export async function loadTimeQuestions(db: Db, uids: readonly string[]): Promise<Map<string, TimeQuestion[]>> {
  const questions = new Map<string, TimeQuestion[]>()
  const stored = uids.length > 0 ? await readTimes(db, uids) : []
  const now = await sharedNow(db)
  const times = stored.flatMap((shift) =>
    askableTimes(shift, now).map((time) => ({ ...time, uid: shift.uid, truckUid: shift.truckUid })),
  )
  if (times.length === 0) return questions
  const activity = times.map((): Activity[] => [])
  await readPlays(db, times, activity)
  await readMoves(db, times, activity)
  for (const [index, { uid, ...time }] of times.entries()) {
    const seen = seenTime(time, activity[index] ?? [], now)
    if (!seen) continue
    const { kind, about, at, seenBy } = seen
    questions.set(uid, [...(questions.get(uid) ?? []), { kind, about: isoOf(about), at: isoOf(at), seenBy }])
  }
  return questions
}
