import { isDeepStrictEqual } from 'node:util'
import type { LiveTruck, Settings, ShiftStatus } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { phoneOfflineSince } from '../../planning/shifts/index.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { type MarketPlace, placeName, type TruckClocks, truckState } from './rules.ts'

/** The position of a truck and the times of its clocks, in milliseconds since 1970. */
type Movement = [
  latitude: number | null,
  longitude: number | null,
  speedKmh: number | null,
  heading: number | null,
  odometerM: number | null,
  positionAt: number | null,
  playerAt: number | null,
  isDriving: boolean | null,
  playedAt: number | null,
  offShiftSince: number | null,
  offShiftUntil: number | null,
  offShiftMeters: number | null,
]

interface Shift {
  uid: string
  status: ShiftStatus
  clientUid: string
  program: string
  market: string
  driver: string
  startsAt: number
  endsAt: number
  startedAt: number | null
  /** The hours in which it holds the truck. */
  heldFrom: number
  heldUntil: number
  /** The last contact of the driver's phone, if it is offline. */
  phoneOfflineSince: number | null
}

interface Row {
  uid: string
  number: string
  hasScreen: boolean
  movement: Movement
  /** The shift that holds the truck at this moment. */
  shift: Shift | null
  /** The driver of the last shift, of a truck that drives outside of any. */
  lastDriver: string | null
}

const msOf = (moment: RawBuilder<unknown>) => sql`round(date_part('epoch', ${moment}) * 1000)`
const MOVEMENT = sql`
  json_build_array(n.latitude, n.longitude, n.speed_kmh, n.heading, n.odometer_m, ${msOf(sql`n.at`)},
                   ${msOf(sql`n.player_seen_at`)}, n.is_driving, ${msOf(sql`n.played_at`)},
                   ${msOf(sql`n.off_shift_since`)}, ${msOf(sql`n.off_shift_until`)}, n.off_shift_m)`

/**
 * The fleet is read as JSON, many trucks to a row: parsing thousands of trucks field by field each second would cost more
 * than sending them to all pages, and a single value with all trucks is copied over and over while it arrives.
 */
const TRUCKS_PER_ROW = sql.raw('200')

/** Every truck that is not retired, or some of them, at a moment. */
async function readFleet(db: Db, now: number, only?: readonly string[]): Promise<Row[]> {
  const at = sql`to_timestamp(${now / 1000})`
  const { rows } = await sql<{ trucks: Row[] }>`
    select json_agg(json_build_object('uid', f.uid, 'number', f.number, 'hasScreen', f.has_screen,
                                      'movement', f.movement, 'shift', f.shift,
                                      'lastDriver', f.last_driver) order by f.place) as trucks
      from (
        select t.uid, t.number, t.kind = 'led' as has_screen, ${MOVEMENT} as movement, s.shift,
               case when n.off_shift_since is not null then (
                 select u.name from shift s join user_account u on u.uid = s.driver_uid
                  where s.truck_uid = t.uid and s.deleted_at is null and s.status in ('out', 'completed')
                    and s.starts_at <= ${at}
                  order by s.starts_at desc limit 1) end as last_driver,
               row_number() over (order by t.number) - 1 as place
          from truck t left join truck_now n on n.truck_uid = t.uid
          left join lateral (
            select json_build_object('uid', s.uid, 'status', s.status, 'clientUid', p.client_uid, 'program', p.name,
                                     'market', m.name, 'driver', u.name, 'startsAt', ${msOf(sql`s.starts_at`)},
                                     'endsAt', ${msOf(sql`s.ends_at`)}, 'startedAt', ${msOf(sql`s.started_at`)},
                                     'heldFrom', ${msOf(sql`lower(h.during)`)}, 'heldUntil', ${msOf(sql`upper(h.during)`)},
                                     'phoneOfflineSince', ${msOf(phoneOfflineSince(sql`s.driver_uid`, at))}) as shift
              from truck_hold h join shift s on s.uid = h.shift_uid join client_program p on p.uid = s.program_uid
              join market m on m.uid = s.market_uid join user_account u on u.uid = s.driver_uid
             where h.truck_uid = t.uid and h.during @> ${at}) s on true
         where t.deleted_at is null and t.state <> 'retired'
           ${only ? sql`and t.uid = any(${[...only]}::uuid[])` : sql``}) f
     group by f.place / ${TRUCKS_PER_ROW} order by f.place / ${TRUCKS_PER_ROW}`.execute(db)
  return rows.flatMap(({ trucks }) => trucks)
}

type Moved = [uid: string, movement: Movement]

async function readMovement(db: Db): Promise<Moved[]> {
  const { rows } = await sql<{ moved: Moved[] }>`
    select json_agg(f.moved) as moved
      from (select json_build_array(n.truck_uid, ${MOVEMENT}) as moved, row_number() over () - 1 as place
              from truck_now n) f
     group by f.place / ${TRUCKS_PER_ROW}`.execute(db)
  return rows.flatMap(({ moved }) => moved)
}

/** A truck as it is shown, and the facts that decide its state and who sees it. */
export interface Watched {
  truck: LiveTruck
  clocks: TruckClocks & { shift: Shift | null; playerAt: number | null }
  lastDriver: string | null
  /** The client whose shift it was on when it was last read. */
  clientUid: string | null
  /** Whether it changed since it was last read. */
  isChanged: boolean
}

const newWatched = (uid: string): Watched => ({
  truck: {
    uid,
    number: '',
    state: 'silent',
    latitude: null,
    longitude: null,
    speedKmh: null,
    heading: null,
    odometerM: null,
    positionAt: null,
    playerAt: null,
    shift: null,
    offShift: null,
  },
  clocks: {
    hasScreen: false,
    isDriving: null,
    speedKmh: null,
    positionAt: null,
    playerAt: null,
    playedAt: null,
    shift: null,
    drive: null,
  },
  lastDriver: null,
  clientUid: null,
  isChanged: true,
})

/** The client whose shift holds a truck at a moment. */
const clientAt = ({ shift }: Watched['clocks'], now: number): string | null =>
  shift && now < shift.heldUntil ? shift.clientUid : null

const instantOf = (ms: number) => new Date(ms).toISOString()
const maybeInstant = (ms: number | null) => (ms === null ? null : instantOf(ms))

const shownShift = ({ uid, program, market, driver, ...shift }: Shift): LiveTruck['shift'] => ({
  uid,
  program,
  market,
  driver,
  startsAt: instantOf(shift.startsAt),
  endsAt: instantOf(shift.endsAt),
  startedAt: maybeInstant(shift.startedAt),
  phoneOfflineSince: maybeInstant(shift.phoneOfflineSince),
})

/** Updates the number and the shift. */
function updatePlan(watched: Watched, { number, hasScreen, shift, lastDriver }: Row): void {
  const { truck, clocks } = watched
  clocks.hasScreen = hasScreen
  watched.lastDriver = lastDriver
  if (truck.number === number && isDeepStrictEqual(clocks.shift, shift)) return
  truck.number = number
  truck.shift = shift && shownShift(shift)
  clocks.shift = shift
  watched.isChanged = true
}

/** Updates the position in place: new objects for thousands of trucks every second would be garbage to collect. */
function updateMovement(watched: Watched, movement: Movement): void {
  const { truck, clocks } = watched
  const [latitude, longitude, speedKmh, heading, odometerM, positionAt, playerAt, isDriving, playedAt] = movement
  const [, , , , , , , , , since, until, meters] = movement
  clocks.isDriving = isDriving
  clocks.playedAt = playedAt
  clocks.drive = since === null || until === null ? null : { since, until, meters: meters ?? 0 }
  const isSamePlace =
    truck.latitude === latitude &&
    truck.longitude === longitude &&
    truck.speedKmh === speedKmh &&
    truck.heading === heading &&
    truck.odometerM === odometerM
  if (isSamePlace && clocks.positionAt === positionAt && clocks.playerAt === playerAt) return
  truck.latitude = latitude
  truck.longitude = longitude
  truck.speedKmh = clocks.speedKmh = speedKmh
  truck.heading = heading
  truck.odometerM = odometerM
  if (clocks.positionAt !== positionAt) truck.positionAt = maybeInstant(positionAt)
  if (clocks.playerAt !== playerAt) truck.playerAt = maybeInstant(playerAt)
  clocks.positionAt = positionAt
  clocks.playerAt = playerAt
  watched.isChanged = true
}

/** Updates the state; of a truck off shift also since when, where and whose. */
function updateState({ watched, settings, markets, now }: StateUpdate): void {
  const { truck, clocks, lastDriver } = watched
  const state = truckState(clocks, settings, now)
  const { latitude, longitude } = truck
  const offShift =
    state === 'offShift' && clocks.drive && latitude !== null && longitude !== null
      ? {
          since: instantOf(clocks.drive.since),
          place: placeName({ latitude, longitude }, markets),
          driver: lastDriver,
        }
      : null
  if (truck.state === state && isDeepStrictEqual(truck.offShift, offShift)) return
  truck.state = state
  truck.offShift = offShift
  watched.isChanged = true
}

interface StateUpdate {
  watched: Watched
  settings: Settings
  /** Places are named by them. */
  markets: readonly MarketPlace[]
  now: number
}

/** The markets that have a place, by which places are named. */
export const readMarkets = (db: Db): Promise<MarketPlace[]> =>
  db
    .selectFrom('market')
    .select(['latitude', 'longitude', 'radius_m as radiusM', sql<MarketPlace['outline']>`outline`.as('outline')])
    .select(sql<string>`case when state = '' then name else name || ', ' || state end`.as('name'))
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('latitude', 'is not', null), eb('outline', 'is not', null)]))
    .orderBy('uid')
    .execute()

function update(watched: Watched, row: Row): Watched {
  updatePlan(watched, row)
  updateMovement(watched, row.movement)
  return watched
}

/** Every truck that is not retired, or some of them, with the client whose shift it is on at a moment. */
export async function watchedTrucks(db: Db, now: number, only?: readonly string[]): Promise<Watched[]> {
  const [rows, settings] = [await readFleet(db, now, only), await readSettings(db)]
  const fleet = rows.map((row) => update(newWatched(row.uid), row))
  const markets = fleet.some(isDriving) ? await readMarkets(db) : []
  for (const watched of fleet) {
    updateState({ watched, settings, markets, now })
    watched.clientUid = clientAt(watched.clocks, now)
  }
  return fleet
}

/** The same trucks as the map shows them to staff. */
export const liveTrucks = async (db: Db, now: number, only?: readonly string[]): Promise<LiveTruck[]> =>
  (await watchedTrucks(db, now, only)).map(({ truck }) => truck)

/** Whether a truck drives outside of any shift: it may need a place. */
const isDriving = ({ clocks }: Watched): boolean => clocks.drive !== null

/** A truck that leaves a client's view, or with null everyone's. */
interface LeftTruck {
  truckUid: string
  clientUid: string | null
}

/** What is new since the last read. */
export interface FleetChanges {
  changed: Watched[]
  left: LeftTruck[]
}

/** Reads the fleet for updates every second: all of it now and then, and only movement in between. */
export class LiveFleetReader {
  #watched = new Map<string, Watched>()
  #markets: MarketPlace[] = []

  /** Both reads answer what changed since the last read; the first answers all trucks. */
  async readAll(db: Db, now: number): Promise<FleetChanges> {
    const [rows, settings] = [await readFleet(db, now), await readSettings(db)]
    const before = this.#watched
    this.#watched = new Map(rows.map((row) => [row.uid, update(before.get(row.uid) ?? newWatched(row.uid), row)]))
    this.#markets = [...this.#watched.values()].some(isDriving) ? await readMarkets(db) : []
    const gone = [...before.keys()].filter((uid) => !this.#watched.has(uid))
    const { changed, left } = this.#changes(settings, now)
    return { changed, left: [...left, ...gone.map((truckUid) => ({ truckUid, clientUid: null }))] }
  }

  async readMovement(db: Db, now: number): Promise<FleetChanges> {
    const [rows, settings] = [await readMovement(db), await readSettings(db)]
    for (const [uid, movement] of rows) {
      const watched = this.#watched.get(uid)
      if (watched) updateMovement(watched, movement)
    }
    return this.#changes(settings, now)
  }

  /** The next moment at which a shift gives its truck back. */
  nextEnd(now: number): number {
    let next = Infinity
    for (const { clocks } of this.#watched.values()) {
      const until = clocks.shift?.heldUntil ?? Infinity
      if (until > now && until < next) next = until
    }
    return next
  }

  #changes(settings: Settings, now: number): FleetChanges {
    const changed: Watched[] = []
    const left: LeftTruck[] = []
    for (const watched of this.#watched.values()) {
      updateState({ watched, settings, markets: this.#markets, now })
      const clientUid = clientAt(watched.clocks, now)
      if (clientUid !== watched.clientUid) {
        if (watched.clientUid !== null) left.push({ truckUid: watched.truck.uid, clientUid: watched.clientUid })
        watched.clientUid = clientUid
        watched.isChanged = true
      }
      if (watched.isChanged) changed.push(watched)
      watched.isChanged = false
    }
    return { changed, left }
  }
}
