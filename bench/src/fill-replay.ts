import { SHOWN_FILE } from './fill-road.ts'
import { dayBack, fillWeek, weeksBack } from './fill-weeks.ts'
import type { RunSql } from './sql.ts'

/** A truck that drove through all of yesterday with a position every eight seconds, and played on each side. */
export const FIXES = 10_000
const STEP_SECONDS = 8
const PLAY_SECONDS = 10
const PLAYS_OF_SIDE = (FIXES * STEP_SECONDS) / PLAY_SECONDS

export interface FilledDay {
  truck: string
  day: string
}

const RECORDS = `
  with c as (insert into client (name) values ('Replayed Client') returning uid),
       m as (insert into market (name, zone, latitude, longitude, radius_m)
             values ('Replayed Market', 'UTC', 32.78, -96.8, 40000) returning uid),
       p as (insert into client_program (client_uid, name, status, starts_on, ends_on, pop_url)
             select uid, 'Replayed Program', 'active', date '2020-01-01', date '2035-12-31', 'replayed-program' from c returning uid),
       pm as (insert into program_market (program_uid, market_uid, position) select p.uid, m.uid, 0 from p, m),
       a as (insert into artwork_set (program_uid, name, status, approved_hash)
             select uid, 'Replayed Art', 'approved', 'replayed' from p),
       t as (insert into truck (number, kind, state, home_market_uid)
             select 'Replayed 1', 'led', 'active', uid from m returning uid),
       d as (insert into device (truck_uid, kind, mac_address, paired_at)
             select uid, 'player', '02:00:00:00:02:01', now() from t)
  insert into user_account (email, name, role, modules)
  values ('replayed@bench.example', 'Replayed Driver', 'driver', '{schedule}')`

// Three shifts, one after the other.
const SHIFTS = `
  insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at,
                     ends_at, status, started_at, stopped_at, artwork_set_uid)
  select t.uid, u.uid, p.uid, m.uid, $1::date, begins, ends, 'UTC', ($1::date + begins) at time zone 'UTC',
         ($1::date + ends) at time zone 'UTC', 'completed', ($1::date + begins) at time zone 'UTC',
         ($1::date + ends) at time zone 'UTC', a.uid
    from truck t join market m on m.uid = t.home_market_uid join user_account u on u.email = 'replayed@bench.example'
    join client_program p on p.name = 'Replayed Program' join artwork_set a on a.program_uid = p.uid,
         (values (time '00:00', time '07:00'), ('07:00', '14:00'), ('14:00', '22:00')) s (begins, ends)
   where t.number = 'Replayed 1'`

const OF_DAY = `
    from truck t join device d on d.truck_uid = t.uid, generate_series(0, $2::int) n,
         lateral (select ($1::date + n * $3 * interval '1 second') at time zone 'UTC' as at) i`

// Round and round its market at a speed that a truck can have.
const fixesInto = (table: string) => `
  insert into ${table} (truck_uid, at, latitude, longitude, speed_kmh, received_at)
  select t.uid, i.at, 32.78 + 0.1 * sin(n * $3 / 2000.0), -96.8 + 0.1 * cos(n * $3 / 2000.0), 15 + n % 30, i.at
  ${OF_DAY} where t.number = 'Replayed 1'`

const playsInto = (table: string) => `
  insert into ${table} (device_uid, play_id, started_at, day, sequence, truck_uid, shift_uid, program_uid, market_uid,
                        artwork_set_uid, sha256, side, duration_ms, grade)
  select d.uid, n || side.name, i.at, $1::date, n * 3 + side.i, t.uid, s.uid, s.program_uid, s.market_uid, s.artwork_set_uid,
         '${SHOWN_FILE}', side.name, 9000, case when n % 9 = 0 then 'unverified' else 'verified' end
  ${OF_DAY}
   cross join unnest('{driverSide,passengerSide,rear}'::text[]) with ordinality as side (name, i)
    join shift s on s.local_date = $1::date
   where t.number = 'Replayed 1' and s.truck_uid = t.uid and i.at >= s.starts_at and i.at < s.ends_at`

/** Fills the day that is replayed, once. */
export async function fillReplay(sql: RunSql): Promise<FilledDay> {
  const [week] = weeksBack(1, 1)
  if (!week) throw new Error('Yesterday lies in a week.')
  const day = dayBack(1)
  await sql(RECORDS)
  await sql(SHIFTS, [day])
  const { monday } = week
  await fillWeek(sql, 'position', { monday, fill: (table) => sql(fixesInto(table), [day, FIXES - 1, STEP_SECONDS]) })
  await fillWeek(sql, 'play', {
    monday,
    fill: (table) => sql(playsInto(table), [day, PLAYS_OF_SIDE - 1, PLAY_SECONDS]),
  })
  await sql('vacuum analyze position')
  await sql('vacuum analyze play')
  const [truck] = await sql<{ uid: string }>(`select uid from truck where number = 'Replayed 1'`)
  return { truck: truck?.uid ?? '', day }
}
