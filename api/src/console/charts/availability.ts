import { addDays, type TruckState, type UtilizationRow, workweekOf } from '@roadshow/contract'

/** A truck as it is now, and since when it is known. */
export interface FleetTruck {
  uid: string
  state: TruckState
  homeMarketUid: string | null
  isDeleted: boolean
  /** The local day on which it was recorded or first had a shift, whichever is earlier. */
  since: string
  /** What changed, newest first. */
  changes: TruckChange[]
}

/** A change of a truck: the values before it, as far as it changed them. */
export interface TruckChange {
  /** The local day, from which on the new values count. */
  day: string
  state?: TruckState
  homeMarketUid?: string | null
  isDeleted?: boolean
}

/** The shifts of a truck on a day in a market. */
export interface TruckDay {
  truckUid: string
  marketUid: string
  day: string
  /** Shifts that match the filters, and whether one of them is out or completed. */
  shifts: number
  isDriven: boolean
}

type Place = Pick<FleetTruck, 'state' | 'homeMarketUid' | 'isDeleted'>

/** The market in which a truck was at home and active, for each day from the last to the first. */
export function* homeDays(truck: FleetTruck, from: string, to: string): Generator<[day: string, marketUid: string]> {
  let place: Place = truck
  let next = 0
  for (let day = to; day >= from && day >= truck.since; day = addDays(day, -1)) {
    for (let change = truck.changes[next]; change && change.day > day; change = truck.changes[++next]) {
      const { day: _, ...before } = change
      place = { ...place, ...before }
    }
    if (place.state === 'active' && !place.isDeleted && place.homeMarketUid) yield [day, place.homeMarketUid]
  }
}

type Counts = Omit<UtilizationRow, 'market' | 'week'>
/** Counts by week, by market. */
type MarketWeeks = Map<string, Map<string, Counts>>

function countsOf(found: MarketWeeks, marketUid: string, day: string): Counts {
  const weeks = found.get(marketUid) ?? new Map<string, Counts>()
  found.set(marketUid, weeks)
  const week = workweekOf(day)
  const counts = weeks.get(week) ?? { shifts: 0, driven: 0, booked: 0, available: 0 }
  weeks.set(week, counts)
  return counts
}

/**
 * Truck-days by market and week. A truck with a shift counts where it drives; a truck without one counts at home while it is
 * active. So no truck-day is missing, and no market is used beyond what it has.
 */
export function countTruckDays(
  trucks: readonly FleetTruck[],
  truckDays: readonly TruckDay[],
  { from, to }: { from: string; to: string },
): MarketWeeks {
  const found: MarketWeeks = new Map()
  const busy = new Set<string>()
  for (const { truckUid, marketUid, day, shifts, isDriven } of truckDays) {
    busy.add(`${truckUid} ${day}`)
    const counts = countsOf(found, marketUid, day)
    counts.available++
    counts.shifts += shifts
    if (isDriven) counts.driven++
    else if (shifts > 0) counts.booked++
  }
  for (const truck of trucks) {
    for (const [day, marketUid] of homeDays(truck, from, to)) {
      if (!busy.has(`${truck.uid} ${day}`)) countsOf(found, marketUid, day).available++
    }
  }
  return found
}
