import { truckSides } from '@roadshow/contract'
import { hoursOf } from './fill-plays.ts'
import { SHOWN_FILE } from './fill-road.ts'
import { boundsOf, dayBack, fillWeek, weeksBack } from './fill-weeks.ts'
import type { RunSql } from './sql.ts'

/** Each truck drives eight hours a day with a play on each side every nine and a half seconds. */
const TRUCKS = 3
const HOURS = 8
const PLAY_MS = 9_450
const PLAYS_OF_SIDE = Math.floor((HOURS * 3_600_000) / PLAY_MS)
export const DRIVEN_PLAYS_A_DAY = TRUCKS * truckSides.length * PLAYS_OF_SIDE
const FIX_SECONDS = 30
const FIXES = (HOURS * 3600) / FIX_SECONDS

const CENTER = { latitude: 32.78, longitude: -96.8 }
const RADIUS_M = 40_000
const METERS_A_DEGREE = 111_195
/** In the last tenth of its shift it is outside of its market, so far beyond the setting that a larger one allows it. */
const INSIDE = 0.9
const BEYOND_M = 50

const RECORDS = `
  with c as (insert into client (name) values ('Driven Client') returning uid),
       m as (insert into market (name, zone, latitude, longitude, radius_m)
             values ('Driven Market', 'UTC', ${CENTER.latitude}, ${CENTER.longitude}, ${RADIUS_M}) returning uid),
       p as (insert into client_program (client_uid, name, status, starts_on, ends_on, pop_url)
             select uid, 'Driven Program', 'active', date '2020-01-01', date '2035-12-31', 'driven-program' from c returning uid),
       pm as (insert into program_market (program_uid, market_uid, position) select p.uid, m.uid, 0 from p, m),
       a as (insert into artwork_set (program_uid, name, status, approved_hash)
             select uid, 'Driven Art', 'approved', 'driven' from p returning uid),
       f as (insert into artwork_set_file (set_uid, sha256, longest_ms) select uid, $1, 600000 from a),
       t as (insert into truck (number, kind, state, home_market_uid)
             select 'Driven ' || n, 'led', 'active', m.uid from m, generate_series(1, ${TRUCKS}) n returning uid, number),
       d as (insert into device (truck_uid, kind, mac_address, paired_at)
             select uid, 'player', '02:00:00:00:01:0' || right(number, 1), now() from t)
  insert into user_account (email, name, role, modules)
  select replace(lower(number), ' ', '-') || '@bench.example', number, 'driver', '{schedule}' from t`

// What is noted of new shifts would have the filled plays graded before anything is measured.
const shiftsOf = (days: number) => `
  insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at,
                     ends_at, status, started_at, stopped_at, artwork_set_uid)
  select t.uid, u.uid, p.uid, m.uid, day, '08:00', '16:00', 'UTC', starts_at, starts_at + interval '${HOURS} hours',
         'completed', starts_at, starts_at + interval '${HOURS} hours', a.uid
    from truck t join user_account u on u.name = t.number
    join market m on m.uid = t.home_market_uid
    join client_program p on p.name = 'Driven Program' join artwork_set a on a.program_uid = p.uid,
         generate_series(1, ${days}) back,
         lateral (select (now() at time zone 'UTC')::date - back::int as day) w,
         lateral (select (day + time '08:00') at time zone 'UTC' as starts_at) s
   where m.name = 'Driven Market';
  delete from evidence_change where truck_uid in (select uid from truck where number like 'Driven %')`

const OF_DAY = `
    from shift s join device d on d.truck_uid = s.truck_uid join truck t on t.uid = s.truck_uid
   cross join generate_series(0, $2::int) n`
const ON_DAY = `where s.local_date = $1::date and t.number like 'Driven %'`

const playsInto = (table: string) => `
  insert into ${table} (device_uid, play_id, started_at, day, sequence, truck_uid, shift_uid, program_uid, market_uid,
                        artwork_set_uid, sha256, side, duration_ms, grade, reason)
  select d.uid, s.local_date || '-' || n || '-' || side.i, s.starts_at + n * interval '${PLAY_MS} ms', s.local_date,
         n * ${truckSides.length} + side.i, s.truck_uid, s.uid, s.program_uid, s.market_uid, s.artwork_set_uid, '${SHOWN_FILE}',
         side.name, 9000, case when is_outside then 'conflict' else 'verified' end,
         case when is_outside then 'outsideMarket' end
  ${OF_DAY}
   cross join unnest(array[${truckSides.map((side) => `'${side}'`).join(', ')}]) with ordinality as side (name, i),
         lateral (select n >= ${INSIDE * PLAYS_OF_SIDE} as is_outside) o
  ${ON_DAY} order by n, d.uid`

const fixesInto = (table: string) => `
  insert into ${table} (truck_uid, at, latitude, longitude, speed_kmh, received_at)
  select s.truck_uid, s.starts_at + n * interval '${FIX_SECONDS} s',
         ${CENTER.latitude} + case when n >= ${INSIDE * FIXES} then (${RADIUS_M + BEYOND_M} + $3::float8) / ${METERS_A_DEGREE}
                                   else n * 0.0001 end,
         ${CENTER.longitude}, 40, s.ends_at
  ${OF_DAY} ${ON_DAY} order by n, d.uid`

const SUM_UP = hoursOf(`truck_uid in (select uid from truck where number like 'Driven %')`)

/** Fills days back from yesterday with driven and graded plays, until there are about so many; answers how many there are. */
export async function fillDriven(
  sql: RunSql,
  { plays, outsideMarketByMetres }: { plays: number; outsideMarketByMetres: number },
): Promise<number> {
  const days = Math.ceil(plays / DRIVEN_PLAYS_A_DAY)
  await sql(RECORDS, [SHOWN_FILE])
  await sql(shiftsOf(days))
  for (const { monday, days: week } of weeksBack(1, days)) {
    const fillPlays = async (table: string) => {
      for (const back of week) await sql(playsInto(table), [dayBack(back), PLAYS_OF_SIDE - 1])
    }
    const fillFixes = async (table: string) => {
      for (const back of week) await sql(fixesInto(table), [dayBack(back), FIXES, outsideMarketByMetres])
    }
    await fillWeek(sql, 'play', { monday, fill: fillPlays })
    await fillWeek(sql, 'position', { monday, fill: fillFixes })
    for (const back of week) await sql(SUM_UP, boundsOf(dayBack(back)))
  }
  await sql('vacuum analyze play_hour')
  await sql('vacuum analyze play')
  await sql('vacuum analyze position')
  return days * DRIVEN_PLAYS_A_DAY
}
