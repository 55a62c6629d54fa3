import { readClock, type PayOption, type Reading } from '@roadshow/contract'
import { readDate } from '../../../platform/imports/index.ts'

const unreadable = (problem: string) => ({ problem })

export interface CellTime {
  /** `08:00` */
  clock: string
  /** Present if the cell also holds a day. */
  date?: string
}

// Spreadsheets store a time as a fraction of a day.
const FRACTION = /^(0?\.\d+)$/

function readFraction(part: number): Reading<string> {
  const minutes = Math.round(part * 1440)
  if (Math.abs(part * 1440 - minutes) > 0.05) return unreadable('Must be a whole minute.')
  const hour = Math.floor(minutes / 60)
  return readClock(`${hour}:${String(minutes % 60).padStart(2, '0')}`)
}

// Spreadsheets put a time without a date on the first day of their count.
const DAY_ZERO = /^(1899-12-3[01]|1900-01-00|1904-01-01)(?: |$)/
const WITH_DATE = /^(.*\d{4}|\d{1,2}[-/]\d{1,2}[-/]\d{2}|\d{4}-\d{2}-\d{2})[ T,]+(\d{1,2}[:.\s]?.*)$/

/** Reads a time of day of a spreadsheet. Without AM or PM it is a 24-hour time. */
export function readTime(text: string): Reading<CellTime> {
  const given = text.replace(/\s+/g, ' ')
  if (DAY_ZERO.test(given)) return readTime(given.replace(DAY_ZERO, '') || '00:00')
  const clock = FRACTION.test(given) ? readFraction(Number(given)) : readClock(given)
  if ('value' in clock) return { value: { clock: clock.value } }
  const [, day, time] = WITH_DATE.exec(given) ?? []
  if (day === undefined || time === undefined || 'problem' in readDate(day)) return clock
  const [date, found] = [readDate(day), readTime(time)]
  if ('problem' in date || 'problem' in found) return 'problem' in found ? found : clock
  return { value: { clock: found.value.clock, date: date.value } }
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
