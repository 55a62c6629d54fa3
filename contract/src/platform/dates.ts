import type { Language } from './languages.ts'

// Days and times in words: product rules of times and figures. This file has no schemas, so that a page can use it
// without loading zod.

/** How a time of day is written: `8:00 PM` or `20:00`. */
export const clockStyles = ['12h', '24h'] as const
export type ClockStyle = (typeof clockStyles)[number]

let ownStyle: ClockStyle = '12h'
/** The style of whoever reads this page. A server writes for many people and passes the style instead. */
export const setClockStyle = (style: ClockStyle): void => {
  ownStyle = style
}
export const clockStyle = (): ClockStyle => ownStyle

const months: Record<Language, readonly string[]> = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  es: ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'],
}
const weekdays: Record<Language, readonly string[]> = {
  en: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  es: ['dom', 'lun', 'mar', 'mié', 'jue', 'vie', 'sáb'],
}

const partsOf = (day: string, language: Language) => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const weekday = new Date(Date.UTC(year, month - 1, date)).getUTCDay()
  return { year, date, month: months[language][month - 1] ?? '', weekday: weekdays[language][weekday] ?? '' }
}

/** A day without its year: `Nov 16`, in Spanish `16 nov`. For the ends of an axis. */
export function formatShortDay(day: string, language: Language = 'en'): string {
  const { month, date } = partsOf(day, language)
  return language === 'en' ? `${month} ${date}` : `${date} ${month}`
}

/** A calendar day as people read it: `2026-11-16` is `Nov 16, 2026`, in Spanish `16 nov 2026`. */
export const formatDay = (day: string, language: Language = 'en'): string =>
  `${formatShortDay(day, language)}${language === 'en' ? ',' : ''} ${partsOf(day, language).year}`

/** A month such as `2026-11` as people read it: `Nov 2026`. */
export function formatMonth(month: string, language: Language = 'en'): string {
  const { month: name, year } = partsOf(`${month}-01`, language)
  return `${name} ${year}`
}

/** The days from one to another: `Nov 16, 2026 – Nov 22, 2026`, or one day alone. */
export const formatDays = (from: string, to: string, language: Language = 'en'): string =>
  from === to ? formatDay(from, language) : `${formatDay(from, language)} – ${formatDay(to, language)}`

/** A calendar day of a plan: `Mon, Nov 16`, in Spanish `lun, 16 nov`. */
export const formatWeekday = (day: string, language: Language = 'en'): string =>
  `${partsOf(day, language).weekday}, ${formatShortDay(day, language)}`

/** A day of the week, Monday is 1: `Mon`, in Spanish `lun`. */
export const weekdayName = (weekday: number, language: Language = 'en'): string => weekdays[language][weekday % 7] ?? ''

/** A calendar day with its weekday and year: `Mon, Nov 16, 2026`. For papers and mails, which are kept. */
export const formatFullDay = (day: string, language: Language = 'en'): string =>
  `${partsOf(day, language).weekday}, ${formatDay(day, language)}`

const halves: Record<Language, readonly [morning: string, afternoon: string]> = {
  en: ['AM', 'PM'],
  es: ['a. m.', 'p. m.'],
}

/** A time of day as people read it: `20:00` is `8:00 PM`. */
export function formatClock(clock: string, language: Language = 'en', style: ClockStyle = ownStyle): string {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  const minutes = String(minute).padStart(2, '0')
  if (style === '24h') return `${String(hour).padStart(2, '0')}:${minutes}`
  return `${hour % 12 || 12}:${minutes} ${halves[language][hour < 12 ? 0 : 1]}`
}

/** A time where there is little room: `8p`, `8:30p`, on a 24-hour clock `20` and `20:30`. */
export const formatHour = (clock: string, style: ClockStyle = ownStyle): string => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`
  if (style === '24h') return `${String(hour).padStart(2, '0')}${minutes}`
  return `${hour % 12 || 12}${minutes}${hour < 12 ? 'a' : 'p'}`
}

const HALF = / (?:AM|PM|[ap]\. m\.)$/
const joinTimes = (from: string, to: string): string => {
  const half = HALF.exec(from)?.[0]
  return `${half !== undefined && to.endsWith(half) ? from.replace(HALF, '') : from}–${to}`
}

/** Hours of a plan: `8:00 PM–4:00 AM`. A half of the day that both have is said once: `5:00–7:00 PM`. */
export const formatClocks = (
  { start, end }: { start: string; end: string },
  language: Language = 'en',
  style: ClockStyle = ownStyle,
): string => joinTimes(formatClock(start, language, style), formatClock(end, language, style))

/** The same where there is little room: `8p–4a`, `8:30a–4p`; a 24-hour clock is short as it is. */
export function formatShortClocks(
  { start, end }: { start: string; end: string },
  style: ClockStyle = ownStyle,
): string {
  if (style === '24h') return formatClocks({ start, end }, 'en', style)
  return `${formatHour(start, style)}–${formatHour(end, style)}`
}

/** A duration as people read it: `450` minutes are `7 h 30 min`. */
export function formatMinutes(minutes: number): string {
  const whole = Math.round(minutes)
  const [hours, rest] = [Math.floor(whole / 60), whole % 60]
  if (rest === 0) return `${hours} h`
  return hours === 0 ? `${rest} min` : `${hours} h ${rest} min`
}

// Making a format is slow, and a list has the same few zones in every row.
const cached = (make: (zone: string) => Intl.DateTimeFormat) => {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (zone: string): Intl.DateTimeFormat => {
    const format = formats.get(zone) ?? make(zone)
    formats.set(zone, format)
    return format
  }
}
// Swedish dates are `2026-07-01 20:00:00`.
const stampFormat = cached(
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
)
const zoneFormat = cached((timeZone) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }))

export type Instant = string | number | Date

/** When a record was written or an event logged, as the specification has it: `2026-11-16 20:00:00`. */
export const timestamp = (at: Instant, zone: string): string => stampFormat(zone).format(new Date(at))

const dayAt = (at: Instant, zone: string): string => timestamp(at, zone).slice(0, 10)

/** The time of day in a zone at an instant, as calls and inputs have it: `20:00`. */
export const clockAt = (at: Instant, zone: string): string => timestamp(at, zone).slice(11, 16)

/** The time zone of this browser, such as America/Chicago, for what belongs to no market. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The short name of a zone at an instant: `CST`, and `CDT` in summer. */
export const zoneName = (zone: string, at: Instant = Date.now()): string =>
  zoneFormat(zone)
    .formatToParts(new Date(at))
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone

/** An instant as `8:00 PM`, where its zone is said elsewhere. */
export const formatTimeOnly = (
  at: Instant,
  zone: string,
  language: Language = 'en',
  style: ClockStyle = ownStyle,
): string => formatClock(clockAt(at, zone), language, style)

/** An instant as `8:00 PM CST`. */
export const formatTime = (
  at: Instant,
  zone: string,
  language: Language = 'en',
  style: ClockStyle = ownStyle,
): string => `${formatTimeOnly(at, zone, language, style)} ${zoneName(zone, at)}`

/** From one instant to another, where the zone is said elsewhere: `5:02–6:48 PM`. */
export const formatTimes = (
  from: Instant,
  to: Instant,
  zone: string,
  language: Language = 'en',
  style: ClockStyle = ownStyle,
): string => formatClocks({ start: clockAt(from, zone), end: clockAt(to, zone) }, language, style)

/** From one instant to another, with the zone: `8:00 PM–4:00 AM CST`. */
export const formatZonedTimes = (
  from: Instant,
  to: Instant,
  zone: string,
  language: Language = 'en',
  style: ClockStyle = ownStyle,
): string => `${formatTimes(from, to, zone, language, style)} ${zoneName(zone, from)}`

/** An instant in a zone as people read it: `Mon, Nov 16, 6:00 AM CST`. */
export const formatMoment = (
  at: Instant,
  zone: string,
  language: Language = 'en',
  style: ClockStyle = ownStyle,
): string => `${formatWeekday(dayAt(at, zone), language)}, ${formatTime(at, zone, language, style)}`

/** An instant with its year: `Nov 16, 2026, 8:00 PM CST`. */
export const formatDateTime = (
  at: Instant,
  zone: string,
  language: Language = 'en',
  style: ClockStyle = ownStyle,
): string => `${formatDay(dayAt(at, zone), language)}, ${formatTime(at, zone, language, style)}`
