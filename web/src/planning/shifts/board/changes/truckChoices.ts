import { blocksTruck } from '@roadshow/contract/planning/shifts'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { shiftRange } from '@roadshow/contract/planning/shift-time'
import { zoneOn } from '@roadshow/contract/catalog/markets'
import type { BoardIndex } from '../boardModel.ts'
import { stepTarget } from '../placement/placement.ts'

export interface TruckChoice {
  value: string
  label: string
  /** `Dallas · free`, `Austin · booked for 2 of 3` */
  words: string
  /** How many of the shifts it can't take. */
  busy: number
}

interface Step {
  days: number
  minutes: number
}

interface Span {
  startsAt: number
  endsAt: number
}

const overlaps = (one: Span, other: Span) => one.startsAt < other.endsAt && other.startsAt < one.endsAt

/** When shifts would take place a step away, by the clocks of their markets. */
function spansAfter(index: BoardIndex, shifts: readonly BoardShift[], step: Step): Span[] {
  return shifts.flatMap((shift) => {
    const { date, start, end } = stepTarget(shift, { ...step, truckUid: undefined })
    const market = index.markets.get(shift.marketUid)
    const { startsAt, endsAt } = shiftRange({ date, start, end, zone: market ? zoneOn(market, date) : 'UTC' })
    return startsAt === undefined || endsAt === undefined ? [] : [{ startsAt, endsAt }]
  })
}

/** The trucks that some shifts could go to, with their markets and whether they are free: free ones at home there first. */
export function truckChoices(index: BoardIndex, shifts: readonly BoardShift[], step: Step): TruckChoice[] {
  const spans = spansAfter(index, shifts, step)
  const leaving = new Set(shifts.map(({ uid }) => uid))
  const homes = new Set(shifts.map(({ marketUid }) => marketUid))
  const choices = [...index.trucks.values()]
    .filter(
      ({ uid, isDeleted, state }) =>
        !isDeleted && state !== 'retired' && !shifts.every((each) => each.truckUid === uid),
    )
    .map((truck) => {
      const booked = (index.ofTruck.get(truck.uid) ?? [])
        .filter(({ uid, status }) => !leaving.has(uid) && blocksTruck(status))
        .map(({ startsAt, bookedUntil }) => ({ startsAt: Date.parse(startsAt), endsAt: Date.parse(bookedUntil) }))
      const inShop = (index.shopTimes.get(truck.uid) ?? []).map(({ startsAt, endsAt }) => ({
        startsAt: Date.parse(startsAt),
        endsAt: endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt),
      }))
      const away = spans.filter((span) => inShop.some((each) => overlaps(span, each))).length
      const busy = spans.filter((span) => [...booked, ...inShop].some((each) => overlaps(span, each))).length
      const state = away > 0 ? 'in the shop' : busy > 0 ? 'booked' : 'free'
      const some = busy > 0 && spans.length > 1 ? ` for ${busy} of ${spans.length}` : ''
      const home = index.markets.get(truck.homeMarketUid ?? '')?.name ?? 'No home market'
      const isHome = homes.has(truck.homeMarketUid ?? '')
      return { value: truck.uid, label: truck.number, words: `${home} · ${state}${some}`, busy, isHome }
    })
  return choices.toSorted((one, other) => one.busy - other.busy || Number(other.isHome) - Number(one.isHome))
}
