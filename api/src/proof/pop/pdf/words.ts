import type { PopFigures } from '@roadshow/contract'
import { formatNumber, formatHours, formatMileCount, formatShare } from '../publication/words.ts'
import type { PdfFigure } from '../../../platform/pdf/sheet.ts'

/** The share of plays that the truck's GPS track verifies; a dash without plays. */
export const verifiedShare = ({ plays, verifiedPlays }: PopFigures): string =>
  plays === 0 ? '–' : formatShare(verifiedPlays, plays)

/** The figures on the cover. */
export const programFigures = (figures: PopFigures): PdfFigure[] => [
  { value: formatMileCount(figures.metres), unit: 'miles driven' },
  { value: formatHours(figures.seconds), unit: 'hours on the street' },
  { value: formatNumber(figures.plays), unit: figures.plays === 1 ? 'ad play' : 'ad plays' },
  { value: verifiedShare(figures), unit: 'of plays verified by GPS' },
]

export const chapterFigures = (figures: PopFigures): PdfFigure[] => [
  ...programFigures(figures).map(({ value, unit }) => ({
    value,
    unit: unit.replace(' on the street', '').replace(' by GPS', ''),
  })),
  { value: formatNumber(figures.shifts), unit: figures.shifts === 1 ? 'shift' : 'shifts' },
  { value: formatNumber(figures.trucks), unit: figures.trucks === 1 ? 'truck' : 'trucks' },
  { value: formatNumber(figures.days), unit: figures.days === 1 ? 'day' : 'days' },
]
