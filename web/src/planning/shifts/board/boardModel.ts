import { formatDay, formatClocks } from '@roadshow/contract/platform/dates'
import { nightTails } from '@roadshow/contract/planning/board-cells'
import type { NightTail } from '@roadshow/contract/planning/board-cells'
import type { ShiftBoard, BoardShift, ShopTime, TimeOff } from '@roadshow/contract/planning/shifts'
import { isOnDay } from '@roadshow/contract/planning/stretch'
import { addDays, shiftRange } from '@roadshow/contract/planning/shift-time'

type BoardTruck = ShiftBoard['trucks'][number]
type BoardProgram = ShiftBoard['programs'][number]
type BoardMarket = ShiftBoard['markets'][number]

/** A board with everything found by its uid; made once for each answer of the server. */
export interface BoardIndex {
  shifts: Map<string, BoardShift>
  trucks: Map<string, BoardTruck>
  drivers: Map<string, string>
  programs: Map<string, BoardProgram>
  markets: Map<string, BoardMarket>
  ofTruck: Map<string, BoardShift[]>
  ofDriver: Map<string, BoardShift[]>
  /** The nights that reach into another day of their truck. */
  tails: Map<string, NightTail[]>
  shopTimes: Map<string, ShopTime[]>
  timesOff: readonly TimeOff[]
  lockedPay: ShiftBoard['lockedPay']
}

const byUid = <T extends { uid: string }>(list: readonly T[]) => new Map(list.map((each) => [each.uid, each]))

function grouped(shifts: readonly BoardShift[], key: 'truckUid' | 'driverUid'): Map<string, BoardShift[]> {
  const groups = new Map<string, BoardShift[]>()
  for (const shift of shifts) {
    const uid = shift[key]
    if (uid === null) continue
    const known = groups.get(uid)
    if (known) known.push(shift)
    else groups.set(uid, [shift])
  }
  return groups
}

function shopTimesByTruck(shopTimes: readonly ShopTime[]): Map<string, ShopTime[]> {
  const groups = new Map<string, ShopTime[]>()
  for (const time of shopTimes) groups.set(time.truckUid, [...(groups.get(time.truckUid) ?? []), time])
  return groups
}

export function indexBoard(board: ShiftBoard): BoardIndex {
  const inOrder = board.shifts.toSorted((one, other) =>
    one.startsAt < other.startsAt ? -1 : one.startsAt > other.startsAt ? 1 : 0,
  )
  return {
    shifts: byUid(board.shifts),
    trucks: byUid(board.trucks),
    drivers: new Map(board.drivers.map(({ uid, name }) => [uid, name])),
    programs: byUid(board.programs),
    markets: byUid(board.markets),
    ofTruck: grouped(inOrder, 'truckUid'),
    ofDriver: grouped(inOrder, 'driverUid'),
    tails: nightTails(board),
    shopTimes: shopTimesByTruck(board.shopTimes),
    timesOff: board.timesOff,
    lockedPay: board.lockedPay,
  }
}

/** The name of a shift's driver; undefined for clients. */
export const driverName = (index: BoardIndex, { driverUid }: Pick<BoardShift, 'driverUid'>): string | undefined =>
  driverUid === null ? undefined : (index.drivers.get(driverUid) ?? 'driver')

/** The name of a shift, in the same words as the server's. */
export function boardShiftName(index: BoardIndex, shift: BoardShift): string {
  const { truckUid, programUid, date, start, end } = shift
  const driver = driverName(index, shift)
  return [
    index.trucks.get(truckUid)?.number ?? 'Truck',
    ...(driver === undefined ? [] : [driver]),
    `${formatDay(date)}, ${formatClocks({ start, end })}`,
    index.programs.get(programUid)?.name ?? 'program',
  ].join(' · ')
}

/** `Dana Reyes` as `Dana R.`, which fits where the whole name does not. */
export function shortName(name: string): string {
  const [first = '', ...others] = name.split(/\s+/)
  const last = others.at(-1)
  return last ? `${first} ${last[0]}.` : first
}

/** A bar inside a row: which shift, in which column, how far down, and from where to where. */
export interface Bar {
  shift: BoardShift
  column: number
  lane: number
  /** Shares of the column's width; a bar of a whole day goes from 0 to 1. */
  from: number
  to: number
  /** It began the day before, or goes on on the next one. */
  cutStart: boolean
  cutEnd: boolean
}

/** The part of a time in the shop that lies in one day. */
export interface Stay {
  uid: string
  column: number
  /** Shares of the day. */
  from: number
  to: number
  /** The first of its columns carries the words. */
  words: string
}

export interface BoardRowModel {
  key: string
  /** A heading has no truck. */
  truck: BoardTruck | undefined
  title: string
  bars: Bar[]
  /** By column, in the view of days; the view of hours draws them as bars. */
  tails: ReadonlyMap<number, NightTail>
  shopTimes: readonly ShopTime[]
  /** Its times in the shop, day by day. */
  stays: readonly Stay[]
  /** Of the row of drivers: who is off, by column. */
  off: readonly (readonly TimeOff[])[]
  /** The filters find nothing of this truck. */
  isDimmed: boolean
  top: number
  height: number
}

export const BAR_HEIGHT = 36
const BAR_GAP = 3
const ROW_PADDING = 4
const HEADING_HEIGHT = 30
const NAME_HEIGHT = 18
/** More drivers are counted. */
export const MOST_NAMES = 6
export const barTop = (lane: number) => ROW_PADDING + lane * (BAR_HEIGHT + BAR_GAP)
const heightOf = (lanes: number) => 2 * ROW_PADDING + Math.max(1, lanes) * (BAR_HEIGHT + BAR_GAP) - BAR_GAP + 1

const DAY_MINUTES = 24 * 60
export const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
export function timeOf(minutes: number): string {
  const within = ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`
}
/** How long a shift is by its clock, which is all that moving it keeps. */
export const lengthOf = ({ start, end }: { start: string; end: string }) => {
  const minutes = minutesOf(end) - minutesOf(start)
  return minutes > 0 ? minutes : minutes + DAY_MINUTES
}

/** Bars one below the other in each day. */
function dayBars(shifts: readonly BoardShift[], days: readonly string[]): Bar[] {
  const filled = new Map<string, number>()
  const bars: Bar[] = []
  for (const shift of shifts) {
    const column = days.indexOf(shift.date)
    if (column < 0) continue
    const lane = filled.get(shift.date) ?? 0
    filled.set(shift.date, lane + 1)
    bars.push({ shift, column, lane, from: 0, to: 1, cutStart: false, cutEnd: shift.end <= shift.start })
  }
  return bars
}

/** Bars by the hours of one day, those that overlap below each other. */
function hourBars(shifts: readonly BoardShift[], day: string): Bar[] {
  const before = addDays(day, -1)
  const lanes: number[] = []
  const bars: Bar[] = []
  for (const shift of shifts) {
    const overnight = shift.end <= shift.start
    const fromYesterday = shift.date === before && overnight && shift.end !== '00:00'
    if (shift.date !== day && !fromYesterday) continue
    const from = fromYesterday ? 0 : minutesOf(shift.start) / DAY_MINUTES
    const to = overnight && !fromYesterday ? 1 : minutesOf(shift.end) / DAY_MINUTES
    const free = lanes.findIndex((until) => until <= from)
    const lane = free < 0 ? lanes.length : free
    lanes[lane] = to
    bars.push({ shift, column: 0, lane, from, to, cutStart: fromYesterday, cutEnd: overnight && !fromYesterday })
  }
  return bars
}

interface Shown {
  days: readonly string[]
  byHours: boolean
  groupByMarket: boolean
}

const NO_TAILS: ReadonlyMap<number, NightTail> = new Map()

function tailsOf(index: BoardIndex, truckUid: string, days: readonly string[]): ReadonlyMap<number, NightTail> {
  const tails = index.tails.get(truckUid)
  if (!tails) return NO_TAILS
  return new Map(tails.map((tail) => [days.indexOf(tail.day), tail]))
}

/** The days of the board on which a truck is in the shop, each with its part of the day by the clocks there. */
function staysOn(shopTimes: readonly ShopTime[], days: readonly string[]): Stay[] {
  return shopTimes.flatMap(({ uid, startsAt, endsAt, zone, reason }) => {
    const parts = days.flatMap((day, column) => {
      const { startsAt: first, endsAt: last } = shiftRange({ date: day, start: '00:00', end: '00:00', zone })
      if (first === undefined || last === undefined) return []
      const from = Math.max(0, (Date.parse(startsAt) - first) / (last - first))
      const to = endsAt === null ? 1 : Math.min(1, (Date.parse(endsAt) - first) / (last - first))
      return from < to ? [{ uid, column, from, to, words: '' }] : []
    })
    const words = reason === '' ? 'In shop' : `In shop: ${reason}`
    return parts.map((part, at) => (at === 0 ? { ...part, words } : part))
  })
}

const NONE: readonly never[] = []

/** A truck's row without its place. */
function truckRow(index: BoardIndex, truck: BoardTruck, { days, byHours }: Shown) {
  const shifts = index.ofTruck.get(truck.uid) ?? []
  const bars = byHours ? hourBars(shifts, days[0] ?? '') : dayBars(shifts, days)
  const shopTimes = index.shopTimes.get(truck.uid) ?? NONE
  const lanes = bars.reduce((most, { lane }) => Math.max(most, lane + 1), 0)
  return {
    key: truck.uid,
    truck,
    title: truck.number,
    bars,
    tails: byHours ? NO_TAILS : tailsOf(index, truck.uid, days),
    shopTimes,
    stays: shopTimes.length > 0 ? staysOn(shopTimes, days) : NONE,
    off: NONE,
    isDimmed: !truck.isMatch,
    height: heightOf(lanes),
  }
}

const headingRow = (key: string, title: string, isDimmed = false) => ({
  key,
  truck: undefined,
  title,
  bars: [],
  tails: NO_TAILS,
  shopTimes: NONE,
  stays: NONE,
  off: NONE as BoardRowModel['off'],
  isDimmed,
  height: HEADING_HEIGHT,
})

/** The drivers who are off on a day. */
export const offOn = ({ timesOff }: Pick<BoardIndex, 'timesOff'>, day: string): TimeOff[] =>
  timesOff.filter((time) => isOnDay(time, day, time.zone))

/** The row of drivers who are off; undefined if all are there. */
function offRow(index: BoardIndex, days: readonly string[]) {
  const off = days.map((day) => offOn(index, day))
  const most = off.reduce((count, { length }) => Math.max(count, length), 0)
  if (most === 0) return undefined
  return { ...headingRow('off', 'Drivers off'), off, height: Math.min(most, MOST_NAMES + 1) * NAME_HEIGHT + 12 }
}

/** Trucks by the names of their home markets, those without one last. */
function byHomeMarket(index: BoardIndex, trucks: readonly BoardTruck[]) {
  const homes = new Map<string, BoardTruck[]>()
  for (const truck of trucks) {
    const home = truck.homeMarketUid ?? ''
    homes.set(home, [...(homes.get(home) ?? []), truck])
  }
  const named = [...homes].map(([uid, some]) => ({ uid, some, title: index.markets.get(uid)?.name ?? '' }))
  return named.toSorted((one, other) =>
    one.title === '' ? 1 : other.title === '' ? -1 : one.title.localeCompare(other.title),
  )
}

/** The rows of the board with their positions. Trucks that the filters find come first; the others stay below them. */
export function boardRows(index: BoardIndex, shown: Shown): BoardRowModel[] {
  const rows: BoardRowModel[] = []
  let top = 0
  const add = (row: Omit<BoardRowModel, 'top'>) => {
    rows.push({ ...row, top })
    top += row.height
  }
  const off = offRow(index, shown.days)
  if (off) add(off)
  const all = [...index.trucks.values()]
  const found = all.filter(({ isMatch }) => isMatch)
  const others = all.filter(({ isMatch }) => !isMatch)
  if (shown.groupByMarket) {
    for (const { uid, some, title } of byHomeMarket(index, found)) {
      add(headingRow(`market ${uid}`, title || 'No home market'))
      for (const truck of some) add(truckRow(index, truck, shown))
    }
  } else for (const truck of found) add(truckRow(index, truck, shown))
  if (others.length > 0)
    add(headingRow('others', found.length > 0 ? 'Other trucks' : 'No truck matches the filters', true))
  for (const truck of others) add(truckRow(index, truck, shown))
  return rows
}

/** The row at a height, or the nearest one. */
export function rowAt(rows: readonly BoardRowModel[], y: number): number {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((rows[middle]?.top ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}
