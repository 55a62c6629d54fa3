// Days and times as people type them. Inputs, uploads and the OLD tables read by these rules. This file has no schemas,
// so that a page can use it without loading zod.
import { DAY_MS } from './durations.ts'
import { formatDay } from './dates.ts'

/** What was understood, or a sentence about why it was not. */
export type Reading<T> = { value: T } | { problem: string }

const refuse = (problem: string) => ({ problem })

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const A_DAY = 'Must be a date such as 7/4/2026 (month/day/year) or 2026-07-04.'

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10)
const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const weekdayOf = (day: string) => new Date(startOf(day)).getUTCDay()

/** A calendar day, or the reason why it does not exist. */
function dayOf(year: number, month: number, date: number): Reading<string> {
  if (month < 1 || month > 12) return refuse(`Month ${month} does not exist. Dates are read as month/day/year.`)
  const at = new Date(Date.UTC(year, month - 1, date))
  if (date < 1 || at.getUTCMonth() !== month - 1) return refuse('This day does not exist in this month.')
  if (year < 1970 || year > 2199) return refuse('Must be between 1970 and 2199.')
  return { value: toDay(at.getTime()) }
}

/** The day without a year that is nearest to today: `1/5` typed in November is in the coming January. */
function nearestDay(month: number, date: number, today: string): Reading<string> {
  const year = Number(today.slice(0, 4))
  const found = [year, year - 1, year + 1].map((each) => dayOf(each, month, date))
  const days = found.flatMap((each) => ('value' in each ? [each.value] : []))
  const distance = (day: string) => Math.abs(startOf(day) - startOf(today))
  const [nearest] = days.toSorted((a, b) => distance(a) - distance(b))
  return nearest === undefined ? (found[0] ?? refuse(A_DAY)) : { value: nearest }
}

const yearOf = (digits: string) => Number(digits) + (digits.length === 2 ? 2000 : 0)
const monthOf = (word: string) => MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1

const MONTH_NAME =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const NTH = '(\\d{1,2})(?:st|nd|rd|th)?'
const YEAR = '(?:,?[ -]|,)(\\d{2}|\\d{4})'
const spelled = (pattern: string) => new RegExp(`^${pattern}$`, 'i')

/** The ways in which people write a date with its year. */
const DATES: [RegExp, (groups: string[]) => Reading<string>][] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, ([y = '', m, d]) => dayOf(yearOf(y), Number(m), Number(d))],
  [/^(\d{4})(\d{2})(\d{2})$/, ([y = '', m, d]) => dayOf(yearOf(y), Number(m), Number(d))],
  [/^(\d{1,2})[-/](\d{1,2})[-/](\d{2}|\d{4})$/, ([m, d, y = '']) => dayOf(yearOf(y), Number(m), Number(d))],
  [spelled(`${MONTH_NAME}\\.?[ -]?${NTH}${YEAR}`), ([m = '', d, y = '']) => dayOf(yearOf(y), monthOf(m), Number(d))],
  [
    spelled(`${NTH}[ -]?${MONTH_NAME}(?:\\.?,?[ -]?)(\\d{2}|\\d{4})`),
    ([d, m = '', y = '']) => dayOf(yearOf(y), monthOf(m), Number(d)),
  ],
]

/** The ways to write a date without its year. */
const YEARLESS: [RegExp, (groups: string[]) => [month: number, date: number]][] = [
  [/^(\d{1,2})[-/](\d{1,2})\/?$/, ([m, d]) => [Number(m), Number(d)]],
  [spelled(`${MONTH_NAME}\\.?[ -]?${NTH}`), ([m = '', d]) => [monthOf(m), Number(d)]],
  [spelled(`${NTH}[ -]?${MONTH_NAME}\\.?`), ([d, m = '']) => [monthOf(m), Number(d)]],
]

const WEEKDAY = /^(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?\.?,?(?:\s+|$)/i
const WORDS: Record<string, number> = { today: 0, tomorrow: 1, yesterday: -1 }

const isWeekday = (day: string, typed: string) =>
  WEEKDAYS[weekdayOf(day)]?.toLowerCase().startsWith(typed.slice(0, 3).toLowerCase()) === true

/** The next such weekday, today included. */
const comingWeekday = (typed: string, today: string) =>
  [0, 1, 2, 3, 4, 5, 6].map((days) => toDay(startOf(today) + days * DAY_MS)).find((day) => isWeekday(day, typed)) ??
  today

function readDateOnly(date: string, today: string | undefined): Reading<string> {
  for (const [pattern, read] of DATES) {
    const groups = pattern.exec(date)
    if (groups) return read(groups.slice(1))
  }
  if (today === undefined) return refuse(A_DAY)
  for (const [pattern, read] of YEARLESS) {
    const groups = pattern.exec(date)
    if (groups) return nearestDay(...read(groups.slice(1)), today)
  }
  const days = WORDS[date.toLowerCase()]
  return days === undefined ? refuse(A_DAY) : { value: toDay(startOf(today) + days * DAY_MS) }
}

/**
 * Reads a day as people write it. The month always comes before the day. Days without a year, and words such as
 * tomorrow, need to know which day it is; a file that is read next year must not change its meaning, so it gives none.
 */
export function readDay(typed: string, today?: string): Reading<string> {
  const text = typed.trim().replace(/\s+/g, ' ')
  const weekday = WEEKDAY.exec(text)?.[1]
  const date = text.replace(WEEKDAY, '').replace(/ ?\/ ?/g, '/')
  if (weekday !== undefined && date === '' && today !== undefined) return { value: comingWeekday(weekday, today) }
  const found = readDateOnly(date, today)
  if ('problem' in found || weekday === undefined || isWeekday(found.value, weekday)) return found
  return refuse(`${formatDay(found.value)} is a ${WEEKDAYS[weekdayOf(found.value)]}.`)
}

/** The words of a search, and the day among them as people write it: `t-4 nov 18`, `tomorrow dana`. */
export function findDay(search: string, today: string): { words: string[]; day?: string } {
  const words = search.split(/\s+/).filter(Boolean)
  for (let length = Math.min(words.length, MOST_DAY_WORDS); length > 0; length--) {
    for (let at = 0; at + length <= words.length; at++) {
      const read = readDay(words.slice(at, at + length).join(' '), today)
      if ('value' in read) return { words: words.toSpliced(at, length), day: read.value }
    }
  }
  return { words }
}

// Wed, Nov 18 2026
const MOST_DAY_WORDS = 4

const A_TIME = 'Must be a time such as 8am, 8:00 PM or 08:00.'
const NO_TIME = 'This time does not exist.'
const two = (number: number) => String(number).padStart(2, '0')

function clockOf(hour: number, minute: number, half?: string): Reading<string> {
  if (minute > 59 || hour > (half ? 12 : 24) || (half && hour === 0)) return refuse(NO_TIME)
  if (hour === 24 && minute > 0) return refuse(NO_TIME)
  const hours = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour % 24
  return { value: `${two(hours)}:${two(minute)}` }
}

const TIMES: [RegExp, (groups: string[]) => Reading<string>][] = [
  [/^noon$/i, () => clockOf(12, 0)],
  [/^midnight$/i, () => clockOf(0, 0)],
  // 8am, 8:30 p.m., 8:30:00 PM, 8p, 830pm
  [
    /^(\d{1,2})(?:[:.]?(\d{2}))?(?::00)? ?([ap])\.?(?: ?m\.?)?$/i,
    ([h, m = '0', half]) => clockOf(Number(h), Number(m), half),
  ],
  // 08:00, 8:00, 08:00:00, 8h00
  [/^(\d{1,2})[:h.](\d{2})(?::00(?:\.0+)?)?$/i, ([h, m]) => clockOf(Number(h), Number(m))],
  // 0800, and 800 where a spreadsheet dropped the zero
  [/^(\d{1,2})(\d{2})(?: ?(?:h|hrs|hours))?$/i, ([h, m]) => clockOf(Number(h), Number(m))],
  [/^\d{1,2}:\d{2}:\d{2}$/, () => refuse('Must be a whole minute.')],
]

/** Whether an hour without AM or PM, such as `8`, is read by the 24-hour clock or refused. */
interface ClockReading {
  isBareHourRead?: boolean
}

/** Reads a time of day as people write it: `20:00`. Without AM or PM it is a 24-hour time. */
export function readClock(typed: string, { isBareHourRead = false }: ClockReading = {}): Reading<string> {
  const text = typed.trim().replace(/\s+/g, ' ')
  if (/^\d{1,2}$/.test(text))
    return isBareHourRead ? clockOf(Number(text), 0) : refuse('Is this AM or PM? Write 8am, 8pm or 08:00.')
  for (const [pattern, read] of TIMES) {
    const groups = pattern.exec(text)
    if (groups) return read(groups.slice(1))
  }
  return refuse(A_TIME)
}

const DAY_AND_TIME =
  /^(.+?)(?:,? at |[ T,]+)((?:\d{1,2}(?:[:.]?\d{2})?(?::\d{2})? ?(?:[ap]\.?(?: ?m\.?)?)?|noon|midnight))$/i

/** Reads a day with a time of day: `11/18 8:30 pm`, `Nov 18, 2026, 8p`. */
export function readDayTime(typed: string, today?: string): Reading<{ day: string; clock: string }> {
  const [, dayText = '', clockText = ''] = DAY_AND_TIME.exec(typed.trim().replace(/\s+/g, ' ')) ?? []
  if (dayText === '') return refuse('Must be a date and a time such as 7/4/2026 8:00 PM.')
  const [day, clock] = [readDay(dayText, today), readClock(clockText, { isBareHourRead: true })]
  if ('problem' in day) return day
  return 'problem' in clock ? clock : { value: { day: day.value, clock: clock.value } }
}

/** Hours of the day: from 17 to 20 is 5 to 8 PM. The end may lie before the start, after midnight. */
export interface Hours {
  from: number
  to: number
}

const HOURS = /^(.+?) ?(?:-|–|—| to | until ) ?(.+)$/i
const SOME_HOURS = 'Must be hours such as 5–8 PM or 17–20.'
const HALF_OF_DAY = /[ap]\.?(?: ?m\.?)?$/i

/** The full hour of a typed time. */
function readHour(typed: string): Reading<number> {
  const clock = readClock(typed, { isBareHourRead: true })
  if ('problem' in clock) return refuse(SOME_HOURS)
  const [hour = 0, minute = 0] = clock.value.split(':').map(Number)
  return minute === 0 ? { value: hour } : refuse('Must be full hours.')
}

/** Reads hours of the day: `5-8 PM`, `5 PM to 8 PM`, `17–20`, and `6 PM` for one hour. */
export function readHours(typed: string): Reading<Hours> {
  const text = typed.trim().replace(/\s+/g, ' ')
  const [, start, end] = HOURS.exec(text) ?? []
  if (start === undefined || end === undefined) {
    const one = readHour(text)
    return 'problem' in one ? one : { value: { from: one.value, to: one.value + 1 } }
  }
  const half = HALF_OF_DAY.exec(end)?.[0]
  const ends = readHour(end)
  const starts = readHour(start)
  if ('problem' in ends) return ends
  if ('problem' in starts) return starts
  // `5-8 PM` is the afternoon on both sides, and `11-2 PM` begins in the morning.
  const isBare = half !== undefined && /^\d{1,2}(?::00)?$/.test(start)
  const sameHalf = isBare ? readHour(`${start} ${half}`) : starts
  const to = ends.value === 0 ? 24 : ends.value
  const isEarlier = 'value' in sameHalf && sameHalf.value < to
  const from = isBare && isEarlier ? sameHalf.value : starts.value
  return from === to ? refuse('The end must not be the start.') : { value: { from, to } }
}
