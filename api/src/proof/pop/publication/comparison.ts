import {
  formatHours,
  formatMileCount,
  formatCount,
  milesValue,
  NO_GPS,
  type PopFigures,
  playsValue,
  oneDigit,
} from '@roadshow/contract'
import { verifiedShare } from './words.ts'

/** A market with what two markets are compared by. */
interface ComparedMarket {
  figures: PopFigures
  /** The number of its photos. */
  allPhotos: number
}

const DASH = '–'

/** Miles of a day on which a shift took place; a dash where miles were not recorded. */
const milesADay = (figures: PopFigures): string =>
  figures.days === 0 || milesValue(figures) === NO_GPS ? DASH : formatMileCount(figures.metres / figures.days)

/** Plays of an hour on the street; a dash where none were recorded. */
function playsAnHour({ plays, seconds }: PopFigures): string {
  if (plays === 0 || seconds === 0) return DASH
  const rate = plays / (seconds / 3600)
  return rate < 99.95 ? oneDigit(rate) : formatCount(rate)
}

export interface ComparedFigure {
  title: string
  value: (market: ComparedMarket) => string
}

/** The figures that stand side by side. Rates make markets of different length comparable. */
export const comparedFigures: readonly ComparedFigure[] = [
  { title: 'Days', value: ({ figures }) => formatCount(figures.days) },
  { title: 'Hours', value: ({ figures }) => formatHours(figures.seconds) },
  { title: 'Miles', value: ({ figures }) => milesValue(figures) },
  { title: 'Miles a day', value: ({ figures }) => milesADay(figures) },
  { title: 'Plays', value: ({ figures }) => playsValue(figures) },
  { title: 'Plays an hour', value: ({ figures }) => playsAnHour(figures) },
  { title: 'Verified', value: ({ figures }) => verifiedShare(figures) },
  { title: 'Photos', value: ({ allPhotos }) => formatCount(allPhotos) },
]
