import * as z from '../platform/zod.ts'
import { day, uid } from '../platform/common.ts'
import { formatDay } from '../platform/dates.ts'

/** What a client is promised: days of a truck, hours or miles on the road, or plays on LED screens. */
export const bookedUnits = ['truckDays', 'hours', 'miles', 'plays'] as const
export const bookedUnit = z.enum(bookedUnits, 'Choose truckDays, hours, miles or plays.')
export type BookedUnit = z.infer<typeof bookedUnit>
export const bookedUnitLabel: Record<BookedUnit, string> = {
  truckDays: 'Truck-days',
  hours: 'Hours',
  miles: 'Miles',
  plays: 'Plays',
}

const MAX_LINES = 200
/** The largest amount and price of a line, also in the database. */
export const MAX_BOOKED_AMOUNT = 1_000_000_000
export const MAX_PRICE_CENTS = 1_000_000_000_00

const amountRange = 'Must be a whole number from 1 to 1,000,000,000.'
const amount = z.int(amountRange).min(1, amountRange).max(MAX_BOOKED_AMOUNT, amountRange)
const priceRange = 'Must be a price from $0 to $1,000,000,000, or empty.'
const priceCents = z.int(priceRange).min(0, priceRange).max(MAX_PRICE_CENTS, priceRange).nullable()

/** What is promised in one market of a program between two days of its calendar. */
export const bookedLine = z.strictObject({
  uid,
  market: z.strictObject({ uid, name: z.string(), zone: z.string() }),
  unit: bookedUnit,
  amount,
  startsOn: day,
  endsOn: day,
  /** For staff and the program's own client; null for everyone else, and without a price. */
  priceCents,
})
export type BookedLine = z.infer<typeof bookedLine>

const bookedLineInput = z.strictObject({
  marketUid: z.uuid('Choose a market.'),
  unit: bookedUnit,
  amount,
  startsOn: day,
  endsOn: day,
  priceCents: priceCents.prefault(null),
})
export type BookedLineInput = z.output<typeof bookedLineInput>

export const bookedLineInputs = z.array(bookedLineInput).max(MAX_LINES, `At most ${MAX_LINES} booked lines.`)

interface BookedProgram {
  startsOn: string
  endsOn: string
  markets: readonly { marketUid: string }[]
}

type LinePlace = Pick<BookedLineInput, 'marketUid' | 'unit' | 'startsOn' | 'endsOn'>

const overlap = (one: LinePlace, other: LinePlace) =>
  one.marketUid === other.marketUid &&
  one.unit === other.unit &&
  one.startsOn <= other.endsOn &&
  other.startsOn <= one.endsOn

type Days = Pick<BookedLineInput, 'startsOn' | 'endsOn'>

const isWithin = (program: Days, line: Days) => line.startsOn >= program.startsOn && line.endsOn <= program.endsOn
const isApart = (program: Days, line: Days) => line.startsOn > program.endsOn || line.endsOn < program.startsOn

/** How many booked lines keep some of their days when a program gets other dates, and how many keep none. */
export const countBeyond = (program: Days, lines: readonly Days[]): { partly: number; wholly: number } => {
  const beyond = lines.filter((line) => !isWithin(program, line))
  const wholly = beyond.filter((line) => isApart(program, line)).length
  return { partly: beyond.length - wholly, wholly }
}

/** Booked lines with only those days that are within the dates of a program; one without such a day stays as it is. */
export const shortenLines = <Line extends Days>(program: Days, lines: readonly Line[]): Line[] =>
  lines.map((line) =>
    isApart(program, line)
      ? line
      : {
          ...line,
          startsOn: line.startsOn < program.startsOn ? program.startsOn : line.startsOn,
          endsOn: line.endsOn > program.endsOn ? program.endsOn : line.endsOn,
        },
  )

/** Booked lines without those that have no day within the dates of a program. */
export const removeApart = <Line extends Days>(program: Days, lines: readonly Line[]): Line[] =>
  lines.filter((line) => !isApart(program, line))

/** Everything wrong with the booked lines of a program: which line, which field, and in a sentence. */
export function* wrongBookedLines(
  { startsOn, endsOn, markets }: BookedProgram,
  lines: readonly LinePlace[],
): Generator<[index: number, field: keyof LinePlace, message: string]> {
  const known = new Set(markets.map(({ marketUid }) => marketUid))
  for (const [index, line] of lines.entries()) {
    if (!known.has(line.marketUid)) yield [index, 'marketUid', 'Add this market to the program first.']
    if (line.endsOn < line.startsOn) yield [index, 'endsOn', 'Must not be before the start.']
    if (line.startsOn < startsOn) yield [index, 'startsOn', `The program starts on ${formatDay(startsOn)}.`]
    if (line.endsOn > endsOn) yield [index, 'endsOn', `The program ends on ${formatDay(endsOn)}.`]
    if (lines.slice(0, index).some((other) => overlap(line, other))) {
      yield [index, 'unit', 'Another line books the same for these days.']
    }
  }
}
