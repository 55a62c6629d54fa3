import { addDays, daysBetween, localDay } from '../planning/shift-time.ts'
import type { BookedLine } from '../catalog/booked-lines.ts'
import type { LineDelivery, PaceState } from './delivery.ts'

// The rule of delivery without schemas, so that a page can use it without loading zod.

/** The share by which a line falls behind or runs ahead, unless the settings say otherwise. */
export const STANDARD_PACE_SHARE = 0.1

const HOUR = 3_600_000
/** A day is over this long after its midnight: night shifts have ended, and their plays and positions have arrived. */
const DAY_IS_OVER_AFTER = 6 * HOUR

/** The last day in a zone that is over, and counts as one of the days on which something was to be delivered. */
export const lastDayOver = (zone: string, now: number): string => addDays(localDay(zone, now - DAY_IS_OVER_AFTER), -1)

/** What is known of a line. Days are those on which shifts began, by the clocks of the market. */
export interface DeliveryFacts {
  /** In the unit of the line, from its first day to the last one that is over. */
  delivered: number
  /** In the unit of the line, on its days that are not over. */
  deliveredSince: number
  /** How many shifts took place on the days that are over without a record of what the line counts. */
  shiftsWithoutData: number
}

/** Days of a line: all of them, and those that are over. */
function daysOf({ startsOn, endsOn, market }: BookedLine, now: number) {
  const lastOver = lastDayOver(market.zone, now)
  const through = lastOver > endsOn ? endsOn : lastOver
  const all = daysBetween(startsOn, endsOn) + 1
  return { all, over: Math.max(0, daysBetween(startsOn, through) + 1), through: through < startsOn ? null : through }
}

const runningState = (pace: number, share: number): PaceState => {
  // Sums of floats such as 0.9 must not decide by their last digit.
  const rounded = Math.round(pace * 1e9) / 1e9
  if (rounded < 1 - share) return 'behind'
  return rounded > 1 + share ? 'ahead' : 'on'
}

/**
 * How much of a line is delivered. Both what is delivered and what is expected count the days that are over, so that a
 * day's shifts neither push a line ahead in the morning nor leave it behind before they start. The amount is expected
 * in equal parts each day. While no record says what shifts did, there is no pace: no data is not zero.
 */
export function deliveryOf(
  line: BookedLine,
  { delivered, deliveredSince, shiftsWithoutData }: DeliveryFacts,
  now: number,
  share: number = STANDARD_PACE_SHARE,
): LineDelivery {
  const days = daysOf(line, now)
  const isOver = days.over === days.all
  const expected = (line.amount * days.over) / days.all
  const isUnknown = delivered === 0 && shiftsWithoutData > 0
  const isEarly = !isOver && (expected < 1 || isUnknown)
  const pace = days.over === 0 || isUnknown || isEarly ? null : delivered / expected
  const figures = { line, delivered, deliveredSince, shiftsWithoutData, expected, through: days.through, pace }
  if (isOver) return { ...figures, forecast: delivered, state: delivered >= line.amount ? 'done' : 'missed' }
  if (pace === null) return { ...figures, forecast: null, state: 'early' }
  return { ...figures, forecast: Math.round((delivered / days.over) * days.all), state: runningState(pace, share) }
}

/** The states of a program's lines by weight: the first one that occurs is the state of the program. */
const SPEAKS_FIRST: readonly PaceState[] = ['behind', 'on', 'ahead', 'early', 'missed', 'done']

/** Pace and state of a program: those of its line furthest behind. Lines that are over count once no other is left. */
export function paceOfLines(lines: readonly LineDelivery[]): { pace: number | null; state: PaceState } {
  const [first] = lines.toSorted(
    (one, other) =>
      SPEAKS_FIRST.indexOf(one.state) - SPEAKS_FIRST.indexOf(other.state) || (one.pace ?? 0) - (other.pace ?? 0),
  )
  return first ? { pace: first.pace, state: first.state } : { pace: null, state: 'none' }
}

/**
 * What lines are worth by their prices, and the part of it that is delivered by now: each line in proportion to its amount, and
 * at most all of it. Null where no line has a price.
 */
export function valueOfLines(lines: readonly Pick<LineDelivery, 'line' | 'delivered' | 'deliveredSince'>[]): {
  bookedCents: number | null
  deliveredCents: number | null
} {
  const priced = lines.flatMap(({ line: { priceCents, amount }, delivered, deliveredSince }) =>
    priceCents === null ? [] : { cents: priceCents, share: Math.min(1, (delivered + deliveredSince) / amount) },
  )
  if (priced.length === 0) return { bookedCents: null, deliveredCents: null }
  return {
    bookedCents: priced.reduce((sum, { cents }) => sum + cents, 0),
    deliveredCents: priced.reduce((sum, { cents, share }) => sum + Math.round(cents * share), 0),
  }
}

type Priced = Pick<BookedLine, 'startsOn' | 'endsOn'> & { priceCents: number }

/** The part of a line's price for its days between two days; null if it has none there. */
export function centsBetween({ startsOn, endsOn, priceCents }: Priced, first: string, last: string): number | null {
  const [from, to] = [startsOn > first ? startsOn : first, endsOn < last ? endsOn : last]
  if (from > to) return null
  return Math.round((priceCents * (daysBetween(from, to) + 1)) / (daysBetween(startsOn, endsOn) + 1))
}

/** The first and the last day of a month such as `2026-11`. */
export function daysOfMonth(month: string): { first: string; last: string } {
  const first = `${month}-01`
  return { first, last: addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1) }
}

/** The part of a line's price for its days in a month; null if it has none there. */
export function centsInMonth(line: Priced, month: string): number | null {
  const { first, last } = daysOfMonth(month)
  return centsBetween(line, first, last)
}
