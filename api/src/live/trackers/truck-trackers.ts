import {
  type PositionSourceKind,
  trackingSourceKinds,
  type TruckTracker,
  type UnknownTracker,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { giveTrackers, takeTracker, type TrackerOfTruck } from '../../catalog/trucks/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { GEOTAB_SOURCE } from '../telemetry/index.ts'

interface TrackerRow {
  source_uid: string
  source_name: string
  kind: PositionSourceKind
  external_id: string
  last_at: string | null
}

/** Where the positions of a truck come from: its ids at sources, and the phone, player and files that have placed it. */
export async function trackersOf(db: Db, truckUid: string) {
  const truck = await db
    .selectFrom('truck')
    .select(['geotab_device_id'])
    .where('uid', '=', truckUid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!truck) throw new AppError('notFound')
  const { rows } = await sql<TrackerRow>`
    select s.uid as source_uid, s.name as source_name, s.kind, coalesce(t.external_id, '') as external_id, l.last_at
      from position_source s
      left join truck_tracker t on t.source_uid = s.uid and t.truck_uid = ${truckUid}
      left join truck_source l on l.source_uid = s.uid and l.truck_uid = ${truckUid}
     where s.deleted_at is null
       and (t.external_id is not null or (s.kind in ('phone', 'player', 'file') and l.last_at is not null))
     order by s.created_at, s.uid, t.external_id`.execute(db)
  const trackers = rows.map((row): TruckTracker => ({
    source: { uid: row.source_uid, name: row.source_name },
    kind: row.kind,
    externalId: row.external_id,
    lastFixAt: row.last_at,
    isRemovable: row.external_id !== '',
  }))
  return {
    trackers: [...(await builtInOf(db, truckUid, truck.geotab_device_id)), ...trackers],
    sources: await choices(db),
  }
}

/** MyGeotab names the truck by a field of its own. */
async function builtInOf(db: Db, truckUid: string, externalId: string): Promise<TruckTracker[]> {
  if (externalId === '') return []
  const source = await db
    .selectFrom('position_source')
    .select('name')
    .where('uid', '=', GEOTAB_SOURCE)
    .executeTakeFirst()
  const now = await db.selectFrom('truck_now').select('at').where('truck_uid', '=', truckUid).executeTakeFirst()
  const others = await db.selectFrom('truck_source').select('source_uid').where('truck_uid', '=', truckUid).execute()
  return [
    {
      source: { uid: GEOTAB_SOURCE, name: source?.name ?? 'MyGeotab' },
      kind: 'geotab',
      externalId,
      // Where others place it too, its newest position may be theirs.
      lastFixAt: others.length === 0 ? (now?.at ?? null) : null,
      isRemovable: false,
    },
  ]
}

async function choices(db: Db) {
  const rows = await db
    .selectFrom('position_source')
    .select(['uid', 'name', 'kind'])
    .where('kind', 'in', [...trackingSourceKinds])
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(({ uid, name, kind }) => ({ uid, name, kind: kind as PositionSourceKind }))
}

/** Gives a truck its id at a source; an id that another truck has is refused by the name of that truck. */
export const addTracker = (db: Db, actorUid: string, tracker: TrackerOfTruck): Promise<void> =>
  inTransaction(db, async (db) => {
    const source = (await choices(db)).find(({ uid }) => uid === tracker.sourceUid)
    if (!source) refuseFields({ sourceUid: 'Source not found.' })
    const [held] = await giveTrackers(db, actorUid, [tracker])
    if (held) refuseFields({ externalId: `${held.number} has this id. Remove it there first.` })
  })

export async function removeTracker(db: Db, actorUid: string, tracker: TrackerOfTruck): Promise<void> {
  if (!(await takeTracker(db, actorUid, tracker))) throw new AppError('notFound')
}

const MOST_LISTED = 200

export async function listUnknown(db: Db): Promise<UnknownTracker[]> {
  const rows = await db
    .selectFrom('unknown_tracker as x')
    .innerJoin('position_source as s', 's.uid', 'x.source_uid')
    .select(['s.uid', 's.name', 's.kind', 'x.external_id', 'x.first_at', 'x.last_at'])
    .select(sql<number>`x.fixes::float8`.as('fixes'))
    .where('s.deleted_at', 'is', null)
    .orderBy('x.last_at', 'desc')
    .orderBy('x.external_id')
    .limit(MOST_LISTED)
    .execute()
  return rows.map((row) => ({
    source: { uid: row.uid, name: row.name },
    kind: row.kind as PositionSourceKind,
    externalId: row.external_id,
    fixes: row.fixes,
    firstAt: row.first_at,
    lastAt: row.last_at,
  }))
}
