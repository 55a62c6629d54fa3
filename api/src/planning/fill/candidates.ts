import { MAX_FILL_CANDIDATES } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import {
  canSeeShifts,
  type DriverRow,
  type loadArtwork,
  loadDrivers,
  loadMarkets,
  loadNeighbors,
  loadTrucks,
  misfitOf,
  type TruckRow,
} from '../suggestions/index.ts'
import { type BookedShift, loadDeclinedHours, minutesByWeek } from './facts.ts'
import type { BookedTime, FillDriver, FillFacts, FillTruck, Slot } from './problem.ts'

interface CandidateSearch {
  slots: readonly Slot[]
  days: { from: string; to: string }
  booked: readonly BookedShift[]
  artwork: Awaited<ReturnType<typeof loadArtwork>>
}

export type Candidates = Pick<FillFacts, 'trucks' | 'drivers' | 'markets'> & { isAll: boolean }

/** The trucks and drivers to choose from, with what they do already. */
export async function loadCandidates(db: Db, { slots, days, booked, artwork }: CandidateSearch): Promise<Candidates> {
  const wanted = new Set(slots.map(({ marketUid }) => marketUid))
  const [first = ''] = wanted
  const startsAt = Math.min(...slots.map((slot) => slot.startsAt))
  const allTrucks = await loadTrucks(db, { marketUid: first, chosenUid: null })
  const allDrivers = await loadDrivers(db)
  const search = { startsAt, exceptUid: null }
  const uidsOf = (rows: readonly { uid: string }[]) => rows.map(({ uid }) => uid)
  const ofTrucks = await loadNeighbors(db, { ...search, of: 'truck_uid', uids: uidsOf(allTrucks) })
  const ofDrivers = await loadNeighbors(db, { ...search, of: 'driver_uid', uids: uidsOf(allDrivers) })
  const before = new Map(
    [...ofTrucks, ...ofDrivers].flatMap((row) => (row.isBefore ? [[row.ofUid, row] as const] : [])),
  )
  const weekMinutes = minutesByWeek(booked)
  const declined = await loadDeclinedHours(db, days)
  const bookingsOf = bookingsBy(booked, before)
  const isNear = (marketUid: string | undefined | null) => (marketUid && wanted.has(marketUid) ? 0 : 1)
  const trucks = allTrucks
    .map((row) => truckOf(row, artwork?.files ?? null, before.get(row.uid)?.marketUid, bookingsOf('truckUid', row.uid)))
    .toSorted((a, b) => Number(b.isActive) - Number(a.isActive) || isNear(a.startMarketUid) - isNear(b.startMarketUid))
  const drivers = allDrivers
    .map((row) => ({
      ...driverOf(row, before.get(row.uid)?.marketUid, bookingsOf('driverUid', row.uid)),
      declined: declined.get(row.uid) ?? [],
      weekMinutes: weekMinutes.get(row.uid) ?? new Map<string, number>(),
    }))
    .toSorted((a, b) => isNear(a.startMarketUid) - isNear(b.startMarketUid) || totalOf(a) - totalOf(b))
  const places = [...trucks, ...drivers].flatMap(({ startMarketUid }) => startMarketUid ?? [])
  const marketUids = new Set([...wanted, ...places, ...booked.map(({ marketUid }) => marketUid)])
  return {
    trucks: trucks.slice(0, MAX_FILL_CANDIDATES),
    drivers: drivers.slice(0, MAX_FILL_CANDIDATES),
    isAll: trucks.length <= MAX_FILL_CANDIDATES && drivers.length <= MAX_FILL_CANDIDATES,
    markets: await loadMarkets(db, [...marketUids]),
  }
}

const totalOf = ({ weekMinutes }: FillDriver) => [...weekMinutes.values()].reduce((sum, minutes) => sum + minutes, 0)

/** The bookings of a truck or a driver: those around the days, and the last one before them. */
function bookingsBy(booked: readonly BookedShift[], before: ReadonlyMap<string, BookedTime>) {
  const byUid = new Map<string, BookedShift[]>()
  for (const shift of booked) {
    for (const uid of [shift.truckUid, shift.driverUid]) {
      const known = byUid.get(uid)
      if (known) known.push(shift)
      else byUid.set(uid, [shift])
    }
  }
  return (field: 'truckUid' | 'driverUid', uid: string): BookedTime[] => {
    const near = (byUid.get(uid) ?? []).filter((shift) => shift[field] === uid)
    const last = before.get(uid)
    return last && last.startsAt < (near[0]?.startsAt ?? Number.POSITIVE_INFINITY) ? [last, ...near] : near
  }
}

type Artwork = Parameters<typeof misfitOf>[1]

const truckOf = (row: TruckRow, artwork: Artwork, last: string | undefined, bookings: BookedTime[]): FillTruck => ({
  uid: row.uid,
  name: row.name,
  isActive: row.state === 'active',
  misfit: misfitOf({ kind: row.kind, panels: row.sides }, artwork),
  startMarketUid: last ?? row.homeMarketUid ?? undefined,
  bookings,
})

const driverOf = (row: DriverRow, last: string | undefined, bookings: BookedTime[]) => ({
  uid: row.uid,
  name: row.name,
  canSeeShifts: canSeeShifts(row),
  startMarketUid: last,
  bookings,
})
