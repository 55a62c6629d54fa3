import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { minuteOf } from './minute-rules.ts'
import type { OdometerReading, TrackerFix, TrackerStatus } from './records.ts'

/** Whether a new row comes before the stored one of its moment, in the order of `compareFixes`. */
export function precedesStored(table: 'position' | 'truck_now') {
  const stored = sql.id(table)
  return sql`(excluded.latitude, excluded.longitude, coalesce(excluded.speed_kmh, 'Infinity')) <
             (${stored}.latitude, ${stored}.longitude, coalesce(${stored}.speed_kmh, 'Infinity'))`
}

interface TrackerRecords {
  fixes: readonly TrackerFix[]
  statuses: readonly TrackerStatus[]
  readings: readonly OdometerReading[]
}

/** The newest record of each truck, ordered by truck: writers that lock in one order cannot deadlock. */
function newest<T extends TrackerFix>(all: readonly T[]): T[] {
  const latest = new Map<string, T>()
  for (const one of all) if (one.at > (latest.get(one.truck)?.at ?? -Infinity)) latest.set(one.truck, one)
  return [...latest.values()].toSorted((one, other) => (one.truck < other.truck ? -1 : 1))
}

/** Stores the newest position and heading of each truck; late records change nothing. */
export async function updateNow(db: Db, batch: TrackerRecords): Promise<void> {
  const fixes = newest(batch.fixes)
  const statuses = newest(batch.statuses)
  if (fixes.length > 0) await setNow(db, fixes)
  if (statuses.length > 0) await setNow(db, statuses)
  if (batch.readings.length > 0) await setOdometers(db, [...new Set(batch.readings.map(({ truck }) => truck))])
}

/** A position is replaced by a newer one, and a heading by that of a newer status: each by its own time. */
async function setNow(db: Db, all: (TrackerFix & Partial<TrackerStatus>)[]): Promise<void> {
  const given = rowsAsTable('g', all, {
    truck_uid: ['uuid', ({ truck }) => truck],
    ms: ['float8', ({ at }) => at],
    latitude: ['float8', ({ latitude }) => latitude],
    longitude: ['float8', ({ longitude }) => longitude],
    speed_kmh: ['float8', ({ speedKmh }) => speedKmh],
    heading: ['float8', ({ heading }) => heading],
    is_driving: ['bool', ({ isDriving }) => isDriving],
    is_status: ['bool', (one) => 'heading' in one],
  })
  const isNewer = sql`(truck_now.at is null or excluded.at > truck_now.at
                       or (excluded.at = truck_now.at and ${precedesStored('truck_now')}))`
  const isNewerStatus = sql`(excluded.status_at is not null and (
    truck_now.status_at is null or excluded.status_at > truck_now.status_at
    or (excluded.status_at = truck_now.status_at
        and (coalesce(excluded.heading, 'Infinity'), coalesce(excluded.is_driving::int, 2)) <
            (coalesce(truck_now.heading, 'Infinity'), coalesce(truck_now.is_driving::int, 2)))))`
  const replaced = (columns: readonly string[], isWinner: ReturnType<typeof sql>) =>
    columns.map((name) => {
      const column = sql.id(name)
      return sql`${column} = case when ${isWinner} then excluded.${column} else truck_now.${column} end`
    })
  const columns = [
    ...replaced(['at', 'latitude', 'longitude', 'speed_kmh'], isNewer),
    ...replaced(['status_at', 'heading', 'is_driving'], isNewerStatus),
  ]
  await sql`
    insert into truck_now (truck_uid, at, latitude, longitude, speed_kmh, heading, is_driving, status_at)
    select truck_uid, to_timestamp(ms / 1000), latitude, longitude, speed_kmh, heading, is_driving,
           case when is_status then to_timestamp(ms / 1000) end
      from ${given}
        on conflict (truck_uid) do update set ${sql.join(columns)}, updated_at = clock_timestamp()
     where ${isNewer} or ${isNewerStatus}`.execute(db)
}

const setOdometers = (db: Db, trucks: string[]) =>
  sql`
    insert into truck_now (truck_uid, odometer_m)
    select truck_uid, metres from unnest(${trucks.toSorted()}::uuid[]) given (truck_uid)
     cross join lateral last_odometer(given.truck_uid) metres where metres is not null
        on conflict (truck_uid) do update set odometer_m = excluded.odometer_m, updated_at = clock_timestamp()
     where truck_now.odometer_m is distinct from excluded.odometer_m`.execute(db)

/** Places trucks again whose newest fix does not count any more: another one of its minute does. */
export async function placeAgain(db: Db, removed: readonly { truck: string; at: number }[]): Promise<void> {
  if (removed.length === 0) return
  const given = rowsAsTable('g', removed, {
    truck_uid: ['uuid', ({ truck }) => truck],
    ms: ['float8', ({ at }) => at],
  })
  const { rows } = await sql<{ truck: string; at: number }>`
    select n.truck_uid as truck, g.ms as at
      from ${given} join truck_now n on n.truck_uid = g.truck_uid and n.at = to_timestamp(g.ms / 1000)
     order by n.truck_uid`.execute(db)
  for (const { truck, at } of rows) {
    const minute = new Date(minuteOf(at))
    const { rows: newest } = await sql<{ at: string; latitude: number; longitude: number; speed_kmh: number | null }>`
      select at, latitude, longitude, speed_kmh from position
       where truck_uid = ${truck} and at >= ${minute} and at <= ${minute}::timestamptz + interval '1 minute'
       order by at desc limit 1`.execute(db)
    if (!newest[0]) continue
    await db
      .updateTable('truck_now')
      .set({ ...newest[0], updated_at: sql`clock_timestamp()` })
      .where('truck_uid', '=', truck)
      .execute()
  }
}
