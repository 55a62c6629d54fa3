import type { Point } from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { workThrough } from '../../platform/jobs/work-through.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import type { PHONE_SOURCE, PLAYER_SOURCE } from './minute-rules.ts'
import { storeTelemetry } from './store.ts'

/** A place of a truck that its driver's phone or its player has sent. */
export interface SentPlace extends Point {
  truckUid: string
  /** In milliseconds since 1970. */
  at: number
}

/** For how long a place waits for the positions of the truck's own tracker. */
const WAITS = sql`interval '15 minutes'`

/**
 * Keeps places of phones and players until they are due: at once for trucks without a tracker, and later for the others,
 * whose trackers make nearly all of these places needless. Of two places of one moment the smaller counts.
 */
export async function keepPlaces(
  db: Db,
  source: typeof PHONE_SOURCE | typeof PLAYER_SOURCE,
  places: readonly SentPlace[],
): Promise<void> {
  if (places.length === 0) return
  // Both sides of a truck begin a spot at once, and one statement may not write a row twice.
  const each = new Map(places.map((place) => [`${place.truckUid} ${place.at}`, place]))
  const given = rowsAsTable('g', [...each.values()], {
    truck_uid: ['uuid', ({ truckUid }) => truckUid],
    ms: ['float8', ({ at }) => at],
    latitude: ['float8', ({ latitude }) => latitude],
    longitude: ['float8', ({ longitude }) => longitude],
  })
  await sql`
    insert into position_waiting as w (truck_uid, at, source_uid, latitude, longitude, due_at)
    select g.truck_uid, to_timestamp(g.ms / 1000), ${source}::uuid, g.latitude, g.longitude,
           case when t.geotab_device_id = '' and not exists (select 1 from truck_tracker r where r.truck_uid = t.uid)
                then now() else greatest(now(), to_timestamp(g.ms / 1000) + ${WAITS}) end
      from ${given} join truck t on t.uid = g.truck_uid
     order by 1, 2
        on conflict (truck_uid, at, source_uid) do update
       set latitude = excluded.latitude, longitude = excluded.longitude, due_at = least(w.due_at, excluded.due_at)
     where (excluded.latitude, excluded.longitude) < (w.latitude, w.longitude)`.execute(db)
}

const AT_ONCE = 5000

interface WaitingPlace extends SentPlace {
  source: string
}

/** Stores places that are due; answers whether there may be more. Those stored twice after a crash count once. */
export async function storePlaces(db: Db, at?: number): Promise<boolean> {
  const now = at ?? (await sharedNow(db))
  const { rows } = await sql<WaitingPlace>`
    select truck_uid as "truckUid", (extract(epoch from at) * 1000)::float8 as at, source_uid as source, latitude, longitude
      from position_waiting where due_at <= to_timestamp(${now}::float8 / 1000)
     order by due_at, truck_uid, at limit ${AT_ONCE}`.execute(db)
  for (const [source, places] of groupBy(rows, (row) => row.source)) {
    const fixes = places.map(({ truckUid, ...place }) => ({
      truck: truckUid,
      at: place.at,
      latitude: place.latitude,
      longitude: place.longitude,
      speedKmh: null,
    }))
    await storeTelemetry(db, { source, areUids: true, now, fixes, statuses: [], readings: [] })
    const stored = rowsAsTable('g', places, {
      truck_uid: ['uuid', ({ truckUid }) => truckUid],
      ms: ['float8', (place) => place.at],
      latitude: ['float8', ({ latitude }) => latitude],
      longitude: ['float8', ({ longitude }) => longitude],
    })
    await sql`
      delete from position_waiting w using ${stored}
       where w.truck_uid = g.truck_uid and w.at = to_timestamp(g.ms / 1000) and w.source_uid = ${source}::uuid
         and (w.latitude, w.longitude) = (g.latitude, g.longitude)`.execute(db)
  }
  return rows.length === AT_ONCE
}

export const storePlacesJob = defineJob('store-places', ({ db, timeUp }) => workThrough(timeUp, () => storePlaces(db)))
