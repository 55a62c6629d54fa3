import type { Db } from '../platform/db/connection.ts'
import { demoDevices, type MapKey, demoPixelMaps, demoTrucks } from './fleet.ts'
import { demoMarkets } from './markets.ts'

/** Uids by the name that the demo data uses. */
export type Uids = ReadonlyMap<string, string>

export const uidsByName = (rows: { uid: string; name: string }[]): Uids =>
  new Map(rows.map(({ uid, name }) => [name, uid]))

/** The uid of something the demo has just added. */
export function requireUid(uids: Uids, name: string): string {
  const uid = uids.get(name)
  if (!uid) throw new Error(`The demo has no ${name}.`)
  return uid
}

/** The drivers, each time in the same order. */
export async function driverUids(db: Db): Promise<string[]> {
  const drivers = db.selectFrom('user_account').select('uid').where('role', '=', 'driver').orderBy('email')
  return (await drivers.execute()).map(({ uid }) => uid)
}

/** Adds markets, pixel maps, trucks and their devices; answers the markets. */
export async function addFleet(db: Db, changed_by: string): Promise<Uids> {
  const marketRows = demoMarkets.map(({ name, state, zone, latitude, longitude, radius_m, depot }) => ({
    name,
    state,
    zone,
    latitude,
    longitude,
    radius_m,
    depots: JSON.stringify([depot]),
    changed_by,
  }))
  const marketUids = uidsByName(await db.insertInto('market').values(marketRows).returning(['uid', 'name']).execute())
  const mapRows = Object.values(demoPixelMaps).map((map) => ({ ...map, sides: JSON.stringify(map.sides), changed_by }))
  const mapUids = uidsByName(await db.insertInto('pixel_map').values(mapRows).returning(['uid', 'name']).execute())
  const mapUid = (key: MapKey) => requireUid(mapUids, demoPixelMaps[key].name)
  const fleet = demoTrucks()
  const truckRows = fleet.map(({ market, map, geotab, ...truck }) => ({
    ...truck,
    home_market_uid: requireUid(marketUids, market),
    pixel_map_uid: map && mapUid(map),
    geotab_device_id: geotab,
    changed_by,
  }))
  const truckUids = uidsByName(
    await db.insertInto('truck').values(truckRows).returning(['uid', 'number as name']).execute(),
  )
  const deviceRows = demoDevices(fleet).map(({ kind, mac, truck }) => ({
    kind,
    mac_address: mac,
    truck_uid: requireUid(truckUids, truck),
    changed_by,
  }))
  await db.insertInto('device').values(deviceRows).execute()
  return marketUids
}
