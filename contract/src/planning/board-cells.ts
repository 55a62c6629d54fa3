import { zoneOn } from '../catalog/markets.ts'
import { addDays, localDay, shiftRange } from './shift-time.ts'
import { isOnDay } from './stretch.ts'
import type { BoardShift, ShiftBoard, ShopTime } from './shift-schemas.ts'
import { blocksTruck } from './shift-status.ts'

type BoardTruck = ShiftBoard['trucks'][number]

/** A local day on which a shift of the day before still blocks its truck. */
export interface NightTail {
  shift: BoardShift
  day: string
}

/** The zones in which a truck's shift is shown: its own, and that of the truck's home market. */
interface TailZones {
  own: string
  home: string | undefined
}

// Intl is slow, and the shifts of a board begin and end at the same few times.
const MOST_KNOWN = 5000
const known = new Map<string, string>()

function knownDay(zone: string, at: number): string {
  const key = `${zone} ${at}`
  const found = known.get(key) ?? localDay(zone, at)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, found)
  return found
}

/** The days around its own on which a shift takes place by the clocks of its market or of the truck's home. */
export function daysAround(
  shift: Pick<BoardShift, 'date' | 'start' | 'end' | 'startsAt' | 'endsAt'>,
  zones: TailZones,
) {
  const days = new Set<string>()
  if (shift.end <= shift.start && shift.end !== '00:00') days.add(addDays(shift.date, 1))
  if (zones.home !== undefined && zones.home !== zones.own) {
    days.add(knownDay(zones.home, Date.parse(shift.startsAt)))
    days.add(knownDay(zones.home, Date.parse(shift.endsAt) - 1))
  }
  days.delete(shift.date)
  return [...days]
}

/** Whether a truck is in the shop all day, from midnight to midnight. */
const coversDay = ({ startsAt, endsAt, zone }: ShopTime, day: string): boolean => {
  const { startsAt: from = 0, endsAt: to = 0 } = shiftRange({ date: day, start: '00:00', end: '00:00', zone })
  return Date.parse(startsAt) <= from && (endsAt === null || Date.parse(endsAt) >= to)
}

/** Why no shift can be planned for a truck or on a day, whatever is in the cell; undefined if one can. */
export function cellRefusal(
  truck: Pick<BoardTruck, 'state' | 'isDeleted'>,
  day: string,
  { lockedPay, shopTimes }: { lockedPay: ShiftBoard['lockedPay']; shopTimes: readonly ShopTime[] },
): 'deleted' | 'retired' | 'inShop' | 'payLocked' | undefined {
  if (truck.isDeleted) return 'deleted'
  if (truck.state === 'retired') return 'retired'
  if (shopTimes.some((time) => coversDay(time, day))) return 'inShop'
  return lockedPay.some(({ from, to }) => day >= from && day <= to) ? 'payLocked' : undefined
}

/** The days on which nights of the day before, or of another zone, still block each truck. */
export function nightTails(board: ShiftBoard): Map<string, NightTail[]> {
  const markets = new Map(board.markets.map((market) => [market.uid, market]))
  const homes = new Map(board.trucks.map(({ uid, homeMarketUid }) => [uid, homeMarketUid]))
  const zoneOf = (marketUid: string | null | undefined, date: string) => {
    const market = markets.get(marketUid ?? '')
    return market && zoneOn(market, date)
  }
  const tails = new Map<string, NightTail[]>()
  for (const shift of board.shifts) {
    if (!blocksTruck(shift.status)) continue
    const zones = {
      own: zoneOf(shift.marketUid, shift.date) ?? 'UTC',
      home: zoneOf(homes.get(shift.truckUid), shift.date),
    }
    for (const day of daysAround(shift, zones)) {
      const known = tails.get(shift.truckUid)
      if (known) known.push({ shift, day })
      else tails.set(shift.truckUid, [{ shift, day }])
    }
  }
  return tails
}

/** The cells of a board that look free, as truck and day: no bar, no night that reaches in, and nothing that refuses. */
export function freeCells(board: ShiftBoard, days: readonly string[]): { truckUid: string; day: string }[] {
  const key = (truckUid: string, day: string) => `${truckUid} ${day}`
  const taken = new Set(board.shifts.map(({ truckUid, date }) => key(truckUid, date)))
  for (const [truckUid, tails] of nightTails(board)) for (const { day } of tails) taken.add(key(truckUid, day))
  return board.trucks.flatMap((truck) => {
    const shopTimes = board.shopTimes.filter(({ truckUid }) => truckUid === truck.uid)
    const refused = { lockedPay: board.lockedPay, shopTimes }
    return days
      .filter((day) => !taken.has(key(truck.uid, day)) && !shopTimes.some((time) => isOnDay(time, day, time.zone)))
      .filter((day) => cellRefusal(truck, day, refused) === undefined)
      .map((day) => ({ truckUid: truck.uid, day }))
  })
}
