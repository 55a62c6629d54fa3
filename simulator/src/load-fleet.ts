import { createHash, randomBytes } from 'node:crypto'
import type { RunQuery } from './plan.ts'

const DEMO_ADMIN = 'admin@roadshow.example'

/**
 * Puts so many more trucks on the road of a demo database: each with a player, a driver app, a driver, and shifts
 * around the clock from yesterday to tomorrow. Written directly, because thousands of calls would be the first load.
 * Each start gives its devices new keys; answers them by MAC address.
 */
export async function addLoadFleet(query: RunQuery, trucks: number): Promise<ReadonlyMap<string, string>> {
  const [demo] = await query('select 1 from user_account where email = $1', [DEMO_ADMIN])
  if (!demo) throw new Error('This is no demo database: a load is put on nothing else.')
  for (const statement of [MAKE_TRUCKS, MAKE_DRIVERS, MAKE_DEVICES, MAKE_SHIFTS]) await query(statement, [trucks])
  const macs = await query<{ mac: string }>(
    `select d.mac_address as mac from device d join truck t on t.uid = d.truck_uid
      where d.mac_address like '02:4C:%' and d.deleted_at is null and t.deleted_at is null
        and t.number in (select 'L-' || i from generate_series(1, $1::int) i)`,
    [trucks],
  )
  const keys = new Map(macs.map(({ mac }) => [mac, randomBytes(32).toString('base64url')]))
  await query(
    `update device set key_hash = given.hash, paired_at = now(), revoked_at = null, changed_from = 'simulator'
       from unnest($1::text[], $2::bytea[]) given (mac, hash) where mac_address = given.mac and deleted_at is null`,
    [[...keys.keys()], [...keys.values()].map((key) => createHash('sha256').update(key).digest())],
  )
  return keys
}

const MAKE_TRUCKS = `
  with home as (select uid, row_number() over (order by name) - 1 as n, count(*) over () as total
                  from market where deleted_at is null)
  insert into truck (number, kind, state, home_market_uid, geotab_device_id)
  select 'L-' || i, 'led', 'active', home.uid, 'bL' || i
    from generate_series(1, $1::int) i join home on home.n = i % home.total
  on conflict do nothing`

const MAKE_DRIVERS = `
  insert into user_account (email, name, role, modules)
  select 'load-' || i || '@roadshow.example', 'Load driver ' || i, 'driver', '{}' from generate_series(1, $1::int) i
  on conflict do nothing`

// 02 marks a locally administered address, which no hardware has; 4C is an L.
const MAKE_DEVICES = `
  insert into device (truck_uid, kind, mac_address)
  select t.uid, kind.name, '02:4C:' || kind.byte || ':' || upper(regexp_replace(lpad(to_hex(i), 6, '0'), '(..)(..)(..)', '\\1:\\2:\\3'))
    from generate_series(1, $1::int) i
    join truck t on t.number = 'L-' || i and t.deleted_at is null
   cross join (values ('player', '01'), ('driver', '02')) kind (name, byte)
  on conflict do nothing`

// Two of twelve hours a day; the program is one that runs in the truck's market and has artwork to show.
const MAKE_SHIFTS = `
  with running as (
    select distinct on (pm.market_uid) pm.market_uid, p.uid as program_uid, a.uid as artwork_uid, m.zone,
           (select s.uid from address_set s where s.program_uid = p.uid and s.deleted_at is null order by s.name limit 1) as places
      from program_market pm
      join client_program p on p.uid = pm.program_uid and p.deleted_at is null and p.status = 'active'
      join artwork_set a on a.program_uid = p.uid and a.deleted_at is null and a.status = 'approved'
      join market m on m.uid = pm.market_uid
     order by pm.market_uid, p.name, a.name
  )
  insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at,
                     ends_at, artwork_set_uid, address_set_uid, pay_option)
  select t.uid, u.uid, r.program_uid, r.market_uid, day, part.starts, part.ends, r.zone,
         (day + part.starts) at time zone r.zone, (day + part.starts + interval '12 hours') at time zone r.zone,
         r.artwork_uid, r.places, 'twelveHours'
    from generate_series(1, $1::int) i
    join truck t on t.number = 'L-' || i and t.deleted_at is null
    join user_account u on u.email = 'load-' || i || '@roadshow.example'
   cross join generate_series(current_date - 1, current_date + 1, interval '1 day') d (at)
   cross join lateral (select d.at::date as day) days
   cross join (values (time '00:00', time '12:00'), (time '12:00', time '00:00')) part (starts, ends)
   cross join lateral (select * from running order by (market_uid = t.home_market_uid) desc, market_uid limit 1) r
   where not exists (select 1 from shift s where s.truck_uid = t.uid and s.local_date = day and s.deleted_at is null)`
