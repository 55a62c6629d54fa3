import type { PopFigures } from '@roadshow/contract'
import { countOf, hoursOf, milesOf } from '../publication/words.ts'
import type { PdfFigure } from '../../../platform/pdf/sheet.ts'

/** Plays whose place and time the truck's own track confirms, of all. */
export const verifiedShare = ({ plays, verifiedPlays }: PopFigures): string =>
  // Rounded down: not all is never everything.
  plays === 0 ? '–' : `${Math.floor((100 * verifiedPlays) / plays)} %`

/** The numbers that a client asks for first. */
export const greatNumbers = (figures: PopFigures): PdfFigure[] => [
  { value: milesOf(figures.metres), unit: 'miles driven' },
  { value: hoursOf(figures.seconds), unit: 'hours on the street' },
  { value: countOf(figures.plays), unit: 'ad plays' },
  { value: verifiedShare(figures), unit: 'of plays verified by GPS' },
]

export const chapterNumbers = (figures: PopFigures): PdfFigure[] => [
  ...greatNumbers(figures).map(({ value, unit }) => ({
    value,
    unit: unit.replace(' on the street', '').replace(' by GPS', ''),
  })),
  { value: countOf(figures.shifts), unit: 'shifts' },
  { value: countOf(figures.trucks), unit: figures.trucks === 1 ? 'truck' : 'trucks' },
  { value: countOf(figures.days), unit: 'days' },
]
