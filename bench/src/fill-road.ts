import { createHash, randomBytes } from 'node:crypto'
import { addDays } from '@roadshow/contract'
import type { RunSql } from './sql.ts'

/** Trucks on the road, each with a tracker, a driver and a shift. */
export const TRUCKS = 2_000
export const PLAYERS = 8
/** The hash of the file that players show. */
export const SHOWN_FILE = 'ab'.repeat(32)
const HOUR_MS = 3_600_000
/** Their shifts began as long ago, and end in as many hours. */
const SINCE_MS = 10 * HOUR_MS

export interface FilledRoad {
  /** Uids in the order of their trackers, which MyGeotab calls g1, g2 and so on. */
  trucks: string[]
  players: {
    uid: string
    truckUid: string
    shift: { uid: string; program_uid: string; market_uid: string }
    macAddress: string
    key: string
  }[]
  artworkSetUid: string
  startsAt: number
}

// The rest of the fleet retires: a map shows every truck that is not.
const ON_THE_ROAD = `
  with chosen as (
    select uid, row_number() over (order by uid) as n
      from (select uid from truck where state = 'active' order by uid desc limit $1) newest
  )
  update truck t set state = case when n is null then 'retired' else 'active' end,
                     geotab_device_id = case when n is null then '' else 'g' || n end
    from truck u left join chosen c on c.uid = u.uid where u.uid = t.uid`

const PEOPLE = `
  insert into user_account (email, name, role, modules)
  select 'road-' || i || '@bench.example', 'Road Driver ' || i, 'driver', '{schedule}' from generate_series(1, $1::int) i`

const PROGRAM = `
  insert into client_program (client_uid, name, status, starts_on, ends_on, pop_url)
  select uid, 'Road Program', 'active', date '2020-01-01', date '2035-12-31', 'road-program'
    from client where name = 'Bench Client' returning uid`

const SHIFTS = `
  insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at, ends_at,
                     status, started_at, artwork_set_uid)
  select t.uid, d.uid, $1, $2, (starts at time zone 'UTC')::date, (starts at time zone 'UTC')::time,
         (ends at time zone 'UTC')::time, 'UTC', starts, ends, 'out', starts, $3
    from truck t join user_account d on d.email = 'road-' || substr(t.geotab_device_id, 2) || '@bench.example',
         (select $4::timestamptz as starts, $4::timestamptz + interval '20 hours' as ends) span
   where t.geotab_device_id <> ''`

const NOW = `
  insert into truck_now (truck_uid, at, latitude, longitude, speed_kmh, heading, is_driving, odometer_m, player_seen_at, played_at)
  select uid, now(), 32.78, -96.8, 40, 90, true, 1000000, now(), now() from truck where geotab_device_id <> ''`

const onlyUid = async (sql: RunSql, text: string, values: unknown[] = []) =>
  (await sql<{ uid: string }>(text, values))[0]?.uid ?? ''

let filled: Promise<FilledRoad> | undefined

/** Sends a part of the fleet out, once for all figures. */
export const fillRoad = (sql: RunSql): Promise<FilledRoad> => (filled ??= sendOut(sql))

async function sendOut(sql: RunSql): Promise<FilledRoad> {
  await sql('alter table truck disable trigger user')
  await sql(ON_THE_ROAD, [TRUCKS])
  await sql('alter table truck enable trigger user')
  await sql(PEOPLE, [TRUCKS])
  const program = await onlyUid(sql, PROGRAM)
  const market = await onlyUid(
    sql,
    `update market set latitude = 32.78, longitude = -96.8, radius_m = 40000 where name = 'Dallas' returning uid`,
  )
  await sql('insert into program_market (program_uid, market_uid, position) values ($1, $2, 0)', [program, market])
  const artworkSetUid = await onlyUid(
    sql,
    `insert into artwork_set (program_uid, name, status, approved_hash) values ($1, 'Road Art', 'approved', 'bench') returning uid`,
    [program],
  )
  await sql('insert into artwork_set_file (set_uid, sha256, longest_ms) values ($1, $2, 600000)', [
    artworkSetUid,
    SHOWN_FILE,
  ])
  const startsAt = Math.floor((Date.now() - SINCE_MS) / 60_000) * 60_000
  await sql(SHIFTS, [program, market, artworkSetUid, new Date(startsAt)])
  await sql(NOW)
  const rows = await sql<{ uid: string }>(
    `select uid from truck where geotab_device_id <> '' order by substr(geotab_device_id, 2)::int`,
  )
  const trucks = rows.map(({ uid }) => uid)
  const players = await Promise.all(trucks.slice(0, PLAYERS).map((truckUid, n) => addPlayer(sql, truckUid, n)))
  await sql('vacuum analyze')
  return { trucks, players, artworkSetUid, startsAt }
}

async function addPlayer(sql: RunSql, truckUid: string, n: number): Promise<FilledRoad['players'][number]> {
  const key = randomBytes(32).toString('base64url')
  const macAddress = `02:00:00:00:00:0${n}`
  const uid = await onlyUid(
    sql,
    `insert into device (truck_uid, kind, mac_address, key_hash, paired_at) values ($1, 'player', $2, $3, now()) returning uid`,
    [truckUid, macAddress, createHash('sha256').update(key).digest()],
  )
  const [shift] = await sql<FilledRoad['players'][number]['shift']>(
    `select uid, program_uid, market_uid from shift where truck_uid = $1 and status = 'out'`,
    [truckUid],
  )
  if (!shift) throw new Error('A player is on no shift')
  return { uid, truckUid, shift, macAddress, key }
}

/** Where a truck is at a moment: on its round through the market. */
export const routePlaceAt = (at: number) => ({
  latitude: 32.78 + 0.1 * Math.sin(at / 2_000_000),
  longitude: -96.8 + 0.1 * Math.cos(at / 2_000_000),
})

/** An empty table with the columns, days, rules and indexes of another. */
export async function makeBareCopy(sql: RunSql, table: 'play' | 'position', by: string, days: string[]) {
  await sql(`create table bare_${table} (like ${table} including all) partition by range (${by})`)
  // The bare client is the same plain role as our server.
  await sql(`grant all on bare_${table} to public`)
  for (const day of days) {
    await sql(`call ensure_week($1, $2::date)`, [table, day])
    const [name, next] = [`bare_${table}_${day.replaceAll('-', '')}`, addDays(day, 1)]
    await sql(
      `create table if not exists ${name} partition of bare_${table} for values from ('${day} 00:00Z') to ('${next} 00:00Z')`,
    )
  }
}
