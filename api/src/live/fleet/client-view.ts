import type { LiveTruck } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import { type Watched, watchedTrucks } from './live-trucks.ts'

/** When shifts got their trucks that had to wait for the end of another shift, in milliseconds since 1970. */
export type Handovers = ReadonlyMap<string, number>

/**
 * Reads the handovers of the shifts of this moment. Planned hours never overlap, so there are few: where a shift ran over
 * into the next one.
 */
export async function readHandovers(db: Db, now: number): Promise<Handovers> {
  const at = sql`to_timestamp(${now / 1000})`
  const { rows } = await sql<{ uid: string; ms: number }>`
    select s.uid, (extract(epoch from max(upper(truck_hours(o)))) * 1000)::float8 as ms
      from shift s join shift o on o.truck_uid = s.truck_uid and o.uid <> s.uid and o.deleted_at is null
     where s.deleted_at is null and s.status in ('planned', 'out')
       and s.starts_at > ${at} - interval '3 days' and s.starts_at < ${at} + interval '1 day'
       and truck_hours(s) @> ${at}
       and o.starts_at > ${at} - interval '6 days' and o.starts_at < ${at} + interval '1 day'
       and upper(truck_hours(o)) > lower(truck_hours(s)) and upper(truck_hours(o)) <= ${at}
       and truck_rank(o) collate "C" > truck_rank(s) collate "C"
     group by s.uid`.execute(db)
  return new Map(rows.map(({ uid, ms }) => [uid, ms]))
}

/**
 * A truck as the client sees it whose shift it is on: without its driver, the driver's phone and its odometer, and without anything from before
 * the client had the truck.
 */
export function viewOfClient({ truck, clocks }: Watched, handovers: Handovers): LiveTruck {
  const { shift, positionAt, playerAt } = clocks
  const since = shift ? Math.max(shift.startedAt ?? shift.startsAt, handovers.get(shift.uid) ?? 0) : Infinity
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
  const uids = await trucksHeldFor(db, clientUid, now)
  const wanted = only === undefined ? uids : uids.filter((uid) => uid === only)
  if (wanted.length === 0) return []
  const handovers = await readHandovers(db, now)
  const trucks = await watchedTrucks(db, now, wanted)
  return trucks.filter((each) => each.clientUid === clientUid).map((each) => viewOfClient(each, handovers))
}

async function trucksHeldFor(db: Db, clientUid: string | null, now: number): Promise<string[]> {
  const held = await shiftsWithTrucks(db, sql`p.client_uid = ${clientUid}`, now)
  return [...new Set(held.map(({ truckUid }) => truckUid))]
}

interface HeldTruck {
  shiftUid: string
  truckUid: string
  programUid: string
}

/** The shifts `s` of programs `p` that have their trucks at a moment. */
async function shiftsWithTrucks(db: Db, condition: SqlFragment, now: number): Promise<HeldTruck[]> {
  const at = sql`to_timestamp(${now / 1000})`
  const { rows } = await sql<HeldTruck>`
    select s.uid as "shiftUid", s.truck_uid as "truckUid", s.program_uid as "programUid"
      from shift s join client_program p on p.uid = s.program_uid
     where ${condition} and s.deleted_at is null and s.status in ('planned', 'out')
       and s.starts_at > ${at} - interval '3 days' and s.starts_at < ${at} + interval '1 day'
       and has_truck_at(s, ${at})`.execute(db)
  return rows
}

const ofPrograms = (programUids: readonly string[]) => sql`s.program_uid = any(${programUids}::uuid[])`

/** How many trucks are on shifts of each of these programs at a moment; programs without any are left out. */
export async function countTrucksOfPrograms(
  db: Db,
  programUids: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { programUid } of await shiftsWithTrucks(db, ofPrograms(programUids), now))
    counts.set(programUid, (counts.get(programUid) ?? 0) + 1)
  return counts
}

/** The trucks on shifts of some programs at a moment, as the clients of these programs see them. */
export async function trucksOfPrograms(
  db: Db,
  programUids: readonly string[],
  now: number,
): Promise<{ programUid: string; truck: LiveTruck }[]> {
  const held = await shiftsWithTrucks(db, ofPrograms(programUids), now)
  if (held.length === 0) return []
  const programOf = new Map(held.map(({ shiftUid, programUid }) => [shiftUid, programUid]))
  const handovers = await readHandovers(db, now)
  const trucks = await watchedTrucks(
    db,
    now,
    held.map(({ truckUid }) => truckUid),
  )
  return trucks.flatMap((each) => {
    const programUid = programOf.get(each.clocks.shift?.uid ?? '')
    return programUid === undefined ? [] : [{ programUid, truck: viewOfClient(each, handovers) }]
  })
}
