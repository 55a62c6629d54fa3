import { toMiles } from '@roadshow/contract'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const tenth = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const dayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' })
const shortFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
const instantFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

export const formatMiles = (metres: number): string => (toMiles(metres) < 100 ? tenth : whole).format(toMiles(metres))
export const formatHours = (seconds: number): string => whole.format(seconds / 3600)
export const formatCount = (count: number): string => whole.format(count)
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** A share in percent, rounded down: not all is never everything. */
export const formatShare = (part: number, all: number): string => `${all === 0 ? 0 : Math.floor((part / all) * 100)}%`

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)
export const formatDay = (day: string): string => dayFormat.format(dateOf(day))
export const formatShortDay = (day: string): string => shortFormat.format(dateOf(day))
export const formatDays = (from: string, to: string): string => dayFormat.formatRange(dateOf(from), dateOf(to))
export const formatInstant = (instant: string): string => `${instantFormat.format(new Date(instant))} UTC`

// More names than this nobody reads in a row.
const MOST_NAMES = 6

/** Dallas, Chicago, and Miami; or 24 markets. */
export const listMarkets = (chapters: readonly { name: string }[]): string =>
  chapters.length > MOST_NAMES
    ? pluralize(chapters.length, 'market')
    : new Intl.ListFormat('en-US').format(chapters.map(({ name }) => name))
