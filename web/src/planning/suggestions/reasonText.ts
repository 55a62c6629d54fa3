import { formatCount } from '@roadshow/contract/platform/figures'
import { fitLabel } from '@roadshow/contract/catalog/artwork'
import { formatMinutes, formatMoment, formatTime, formatDay } from '@roadshow/contract/platform/dates'
import { TRAVEL_MPH } from '@roadshow/contract/planning/suggestions'
import type { SuggestionReason } from '@roadshow/contract/planning/suggestions'
import { localDay } from '@roadshow/contract/planning/shift-time'

/** How a reason speaks: for the candidate, neither way, or as a warning. */
export type ReasonTone = 'good' | 'plain' | 'warn'

export interface ReasonWords {
  text: string
  tone: ReasonTone
}

type Of<Kind extends SuggestionReason['kind']> = Extract<SuggestionReason, { kind: Kind }>

const good = (text: string): ReasonWords => ({ text, tone: 'good' })
const plain = (text: string): ReasonWords => ({ text, tone: 'plain' })
const warn = (text: string): ReasonWords => ({ text, tone: 'warn' })

const miles = (count: number) => `${formatCount(count)} mi`
const way = ({ miles: distance, minutes }: { miles: number; minutes: number }) =>
  `${miles(distance)}, about ${formatMinutes(Math.max(30, Math.round(minutes / 30) * 30))} at ${TRAVEL_MPH} mph`

function travelText({ market, isEnough, ...distance }: Of<'travel'>): ReasonWords {
  const from = market === '' ? 'Travel from its position' : `Travel from ${market}`
  return isEnough ? plain(`${from}: ${way(distance)}`) : warn(`${from}: ${way(distance)}, not enough time`)
}

const fitTone: Record<Of<'artwork'>['fit'], ReasonTone> = {
  exact: 'good',
  scales: 'good',
  tooLarge: 'warn',
  wrongRatio: 'warn',
  unknown: 'plain',
}

function artworkText({ fit }: Of<'artwork'>): ReasonWords {
  if (fit === 'unknown') return plain('Artwork fit unknown')
  const tone = fitTone[fit]
  return { tone, text: tone === 'good' ? 'Artwork fits' : `Artwork: ${fitLabel[fit].toLowerCase()}` }
}

/** A shift of the days before is named by its hour, an older one only by its day. */
function endsInText({ market, at, zone, isHere }: Of<'endsIn'>, startsAt: string): ReasonWords {
  const isRecent = Date.parse(startsAt) - Date.parse(at) < 48 * 3_600_000
  const text = isRecent
    ? `Ends in ${market} ${formatMoment(at, zone)}`
    : `Last shift in ${market}, ${formatDay(localDay(zone, Date.parse(at)))}`
  return isHere ? good(text) : plain(text)
}

function weekText({ minutes, limitMinutes }: Of<'weekHours'>): ReasonWords {
  const text = `${formatMinutes(minutes)} this week with this shift`
  return minutes > limitMinutes ? warn(`${text}, overtime after ${formatMinutes(limitMinutes)}`) : plain(text)
}

/** Everything that is said about a candidate, by kind of reason. */
const texts: { [Kind in SuggestionReason['kind']]: (reason: Of<Kind>, startsAt: string) => ReasonWords } = {
  free: () => good('Free'),
  homeMarket: ({ market, isHere }) => (isHere ? good(`At home in ${market}`) : plain(`At home in ${market}`)),
  endsIn: endsInText,
  position: ({ market, miles: distance }) =>
    distance === 0 ? good(`In ${market} now`) : plain(`Now ${miles(distance)} from ${market}`),
  travel: travelText,
  travelAfter: ({ market, miles: distance, minutes }) =>
    warn(`Next shift in ${market}: ${way({ miles: distance, minutes })}, not enough time`),
  artwork: artworkText,
  printed: ({ need }) =>
    warn(need === 'artwork' ? 'Printed boards can’t show artwork files' : 'Printed boards can’t show the booked plays'),
  sameProgram: () => good('Same program as before'),
  rest: ({ minutes, isShort }) =>
    isShort ? warn(`Only ${formatMinutes(minutes)} of rest`) : plain(`${formatMinutes(minutes)} of rest`),
  restAfter: ({ minutes }) => warn(`Only ${formatMinutes(minutes)} of rest before the next shift`),
  weekHours: weekText,
  noSchedule: () => warn('Can’t see shifts: no Schedule module'),
  declined: () => warn('Declined this shift'),
}

/** A reason in a few words, for a shift that starts at an instant. */
export const reasonText = (reason: SuggestionReason, startsAt: string): ReasonWords =>
  (texts[reason.kind] as (reason: SuggestionReason, startsAt: string) => ReasonWords)(reason, startsAt)

interface CandidateState {
  refusal: string | null
  /** False for a truck without the screens that the shift needs. */
  isSuitable?: boolean
  bookedUntil: string | null
}

/** Whether a candidate can be planned, in two or three words: `Free`, `Booked until 6:00 PM CST`. */
export function stateText({ refusal, isSuitable = true, bookedUntil }: CandidateState, zone: string): string {
  if (refusal === null) return isSuitable ? 'Free' : 'No screens'
  return bookedUntil === null ? 'Not available' : `Booked until ${formatTime(bookedUntil, zone)}`
}
