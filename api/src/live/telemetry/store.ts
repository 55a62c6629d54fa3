import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { dayOf, keptSince, ensurePartitions } from '../../platform/db/partitions.ts'
import { type Signals, sendSignal } from '../../platform/db/signals.ts'
import { newestFix, positionsStored } from './metrics.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { noteEvidence, stretchesOf } from '../evidence/index.ts'
import { compareFixes, isPlausibleFix } from './miles.ts'
import type { TrackerFix, OdometerReading, TrackerStatus } from './records.ts'
import { updateMiles } from './shift-miles.ts'
import { accuracyClass, GEOTAB_SOURCE } from './minute-rules.ts'
import { storeByMinute, trucksOfOthers } from './store-minutes.ts'
import { startOfDay } from './time-ranges.ts'
import { placeAgain, updateNow } from './truck-now.ts'

/** What a source has sent, on its way into the database. */
export interface SourceBatch {
  /** The uid of a `position_source`; the built-in MyGeotab unless given. */
  source?: string
  /** For feeds that are read page by page: the feed, its version before this page, and its version after it. */
  cursor?: { entity: string; from: string | undefined; to: string }
  now: number
  /** `truck` is the id at the source at first, unless `areUids`, and a truck's uid after the first step. */
  fixes: TrackerFix[]
  statuses: TrackerStatus[]
  readings: OdometerReading[]
  /** Whether trucks are named by their uids already. */
  areUids?: true
}

/** A batch in the transaction that stores it. */
interface StoredBatch extends SourceBatch {
  /** Fixes of other sources that do not count any more. */
  removed: { truck: string; at: number }[]
  /** What is new: fixes that count and those that wait, as `fixKey` names them. */
  fresh: Set<string>
}

/** Names a fix of a truck by its uid and time. */
export const fixKey = (truck: string, at: number): string => `${truck} ${at}`

/** What became of a batch. */
export interface StoreResult {
  /** The uids of the trucks by their ids at the source. */
  trucks: ReadonlyMap<string, string>
  /** The fixes that were not stored before, as `fixKey` names them. */
  fresh: ReadonlySet<string>
}

/** A step takes a batch and returns the part that the next steps work on. */
type Step<Batch> = (db: Db, batch: Batch) => Promise<Batch> | Batch

/** A step that leaves the batch as it is. */
const passOn =
  <Batch>(work: (db: Db, batch: Batch) => Promise<unknown>): Step<Batch> =>
  async (db, batch) => {
    await work(db, batch)
    return batch
  }

type TrackerRecord = TrackerFix | TrackerStatus | OdometerReading

/** Applies one change to each kind of record of a batch. */
function mapRecords<Batch extends SourceBatch>(
  batch: Batch,
  change: <T extends TrackerRecord>(records: T[]) => T[],
): Batch {
  return {
    ...batch,
    fixes: change(batch.fixes),
    statuses: change(batch.statuses),
    readings: change(batch.readings),
  }
}

/** The uids of trucks by their ids at a source. */
async function trucksAt(db: Db, source: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const trucks =
    source === GEOTAB_SOURCE
      ? db
          .selectFrom('truck')
          .select(['uid', 'geotab_device_id as id'])
          .where('geotab_device_id', '=', sql<string>`any(${ids})`)
          // Lets PostgreSQL use the partial index on trackers.
          .where('geotab_device_id', '<>', '')
      : db
          .selectFrom('truck_tracker as t')
          .innerJoin('truck', 'truck.uid', 't.truck_uid')
          .select(['truck.uid', 't.external_id as id'])
          .where('t.source_uid', '=', source)
          .where('t.external_id', '=', sql<string>`any(${ids})`)
  const rows = await trucks.where('truck.deleted_at', 'is', null).execute()
  return new Map(rows.map(({ id, uid }) => [id, uid]))
}

/** Replaces ids at a source by the uids of trucks. Trackers without a truck belong to someone else. */
async function matchTrucks(db: Db, batch: SourceBatch): Promise<{ batch: SourceBatch; trucks: Map<string, string> }> {
  const sent: TrackerRecord[] = [...batch.fixes, ...batch.statuses, ...batch.readings]
  const ids = [...new Set(sent.map(({ truck }) => truck))]
  if (batch.areUids) return { batch, trucks: new Map(ids.map((uid) => [uid, uid])) }
  const trucks = await trucksAt(db, batch.source ?? GEOTAB_SOURCE, ids)
  const matched = mapRecords(batch, (all) =>
    all.flatMap((one) => {
      const truck = trucks.get(one.truck)
      return truck ? [{ ...one, truck }] : []
    }),
  )
  return { batch: matched, trucks }
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

/** The first of two records of a moment, with the better accuracy: that of a source in a minute is its best one. */
const withBestAccuracy = <T extends TrackerRecord>([first, second]: [T, T]): T => {
  const [one, other] = [first as Partial<TrackerFix>, second as Partial<TrackerFix>]
  return accuracyClass(other.accuracyM) < accuracyClass(one.accuracyM)
    ? { ...first, accuracyM: other.accuracyM }
    : first
}

/**
 * Drops repeats within a page; repeats of earlier pages are found when the page is stored. The rest is ordered truck by
 * truck, as positions are stored.
 */
const dropRepeats: Step<SourceBatch> = (_, batch) =>
  mapRecords(batch, <T extends TrackerRecord>(all: T[]) => {
    const trucks = new Map<string, Map<number, T>>()
    for (const one of all) {
      const known = trucks.get(one.truck)
      const same = known?.get(one.at)
      if (!known) trucks.set(one.truck, new Map([[one.at, one]]))
      else if (!same) known.set(one.at, one)
      else known.set(one.at, withBestAccuracy(compareRecords(one, same) < 0 ? [one, same] : [same, one]))
    }
    return [...trucks.values()].flatMap((times) => [...times.values()])
  })

/** Creates the partitions of positions outside of the transaction, so that other writers do not wait for it. */
const preparePartitions = passOn<SourceBatch>(async (db, { fixes, source = GEOTAB_SOURCE }) => {
  const days = [...new Set(fixes.map(({ at }) => startOfDay(at)))].map(dayOf)
  await ensurePartitions(db, 'position', days)
  if (source === GEOTAB_SOURCE && (await trucksOfOthers(db, fixes)).size === 0) return
  await ensurePartitions(db, 'position_minute', days)
  await ensurePartitions(db, 'position_spare', days)
})

/**
 * Stores positions, those that count and those that wait, and passes on what counts now. MyGeotab sends the state of its
 * trucks apart; of other sources a fix that counts is the state.
 */
async function storeFixes(db: Db, batch: StoredBatch): Promise<StoredBatch> {
  const { source = GEOTAB_SOURCE } = batch
  const { fixes, removed, spare } = await storeByMinute(db, source, batch.fixes)
  const fresh = new Set([...fixes, ...spare].map(({ truck, at }) => fixKey(truck, at)))
  if (source === GEOTAB_SOURCE) return { ...batch, fixes, removed, fresh }
  return { ...batch, fixes: fixes.map(placeOfFix), removed, fresh, statuses: fixes.flatMap(statusOfFix) }
}

const placeOfFix = ({ truck, at, latitude, longitude, speedKmh }: TrackerFix): TrackerFix => ({
  truck,
  at,
  latitude,
  longitude,
  speedKmh,
})

const statusOfFix = ({ heading = null, isMoving, ...fix }: TrackerFix): TrackerStatus[] =>
  heading === null && isMoving === undefined ? [] : [{ ...placeOfFix(fix), heading, isDriving: isMoving ?? null }]

/** Notes which plays and photos the new positions bear on. */
const noteTracks = passOn<StoredBatch>((db, { fixes, removed }) =>
  noteEvidence(db, [...stretchesOf(fixes), ...stretchesOf(removed)]),
)

/** Stores readings and passes on those that changed something: of two of one moment the smaller counts. */
async function storeReadings(db: Db, batch: StoredBatch): Promise<StoredBatch> {
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
const saveCursor = passOn<StoredBatch>(async (db, { cursor }) => {
  if (!cursor) return
  const { entity, from, to } = cursor
  const { numAffectedRows } = await (
    from === undefined
      ? sql`insert into geotab_cursor (entity, version) values (${entity}, ${to}) on conflict do nothing`
      : sql`update geotab_cursor set version = ${to}, polled_at = now() where entity = ${entity} and version = ${from}`
  ).execute(db)
  if (numAffectedRows !== 1n) throw new Error(`Another poller has already stored this page of source ${entity}.`)
})

/** The steps that prepare a batch whose trucks are known, outside of the transaction. */
const preparingSteps: Step<SourceBatch>[] = [dropImplausible, dropRepeats, preparePartitions]
/** The steps that run in one transaction: all of them or none. */
const transactionSteps: Step<StoredBatch>[] = [
  saveCursor,
  storeFixes,
  noteTracks,
  storeReadings,
  passOn<StoredBatch>(updateNow),
  passOn<StoredBatch>((db, { removed }) => placeAgain(db, removed)),
  passOn<StoredBatch>(updateMiles),
]

async function run<Batch>(db: Db, steps: readonly Step<Batch>[], batch: Batch): Promise<Batch> {
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

/**
 * Stores what any source has sent, with its cursor if it has one, then notifies every node that trucks have moved. The
 * result does not depend on the order in which sources send, on repeats, or on how fixes are divided into batches.
 */
export async function storeTelemetry(
  db: Db,
  sent: SourceBatch,
  publish: Signals['publish'] = (channel) => sendSignal(db, channel),
): Promise<StoreResult> {
  const { batch, trucks } = await matchTrucks(db, sent)
  const ready = await run(db, preparingSteps, batch)
  const isEmpty = !ready.cursor && ready.fixes.length + ready.statuses.length + ready.readings.length === 0
  if (isEmpty) return { trucks, fresh: new Set() }
  const { fixes, statuses, readings, fresh } = await withTelemetryLock(db, (db) =>
    run<StoredBatch>(db, transactionSteps, { ...ready, removed: [], fresh: new Set() }),
  )
  positionsStored.inc(fixes.length)
  for (const { at } of fixes) newestFix.at('position', at)
  if (fixes.length + statuses.length + readings.length > 0) await publish('trucks_moved')
  return { trucks, fresh }
}
