import { formatMileCount } from '../platform/distance.ts'
import { formatCount, upToOneDigit } from '../platform/figures.ts'
import { formatFullDay } from '../platform/dates.ts'

// This file has no schemas, so that a page that needs only these words does not load zod.

/** What a person changed; `data` if no one did and the truck's own data arrived. */
export type DropCause = keyof typeof causeWords

/** What a program got on one day in one market. */
export interface DeliveredFigures {
  plays: number
  verified: number
  seconds: number
  metres: number
}

/** Delivered figures of a program that fell: by how much, and why. The History of the program keeps it as field `figures`. */
export interface FigureDrop {
  localDate: string
  market: string
  before: DeliveredFigures
  after: DeliveredFigures
  cause: DropCause
  /** The user who caused it; null for the system. */
  by: string | null
  truck: string | null
  /** The uid of the shift to correct; null if no shift caused it. */
  shift: string | null
}

const causeWords = {
  start: (truck: string) => `changed the start of ${truck}’s shift`,
  end: (truck: string) => `changed the end of ${truck}’s shift`,
  times: (truck: string) => `changed the times of ${truck}’s shift`,
  stopped: (truck: string) => `stopped ${truck}’s shift`,
  canceled: (truck: string) => `canceled ${truck}’s shift`,
  noShow: (truck: string) => `marked ${truck}’s shift as a no-show`,
  deleted: (truck: string) => `deleted ${truck}’s shift`,
  otherTruck: (truck: string) => `gave ${truck}’s shift to another truck`,
  otherDay: (truck: string) => `moved ${truck}’s shift to another day`,
  otherProgram: (truck: string) => `gave ${truck}’s shift to another program`,
  otherMarket: (truck: string) => `moved ${truck}’s shift to another market`,
  added: (truck: string) => `added a shift of ${truck} at the same time`,
  changed: (truck: string) => `changed ${truck}’s shift`,
  area: () => 'changed the area of the market',
  setting: () => 'changed the setting “Outside market by”',
  data: () => 'new data from the truck',
} as const

/** The figures with their words, the first that fell being the one that a subject names. */
export const figureWords = [
  { figure: 'plays', word: 'play', format: formatCount },
  { figure: 'verified', word: 'verified play', format: formatCount },
  { figure: 'seconds', word: 'hour', format: (seconds: number) => upToOneDigit(seconds / 3600) },
  { figure: 'metres', word: 'mile', format: formatMileCount },
] as const satisfies readonly { figure: keyof DeliveredFigures; word: string; format: (amount: number) => string }[]

const list = new Intl.ListFormat('en-US')

/** A drop as a sentence: "Plays of Tue, Nov 17, 2026 in Chicago fell from 225 to 207 because Dana Brooks changed …". */
export function dropSentence({ localDate, market, before, after, cause, by, truck }: FigureDrop): string {
  const where = `of ${formatFullDay(localDate)} in ${market}`
  const falls = figureWords
    .filter(({ figure }) => before[figure] > after[figure])
    .map(({ figure, word, format }, index) => {
      const what = index === 0 ? `${word[0]?.toUpperCase()}${word.slice(1)}s ${where}` : `${word}s`
      return `${what} fell from ${format(before[figure])} to ${format(after[figure])}`
    })
  const words = causeWords[cause](truck ?? 'a truck')
  const why = cause === 'data' ? `because of ${words}` : `because ${by ?? 'the system'} ${words}`
  return `${falls.length > 0 ? list.format(falls) : `Figures ${where} fell`} ${why}.`
}

/** The drop that a field of a program's History tells; undefined for other fields. */
export function dropOfField(field: { field: string; old: unknown; new: unknown }, by: string | null) {
  if (field.field !== 'figures') return undefined
  const { plays, verified, seconds, metres, ...facts } = field.new as Omit<FigureDrop, 'before' | 'after' | 'by'> &
    DeliveredFigures
  const after = { plays, verified, seconds, metres }
  return { ...facts, by, before: field.old as DeliveredFigures, after } satisfies FigureDrop
}
