import { DAY_MS } from '@roadshow/contract'
import { dayOf, weekOf } from '@roadshow/api/platform/db/partitions'

/** Runs a statement, as a client of `pg` does. */
export type RunStatement = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

export interface YearsOfPlays {
  client: string
  program: string
  market: string
  truck: string
  driver: string
  device: string
  artworkSet: string
  addressSet: string
  address: string
  /** The first and last day of the shifts. */
  firstDay: string
  lastDay: string
}

interface Years {
  /** How many days ago the first shift was. */
  playDays: number
  /** How many days ago the first positions were. */
  positionDays: number
  /** The partitions of versions before: one for each day. */
  isByDay?: boolean
}

const ZONE = 'America/Chicago'

/** A truck with a player that drives for one program, in one market, past one SD address. */
const RECORDS = `
  with c as (insert into client (name) values ('Client of years') returning uid),
  p as (insert into client_program (client_uid, name, status, starts_on, ends_on, pop_url)
    select uid, 'Program of years', 'active', date '2015-01-01', date '2045-12-31', 'program-of-years' from c returning uid),
  m as (insert into market (name, zone, latitude, longitude, radius_m) values ('Market of years', '${ZONE}', 32.78, -96.8, 30000)
    returning uid),
  pm as (insert into program_market (program_uid, market_uid, position) select p.uid, m.uid, 0 from p, m),
  t as (insert into truck (number, kind, state) values ('Y-1', 'led', 'active') returning uid),
  u as (insert into user_account (email, name, role, modules)
    values ('driver-of-years@example.com', 'Driver of years', 'driver', '{schedule}') returning uid),
  d as (insert into device (truck_uid, kind, mac_address) select uid, 'player', '0A:00:00:00:00:01' from t returning uid),
  w as (insert into artwork_set (program_uid, name) select uid, 'Artwork of years' from p returning uid),
  s as (insert into address_set (program_uid, name) select uid, 'Addresses of years' from p returning uid),
  a as (insert into sd_address (set_uid, label, latitude, longitude, radius_m, located_by)
    select uid, 'Address of years', 32.78, -96.8, 500, 'pin' from s returning uid)
  select c.uid as client, p.uid as program, m.uid as market, t.uid as truck, u.uid as driver, d.uid as device,
         w.uid as "artworkSet", s.uid as "addressSet", a.uid as address from c, p, m, t, u, d, w, s, a`

const GIVEN = `jsonb_to_record($1::jsonb) as g (
  client uuid, program uuid, market uuid, truck uuid, driver uuid, device uuid, "artworkSet" uuid, "addressSet" uuid,
  address uuid, "firstDay" date, "lastDay" date, "firstPosition" date)`

/** Each day a shift from eight to four. */
const SHIFTS = `
  insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at, ends_at,
                     artwork_set_uid, address_set_uid, status, started_at, stopped_at)
  select g.truck, g.driver, g.program, g.market, day, '08:00', '16:00', '${ZONE}', hours.first, hours.last, g."artworkSet",
         g."addressSet", 'completed', hours.first, hours.last
    from ${GIVEN}, generate_series(g."firstDay", g."lastDay", interval '1 day') at, lateral (select at::date as day) d,
         lateral (select (day + time '08:00') at time zone '${ZONE}' as first, (day + time '16:00') at time zone '${ZONE}' as last) hours`

const TRACKS = `
  with track as (
    insert into shift_track (shift_uid, truck_uid, starts_at, ends_at, heard_ms, gps_metres, metres, source, coverage, algorithm)
    select s.uid, s.truck_uid, s.starts_at, s.ends_at, 28800000, 80000, 80000, 'gps', 1, 0
      from ${GIVEN} join shift s on s.truck_uid = g.truck returning shift_uid, starts_at
  ), known as (
    insert into shift_approaches_known (shift_uid, address_set_uid, gps_metres, heard_ms, computed_at)
    select t.shift_uid, g."addressSet", 80000, 28800000, now() from ${GIVEN}, track t
  )
  insert into shift_approach (shift_uid, address_uid, entered_at, left_at, nearest_m)
  select t.shift_uid, g.address, t.starts_at + interval '1 hour', t.starts_at + interval '70 minutes', 50 from ${GIVEN}, track t`

/** On each shift a play every twenty minutes, the fourth for the SD address; on every thirtieth shift one is in conflict. */
const PLAYS = `
  with stored as (
    insert into play (device_uid, play_id, started_at, sequence, truck_uid, shift_uid, program_uid, market_uid, day, artwork_set_uid,
                      sha256, side, duration_ms, latitude, longitude, address_uid, grade, received_at)
    select g.device, 'year-' || number, s.starts_at + n * interval '20 minutes', number, s.truck_uid, s.uid, s.program_uid,
           s.market_uid, s.local_date, g."artworkSet", repeat('ab', 32), 'rear', 9000, 32.78, -96.8,
           case when n = 3 then g.address end, case when n = 0 and (s.local_date - g."firstDay") % 30 = 0 then 'conflict' else 'verified' end,
           s.starts_at + n * interval '20 minutes' + interval '10 seconds'
      from ${GIVEN} join shift s on s.truck_uid = g.truck, generate_series(0, 23) n,
           lateral (select (s.local_date - g."firstDay") * 24 + n + 1 as number) numbered
    returning *
  ), known as (
    insert into known_play (device_uid, play_id, day) select device_uid, play_id, day from stored
  ), counted as (
    insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms, verified, conflict, for_address)
    select date_trunc('hour', started_at), truck_uid, shift_uid, program_uid, market_uid, day, side, count(*), sum(duration_ms),
           count(*) filter (where grade = 'verified'), count(*) filter (where grade = 'conflict'), count(address_uid)
      from stored group by 1, 2, 3, 4, 5, 6, 7
  ), shown as (
    insert into play_address_hour (hour, truck_uid, program_uid, market_uid, day, address_uid, plays, duration_ms)
    select date_trunc('hour', started_at), truck_uid, program_uid, market_uid, day, address_uid, count(*), sum(duration_ms)
      from stored where address_uid is not null group by 1, 2, 3, 4, 5, 6
  )
  insert into play_sequence (device_uid, received, batches)
  select device_uid, int8multirange(int8range(1, max(sequence) + 1)), count(*) from stored group by device_uid`

/** On each shift a position every ten minutes. */
const POSITIONS = `
  insert into position (truck_uid, at, latitude, longitude, speed_kmh)
  select s.truck_uid, s.starts_at + n * interval '10 minutes', 32.78 + n * 0.001, -96.8, 30
    from ${GIVEN} join shift s on s.truck_uid = g.truck and s.local_date >= g."firstPosition", generate_series(0, 47) n`

/** What came of the shifts is graded and measured already. */
const SETTLED = `
  with due as (delete from miles_due m using ${GIVEN} where m.truck_uid = g.truck)
  delete from evidence_change e using ${GIVEN} where e.truck_uid = g.truck`

/** A partition of one day, as versions before made them, unless the day has one. */
async function addDay(run: RunStatement, table: string, day: string): Promise<void> {
  const { rows } = await run(
    `select from partitions_of($1) where starts_at <= $2::timestamptz and ends_at > $2::timestamptz`,
    [table, `${day} 00:00+00`],
  )
  if (rows.length > 0) return
  const part = `${table}_${day.replaceAll('-', '')}`
  const until = dayOf(Date.parse(day) + DAY_MS)
  await run(`create table ${part} (like ${table} including defaults including constraints)`)
  await run(
    `alter table ${table} attach partition ${part} for values from ('${day} 00:00+00') to ('${until} 00:00+00')`,
  )
}

/** Adds what a truck has played and where it was for years, up to the day before yesterday. */
export async function fillYears(run: RunStatement, { playDays, positionDays, isByDay }: Years): Promise<YearsOfPlays> {
  const daysAgo = (count: number) => dayOf(Date.now() - count * DAY_MS)
  const lastDay = daysAgo(2)
  for (const [table, count] of [
    ['play', playDays],
    ['position', positionDays],
  ] as const) {
    const end = Date.parse(lastDay) + DAY_MS
    for (let at = Date.parse(daysAgo(count)); at <= end; at = isByDay ? at + DAY_MS : weekOf(at) + 7 * DAY_MS) {
      if (isByDay) await addDay(run, table, dayOf(at))
      else await run('call ensure_week($1, $2::date)', [table, dayOf(at)])
    }
  }
  const { rows } = await run(RECORDS)
  const [records] = rows as Omit<YearsOfPlays, 'firstDay' | 'lastDay'>[]
  if (!records) throw new Error('Nothing was added.')
  const years = { ...records, firstDay: daysAgo(playDays), lastDay }
  const given = [JSON.stringify({ ...years, firstPosition: daysAgo(positionDays) })]
  for (const statement of [SHIFTS, TRACKS, PLAYS, POSITIONS, SETTLED]) await run(statement, given)
  await run('analyze')
  return years
}
