import {
  addDays,
  type BookedUnit,
  daysBetween,
  type FillRequest,
  type LineDelivery,
  localDay,
  MAX_BOARD_DAYS,
  MAX_FILL_SHIFTS,
} from '@roadshow/contract'

/** Trucks a day that Fill places at most in one market. */
const MOST_TRUCKS = 100
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]

/** What is known of the shifts of a line. */
export interface LineShifts {
  /** Shifts that took place so far. */
  worked: number
  /** The hours at which its shifts usually begin and end, and how long they last. */
  start: string
  end: string
  hours: number
  /** Shifts to come that are planned already, by their day. */
  planned: { date: string; shifts: number; hours: number }[]
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** What one more shift brings, in the unit of the line; null while no shift has shown it. */
function amountOfShift(unit: BookedUnit, { delivered, deliveredSince }: LineDelivery, { worked, hours }: LineShifts) {
  if (unit === 'truckDays') return 1
  if (unit === 'hours') return hours
  const amount = delivered + deliveredSince
  return worked > 0 && amount > 0 ? amount / worked : null
}

/** How many shifts are missing beside those that took place or are planned; null while it is unknown what a shift brings. */
export function missingShifts(delivery: LineDelivery, shifts: LineShifts): number | null {
  const { line, delivered, deliveredSince } = delivery
  const ofShift = amountOfShift(line.unit, delivery, shifts)
  if (ofShift === null) return null
  const planned =
    line.unit === 'hours'
      ? sum(shifts.planned.map(({ hours }) => hours))
      : ofShift * sum(shifts.planned.map((day) => day.shifts))
  return Math.max(0, Math.ceil((line.amount - delivered - deliveredSince - planned) / ofShift - 1e-9))
}

/** What to ask Fill for; undefined if nothing is missing or no day is left. It plans from the next day on. */
export function makeUpRequest(
  programUid: string,
  { line }: LineDelivery,
  { start, end, planned }: LineShifts,
  { missing, now }: { missing: number; now: number },
): FillRequest | undefined {
  const tomorrow = addDays(localDay(line.market.zone, now), 1)
  const from = tomorrow > line.startsOn ? tomorrow : line.startsOn
  const count = Math.min(daysBetween(from, line.endsOn) + 1, MAX_BOARD_DAYS)
  if (missing === 0 || count < 1) return undefined
  const dates = Array.from({ length: count }, (_, at) => addDays(from, at))
  const plannedOn = new Map(planned.map(({ date, shifts }) => [date, shifts]))
  const openWith = (trucks: number) => sum(dates.map((date) => Math.max(0, trucks - (plannedOn.get(date) ?? 0))))
  const most = Math.min(MOST_TRUCKS, Math.floor(MAX_FILL_SHIFTS / count))
  let trucks = 1
  while (trucks < most && openWith(trucks) < missing) trucks++
  const to = dates.at(-1) ?? from
  const markets = [{ marketUid: line.market.uid, trucks }]
  return { programUid, markets, from, to, weekdays: EVERY_DAY, start, end, relax: [] }
}
