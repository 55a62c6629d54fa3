import {
  addDays,
  blocksTruck,
  countedMinutes,
  MAX_CANDIDATES,
  NIL_UUID,
  type QueryOf,
  type Shift,
  type ShiftSuggestions,
  type shiftSuggestions,
  workweekOf,
} from '@roadshow/contract'
import { readSettings } from '../../catalog/settings/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { refuseFields } from '../../platform/runtime/app-error.ts'
import {
  checkBegunHours,
  loadBookings,
  loadMarketPlaces,
  loadOutOfService,
  loadShiftFacts,
  type MarketPlace,
  type ShiftCandidate,
  type ShiftFacts,
  shiftInstants,
  shiftRecords,
  toShiftValues,
} from '../shifts/index.ts'
import {
  canSeeShifts,
  type DriverRow,
  loadArtwork,
  loadBookedPlays,
  loadDeclined,
  loadDrivers,
  loadNeighbors,
  loadTrucks,
  loadWork,
  type NeighborRow,
  type TruckRow,
  type WorkRow,
} from './facts.ts'
import { type OpenShift, refusalsFor, sharedProblems } from './refusals.ts'
import { type AskedShift, type NeighborShift, screenNeedOf, suggestDrivers, suggestTrucks } from './rules.ts'

type Query = QueryOf<typeof shiftSuggestions.list>

/** Ranks trucks and drivers for a shift, with what saving would say about each. */
export async function suggestForShift(db: Db, scope: Scope, query: Query): Promise<ShiftSuggestions> {
  const saved = query.uid === undefined ? undefined : await shiftRecords.get(db, scope, query.uid)
  const marketUid = query.market ?? (await homeMarketOf(db, query.truck))
  if (marketUid === undefined) return NOTHING_SUGGESTED
  const [allTrucks, allDrivers] = await Promise.all([
    loadTrucks(db, { marketUid, chosenUid: query.truck ?? null }),
    loadDrivers(db),
  ])
  const trucks = allTrucks.slice(0, MAX_CANDIDATES)
  const drivers = allDrivers.slice(0, MAX_CANDIDATES)
  const shift = await openShift(db, { query, marketUid, saved, trucks, drivers })
  const around = await loadSurroundings(db, { query, marketUid, shift, trucks, drivers })
  const { asked, artwork } = around
  const refusal = refusalsFor(shift)
  return {
    market: { uid: asked.market.uid, name: asked.market.name },
    zone: shift.zone,
    problems: await problemsOf(db, shift, query, saved),
    artworkSet: artwork ? { uid: artwork.uid, name: artwork.name } : null,
    trucks: suggestTrucks(
      trucks.map((truck) => ({ ...truckFacts(truck, around), refusal: refusal('truck', truck.uid) })),
      asked,
    ),
    drivers: suggestDrivers(
      drivers.map((driver) => ({ ...driverFacts(driver, around), refusal: refusal('driver', driver.uid) })),
      asked,
    ),
    hasMore: { trucks: allTrucks.length > trucks.length, drivers: allDrivers.length > drivers.length },
  }
}

const NOTHING_SUGGESTED: ShiftSuggestions = {
  market: null,
  zone: null,
  problems: {},
  artworkSet: null,
  trucks: [],
  drivers: [],
  hasMore: { trucks: false, drivers: false },
}

async function homeMarketOf(db: Db, truckUid: string | undefined): Promise<string | undefined> {
  if (truckUid === undefined) return undefined
  const truck = await db.selectFrom('truck').select('home_market_uid').where('uid', '=', truckUid).executeTakeFirst()
  return truck?.home_market_uid ?? undefined
}

interface Question {
  query: Query
  marketUid: string
  saved: Shift | undefined
  trucks: readonly TruckRow[]
  drivers: readonly DriverRow[]
}

type QuestionedShift = OpenShift & { zone: string }

/** The shift as saving would check it, with truck and driver open. */
async function openShift(db: Db, { query, marketUid, saved, trucks, drivers }: Question): Promise<QuestionedShift> {
  const { date, start, end, program, artworkSet } = query
  const savedValues = saved && { ...toShiftValues(saved), status: saved.status }
  const values: ShiftCandidate = {
    truckUid: savedValues?.truckUid ?? NIL_UUID,
    driverUid: savedValues?.driverUid ?? NIL_UUID,
    programUid: program ?? NIL_UUID,
    marketUid,
    date,
    start,
    end,
    artworkSetUid: (program && artworkSet) ?? null,
    addressSetUid: null,
  }
  const facts: ShiftFacts = {
    ...(await loadShiftFacts(db, [values])),
    trucks: new Map(trucks.map(({ uid, name, state }) => [uid, { number: name, state }])),
    drivers: new Map(drivers.map((driver) => [driver.uid, driver])),
    outOfService: await loadOutOfService(db, {
      uids: [...trucks, ...drivers].map(({ uid }) => uid),
      from: date,
      to: date,
    }),
  }
  if (!facts.markets.has(marketUid) && saved?.market.uid !== marketUid) refuseFields({ market: 'Market not found.' })
  const { startsAt, endsAt, zone } = shiftInstants(values, facts, saved)
  const isBlocking = (!saved || blocksTruck(saved.status)) && !Number.isNaN(startsAt + endsAt)
  const bookings = isBlocking
    ? await loadBookings(db, {
        truckUids: trucks.map(({ uid }) => uid),
        driverUids: drivers.map(({ uid }) => uid),
        from: startsAt,
        to: endsAt,
      })
    : []
  return { uid: saved?.uid ?? '', values, saved: savedValues, startsAt, endsAt, zone, facts, bookings, isBlocking }
}

/** What saving would refuse whatever is chosen. A program that is not chosen yet is no problem. */
async function problemsOf(db: Db, shift: QuestionedShift, { program }: Query, saved: Shift | undefined) {
  const { programUid, ...problems } = sharedProblems(shift)
  const { startsAt, zone } = shift
  const isMoved = saved !== undefined && startsAt !== Date.parse(saved.startsAt) && !Number.isNaN(startsAt)
  const hours = { startsAt: isMoved ? new Date(startsAt).toISOString() : '', zone }
  const early = isMoved ? checkBegunHours(saved, hours, await sharedNow(db)) : undefined
  return {
    ...problems,
    ...(programUid !== undefined && program !== undefined && { programUid }),
    ...(early !== undefined && { start: early }),
  }
}

interface Surroundings {
  asked: AskedShift
  artwork: Awaited<ReturnType<typeof loadArtwork>>['set']
  markets: ReadonlyMap<string, MarketPlace>
  /** By `neighborKey`. */
  neighbors: ReadonlyMap<string, NeighborRow>
  weekMinutes: ReadonlyMap<string, number>
  declined: ReadonlySet<string>
}

/** Everything about trucks, drivers and markets that makes one candidate better than another. */
async function loadSurroundings(
  db: Db,
  { query, marketUid, shift, trucks, drivers }: Omit<Question, 'saved'> & { shift: QuestionedShift },
): Promise<Surroundings> {
  const { startsAt, endsAt } = shift
  const exceptUid = query.uid ?? null
  const [from, driverUids] = [workweekOf(query.date), drivers.map(({ uid }) => uid)]
  const hasHours = !Number.isNaN(startsAt + endsAt)
  const neighborsOf = async (of: 'truck_uid' | 'driver_uid', uids: string[]) =>
    hasHours ? loadNeighbors(db, { of, uids, startsAt, exceptUid }) : []
  const [settings, artwork, bookedPlays, ofTrucks, ofDrivers, work, declined, now] = await Promise.all([
    readSettings(db),
    loadArtwork(db, { uid: query.artworkSet, programUid: query.program }),
    loadBookedPlays(db, query.program),
    neighborsOf(
      'truck_uid',
      trucks.map(({ uid }) => uid),
    ),
    neighborsOf('driver_uid', driverUids),
    loadWork(db, { driverUids, from, to: addDays(from, 6), exceptUid }),
    query.uid === undefined ? new Set<string>() : loadDeclined(db, { ...query, shiftUid: query.uid }),
    sharedNow(db),
  ])
  const rows = [...ofTrucks, ...ofDrivers]
  const neighbors = new Map(rows.map((row) => [neighborKey(row.ofUid, row.isBefore), row]))
  const marketUids = [marketUid, ...trucks.map((truck) => truck.homeMarketUid), ...rows.map((row) => row.marketUid)]
  const markets = await loadMarketPlaces(db, [...new Set(marketUids.filter((uid) => uid !== null))])
  const market = markets.get(marketUid)
  if (!market) throw new Error(`Market ${marketUid} was not read.`)
  const { restGapHours, overtimeAfterHours } = settings
  const limits = { restGapHours, overtimeAfterHours }
  const screenNeed = screenNeedOf({ hasArtwork: artwork.hasAny, bookedPlays }, { marketUid, date: query.date })
  const asked = {
    market,
    programUid: query.program,
    startsAt,
    endsAt,
    artwork: artwork.set?.files ?? null,
    screenNeed,
    ...limits,
    now,
  }
  return { asked, artwork: artwork.set, markets, neighbors, weekMinutes: sumWork(work), declined }
}

const neighborKey = (ofUid: string, isBefore: boolean) => `${ofUid} ${isBefore ? 'before' : 'after'}`

function sumWork(rows: readonly WorkRow[]): Map<string, number> {
  const minutes = new Map<string, number>()
  for (const row of rows) minutes.set(row.driverUid, (minutes.get(row.driverUid) ?? 0) + countedMinutes(row))
  return minutes
}

function neighborsIn({ neighbors, markets }: Surroundings, uid: string) {
  const neighbor = (isBefore: boolean): NeighborShift | undefined => {
    const row = neighbors.get(neighborKey(uid, isBefore))
    const market = row && markets.get(row.marketUid)
    return market && { market, programUid: row.programUid, startsAt: row.startsAt, endsAt: row.endsAt }
  }
  return { before: neighbor(true), after: neighbor(false) }
}

function truckFacts({ uid, name, state, kind, homeMarketUid, sides, ...seen }: TruckRow, around: Surroundings) {
  const { latitude, longitude, seenAt } = seen
  return {
    uid,
    name,
    state,
    kind,
    homeMarket: homeMarketUid === null ? undefined : around.markets.get(homeMarketUid),
    panels: sides,
    fix: latitude === null || longitude === null || seenAt === null ? undefined : { latitude, longitude, at: seenAt },
    ...neighborsIn(around, uid),
  }
}

const driverFacts = ({ uid, name, role, modules }: DriverRow, around: Surroundings) => ({
  uid,
  name,
  weekMinutes: around.weekMinutes.get(uid) ?? 0,
  canSeeShifts: canSeeShifts({ role, modules }),
  hasDeclined: around.declined.has(uid),
  ...neighborsIn(around, uid),
})
