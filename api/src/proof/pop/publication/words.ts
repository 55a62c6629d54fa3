import { formatClock, formatDay, toMiles } from '@roadshow/contract'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const tenth = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const shortFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })

export const formatMileCount = (metres: number): string =>
  (toMiles(metres) < 100 ? tenth : whole).format(toMiles(metres))
export const formatHours = (seconds: number): string => whole.format(seconds / 3600)
export const formatNumber = (count: number): string => whole.format(count)
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

/** A share in percent, rounded down so that only a complete share reads 100%. */
export const formatShare = (part: number, all: number): string => `${all === 0 ? 0 : Math.floor((part / all) * 100)}%`

/** `Jul 1`, for the ends of an axis. */
export const formatShortDay = (day: string): string => shortFormat.format(new Date(`${day}T00:00:00Z`))
/** An instant in UTC, as there is no one zone for the markets of a program. */
export const formatInstant = (instant: string): string =>
  `${formatDay(instant.slice(0, 10))}, ${formatClock(instant.slice(11, 16))} UTC`

// A longer row of names is not readable.
const MOST_NAMES = 6

/** Dallas, Chicago, and Miami; or 24 markets. */
export const listMarkets = (chapters: readonly { name: string }[]): string =>
  chapters.length > MOST_NAMES
    ? pluralize(chapters.length, 'market')
    : new Intl.ListFormat('en-US').format(chapters.map(({ name }) => name))

/** `Central Time` for America/Chicago. */
export function zoneLongName(zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** How the figures are made: the same sentences on the public page and in the PDF. */
export const methodOf = (milesAlgorithm: number): { term: string; text: string }[] => [
  {
    term: 'Miles',
    text:
      'From each truck’s own GPS tracker and odometer during its shifts. ' +
      `GPS jumps and the drift of parked trucks are filtered out (method ${milesAlgorithm}).`,
  },
  { term: 'Hours', text: 'From the start to the end of each shift that took place.' },
  {
    term: 'Plays',
    text:
      'Each play is logged by the player on the truck. A play is verified when the GPS tracker, which the player ' +
      'cannot write to, puts the truck on its shift and in its market at that second.',
  },
  {
    term: 'Photos',
    text:
      'Verified when the time and place that the camera recorded match the truck’s GPS track; unverified when there ' +
      'is nothing to compare; conflict when they contradict each other.',
  },
  { term: 'Routes', text: 'The same GPS positions. Parts near depots are left out.' },
]
