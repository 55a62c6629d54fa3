import type { LiveTruck } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type Watched, watchedTrucks } from './live-trucks.ts'

/**
 * A truck as the client sees it whose shift it is on: without its driver, the driver's phone and its odometer, and without anything from before
 * the client had the truck.
 */
export function viewOfClient({ truck, clocks }: Watched): LiveTruck {
  const { shift, positionAt, playerAt } = clocks
  const since = shift?.heldFrom ?? Infinity
  const isPlaced = positionAt !== null && positionAt >= since
  return {
    ...truck,
    ...(!isPlaced && { latitude: null, longitude: null, speedKmh: null, heading: null, positionAt: null }),
    odometerM: null,
    playerAt: playerAt !== null && playerAt >= since ? truck.playerAt : null,
    shift: truck.shift && { ...truck.shift, driver: null, phoneOfflineSince: null },
    offShift: null,
  }
}

/** The trucks of a client at a moment, or one of them, as the client sees them. */
export async function trucksOfClient(
  db: Db,
  clientUid: string | null,
  now: number,
  only?: string,
): Promise<LiveTruck[]> {
  const held = await heldTrucks(db, now).where('client_uid', '=', clientUid).execute()
  const wanted = held.map(({ truckUid }) => truckUid).filter((uid) => only === undefined || uid === only)
  if (wanted.length === 0) return []
  const trucks = await watchedTrucks(db, now, wanted)
  return trucks.filter((each) => each.clientUid === clientUid).map(viewOfClient)
}

/** The trucks that shifts hold at a moment. */
const heldTrucks = (db: Db, now: number) =>
  db
    .selectFrom('truck_hold')
    .select(['shift_uid as shiftUid', 'truck_uid as truckUid', 'program_uid as programUid'])
    // By the end of the hours, which the index finds: all but the last ones of a program are over.
    .where(sql<boolean>`upper(during) > to_timestamp(${now / 1000})`)
    .where(sql<boolean>`lower(during) <= to_timestamp(${now / 1000})`)

/** How many trucks are on shifts of each of these programs at a moment; programs without any are left out. */
export async function countTrucksOfPrograms(
  db: Db,
  programUids: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { programUid } of await heldTrucks(db, now).where('program_uid', '=', anyOf(programUids)).execute())
    counts.set(programUid, (counts.get(programUid) ?? 0) + 1)
  return counts
}

/** The trucks on shifts of some programs at a moment, as the clients of these programs see them. */
export async function trucksOfPrograms(
  db: Db,
  programUids: readonly string[],
  now: number,
): Promise<{ programUid: string; truck: LiveTruck }[]> {
  const held = await heldTrucks(db, now).where('program_uid', '=', anyOf(programUids)).execute()
  if (held.length === 0) return []
  const programOf = new Map(held.map(({ shiftUid, programUid }) => [shiftUid, programUid]))
  const trucks = await watchedTrucks(
    db,
    now,
    held.map(({ truckUid }) => truckUid),
  )
  return trucks.flatMap((each) => {
    const programUid = programOf.get(each.clocks.shift?.uid ?? '')
    return programUid === undefined ? [] : [{ programUid, truck: viewOfClient(each) }]
  })
}
