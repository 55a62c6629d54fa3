import type { Db } from '../platform/db/connection.ts'
import { devices, type MapKey, pixelMaps, trucks } from './fleet.ts'
import { markets } from './markets.ts'

/** Uids by the name that the demo data uses. */
export type Uids = ReadonlyMap<string, string>

export const byName = (rows: { uid: string; name: string }[]): Uids => new Map(rows.map(({ uid, name }) => [name, uid]))

/** The uid of something the demo has just added. */
export function uidOf(uids: Uids, name: string): string {
  const uid = uids.get(name)
  if (!uid) throw new Error(`The demo has no ${name}.`)
  return uid
}

/** Adds markets, pixel maps, trucks and their devices; answers the markets. */
export async function addFleet(db: Db, changed_by: string): Promise<Uids> {
  const marketRows = markets.map(({ name, state, zone, latitude, longitude, radius_m, depot }) => ({
    name,
    state,
    zone,
    latitude,
    longitude,
    radius_m,
    depots: JSON.stringify([depot]),
    changed_by,
  }))
  const marketUids = byName(await db.insertInto('market').values(marketRows).returning(['uid', 'name']).execute())
  const mapRows = Object.values(pixelMaps).map((map) => ({ ...map, sides: JSON.stringify(map.sides), changed_by }))
  const mapUids = byName(await db.insertInto('pixel_map').values(mapRows).returning(['uid', 'name']).execute())
  const mapUid = (key: MapKey) => uidOf(mapUids, pixelMaps[key].name)
  const fleet = trucks()
  const truckRows = fleet.map(({ market, map, geotab, ...truck }) => ({
    ...truck,
    home_market_uid: uidOf(marketUids, market),
    pixel_map_uid: map && mapUid(map),
    geotab_device_id: geotab,
    changed_by,
  }))
  const truckUids = byName(
    await db.insertInto('truck').values(truckRows).returning(['uid', 'number as name']).execute(),
  )
  const deviceRows = devices(fleet).map(({ kind, mac, truck }) => ({
    kind,
    mac_address: mac,
    truck_uid: uidOf(truckUids, truck),
    changed_by,
  }))
  await db.insertInto('device').values(deviceRows).execute()
  return marketUids
}
