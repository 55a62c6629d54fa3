import {
  amountWords,
  formatDay,
  formatDays,
  formatDollars,
  formatEstimate,
  formatMoment,
  formatCount,
  type MarketEstimate,
  MODELED,
  countOf,
  type ProposalAcceptance,
  type ProposalDocument,
  type ProposalLine,
} from '@roadshow/contract'
import { LEAST_SHIFTS, TYPICAL_DAYS } from '../../proof/impressions/index.ts'
import { listMarkets } from '../../proof/pop/index.ts'

// What a proposal says. Its page and its PDF say the same.

const NO_PRICE = '–'
const price = (cents: number | null) => (cents === null ? NO_PRICE : formatDollars(cents))

export const LINES_TITLE = 'What is offered'
export const ARTWORK_TITLE = 'Your artwork on the truck'
export const PLACES_TITLE = 'Places near which your ad appears'
export const ESTIMATE_TITLE = 'Estimated impressions'

/** Below the title: the program, unless the title says it, its days and its markets. */
export const programFacts = ({ title, program, startsOn, endsOn, markets }: ProposalDocument): string[] => [
  ...(program === title ? [] : [program]),
  formatDays(startsOn, endsOn),
  listMarkets(markets),
]

/** The columns of the table of booked lines. */
export const lineColumns = ({ showsPrices }: ProposalDocument): string[] => [
  'Market',
  'Offered',
  'Days',
  ...(showsPrices ? ['Price'] : []),
]

export const lineCells = (
  { market, unit, amount, startsOn, endsOn, priceCents }: ProposalLine,
  { showsPrices }: Pick<ProposalDocument, 'showsPrices'>,
): string[] => [
  market,
  amountWords(amount, unit),
  formatDays(startsOn, endsOn),
  ...(showsPrices ? [price(priceCents)] : []),
]

/** The sum of the prices; undefined where none is shown. */
export function totalText({ lines, showsPrices }: ProposalDocument): string | undefined {
  const priced = lines.flatMap(({ priceCents }) => priceCents ?? [])
  if (!showsPrices || priced.length === 0) return undefined
  const sum = price(priced.reduce((total, cents) => total + cents, 0))
  return priced.length < lines.length ? `${sum} for the lines with a price` : sum
}

export const validText = ({ validUntil, zone, sentAt }: ProposalDocument): string =>
  `Sent ${formatMoment(sentAt, zone)}. Valid through ${formatDay(validUntil)}.`

export const acceptanceText = ({ name, at }: ProposalAcceptance, { zone }: Pick<ProposalDocument, 'zone'>): string =>
  `Accepted by ${name} on ${formatMoment(at, zone)}.`

/** Words for people who do not see the drawing. */
export const artworkAlt = (side: string, set: string): string => `${side} of a truck with ${set}`

export const placesCount = ({ total, places }: { total: number; places: readonly unknown[] }): string =>
  places.length < total
    ? `${formatCount(places.length)} of ${countOf(total, 'place')} are shown.`
    : countOf(total, 'place')

const NO_ESTIMATE: Record<NonNullable<MarketEstimate['reason']>, string> = {
  noHours: 'No estimate: nothing is booked in hours or truck-days.',
  fewShifts: `No estimate: fewer than ${LEAST_SHIFTS} recent shifts in this market have GPS data.`,
}

/** The estimate of a market: what is likely, and its range or why there is none. */
export function estimateTexts({ range, reason, hours }: MarketEstimate): { likely: string; note: string } {
  if (!range) return { likely: '', note: NO_ESTIMATE[reason ?? 'fewShifts'] }
  const between = `between ${formatEstimate(range.low)} and ${formatEstimate(range.high)}`
  return { likely: formatEstimate(range.likely), note: `${between}, in ${formatEstimate(hours ?? 0)} planned hours` }
}

/** How the estimate is made, with the version of its method. */
export const estimateMethod = ({ method, markets }: NonNullable<ProposalDocument['estimate']>): string => {
  const shifts = markets.reduce((sum, { range, shifts }) => sum + (range ? shifts : 0), 0)
  const basis =
    shifts > 0
      ? ` It multiplies the planned hours by what an hour of ${countOf(shifts, 'shift')} of the last ${TYPICAL_DAYS} days in these markets gave.`
      : ''
  return `${MODELED}${basis} Method ${method.version}, SHA-256 ${method.sha256}.`
}
