import { sql } from 'kysely'
import { type Db, inTransaction, isRepeated } from '../../platform/db/connection.ts'
import { copyInto, COPY_NULL } from '../../platform/db/copy.ts'
import { dayOf, keptSince, ensurePartitions } from '../../platform/db/partitions.ts'
import { type Signals, sendSignal } from '../../platform/db/signals.ts'
import { newestFix, positionsStored } from './metrics.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { noteEvidence, stretchesOf } from '../evidence/index.ts'
import { compareFixes, isPlausibleFix } from './miles.ts'
import type { TrackerFix, OdometerReading, TrackerStatus } from './records.ts'
import { updateMiles } from './shift-miles.ts'
import { startOfDay } from './time-ranges.ts'
import { precedesStored, updateNow } from './truck-now.ts'

/** A page of a source on its way into the database. */
export interface SourceBatch {
  /** The source, its version before this page, and its version after it. */
  cursor: { entity: string; from: string | undefined; to: string }
  now: number
  /** `truck` is a Geotab id at first, and a truck's uid after the first step. */
  fixes: TrackerFix[]
  statuses: TrackerStatus[]
  readings: OdometerReading[]
}

/** A step takes a batch and returns the part that the next steps work on. */
type Step = (db: Db, batch: SourceBatch) => Promise<SourceBatch> | SourceBatch

/** A step that leaves the batch as it is. */
const passOn =
  (work: (db: Db, batch: SourceBatch) => Promise<unknown>): Step =>
  async (db, batch) => {
    await work(db, batch)
    return batch
  }

type TrackerRecord = TrackerFix | TrackerStatus | OdometerReading

/** Applies one change to each kind of record of a batch. */
function mapRecords(batch: SourceBatch, change: <T extends TrackerRecord>(records: T[]) => T[]): SourceBatch {
  return {
    ...batch,
    fixes: change(batch.fixes),
    statuses: change(batch.statuses),
    readings: change(batch.readings),
  }
}

/** Replaces Geotab ids by the uids of trucks. Trackers without a truck belong to someone else. */
async function matchTrucks(db: Db, batch: SourceBatch): Promise<SourceBatch> {
  const sent: TrackerRecord[] = [...batch.fixes, ...batch.statuses, ...batch.readings]
  const ids = [...new Set(sent.map(({ truck }) => truck))]
  if (ids.length === 0) return batch
  const trucks = await db
    .selectFrom('truck')
    .select(['uid', 'geotab_device_id as id'])
    .where('deleted_at', 'is', null)
    .where('geotab_device_id', '=', sql<string>`any(${ids})`)
    // Lets PostgreSQL use the partial index on trackers.
    .where('geotab_device_id', '<>', '')
    .execute()
  const uids = new Map(trucks.map(({ id, uid }) => [id, uid]))
  return mapRecords(batch, (all) =>
    all.flatMap((one) => {
      const truck = uids.get(one.truck)
      return truck ? [{ ...one, truck }] : []
    }),
  )
}

/** Drops implausible records and records older than the retention. */
async function dropImplausible(db: Db, batch: SourceBatch): Promise<SourceBatch> {
  const { now } = batch
  const since = keptSince((await readSettings(db)).keepPositionsDays, now)
  return {
    ...batch,
    fixes: batch.fixes.filter((fix) => fix.at >= since && isPlausibleFix(fix, now)),
    statuses: batch.statuses.filter((fix) => fix.at >= since && isPlausibleFix(fix, now)),
    readings: batch.readings.filter(({ at, metres }) => at >= since && at <= now && metres >= 0),
  }
}

/** The order of two records of one truck and one moment: the first counts, whichever of them arrives first. */
function compareRecords(one: TrackerRecord, other: TrackerRecord): number {
  if ('metres' in one) return 'metres' in other ? one.metres - other.metres : 0
  return 'metres' in other ? 0 : compareFixes(one, other) || compareStatuses(one, other)
}

const UNKNOWN = Number.MAX_VALUE
const compareStatuses = (one: Partial<TrackerStatus>, other: Partial<TrackerStatus>): number =>
  (one.heading ?? UNKNOWN) - (other.heading ?? UNKNOWN) ||
  Number(one.isDriving ?? UNKNOWN) - Number(other.isDriving ?? UNKNOWN)

/**
 * Drops repeats within a page; repeats of earlier pages are found when the page is stored. The rest is ordered truck by
 * truck, as positions are stored.
 */
const dropRepeats: Step = (_, batch) =>
  mapRecords(batch, <T extends TrackerRecord>(all: T[]) => {
    const trucks = new Map<string, Map<number, T>>()
    for (const one of all) {
      const known = trucks.get(one.truck)
      const same = known?.get(one.at)
      if (!known) trucks.set(one.truck, new Map([[one.at, one]]))
      else if (!same || compareRecords(one, same) < 0) known.set(one.at, one)
    }
    return [...trucks.values()].flatMap((times) => [...times.values()])
  })

/** Creates the partitions of positions outside of the transaction, so that other writers do not wait for it. */
const preparePartitions = passOn((db, { fixes }) =>
  ensurePartitions(db, 'position', [...new Set(fixes.map(({ at }) => startOfDay(at)))].map(dayOf)),
)

/** Stores positions and passes on the new ones. Nearly always all are new, so COPY is tried first. */
async function storePositions(db: Db, batch: SourceBatch): Promise<SourceBatch> {
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

/** Stores those that are not there yet or precede the stored one of their moment, and says which these are. */
async function insertPositions(db: Db, fixes: TrackerFix[]): Promise<TrackerFix[]> {
  const given = rowsAsTable(
    'g',
    fixes,
    {
      truck_uid: ['uuid', ({ truck }) => truck],
      ms: ['float8', ({ at }) => at],
      latitude: ['float8', ({ latitude }) => latitude],
      longitude: ['float8', ({ longitude }) => longitude],
      speed_kmh: ['float8', ({ speedKmh }) => speedKmh],
    },
    { ordinality: 'n' },
  )
  // As a value: each machine of a cluster has a now() of its own.
  const { rows: clock } = await sql<{ now: string }>`select now()::text as now`.execute(db)
  const receivedAt = sql`${clock[0]?.now}::timestamptz`
  await sql`
    insert into position (truck_uid, at, latitude, longitude, speed_kmh, received_at)
    select truck_uid, to_timestamp(ms / 1000), latitude, longitude, speed_kmh, ${receivedAt} from ${given}
        on conflict (truck_uid, at) do update
       set latitude = excluded.latitude, longitude = excluded.longitude, speed_kmh = excluded.speed_kmh,
           received_at = excluded.received_at
     where ${precedesStored('position')}`.execute(db)
  // Rows that this transaction received are new; rows that were there before have another `received_at`. The condition
  // on the outermost times limits the search to their days.
  const times = fixes.map(({ at }) => at)
  const { rows } = await sql<{ n: number }>`
    select g.n from ${given}
      join position p on p.truck_uid = g.truck_uid and p.at = to_timestamp(ms / 1000) and p.received_at = ${receivedAt}
     where p.at between ${new Date(times.reduce((one, other) => Math.min(one, other)))}
                    and ${new Date(times.reduce((one, other) => Math.max(one, other)))}`.execute(db)
  const fresh = new Set(rows.map(({ n }) => n - 1))
  return fixes.filter((_, index) => fresh.has(index))
}

/** Notes which plays and photos the new positions bear on. */
const noteTracks = passOn((db, { fixes }) => noteEvidence(db, stretchesOf(fixes)))

/** Stores readings and passes on those that changed something: of two of one moment the smaller counts. */
async function storeReadings(db: Db, batch: SourceBatch): Promise<SourceBatch> {
  const { readings } = batch
  if (readings.length === 0) return batch
  const given = rowsAsTable('g', readings, {
    truck_uid: ['uuid', ({ truck }) => truck],
    ms: ['float8', ({ at }) => at],
    metres: ['float8', ({ metres }) => metres],
  })
  const { rows } = await sql<OdometerReading>`
    insert into odometer_reading (truck_uid, at, metres)
    select truck_uid, to_timestamp(ms / 1000), metres from ${given}
        on conflict (truck_uid, at) do update set metres = excluded.metres
     where excluded.metres < odometer_reading.metres
    returning truck_uid as truck, (extract(epoch from at) * 1000)::float8 as at, metres`.execute(db)
  return { ...batch, readings: rows }
}

/** Moves the cursor. Fails if another poller has moved it: that poller has stored this page already. */
const saveCursor = passOn(async (db, { cursor: { entity, from, to } }) => {
  const { numAffectedRows } = await (
    from === undefined
      ? sql`insert into geotab_cursor (entity, version) values (${entity}, ${to}) on conflict do nothing`
      : sql`update geotab_cursor set version = ${to}, polled_at = now() where entity = ${entity} and version = ${from}`
  ).execute(db)
  if (numAffectedRows !== 1n) throw new Error(`Another poller has already stored this page of source ${entity}.`)
})

/** The steps that prepare a page of a source, outside of the transaction. */
const preparingSteps: Step[] = [matchTrucks, dropImplausible, dropRepeats, preparePartitions]
/** The steps that run in one transaction: all of them or none. */
const transactionSteps: Step[] = [
  saveCursor,
  storePositions,
  noteTracks,
  storeReadings,
  passOn(updateNow),
  passOn(updateMiles),
]

async function run(db: Db, steps: readonly Step[], batch: SourceBatch): Promise<SourceBatch> {
  let left = batch
  for (const step of steps) left = await step(db, left)
  return left
}

/** Serializes writers of positions and miles, because tracks are read, extended and written back. */
export const withTelemetryLock = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  inTransaction(db, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('store telemetry'))`.execute(db)
    return work(db)
  })

/** Stores a page of a source together with its cursor, then notifies every node that trucks have moved. */
export async function storeTelemetry(
  db: Db,
  batch: SourceBatch,
  publish: Signals['publish'] = (channel) => sendSignal(db, channel),
): Promise<void> {
  const ready = await run(db, preparingSteps, batch)
  const { fixes, statuses, readings } = await withTelemetryLock(db, (db) => run(db, transactionSteps, ready))
  positionsStored.inc(fixes.length)
  for (const { at } of fixes) newestFix.at('position', at)
  if (fixes.length + statuses.length + readings.length > 0) await publish('trucks_moved')
}
