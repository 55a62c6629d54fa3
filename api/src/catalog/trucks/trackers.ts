import { NIL_UUID, type PositionSourceKind, trackingSourceKinds } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import type { KnownSources, Tracker } from './tracker-cells.ts'

/** The trackers of trucks, of all trucks unless uids are given. */
export async function loadTrackers(db: Db, truckUids?: readonly string[]): Promise<Map<string, Tracker[]>> {
  const rows = await db
    .selectFrom('truck_tracker as t')
    .innerJoin('position_source as s', 's.uid', 't.source_uid')
    .select(['t.truck_uid', 't.source_uid as sourceUid', 's.name as sourceName', 't.external_id as externalId'])
    .where('s.deleted_at', 'is', null)
    .$if(truckUids !== undefined, (query) => query.where('t.truck_uid', '=', anyOf([...(truckUids ?? [])])))
    .orderBy('s.name')
    .orderBy('t.external_id')
    .execute()
  const byTruck = groupBy(rows, ({ truck_uid }) => truck_uid)
  const trackerOf = (row: Tracker) => ({
    sourceUid: row.sourceUid,
    sourceName: row.sourceName,
    externalId: row.externalId,
  })
  return new Map([...byTruck].map(([uid, some]) => [uid, some.map(trackerOf)]))
}

const TRACKING: ReadonlySet<string> = new Set(trackingSourceKinds)

/** The sources that people can name. MyGeotab is always there; it counts as one with ids once it is in use. */
export async function loadKnownSources(db: Db): Promise<KnownSources> {
  const rows = await db
    .selectFrom('position_source as s')
    .select(['s.uid', 's.name', 's.kind'])
    .select(
      sql<boolean>`s.last_seen_at is not null or exists (select from position_account a where a.source_uid = s.uid)
        or exists (select from truck k where k.geotab_device_id <> '' and k.deleted_at is null)`.as('isUsed'),
    )
    .where('s.deleted_at', 'is', null)
    .orderBy('s.name')
    .execute()
  const all = rows.map(({ uid, name, kind }) => ({ uid, name, kind: kind as PositionSourceKind }))
  const isGeotabUsed = rows.some(({ uid, isUsed }) => uid === NIL_UUID && isUsed)
  return { all, withIds: all.filter(({ uid, kind }) => TRACKING.has(kind) || (uid === NIL_UUID && isGeotabUsed)) }
}

export interface TrackerOfTruck {
  truckUid: string
  sourceUid: string
  externalId: string
}

export interface HeldTracker extends Omit<TrackerOfTruck, 'truckUid'> {
  uid: string
  number: string
}

/** The ids that other trucks have. Those of a deleted truck are free. */
export async function findHolders(db: Db, wanted: readonly Omit<TrackerOfTruck, 'truckUid'>[]): Promise<HeldTracker[]> {
  const given = rowsAsTable('g', wanted, {
    source_uid: ['uuid', ({ sourceUid }) => sourceUid],
    external_id: ['text', ({ externalId }) => externalId],
  })
  const { rows } = await sql<HeldTracker>`
    select t.source_uid as "sourceUid", t.external_id as "externalId", k.uid, k.number
      from ${given}
      join truck_tracker t on t.source_uid = g.source_uid and t.external_id = g.external_id
      join truck k on k.uid = t.truck_uid
     where k.deleted_at is null`.execute(db)
  return rows
}

const tableOf = (trackers: readonly TrackerOfTruck[]) =>
  rowsAsTable('g', trackers, {
    source_uid: ['uuid', ({ sourceUid }) => sourceUid],
    external_id: ['text', ({ externalId }) => externalId],
    truck_uid: ['uuid', ({ truckUid }) => truckUid],
  })

/** Gives trucks ids at sources; answers those that other trucks have, which are left as they are. */
export async function giveTrackers(
  db: Db,
  actorUid: string,
  wanted: readonly TrackerOfTruck[],
): Promise<HeldTracker[]> {
  if (wanted.length === 0) return []
  const given = tableOf(wanted)
  await sql`
    insert into truck_tracker (source_uid, external_id, truck_uid, created_by)
    select g.source_uid, g.external_id, g.truck_uid, ${actorUid}::uuid from ${given} order by 1, 2
        on conflict (source_uid, external_id) do update
       set truck_uid = excluded.truck_uid, created_by = excluded.created_by
     where exists (select from truck k where k.uid = truck_tracker.truck_uid and k.deleted_at is not null)`.execute(db)
  const mine = new Map(wanted.map((each) => [`${each.sourceUid} ${each.externalId}`, each.truckUid]))
  const held = await findHolders(db, wanted)
  return held.filter(({ uid, sourceUid, externalId }) => mine.get(`${sourceUid} ${externalId}`) !== uid)
}

/** The history names who takes an id away: its row is gone by then. */
const actedBy = (actorUid: string) => sql`(select set_config('roadshow.actor', ${actorUid}, true) as uid) actor`

/** Takes an id at a source from a truck; answers whether the truck had it. */
export async function takeTracker(
  db: Db,
  actorUid: string,
  { truckUid, sourceUid, externalId }: TrackerOfTruck,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from truck_tracker t using ${actedBy(actorUid)}
     where t.truck_uid = ${truckUid} and t.source_uid = ${sourceUid} and t.external_id = ${externalId}`.execute(db)
  return numAffectedRows === 1n
}

/** Leaves trucks with exactly these ids; answers those that other trucks have. Needs a transaction. */
export async function replaceTrackers(
  db: Db,
  actorUid: string,
  { truckUids, trackers }: { truckUids: readonly string[]; trackers: readonly TrackerOfTruck[] },
): Promise<HeldTracker[]> {
  if (truckUids.length === 0) return []
  const kept = tableOf(trackers)
  await sql`
    delete from truck_tracker t using position_source s, ${actedBy(actorUid)}
     where t.truck_uid = any(${[...truckUids]}::uuid[]) and s.uid = t.source_uid and s.deleted_at is null
       and not exists (select from ${kept} where g.source_uid = t.source_uid and g.external_id = t.external_id
                                             and g.truck_uid = t.truck_uid)`.execute(db)
  return giveTrackers(db, actorUid, trackers)
}
