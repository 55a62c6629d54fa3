import { MAX_FILL_CANDIDATES } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { loadMarketPlaces, loadOutOfService } from '../shifts/index.ts'
import {
  canSeeShifts,
  type loadArtwork,
  loadDrivers,
  loadNeighbors,
  loadTrucks,
  misfitOf,
} from '../suggestions/index.ts'
import { type BookedShift, loadDeclinedHours, minutesByWeek } from './facts.ts'
import type { BookedTime, FillDriver, FillFacts, FillTruck, Slot } from './problem.ts'

interface CandidateSearch {
  slots: readonly Slot[]
  days: { from: string; to: string }
  booked: readonly BookedShift[]
  artwork: Awaited<ReturnType<typeof loadArtwork>>['set']
}

type Candidates = Pick<FillFacts, 'trucks' | 'drivers' | 'markets'> & { isAll: boolean }

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
  /** The bookings of a truck or a driver: those around the days, and the last one before them. */
  const timesOf = (uid: string, near: readonly BookedTime[] = []) => {
    const last = before.get(uid)
    const isBefore = last && last.startsAt < (near[0]?.startsAt ?? Number.POSITIVE_INFINITY)
    return { startMarketUid: last?.marketUid, bookings: isBefore ? [last, ...near] : near }
  }
  const [byTruck, byDriver] = [groupBy(booked, (shift) => shift.truckUid), groupBy(booked, (shift) => shift.driverUid)]
  const weekMinutes = minutesByWeek(booked)
  const declined = await loadDeclinedHours(db, days)
  const away = await loadOutOfService(db, { uids: uidsOf([...allTrucks, ...allDrivers]), ...days })
  const isNear = (marketUid: string | undefined | null) => (marketUid && wanted.has(marketUid) ? 0 : 1)
  const trucks = allTrucks
    .map(({ uid, name, kind, sides, homeMarketUid }): FillTruck => {
      const { startMarketUid = homeMarketUid ?? undefined, bookings } = timesOf(uid, byTruck.get(uid))
      const hasScreens = kind !== 'printed'
      const misfit = hasScreens ? misfitOf(sides, artwork?.files ?? null) : 0
      return { uid, name, away: away.get(uid) ?? [], hasScreens, misfit, startMarketUid, bookings }
    })
    .toSorted((a, b) => isNear(a.startMarketUid) - isNear(b.startMarketUid))
  const drivers = allDrivers
    .map((row): FillDriver => ({
      uid: row.uid,
      name: row.name,
      canSeeShifts: canSeeShifts(row),
      away: away.get(row.uid) ?? [],
      ...timesOf(row.uid, byDriver.get(row.uid)),
      declined: declined.get(row.uid) ?? [],
      weekMinutes: weekMinutes.get(row.uid) ?? new Map(),
    }))
    .toSorted((a, b) => isNear(a.startMarketUid) - isNear(b.startMarketUid) || totalOf(a) - totalOf(b))
  const places = [...trucks, ...drivers].flatMap(({ startMarketUid }) => startMarketUid ?? [])
  const marketUids = new Set([...wanted, ...places, ...booked.map(({ marketUid }) => marketUid)])
  return {
    trucks: trucks.slice(0, MAX_FILL_CANDIDATES),
    drivers: drivers.slice(0, MAX_FILL_CANDIDATES),
    isAll: trucks.length <= MAX_FILL_CANDIDATES && drivers.length <= MAX_FILL_CANDIDATES,
    markets: await loadMarketPlaces(db, [...marketUids]),
  }
}

const totalOf = ({ weekMinutes }: FillDriver) => [...weekMinutes.values()].reduce((sum, minutes) => sum + minutes, 0)
