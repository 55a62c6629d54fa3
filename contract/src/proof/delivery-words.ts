import { mileFigure, setMileFigure } from '../platform/distance.ts'
import { formatPercent, upToOneDigit } from '../platform/figures.ts'
import type { BookedLine, BookedUnit } from '../catalog/booked-lines.ts'
import { formatDay } from '../platform/dates.ts'
import type { LineDelivery, PaceState } from './delivery.ts'

// Delivery in words, the same on every page, in mails and in messages. No schemas: public pages use it.

const unitWords: Record<BookedUnit, readonly [one: string, many: string]> = {
  truckDays: ['truck-day', 'truck-days'],
  hours: ['hour', 'hours'],
  miles: ['mile', 'miles'],
  plays: ['play', 'plays'],
}

export const paceStateLabel: Record<PaceState, string> = {
  none: 'Nothing booked',
  early: 'Too early to tell',
  ahead: 'Ahead',
  on: 'On pace',
  behind: 'Behind',
  done: 'Delivered',
  missed: 'Not delivered',
}

const measured = (value: number, unit: BookedUnit) => (unit === 'miles' ? mileFigure : upToOneDigit)(value)

/** An amount with its unit: `1,200 miles`, `1 truck-day`. */
export const amountWords = (value: number, unit: BookedUnit): string => {
  const figure = (unit === 'miles' ? setMileFigure : upToOneDigit)(value)
  return `${figure} ${unitWords[unit][figure === '1' ? 0 : 1]}`
}

/** A pace in percent; a dash without one. */
export const paceWords = (pace: number | null): string => (pace === null ? '–' : formatPercent(pace))

type Known<Field extends keyof LineDelivery, OfLine extends keyof BookedLine> = Pick<LineDelivery, Field> & {
  line: Pick<BookedLine, OfLine>
}

/** `88% of what is due by now`; empty without a pace. */
export const paceSentence = (pace: number | null): string =>
  pace === null ? '' : `${paceWords(pace)} of what is due by now`

/** `42 of 100 truck-days through Nov 16, 2026` */
export function deliveredWords({
  line,
  delivered,
  through,
}: Known<'delivered' | 'through', 'amount' | 'unit'>): string {
  const amount = `${measured(delivered, line.unit)} of ${amountWords(line.amount, line.unit)}`
  return through === null ? amount : `${amount} through ${formatDay(through)}`
}

/** What becomes of a line: `At this rate 87 of 100 truck-days by Aug 31, 2026.` */
export function forecastWords({
  line,
  delivered,
  forecast,
  through,
  state,
  shiftsWithoutData,
}: Known<
  'delivered' | 'forecast' | 'through' | 'state' | 'shiftsWithoutData',
  'amount' | 'unit' | 'startsOn' | 'endsOn'
>): string {
  const amount = amountWords(line.amount, line.unit)
  if (state === 'done' || state === 'missed') return `Ended with ${measured(delivered, line.unit)} of ${amount}.`
  if (forecast !== null)
    return `At this rate ${measured(forecast, line.unit)} of ${amount} by ${formatDay(line.endsOn)}.`
  if (through === null) return `Counts from ${formatDay(line.startsOn)}, once that day is over.`
  return shiftsWithoutData > 0 ? 'No data of its shifts yet.' : 'Too little is expected so far to tell.'
}

/** The shifts of a line that its figure leaves out; empty if there are none. */
export function missingDataWords({ line, shiftsWithoutData }: LineDelivery): string {
  if (shiftsWithoutData === 0) return ''
  const shifts = shiftsWithoutData === 1 ? '1 shift' : `${upToOneDigit(shiftsWithoutData)} shifts`
  return `${shifts} without ${line.unit === 'plays' ? 'plays' : 'GPS data'}`
}
