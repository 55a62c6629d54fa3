import {
  coveredDays,
  dwellText,
  type FigureText,
  figureTexts,
  formatClock,
  formatDateTime,
  formatDays,
  formatMileCount,
  formatMinutes,
  formatCount,
  formatShare,
  formatFullDay,
  gapSentences,
  MODELED,
  methodText,
  countOf,
  type PopChapter,
  type PopDocument,
  type PopFigures,
  type PopImpressions,
  type PopStop,
  soFarText,
  stopStateLabel,
  windowText,
} from '@roadshow/contract'

// The words of a version. The public page and its PDF take theirs from here and say the same.

const DASH = '–'

/** An instant in UTC, as there is no one zone for the markets of a program. */
const formatInstant = (instant: string): string => formatDateTime(instant, 'UTC')

// A longer row of names is not readable.
const MOST_NAMES = 6

/** Dallas, Chicago, and Miami; or 24 markets. */
export const listMarkets = (chapters: readonly { name: string }[]): string =>
  chapters.length > MOST_NAMES
    ? countOf(chapters.length, 'market')
    : new Intl.ListFormat('en-US').format(chapters.map(({ name }) => name))

/** `Central Time` for America/Chicago. */
function zoneLongName(zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** The fourth figure: photos, or shifts where there are no photos. */
const photosOrShifts = (photos: number, verified: number | undefined, { shifts }: PopFigures): FigureText =>
  photos > 0
    ? {
        value: formatCount(photos),
        unit: photos === 1 ? 'photo' : 'photos',
        note: verified === undefined ? '' : verifiedText(verified),
      }
    : { value: formatCount(shifts), unit: shifts === 1 ? 'shift' : 'shifts', note: '' }

const verifiedText = (verified: number) => `${formatCount(verified)} verified`

/** A program or a market with the number of its photos. */
interface PhotoTotals {
  figures: PopFigures
  photos: number
  verifiedPhotos?: number | undefined
}

/** The main figures of a program or of a market. */
export const mainFigures = ({ figures, photos, verifiedPhotos }: PhotoTotals): FigureText[] => [
  ...figureTexts(figures),
  photosOrShifts(photos, verifiedPhotos, figures),
]

type Running = Pick<PopDocument, 'publishedAt' | 'endsOn' | 'figures'> & {
  chapters: readonly Pick<PopChapter, 'zone' | 'perDay'>[]
}

const daysOf = (chapters: Running['chapters']) => chapters.flatMap(({ perDay }) => perDay.map(({ day }) => day))

/** The days that the figures of a program cover while it runs; empty once it is over. */
export const programSoFar = ({ publishedAt, endsOn, figures, chapters }: Running): string =>
  soFarText({
    publishedAt,
    endsOn,
    zones: chapters.map(({ zone }) => zone),
    days: daysOf(chapters),
    shifts: figures.shifts,
    runningShifts: figures.gaps?.runningShifts ?? 0,
  })

/** The days that the figures of a market cover while the program runs there. */
export const chapterSoFar = (
  publishedAt: string,
  chapter: Pick<PopChapter, 'zone' | 'perDay' | 'endsOn' | 'figures'>,
) => programSoFar({ publishedAt, endsOn: chapter.endsOn, figures: chapter.figures, chapters: [chapter] })

/** What the totals of a program leave out, and what they hold beyond the markets that are shown. */
export function programNotes({
  figures,
  chapters,
}: Pick<PopDocument, 'figures'> & { chapters: readonly Pick<PopChapter, 'figures'>[] }): string[] {
  const shown = (value: (figures: PopFigures) => number) =>
    chapters.reduce((sum, { figures: each }) => sum + value(each), 0)
  const plays = figures.plays - shown((each) => each.plays)
  const meters = figures.metres - shown((each) => each.metres)
  const more = [
    ...(meters >= 1 ? [`${formatMileCount(meters)} miles`] : []),
    ...(plays > 0 ? [countOf(plays, 'play')] : []),
  ]
  return [
    ...gapSentences(figures),
    ...(more.length > 0 && chapters.length > 0
      ? [`The totals also count ${more.join(' and ')} outside the markets shown below.`]
      : []),
  ]
}

export const chapterNotes = ({ figures }: Pick<PopChapter, 'figures'>): string[] => gapSentences(figures)

/** A program in a sentence, for link previews. */
export function summarySentence(
  document: Running & Pick<PopDocument, 'startsOn'> & { chapters: readonly { name: string }[] },
): string {
  const { figures, chapters, startsOn, endsOn } = document
  const parts = figureTexts(figures)
    .filter(({ value, unit }) => unit !== 'hours on the street' && /^\d/.test(value))
    .map(({ value, unit }) => `${value} ${unit.replace(' driven', '')}`)
  const isFinal = programSoFar(document) === ''
  const days = daysOf(chapters)
  const when = isFinal || days.length === 0 ? formatDays(startsOn, endsOn) : coveredDays(days)
  const [soFar, markets] = [isFinal ? '' : ' so far', chapters.length > 0 ? ` in ${listMarkets(chapters)}` : '']
  return parts.length > 0 ? `${parts.join(' and ')}${soFar}${markets}, ${when}.` : `Proof of play${markets}, ${when}.`
}

export const photoZoneText = (zone: string): string => `Photo times are in ${zoneLongName(zone)}.`
export const photoCountText = (photos: number, verified: number): string =>
  `${countOf(photos, 'photo')}, ${verifiedText(verified)}`
/** The key of a chart of plays. */
export const PLAY_KEYS = { verified: 'verified', other: 'other plays' }
/** The share of plays that the truck's GPS track verifies; a dash without plays. */
export const verifiedShare = ({ plays, verifiedPlays }: PopFigures): string =>
  plays === 0 ? DASH : formatShare(verifiedPlays, plays)

export const ROUTE_CAPTION = 'Where the trucks drove. Parts near depots are left out.'

/** `12 of 14 planned stops reached, 21 h 10 min in all.` */
export function stopSummary(stops: readonly PopStop[]): string {
  const reached = stops.filter(({ arrivedAt }) => arrivedAt !== null)
  const unknown = stops.filter(({ state }) => state === 'noData').length
  const minutes = reached.reduce((sum, { dwellMinutes }) => sum + (dwellMinutes ?? 0), 0)
  const inAll = minutes > 0 ? `, ${formatMinutes(minutes)} in all` : ''
  const gaps = unknown > 0 ? ` ${formatCount(unknown)} without GPS data.` : ''
  return `${formatCount(reached.length)} of ${countOf(stops.length, 'planned stop')} reached${inAll}.${gaps}`
}

interface StopColumn {
  title: string
  cell: (stop: PopStop) => string
}

const clockOf = (at: string | null): string => (at === null ? DASH : formatClock(at.slice(11, 16)))

/** Each planned stop beside what the track shows: a row of a table. */
export const stopColumns: readonly StopColumn[] = [
  { title: 'Day', cell: ({ day }) => formatFullDay(day) },
  { title: 'Stop', cell: ({ name }) => name },
  { title: 'Planned', cell: windowText },
  { title: 'Arrived', cell: ({ arrivedAt }) => clockOf(arrivedAt) },
  { title: 'Left', cell: ({ leftAt }) => clockOf(leftAt) },
  { title: 'Time there', cell: ({ dwellMinutes }) => (dwellMinutes === null ? DASH : dwellText(dwellMinutes)) },
  { title: 'Result', cell: ({ state }) => stopStateLabel[state] },
]
export const STOPS_TITLE = 'Planned stops'

type Measured = Pick<PopDocument, 'milesAlgorithm' | 'impressions'> & { chapters: readonly Pick<PopChapter, 'stops'>[] }

/** How the figures are made. */
export const METHOD_TITLE = 'How these numbers are measured'
export const methodOf = ({ milesAlgorithm, impressions, chapters }: Measured): { term: string; text: string }[] => [
  {
    term: 'Miles',
    text:
      'From each truck’s own GPS tracker and odometer during its shifts. ' +
      `GPS jumps and the drift of parked trucks are filtered out (method ${milesAlgorithm}).`,
  },
  { term: 'Hours', text: 'From the start to the end of each shift that took place.' },
  {
    term: 'Days',
    text:
      'The days on which a shift took place. Miles, hours and plays of a night shift belong to the day on which it ' +
      'started, in the market’s time.',
  },
  {
    term: 'Plays',
    text:
      'Each play is logged by the player on the truck. A play is verified when the GPS tracker, which the player ' +
      'cannot write to, puts the truck on its shift and in its market at that second. Trucks with printed boards have ' +
      'no player and no play log.',
  },
  {
    term: 'Photos',
    text:
      'Verified when the time and place that the camera or the driver’s phone recorded match the truck’s GPS track; ' +
      'unverified when there is nothing to compare; conflict when they contradict each other.',
  },
  { term: 'Routes', text: 'The same GPS positions. Parts near depots are left out.' },
  ...(chapters.some(({ stops }) => stops)
    ? [
        {
          term: 'Planned stops',
          text:
            'A truck is at a stop while its GPS track is within the agreed distance. A stop is missed only where the ' +
            'track shows that the truck was elsewhere; without positions it says so.',
        },
      ]
    : []),
  ...(impressions ? [impressionMethodOf(impressions)] : []),
]

const impressionMethodOf = ({ methods }: PopImpressions) => ({
  term: 'Impressions',
  text:
    `${MODELED} The track of each truck, in steps of two minutes, is multiplied by the daily traffic of its road, the ` +
    'hour’s share of it, the part that looks at a side of the truck, and the people in a vehicle. A truck that is parked ' +
    `counts for nothing, and at night only one that is lit (${methodText(methods)}, inputs SHA-256 ` +
    `${methods.map(({ sha256 }) => sha256).join(', ')}).`,
})

/** Where a version comes from, and how a reader checks it. */
export const originText = ({ publishedAt, brand }: Pick<PopDocument, 'publishedAt' | 'brand'>): string =>
  `Published ${formatInstant(publishedAt)} by ${brand}. This version never changes: corrections are published as a new ` +
  'version. The SHA-256 fingerprint covers its text, photos and numbers.'
