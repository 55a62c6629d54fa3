import type { Point } from '@roadshow/contract'
import type { CityMarket } from './city.ts'

/**
 * What the simulated fleet is to do, read from the database: trucks, their devices, their shifts with the markets and
 * SD addresses. Nothing is written; what trucks, players and drivers do comes in by the ways that real ones take.
 */
export type RunQuery = <Row>(text: string, values: unknown[]) => Promise<Row[]>

/** Times in milliseconds since 1970. */
export interface PlannedShift {
  uid: string
  startsAt: number
  endsAt: number
  status: 'planned' | 'out' | 'completed'
  market: CityMarket
  /** The SD addresses that it carries. */
  places: Point[]
  /** Where it should be, and when. */
  stops: PlannedVisit[]
  client: string
  zone: string
  driverEmail: string
}

/** A planned stop with its window, in milliseconds since 1970. */
export interface PlannedVisit extends Point {
  opensAt: number
  closesAt: number
}

export interface PlannedDevice {
  kind: 'player' | 'driver'
  mac: string
  /** The number after the last one that arrived of a player. */
  nextSequence: number
}

interface Odometer {
  at: number
  metres: number
}

export interface PlannedTruck {
  uid: string
  number: string
  plate: string
  vin: string
  isInShop: boolean
  /** What MyGeotab calls it. */
  geotabId: string
  home: CityMarket | null
  /** The newest reading that is stored, where it was asked for: odometers do not go back. */
  odometer: Odometer | null
  /** When its player last played something. */
  playedAt: number | null
  devices: PlannedDevice[]
  /** By time. */
  shifts: PlannedShift[]
}

const MARKET = `json_build_object('uid', m.uid, 'name', m.name, 'latitude', m.latitude, 'longitude', m.longitude,
  'radiusM', m.radius_m, 'outline', m.outline, 'depots', m.depots)`
const ms = (column: string) => `extract(epoch from ${column})::float8 * 1000`

const TRUCKS = `
  select t.uid, t.number, t.plate, t.vin, t.state = 'inShop' as "isInShop", t.geotab_device_id as "geotabId",
         (select ${MARKET} from market m where m.uid = t.home_market_uid) as home,
         (select ${ms('n.played_at')} from truck_now n where n.truck_uid = t.uid) as "playedAt",
         coalesce((select json_agg(json_build_object('kind', d.kind, 'mac', d.mac_address,
                            'nextSequence', coalesce(upper(q.received), 1)) order by d.mac_address)
            from device d left join play_sequence q on q.device_uid = d.uid
           where d.truck_uid = t.uid and d.deleted_at is null), '[]') as devices
    from truck t where t.deleted_at is null and t.geotab_device_id <> '' order by t.number`

/** A time of day of a stop as an instant; before the start of the shift it is on the next day. */
const instantOf = (field: string) =>
  ms(`((s.local_date + (e ->> '${field}')::time
        + case when (e ->> '${field}')::time < s.start_time then interval '1 day' else interval '0' end) at time zone s.zone)`)

const SHIFTS = `
  select s.uid, s.truck_uid as "truckUid", ${ms('s.starts_at')} as "startsAt", ${ms('s.ends_at')} as "endsAt", s.status,
         ${MARKET} as market, c.name as client, s.zone, d.email as "driverEmail",
         coalesce((select json_agg(json_build_object('latitude', a.latitude, 'longitude', a.longitude) order by a.position, a.uid)
            from sd_address a where a.set_uid = s.address_set_uid), '[]') as places,
         coalesce((select json_agg(json_build_object('latitude', e -> 'latitude', 'longitude', e -> 'longitude',
                            'opensAt', ${instantOf('from')}, 'closesAt', ${instantOf('to')}))
            from jsonb_array_elements(s.stops) e), '[]') as stops
    from shift s join market m on m.uid = s.market_uid
    join client_program p on p.uid = s.program_uid
    join client c on c.uid = p.client_uid
    join user_account d on d.uid = s.driver_uid
   where s.deleted_at is null and s.status not in ('cancelled', 'noShow')
     and s.ends_at > to_timestamp($1::float8 / 1000) and s.starts_at < to_timestamp($2::float8 / 1000)
   order by s.starts_at, s.uid`

/** The trucks that MyGeotab knows, with their shifts between two moments. */
export async function readPlan(query: RunQuery, from: number, to: number): Promise<PlannedTruck[]> {
  const trucks = await query<Omit<PlannedTruck, 'odometer' | 'shifts'>>(TRUCKS, [])
  const shifts = await query<PlannedShift & { truckUid: string }>(SHIFTS, [from, to])
  const byTruck = new Map<string, PlannedShift[]>(trucks.map(({ uid }) => [uid, []]))
  for (const shift of shifts) byTruck.get(shift.truckUid)?.push(shift)
  return trucks.map((truck) => ({ ...truck, odometer: null, shifts: byTruck.get(truck.uid) ?? [] }))
}

// Readings may lie on other machines than trucks: those of each truck are a statement of their own.
const ODOMETER = `
  select r.metres, ${ms('r.at')} as at from odometer_reading r where r.truck_uid = $1 order by r.at desc limit 1`

/** Adds the odometers of trucks that begin to drive. */
export async function withOdometers(
  query: RunQuery,
  plan: readonly PlannedTruck[],
  isNew: (truck: PlannedTruck) => boolean,
): Promise<PlannedTruck[]> {
  const read: PlannedTruck[] = []
  for (const truck of plan) {
    const [odometer = null] = isNew(truck) ? await query<Odometer>(ODOMETER, [truck.uid]) : []
    read.push({ ...truck, odometer })
  }
  return read
}
