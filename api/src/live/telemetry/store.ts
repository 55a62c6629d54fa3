import { sql } from 'kysely'
import { type Db, inTransaction, isRepeated } from '../../platform/db/connection.ts'
import { copyInto, COPY_NULL } from '../../platform/db/copy.ts'
import { dayOf, keptSince, makeDays } from '../../platform/db/days.ts'
import { type Notifications, notify } from '../../platform/db/notifications.ts'
import { newestFix, positionsStored } from './metrics.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { isPlausibleFix } from './miles.ts'
import type { TrackerFix, OdometerReading, TrackerStatus } from './records.ts'
import { updateMiles } from './shift-miles.ts'
import { startOfDay } from './time-ranges.ts'

/** A page of a feed on its way into the database. */
export interface FeedBatch {
  /** Which feed it is of, where that stood when it was asked, and where it goes on. */
  cursor: { entity: string; from: string | undefined; to: string }
  now: number
  /** Trucks are named by their Geotab id here; from the first step on by their uid. */
  fixes: TrackerFix[]
  statuses: TrackerStatus[]
  readings: OdometerReading[]
}

/** A step takes a batch and hands on what is left of it to do. */
type Step = (db: Db, batch: FeedBatch) => Promise<FeedBatch> | FeedBatch

type Said = TrackerFix | TrackerStatus | OdometerReading

/** The same for each kind of thing that a batch holds. */
function each(batch: FeedBatch, change: <T extends Said>(said: T[]) => T[]): FeedBatch {
  return {
    ...batch,
    fixes: change(batch.fixes),
    statuses: change(batch.statuses),
    readings: change(batch.readings),
  }
}

/** Trackers that no truck has are somebody else's. */
async function knownTrucks(db: Db, batch: FeedBatch): Promise<FeedBatch> {
  const said: Said[] = [...batch.fixes, ...batch.statuses, ...batch.readings]
  const ids = [...new Set(said.map(({ truck }) => truck))]
  if (ids.length === 0) return batch
  const trucks = await db
    .selectFrom('truck')
    .select(['uid', 'geotab_device_id as id'])
    .where('deleted_at', 'is', null)
    .where('geotab_device_id', '=', sql<string>`any(${ids})`)
    // Said apart, so that the index of trackers is used.
    .where('geotab_device_id', '<>', '')
    .execute()
  const uids = new Map(trucks.map(({ id, uid }) => [id, uid]))
  return each(batch, (all) =>
    all.flatMap((one) => {
      const truck = uids.get(one.truck)
      return truck ? [{ ...one, truck }] : []
    }),
  )
}

/** What cannot be true, and what is older than anything that is kept. */
async function dropRubbish(db: Db, batch: FeedBatch): Promise<FeedBatch> {
  const { now } = batch
  const since = keptSince((await readSettings(db)).keepPositionsDays, now)
  return {
    ...batch,
    fixes: batch.fixes.filter((fix) => fix.at >= since && isPlausibleFix(fix, now)),
    statuses: batch.statuses.filter((fix) => fix.at >= since && isPlausibleFix(fix, now)),
    readings: batch.readings.filter(({ at, metres }) => at >= since && at <= now && metres >= 0),
  }
}

/**
 * What a page says twice; what an earlier page said already is noticed when it is stored. What is left comes truck by
 * truck, in which order positions are kept.
 */
const dropRepeats: Step = (_, batch) =>
  each(batch, <T extends Said>(all: T[]) => {
    const trucks = new Map<string, Map<number, T>>()
    for (const one of all) {
      const known = trucks.get(one.truck)
      if (!known) trucks.set(one.truck, new Map([[one.at, one]]))
      else if (!known.has(one.at)) known.set(one.at, one)
    }
    return [...trucks.values()].flatMap((times) => [...times.values()])
  })

/** Each day of positions is a table of its own. Made apart, so that nobody waits for the batch. */
async function makeItsDays(db: Db, batch: FeedBatch): Promise<FeedBatch> {
  await makeDays(db, 'position', [...new Set(batch.fixes.map(({ at }) => startOfDay(at)))].map(dayOf))
  return batch
}

/** Stores what is new, and goes on with that. Nearly always that is all of it. */
async function storePositions(db: Db, batch: FeedBatch): Promise<FeedBatch> {
  const { fixes } = batch
  if (fixes.length === 0) return batch
  await sql`savepoint positions`.execute(db)
  try {
    await copyPositions(db, fixes)
  } catch (error) {
    if (!isRepeated(error)) throw error
    await sql`rollback to savepoint positions`.execute(db)
    return { ...batch, fixes: await insertPositions(db, fixes) }
  }
  await sql`release savepoint positions`.execute(db)
  return batch
}

const copyPositions = (db: Db, fixes: readonly TrackerFix[]) =>
  copyInto(
    db,
    'position (truck_uid, at, latitude, longitude, speed_kmh)',
    fixes
      .map(
        ({ truck, at, latitude, longitude, speedKmh }) =>
          `${truck}\t${new Date(at).toISOString()}\t${latitude}\t${longitude}\t${speedKmh ?? COPY_NULL}\n`,
      )
      .join(''),
  )

/** Stores those that are not there yet, and says which these are. */
async function insertPositions(db: Db, fixes: TrackerFix[]): Promise<TrackerFix[]> {
  const trucks = fixes.map(({ truck }) => truck)
  const times = fixes.map(({ at }) => at)
  await sql`
    insert into position (truck_uid, at, latitude, longitude, speed_kmh)
    select truck_uid, to_timestamp(ms / 1000), latitude, longitude, speed_kmh
      from unnest(${trucks}::uuid[], ${times}::float8[], ${fixes.map(({ latitude }) => latitude)}::float8[],
                  ${fixes.map(({ longitude }) => longitude)}::float8[],
                  ${fixes.map(({ speedKmh }) => speedKmh)}::float8[])
           given (truck_uid, ms, latitude, longitude, speed_kmh)
        on conflict do nothing`.execute(db)
  // What this transaction has received is new; what it found there was received by another. The outermost times are
  // said apart, so that only their days are looked into.
  const { rows } = await sql<{ n: number }>`
    select n from unnest(${trucks}::uuid[], ${times}::float8[]) with ordinality given (truck_uid, ms, n)
      join position p on p.truck_uid = given.truck_uid and p.at = to_timestamp(ms / 1000) and p.received_at = now()
     where p.at between ${new Date(times.reduce((one, other) => Math.min(one, other)))}
                    and ${new Date(times.reduce((one, other) => Math.max(one, other)))}`.execute(db)
  const fresh = new Set(rows.map(({ n }) => n - 1))
  return fixes.filter((_, index) => fresh.has(index))
}

/** Stores what is new, and goes on with that. */
async function storeReadings(db: Db, batch: FeedBatch): Promise<FeedBatch> {
  const { readings } = batch
  if (readings.length === 0) return batch
  const { rows } = await sql<{ truck: string; at: number; metres: number }>`
    insert into odometer_reading (truck_uid, at, metres)
    select truck_uid, to_timestamp(ms / 1000), metres
      from unnest(${readings.map(({ truck }) => truck)}::uuid[], ${readings.map(({ at }) => at)}::float8[],
                  ${readings.map(({ metres }) => metres)}::float8[]) given (truck_uid, ms, metres)
        on conflict do nothing
    returning truck_uid as truck, (extract(epoch from at) * 1000)::float8 as at, metres`.execute(db)
  return { ...batch, readings: rows }
}

/** The newest of each truck, in one order for all who write them: whoever comes second waits, and none forever. */
function newest<T extends TrackerFix>(all: readonly T[]): T[] {
  const latest = new Map<string, T>()
  for (const one of all) if (one.at > (latest.get(one.truck)?.at ?? -Infinity)) latest.set(one.truck, one)
  return [...latest.values()].toSorted((one, other) => (one.truck < other.truck ? -1 : 1))
}

/** Keeps the newest of each truck; what comes late changes nothing there. */
async function updateNow(db: Db, batch: FeedBatch): Promise<FeedBatch> {
  const fixes = newest(batch.fixes)
  const statuses = newest(batch.statuses)
  if (fixes.length > 0) await setNow(db, fixes, sql`excluded.at > truck_now.at`)
  if (statuses.length > 0) {
    // Of the same moment, a status says more: also where the truck is heading.
    await setNow(
      db,
      statuses,
      sql`excluded.at >= truck_now.at`,
      sql`heading = excluded.heading, is_driving = excluded.is_driving,`,
    )
  }
  if (batch.readings.length > 0) await setOdometers(db, [...new Set(batch.readings.map(({ truck }) => truck))])
  return batch
}

async function setNow(
  db: Db,
  all: (TrackerFix & Partial<TrackerStatus>)[],
  isNewer: ReturnType<typeof sql>,
  more = sql``,
) {
  await sql`
    insert into truck_now (truck_uid, at, latitude, longitude, speed_kmh, heading, is_driving)
    select truck_uid, to_timestamp(ms / 1000), latitude, longitude, speed_kmh, heading, is_driving
      from unnest(${all.map(({ truck }) => truck)}::uuid[], ${all.map(({ at }) => at)}::float8[],
                  ${all.map(({ latitude }) => latitude)}::float8[], ${all.map(({ longitude }) => longitude)}::float8[],
                  ${all.map(({ speedKmh }) => speedKmh)}::float8[], ${all.map(({ heading }) => heading ?? null)}::float8[],
                  ${all.map(({ isDriving }) => isDriving ?? null)}::boolean[])
           given (truck_uid, ms, latitude, longitude, speed_kmh, heading, is_driving)
        on conflict (truck_uid) do update
       set at = excluded.at, latitude = excluded.latitude, longitude = excluded.longitude,
           speed_kmh = excluded.speed_kmh, ${more} updated_at = clock_timestamp()
     where truck_now.at is null or ${isNewer}`.execute(db)
}

const setOdometers = (db: Db, trucks: string[]) =>
  sql`
    insert into truck_now (truck_uid, odometer_m)
    select truck_uid, metres from unnest(${trucks.toSorted()}::uuid[]) given (truck_uid)
     cross join lateral (
      select metres from odometer_reading r where r.truck_uid = given.truck_uid order by at desc limit 1) latest
        on conflict (truck_uid) do update set odometer_m = excluded.odometer_m, updated_at = clock_timestamp()
     where truck_now.odometer_m is distinct from excluded.odometer_m`.execute(db)

async function extendMiles(db: Db, batch: FeedBatch): Promise<FeedBatch> {
  await updateMiles(db, batch)
  return batch
}

/** Moves the cursor, and refuses to when another poller has moved it meanwhile: then this page was stored by it. */
async function saveCursor(db: Db, batch: FeedBatch): Promise<FeedBatch> {
  const { entity, from, to } = batch.cursor
  const { numAffectedRows } = await (
    from === undefined
      ? sql`insert into geotab_cursor (entity, version) values (${entity}, ${to}) on conflict do nothing`
      : sql`update geotab_cursor set version = ${to}, polled_at = now() where entity = ${entity} and version = ${from}`
  ).execute(db)
  if (numAffectedRows !== 1n) throw new Error(`Another poller reads the feed of ${entity}.`)
  return batch
}

/** The steps that prepare a page of a feed, outside of the transaction. */
const preparingSteps: Step[] = [knownTrucks, dropRubbish, dropRepeats, makeItsDays]
/** The steps that run in one transaction: all of them or none. */
const transactionSteps: Step[] = [saveCursor, storePositions, storeReadings, updateNow, extendMiles]

async function run(db: Db, steps: readonly Step[], batch: FeedBatch): Promise<FeedBatch> {
  let left = batch
  for (const step of steps) left = await step(db, left)
  return left
}

/** Whoever writes positions and miles does so alone: tracks are read, extended and written back. */
export const withTelemetryLock = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  inTransaction(db, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('store telemetry'))`.execute(db)
    return work(db)
  })

/** Stores a page of a feed together with where the feed goes on, then tells every node that trucks have moved. */
export async function storeFeedBatch(
  db: Db,
  batch: FeedBatch,
  tell: Notifications['publish'] = (channel) => notify(db, channel),
): Promise<void> {
  const ready = await run(db, preparingSteps, batch)
  const { fixes, statuses, readings } = await withTelemetryLock(db, (db) => run(db, transactionSteps, ready))
  positionsStored.inc(fixes.length)
  for (const { at } of fixes) newestFix.at('position', at)
  if (fixes.length + statuses.length + readings.length > 0) await tell('trucks_moved')
}
