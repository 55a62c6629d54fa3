import { modules, truckSides } from '@roadshow/contract'
import { hashPassword } from '@roadshow/api/accounts/sign-in/index'
import type { RunSql } from '../sql.ts'
import {
  ARCHIVED_DAYS,
  DAYS,
  DAYS_OF_PROGRAM,
  GRADE,
  HOT_DAYS,
  HOURS_A_SHIFT,
  MARKETS,
  PLAY_SECONDS,
  PLAYS_OF_SIDE,
  PROGRAMS_AT_ONCE,
  TRUCKS,
  ZONES,
} from './plan.ts'

export const ADMIN = { email: 'years@example.com', password: 'only for this measurement' }

const sides = `unnest(array[${truckSides.map((side) => `'${side}'`).join(', ')}]) with ordinality as s (side, i)`
const zones = `(array[${ZONES.map((zone) => `'${zone}'`).join(', ')}])`

/** The records: markets, clients, programs, trucks with players, drivers. Uids are made from numbers, so plays find them. */
const RECORDS = [
  `create function of_number(kind int, n int) returns uuid immutable language sql as
     $$ select format('0190%s-0000-7000-8000-%s', lpad(kind::text, 4, '0'), lpad(n::text, 12, '0'))::uuid $$`,
  `insert into market (uid, name, state, zone, latitude, longitude, radius_m)
   select of_number(1, n), 'Market ' || n, 'TX', ${zones}[1 + n % ${ZONES.length}], 30 + n, -100 + n, 40000
     from generate_series(0, ${MARKETS - 1}) n`,
  `insert into client (uid, name) select of_number(2, n), 'Client ' || n from generate_series(0, 19) n`,
  `insert into client_program (uid, client_uid, name, status, starts_on, ends_on, pop_url)
   select of_number(3, n), of_number(2, n % 20), 'Program ' || n, 'active',
          current_date - ${DAYS} + (n / ${PROGRAMS_AT_ONCE}) * ${DAYS_OF_PROGRAM},
          current_date - ${DAYS} + (n / ${PROGRAMS_AT_ONCE} + 1) * ${DAYS_OF_PROGRAM} - 1, 'years-' || n
     from generate_series(0, ${(DAYS / DAYS_OF_PROGRAM) * PROGRAMS_AT_ONCE - 1}) n`,
  `insert into program_market (program_uid, market_uid, position)
   select p.uid, m.uid, row_number() over (partition by p.uid order by m.uid) from client_program p, market m`,
  `insert into artwork_set (uid, program_uid, name) select of_number(4, n), of_number(3, n), 'Art'
     from generate_series(0, ${(DAYS / DAYS_OF_PROGRAM) * PROGRAMS_AT_ONCE - 1}) n`,
  `insert into truck (uid, number, kind, state, home_market_uid)
   select of_number(5, n), 'T-' || n, 'led', 'active', of_number(1, n % ${MARKETS}) from generate_series(0, ${TRUCKS - 1}) n`,
  `insert into device (uid, truck_uid, kind, mac_address)
   select of_number(6, n), of_number(5, n), 'player', upper('02:00:00:00:00:' || lpad(to_hex(n), 2, '0'))
     from generate_series(0, ${TRUCKS - 1}) n`,
  `insert into user_account (uid, email, name, role, modules)
   select of_number(7, n), 'driver-' || n || '@years.example', 'Driver ' || n, 'driver', '{schedule}'
     from generate_series(0, ${TRUCKS - 1}) n`,
]

/** A shift for each truck and day, from eight o'clock in its market's zone; the newest day is yesterday. */
const SHIFTS = `
  insert into shift (uid, truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at, ends_at,
                     artwork_set_uid, status, started_at, stopped_at)
  select of_number(1000 + t, d), of_number(5, t), of_number(7, t), of_number(3, p.n), m.uid, day, '08:00', '17:00', m.zone, w.starts_at,
         w.starts_at + interval '${HOURS_A_SHIFT} hours', of_number(4, p.n), 'completed', w.starts_at,
         w.starts_at + interval '${HOURS_A_SHIFT} hours'
    from generate_series(0, ${TRUCKS - 1}) t
    join market m on m.uid = of_number(1, t % ${MARKETS})
   cross join generate_series(0, ${DAYS - 1}) d
   cross join lateral (select current_date - ${DAYS} + d as day) e
   cross join lateral (select (day + time '08:00') at time zone m.zone as starts_at) w
   cross join lateral (select (d / ${DAYS_OF_PROGRAM}) * ${PROGRAMS_AT_ONCE} + t % ${PROGRAMS_AT_ONCE} as n) p`

const TRACKS = `
  insert into shift_track (shift_uid, truck_uid, starts_at, ends_at, heard_ms, gps_metres, metres, source, coverage, algorithm)
  select uid, truck_uid, starts_at, ends_at, 32400000, 120000, 120000, 'gps', 1,
         (select coalesce(max(algorithm), 1) from shift_track)
    from shift`

/** Exactly what the single plays add up to, without making a billion of them. */
const HOURS = `
  insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms, verified, conflict)
  select f.starts_at + h.hour * interval '1 hour', f.truck_uid, f.uid, f.program_uid, f.market_uid, f.local_date, s.side,
         h.plays, h.plays * 8000, h.verified, h.conflict
    from shift f
   cross join ${sides}
   cross join (
     select floor(n * ${PLAY_SECONDS} / 3600) as hour, count(*)::int as plays,
            (count(*) filter (where ${GRADE} = 'verified'))::int as verified,
            (count(*) filter (where ${GRADE} = 'conflict'))::int as conflict
       from generate_series(0, ${PLAYS_OF_SIDE - 1}) n group by 1) h`

/** The single plays of the shifts of some days. Ids look random, as those of players do. */
const playsOf = (where: string): string => `
  select of_number(6, t) as device_uid, substr(md5(f.uid::text || n || s.side), 1, 26) as play_id,
         f.starts_at + n * interval '${PLAY_SECONDS} seconds' as started_at,
         (f.local_date - current_date + ${DAYS})::bigint * ${PLAYS_OF_SIDE * 3} + n * 3 + s.i as sequence,
         f.truck_uid, f.uid as shift_uid, f.program_uid, f.market_uid, f.artwork_set_uid,
         md5(f.program_uid::text || s.side) || md5(s.side || f.program_uid::text) as sha256, s.side, 8000 as duration_ms,
         30 + (n % 997) * 0.0003 as latitude, -100 - (n % 991) * 0.0004 as longitude, null::uuid as address_uid, ${GRADE} as grade,
         f.starts_at + n * interval '${PLAY_SECONDS} seconds' + interval '40 seconds' as received_at, f.local_date as day,
         case when n % 50 = 0 then 'farFromTruck' when n % 9 = 0 then 'noTrack' end as reason
    from (select f.*, right(f.truck_uid::text, 12)::int as t from shift f where ${where}) f
   cross join generate_series(0, ${PLAYS_OF_SIDE - 1}) n
   cross join ${sides}`

const COLUMNS = `device_uid, play_id, started_at, sequence, truck_uid, shift_uid, program_uid, market_uid, artwork_set_uid, sha256, side,
  duration_ms, latitude, longitude, address_uid, grade, received_at, day, reason`

interface Filler {
  sql: RunSql
  say: (sentence: string) => void
}

/**
 * Fills an empty, migrated database, or continues with the weeks of plays that are missing; needs a superuser, since triggers
 * are left out.
 */
export async function fillYears({ sql, say }: Filler): Promise<void> {
  await sql(`set session_replication_role = replica`)
  await sql(`set synchronous_commit = off`)
  await sql(`set maintenance_work_mem = '1GB'`)
  if (await isTrue(sql, 'exists (select from play_sequence)')) say('The hours are there; missing weeks follow.')
  else await fillHours({ sql, say })
  await fillHotPlays(sql, say)
  await sql('vacuum analyze')
}

const isTrue = async (sql: RunSql, condition: string): Promise<boolean> => {
  const [row] = await sql<{ is: boolean }>(`select ${condition} as is`)
  return row?.is === true
}

async function fillHours({ sql, say }: Filler): Promise<void> {
  for (const statement of RECORDS) await sql(statement)
  await sql(
    `insert into user_account (email, name, role, modules, password_hash) values ($1, 'Years', 'admin', $2, $3)`,
    [ADMIN.email, modules, await hashPassword(ADMIN.password)],
  )
  await sql(
    `insert into setting (key, value) values ('keepPlaysDays', $1::text::jsonb)
             on conflict (key) do update set value = excluded.value`,
    [String(HOT_DAYS + ARCHIVED_DAYS)],
  )
  await sql(SHIFTS)
  await sql(`insert into list_change (list, delta) select 'shift', count(*) from shift`)
  await sql(`insert into list_change (list, delta) select 'truck', count(*) from truck`)
  await sql(`insert into list_change (list, delta) select 'client_program', count(*) from client_program`)
  await sql(TRACKS)
  say('The shifts are planned.')
  await sql(HOURS)
  say('The hours of a billion plays are filled.')
  await sql(`insert into play_sequence (device_uid, received)
             select uid, int8multirange(int8range(1, ${DAYS * PLAYS_OF_SIDE * 3} + 1)) from device`)
}

/** Whether a week of plays is complete. What a run left of one that is not is removed. */
async function isFilled(sql: RunSql, table: string): Promise<boolean> {
  if (!(await isTrue(sql, `to_regclass('${table}') is not null`))) return false
  const hasPlays = await isTrue(sql, `exists (select from ${table})`)
  const isAttached = await isTrue(sql, `exists (select from pg_inherits where inhrelid = '${table}'::regclass)`)
  if (hasPlays && isAttached) return true
  if (hasPlays) {
    await sql(`delete from known_play k using ${table} p where (k.device_uid, k.play_id) = (p.device_uid, p.play_id)`)
  }
  await sql(`drop table ${table}`)
  return false
}

/** Weeks are filled before they are attached, so that their indexes are built at once. */
async function fillHotPlays(sql: RunSql, say: Filler['say']): Promise<void> {
  const weeks = await sql<{ monday: string; from: string; until: string }>(`
    select distinct to_char(week, 'YYYYMMDD') as monday, to_char(week, 'YYYY-MM-DD') as from,
           to_char(week + interval '7 days', 'YYYY-MM-DD') as until
      from shift cross join lateral (values (starts_at), (ends_at)) e (at)
     cross join lateral (select date_trunc('week', at at time zone 'UTC') as week) w
     where local_date >= current_date - ${HOT_DAYS} order by 1`)
  await sql('alter table known_play drop constraint if exists known_play_pkey')
  for (const { monday, from, until } of weeks) {
    const table = `play_week_${monday}`
    if (await isFilled(sql, table)) continue
    await sql(`create table ${table} (like play including defaults including constraints)`)
    // A shift in the west goes on after midnight of UTC, so into the next week.
    const near = `f.local_date >= current_date - ${HOT_DAYS} and f.starts_at >= '${from}'::date - 1 and f.starts_at < '${until}'::date`
    await sql(`insert into ${table} (${COLUMNS}) select ${COLUMNS} from (${playsOf(near)}) p
                where started_at >= '${from} 00:00+00' and started_at < '${until} 00:00+00' order by started_at`)
    await sql(`insert into known_play (device_uid, play_id, day) select device_uid, play_id, day from ${table}`)
    await sql(
      `alter table play attach partition ${table} for values from ('${from} 00:00+00') to ('${until} 00:00+00')`,
    )
    say(`The plays of the week of ${from} are filled.`)
  }
  await sql('alter table known_play add primary key (device_uid, play_id)')
}
