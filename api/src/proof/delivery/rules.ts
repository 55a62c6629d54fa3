import {
  addDays,
  type BookedUnit,
  daysBetween,
  type FillRequest,
  type LineDelivery,
  localDay,
  MAX_FILL_SHIFTS,
} from '@roadshow/contract'

/** Hours planned until now before a program can be behind: one missed shift of many is no trend. */
const LEAST_PLANNED_HOURS = 16

/** Whether a program without booked lines is behind. Once said, it holds until it has clearly caught up. */
export const isBehind = ({ planned, driven }: { planned: number; driven: number }, isKnown: boolean): boolean =>
  planned >= LEAST_PLANNED_HOURS && driven < planned * (isKnown ? 0.92 : 0.9)

/** Trucks a day that Fill places at most in one market. */
const MOST_TRUCKS = 100
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
/** Shifts are planned about this many days ahead; a line is to be back on pace by then. */
const DAYS_AHEAD = 14

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

/** The day by which a line is to be back on pace: in two weeks, or its last one. */
function lastMakeUpDay({ line }: LineDelivery, now: number): string {
  const ahead = addDays(localDay(line.market.zone, now), DAYS_AHEAD)
  return ahead < line.endsOn ? ahead : line.endsOn
}

/**
 * How many shifts a line is short of in two weeks, beside those that took place or are planned; null while it is unknown
 * what a shift brings.
 */
export function missingShifts(delivery: LineDelivery, shifts: LineShifts, now: number): number | null {
  const { line, delivered, deliveredSince } = delivery
  const last = lastMakeUpDay(delivery, now)
  const share = (daysBetween(line.startsOn, last) + 1) / (daysBetween(line.startsOn, line.endsOn) + 1)
  const ahead = shifts.planned.filter(({ date }) => date <= last)
  const ofShift = amountOfShift(line.unit, delivery, shifts)
  if (ofShift === null) return null
  const planned =
    line.unit === 'hours' ? sum(ahead.map(({ hours }) => hours)) : ofShift * sum(ahead.map((day) => day.shifts))
  return Math.max(0, Math.ceil((line.amount * share - delivered - deliveredSince - planned) / ofShift - 1e-9))
}

/** What to ask Fill for; undefined if nothing is missing or no day is left. It plans from the next day on. */
export function makeUpRequest(
  programUid: string,
  delivery: LineDelivery,
  { start, end, planned }: LineShifts,
  { missing, now }: { missing: number; now: number },
): FillRequest | undefined {
  const { line } = delivery
  const tomorrow = addDays(localDay(line.market.zone, now), 1)
  const from = tomorrow > line.startsOn ? tomorrow : line.startsOn
  const count = daysBetween(from, lastMakeUpDay(delivery, now)) + 1
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
