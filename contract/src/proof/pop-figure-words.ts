import { formatDay, formatDays, formatMinutes } from '../platform/dates.ts'
import { formatMileCount } from '../platform/distance.ts'
import { countOf, formatCount, oneDigit, wholeNumber } from '../platform/figures.ts'
import { localDay } from '../planning/shift-time.ts'
import type { PopDay, PopFigures, PopImpressions } from './pop-document.ts'

// The words for the figures of a POP. The public page, its PDF and the console all say these.

export const formatHours = (seconds: number): string => (seconds < 9.95 * 3600 ? oneDigit : wholeNumber)(seconds / 3600)

/** A share in percent, rounded down so that only a complete share reads 100%. */
export const formatShare = (part: number, all: number): string => `${all === 0 ? 0 : Math.floor((part / all) * 100)}%`

export const NO_GPS = 'No GPS data'
export const NO_PLAY_LOG = 'No play log'

/** Figures as far as they are known: lists of POPs know less than a page. */
type KnownFigures = Pick<PopFigures, 'metres' | 'plays' | 'shifts'> &
  Partial<Pick<PopFigures, 'trucks' | 'verifiedPlays'>> & { gaps?: Partial<PopFigures['gaps']> | undefined }

const hasNoGps = ({ shifts, gaps }: KnownFigures) => shifts > 0 && gaps?.shiftsWithoutGps === shifts
const isPrintedOnly = ({ shifts, gaps }: KnownFigures) => shifts > 0 && gaps?.printedShifts === shifts
const offlineText = (seconds: number) => `player offline ${formatMinutes(seconds / 60)}`

/** The miles of figures, or that none were recorded. */
export const milesValue = (figures: KnownFigures): string =>
  hasNoGps(figures) && figures.metres === 0 ? NO_GPS : formatMileCount(figures.metres)

/** The plays of figures, or that none were recorded. */
export function playsValue(figures: KnownFigures): string {
  const { plays, gaps } = figures
  const isLogged = plays > 0 || (!isPrintedOnly(figures) && !gaps?.playerOfflineSeconds)
  return isLogged ? formatCount(plays) : NO_PLAY_LOG
}

/** Why there is no play log, or how many plays are verified. */
function playsNote(figures: PopFigures): string {
  const { plays, verifiedPlays, gaps } = figures
  if (plays > 0)
    return hasNoGps(figures) ? 'not verified: no GPS data' : `${formatShare(verifiedPlays, plays)} verified`
  if (isPrintedOnly(figures)) return gaps?.printedTrucks === 1 ? 'printed truck' : 'printed trucks'
  return gaps?.playerOfflineSeconds ? offlineText(gaps.playerOfflineSeconds) : ''
}

/** A main figure: `1,000`, `miles driven`, `by 2 trucks`. */
export interface FigureText {
  value: string
  unit: string
  note: string
}

/** Miles, hours and plays of a program or a market. */
export const figureTexts = (figures: PopFigures): FigureText[] => [
  {
    value: milesValue(figures),
    unit: 'miles driven',
    note: figures.trucks > 0 ? `by ${countOf(figures.trucks, 'truck')}` : '',
  },
  {
    value: formatHours(figures.seconds),
    unit: 'hours on the street',
    note: figures.days > 0 ? `on ${countOf(figures.days, 'day')}` : '',
  },
  {
    value: playsValue(figures),
    unit: figures.plays === 1 ? 'ad play' : 'ad plays',
    note: playsNote(figures),
  },
]

const ofShifts = (part: number, all: number, whole: string) =>
  part < all ? `${formatCount(part)} of ${countOf(all, 'shift')}` : all === 1 ? 'the shift' : whole

/** What the figures leave out, in sentences. */
export function gapSentences({ shifts, plays, verifiedPlays, conflictPlays, gaps }: PopFigures): string[] {
  if (!gaps) return []
  const { shiftsWithoutGps, printedShifts, printedTrucks, playerOfflineSeconds, runningShifts } = gaps
  const unverifiable = plays > verifiedPlays + conflictPlays ? ', and plays without it can’t be verified' : ''
  return [
    ...(shiftsWithoutGps > 0
      ? [
          `There is no GPS data for ${ofShifts(shiftsWithoutGps, shifts, `any of the ${formatCount(shifts)} shifts`)}: miles were not recorded there${unverifiable}.`,
        ]
      : []),
    ...(printedShifts > 0
      ? [
          `${capitalize(ofShifts(printedShifts, shifts, `all ${formatCount(shifts)} shifts`))} ran with ` +
            (printedTrucks === 1
              ? 'a printed truck, which shows a board instead of screens and has no play log.'
              : `${formatCount(printedTrucks)} printed trucks, which show a board instead of screens and have no play log.`),
        ]
      : []),
    ...(playerOfflineSeconds > 0
      ? [`Players were offline for ${formatMinutes(playerOfflineSeconds / 60)}: plays in that time are not counted.`]
      : []),
    ...(runningShifts > 0
      ? [`${countOf(runningShifts, 'shift')} ${runningShifts === 1 ? 'was' : 'were'} still running.`]
      : []),
  ]
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A row of a day table. */
export interface DayText {
  day: string
  miles: string
  hours: string
  plays: string
  verified: string
}

const DASH = '–'

/** A day, or several days taken together, as a row of a day table. */
export function dayText(day: PopDay, label = formatDay(day.day)): DayText {
  const { metres, plays, verifiedPlays, seconds, shifts = 0, gaps } = day
  const known = { metres, plays, shifts, gaps }
  return {
    day: label,
    miles: withNotes(milesValue(known), partlyWithoutGps(known)),
    hours: seconds === undefined ? DASH : formatHours(seconds),
    plays: withNotes(playsValue(known), playLogNotes(known)),
    verified: plays > 0 && !hasNoGps(known) ? formatCount(verifiedPlays) : DASH,
  }
}

const withNotes = (value: string, notes: readonly string[]) =>
  notes.length > 0 ? `${value} (${notes.join('; ')})` : value

function partlyWithoutGps(known: KnownFigures): string[] {
  const without = known.gaps?.shiftsWithoutGps ?? 0
  return without > 0 && without < known.shifts
    ? [`no GPS data for ${formatCount(without)} of ${countOf(known.shifts, 'shift')}`]
    : []
}

function playLogNotes(known: KnownFigures): string[] {
  const { printedShifts = 0, playerOfflineSeconds = 0 } = known.gaps ?? {}
  if (isPrintedOnly(known)) return ['printed truck']
  return [
    ...(printedShifts > 0
      ? [`printed truck for ${formatCount(printedShifts)} of ${countOf(known.shifts, 'shift')}`]
      : []),
    ...(playerOfflineSeconds > 0 ? [offlineText(playerOfflineSeconds)] : []),
  ]
}

/** A program or one of its markets, as far as it decides which days its figures cover. */
interface Covered {
  publishedAt: string
  endsOn: string
  /** The zones of the markets. */
  zones: readonly string[]
  /** The days on which shifts took place. */
  days: readonly string[]
  shifts: number
  runningShifts: number
}

/** The first to the last of some days: `Nov 1, 2026 – Nov 3, 2026`. */
export const coveredDays = (days: readonly string[]): string =>
  formatDays(days.toSorted()[0] ?? '', days.toSorted().at(-1) ?? '')

/** The days that the figures cover, for figures that are not final yet: more shifts may follow. */
export function soFarText({ publishedAt, endsOn, zones, days, shifts, runningShifts }: Covered): string {
  const isOver = (zone: string) => localDay(zone, Date.parse(publishedAt)) > endsOn
  const isFinal = (zones.length > 0 ? zones : ['UTC']).every(isOver) && runningShifts === 0
  if (isFinal) return ''
  if (days.length === 0) return shifts > 0 ? 'So far.' : 'No shifts so far.'
  return `So far: ${coveredDays(days)}.`
}

export const MODELED = 'Modeled, not measured.'

// More digits would claim more than an estimate knows.
const estimate = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })
export const formatEstimate = (count: number): string => estimate.format(count)

type ImpressionRange = Pick<PopImpressions, 'low' | 'high'> & Partial<Pick<PopImpressions, 'shiftsWithout'>>

/** `Between 8,100 and 21,300. Modeled, not measured.` */
export const impressionNote = ({ low, high, shiftsWithout = 0 }: ImpressionRange): string =>
  [
    low === high ? '' : `Between ${formatEstimate(low)} and ${formatEstimate(high)}.`,
    MODELED,
    shiftsWithout > 0 ? `${countOf(shiftsWithout, 'shift')} without GPS data not included.` : '',
  ]
    .filter(Boolean)
    .join(' ')

/** `12,400 estimated impressions` */
export const impressionText = ({ likely }: Pick<PopImpressions, 'likely'>): string =>
  `${formatEstimate(likely)} estimated impressions`

/** `method 1`, or `methods 1 and 2` where an older one counted some of the shifts. */
export const methodText = (methods: readonly { version: number }[]): string => {
  const versions = methods.map(({ version }) => String(version))
  return `${versions.length === 1 ? 'method' : 'methods'} ${new Intl.ListFormat('en-US').format(versions)}`
}
