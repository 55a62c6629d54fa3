import { type PopFigures, toMiles } from '@roadshow/contract'
import type { Figure } from './sheet.ts'

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const tenths = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

export const miles = (metres: number) => (toMiles(metres) < 100 ? tenths : whole)(toMiles(metres))
export const counted = (count: number, one: string, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`

/** Plays whose place and time the truck's own track confirms, of all. */
export const verifiedShare = ({ plays, verifiedPlays }: PopFigures): string =>
  // Rounded down: not all is never everything.
  plays === 0 ? '–' : `${Math.floor((100 * verifiedPlays) / plays)} %`

/** The numbers that a client asks for first. */
export const greatNumbers = (figures: PopFigures): Figure[] => [
  { value: miles(figures.metres), unit: 'miles driven' },
  { value: whole(figures.seconds / 3600), unit: 'hours on the street' },
  { value: whole(figures.plays), unit: 'ad plays' },
  { value: verifiedShare(figures), unit: 'of plays verified by GPS' },
]

export const chapterNumbers = (figures: PopFigures): Figure[] => [
  ...greatNumbers(figures).map(({ value, unit }) => ({
    value,
    unit: unit.replace(' on the street', '').replace(' by GPS', ''),
  })),
  { value: whole(figures.shifts), unit: 'shifts' },
  { value: whole(figures.trucks), unit: figures.trucks === 1 ? 'truck' : 'trucks' },
  { value: whole(figures.days), unit: 'days' },
]
