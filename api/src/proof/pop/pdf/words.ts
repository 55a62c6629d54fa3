import type { PopFigures } from '@roadshow/contract'
import { formatCount, formatHours, formatMiles } from '../publication/words.ts'
import type { PdfFigure } from '../../../platform/pdf/sheet.ts'

/** Plays whose place and time the truck's own track confirms, of all. */
export const verifiedShare = ({ plays, verifiedPlays }: PopFigures): string =>
  // Rounded down: not all is never everything.
  plays === 0 ? '–' : `${Math.floor((100 * verifiedPlays) / plays)} %`

/** The numbers that a client asks for first. */
export const programFigures = (figures: PopFigures): PdfFigure[] => [
  { value: formatMiles(figures.metres), unit: 'miles driven' },
  { value: formatHours(figures.seconds), unit: 'hours on the street' },
  { value: formatCount(figures.plays), unit: 'ad plays' },
  { value: verifiedShare(figures), unit: 'of plays verified by GPS' },
]

export const chapterFigures = (figures: PopFigures): PdfFigure[] => [
  ...programFigures(figures).map(({ value, unit }) => ({
    value,
    unit: unit.replace(' on the street', '').replace(' by GPS', ''),
  })),
  { value: formatCount(figures.shifts), unit: 'shifts' },
  { value: formatCount(figures.trucks), unit: figures.trucks === 1 ? 'truck' : 'trucks' },
  { value: formatCount(figures.days), unit: 'days' },
]
