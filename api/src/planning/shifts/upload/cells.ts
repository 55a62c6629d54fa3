import { addDays, formatDay, type PayOption } from '@roadshow/contract'

/** The value of a cell, or the reason why it has none. */
export type Reading<T> = { value: T } | { problem: string }

const unreadable = (problem: string) => ({ problem })

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const A_DATE = 'Must be a date such as 7/4/2026 (month/day/year) or 2026-07-04.'

const yearOf = (digits: string) => Number(digits) + (digits.length === 2 ? 2000 : 0)
const monthOf = (word: string) => MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1

/** A calendar day, or the reason why it does not exist. */
function dayOf(year: number, month: number, date: number): Reading<string> {
  if (month < 1 || month > 12) return unreadable(`Month ${month} does not exist. Dates are read as month/day/year.`)
  const at = new Date(Date.UTC(year, month - 1, date))
  if (date < 1 || at.getUTCMonth() !== month - 1) return unreadable('This day does not exist in this month.')
  if (year < 1970 || year > 2199) return unreadable('Must be between 1970 and 2199.')
  return { value: at.toISOString().slice(0, 10) }
}

// Spreadsheets count days. These are January 1, 2000 and the end of 2099.
const [FIRST_SERIAL, LAST_SERIAL] = [36_526, 73_050]

const MONTH_NAME =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const spelled = (pattern: string) => new RegExp(`^${pattern.replace('MONTH', MONTH_NAME)}$`, 'i')

/** The ways in which people write a date. */
const DATES: [RegExp, (groups: string[]) => Reading<string>][] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, ([y = '', m, d]) => dayOf(yearOf(y), Number(m), Number(d))],
  [/^(\d{4})(\d{2})(\d{2})$/, ([y = '', m, d]) => dayOf(yearOf(y), Number(m), Number(d))],
  [/^(\d{1,2})[-/](\d{1,2})[-/](\d{2}|\d{4})$/, ([m, d, y = '']) => dayOf(yearOf(y), Number(m), Number(d))],
  [
    spelled('MONTH\\.?[ -](\\d{1,2})(?:st|nd|rd|th)?,?[ -](\\d{2}|\\d{4})'),
    ([m = '', d, y = '']) => dayOf(yearOf(y), monthOf(m), Number(d)),
  ],
  [
    spelled('(\\d{1,2})(?:st|nd|rd|th)?[ -]MONTH\\.?,?[ -](\\d{2}|\\d{4})'),
    ([d, m = '', y = '']) => dayOf(yearOf(y), monthOf(m), Number(d)),
  ],
  [
    /^(\d{5})(?:\.0+)?$/,
    ([serial]) =>
      Number(serial) >= FIRST_SERIAL && Number(serial) <= LAST_SERIAL
        ? { value: addDays('1899-12-30', Number(serial)) }
        : unreadable(A_DATE),
  ],
]
const WEEKDAY = /^(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?\.?,?\s+/i
const NO_TIME = /[ T]0{1,2}:00(:00(\.0+)?)?( ?am)?Z?$/i

/** Reads a day as people write it. The month always comes before the day. */
export function readDate(text: string): Reading<string> {
  const weekday = WEEKDAY.exec(text)?.[1]
  const date = text.replace(WEEKDAY, '').replace(NO_TIME, '').replace(/\s+/g, ' ')
  for (const [pattern, read] of DATES) {
    const groups = pattern.exec(date)
    if (!groups) continue
    const found = read(groups.slice(1))
    return 'value' in found && weekday !== undefined ? onWeekday(found.value, weekday) : found
  }
  return unreadable(A_DATE)
}

function onWeekday(date: string, weekday: string): Reading<string> {
  const name = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''
  if (name.toLowerCase().startsWith(weekday.slice(0, 3).toLowerCase())) return { value: date }
  return unreadable(`${formatDay(date)} is a ${name}.`)
}

export interface CellTime {
  /** `08:00` */
  clock: string
  /** Present if the cell also holds a day. */
  date?: string
}

const A_TIME = 'Must be a time such as 8am, 8:00 PM or 08:00.'
const two = (number: number) => String(number).padStart(2, '0')

function clockOf(hour: number, minute: number, half?: string): Reading<CellTime> {
  if (minute > 59 || hour > (half ? 12 : 24) || (half && hour === 0)) return unreadable('This time does not exist.')
  if (hour === 24 && minute > 0) return unreadable('This time does not exist.')
  const hours = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour % 24
  return { value: { clock: `${two(hours)}:${two(minute)}` } }
}

const TIMES: [RegExp, (groups: string[]) => Reading<CellTime>][] = [
  [/^noon$/i, () => clockOf(12, 0)],
  [/^midnight$/i, () => clockOf(0, 0)],
  // 8am, 8:30 p.m., 8:30:00 PM, 8p
  [
    /^(\d{1,2})(?:[:.]?(\d{2}))?(?::00)? ?([ap])\.?(?:m\.?)?$/i,
    ([h, m = '0', half]) => clockOf(Number(h), Number(m), half),
  ],
  // 08:00, 8:00, 08:00:00, 8h00
  [/^(\d{1,2})[:h](\d{2})(?::00(?:\.0+)?)?$/i, ([h, m]) => clockOf(Number(h), Number(m))],
  // 0800, and 800 where a spreadsheet dropped the zero
  [/^(\d{1,2})(\d{2})(?: ?(?:h|hrs|hours))?$/i, ([h, m]) => clockOf(Number(h), Number(m))],
  [/^\d{1,2}$/, () => unreadable('Is this AM or PM? Write 8am, 8pm or 08:00.')],
  [/^\d{1,2}:\d{2}:\d{2}$/, () => unreadable('Must be a whole minute.')],
  // Spreadsheets store a time as a fraction of a day.
  [/^(0?\.\d+)$/, ([part]) => fraction(Number(part))],
]

function fraction(part: number): Reading<CellTime> {
  const minutes = Math.round(part * 1440)
  if (Math.abs(part * 1440 - minutes) > 0.05) return unreadable('Must be a whole minute.')
  return clockOf(Math.floor(minutes / 60), minutes % 60)
}

// Spreadsheets put a time without a date on the first day of their count.
const DAY_ZERO = /^(1899-12-3[01]|1900-01-00|1904-01-01)(?: |$)/
const WITH_DATE = /^(.*\d{4}|\d{1,2}[-/]\d{1,2}[-/]\d{2}|\d{4}-\d{2}-\d{2})[ T,]+(\d{1,2}[:.\s]?.*)$/

/** Reads a time of day as people write it. Without am or pm it is a 24-hour time. */
export function readTime(text: string): Reading<CellTime> {
  const given = text.replace(/\s+/g, ' ')
  if (DAY_ZERO.test(given)) return readTime(given.replace(DAY_ZERO, '') || '00:00')
  for (const [pattern, read] of TIMES) {
    const groups = pattern.exec(given)
    if (groups) return read(groups.slice(1))
  }
  const [, day, clock] = WITH_DATE.exec(given) ?? []
  if (day === undefined || clock === undefined) return unreadable(A_TIME)
  const [date, time] = [readDate(day), readTime(clock)]
  if ('problem' in date) return unreadable(A_TIME)
  return 'problem' in time ? time : { value: { clock: time.value.clock, date: date.value } }
}

const PAY: Record<PayOption, RegExp> = {
  halfDay: /^(half ?-?day|half|½ ?day|1\/2 day)$/i,
  eightHours: /^(eight|8)( ?-?(hours?|hrs?|h))?( ?-?day)?$/i,
  twelveHours: /^(twelve|12)( ?-?(hours?|hrs?|h))?( ?-?day)?$/i,
}

export function readPayOption(text: string): Reading<PayOption> {
  const found = (Object.keys(PAY) as PayOption[]).find((option) => option === text || PAY[option].test(text))
  return found ? { value: found } : unreadable('Must be Half day, 8-hour day or 12-hour day.')
}
