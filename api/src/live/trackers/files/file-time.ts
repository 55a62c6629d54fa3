import { instantOfClock } from '../../../platform/spreadsheet/local-time.ts'
import { timeOf } from '../../telemetry/index.ts'

const LOCAL = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?$/
/** As American programs write it: `11/18/2026 3:05:10 PM`. */
const AMERICAN = /^(\d\d?)\/(\d\d?)\/(\d{4}|\d\d),? +(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)? ?([ap])?\.?m?\.?$/i

const two = (text: string) => text.padStart(2, '0')

function isoOf(text: string): string | undefined {
  const iso = LOCAL.exec(text)
  if (iso) {
    const [, year = '', month = '', day = '', hour = '', minute = '', second = '00'] = iso
    return `${year}-${month}-${day}T${two(hour)}:${minute}:${second}`
  }
  const american = AMERICAN.exec(text)
  if (!american) return undefined
  const [, month = '', day = '', year = '', hour = '', minute = '', second = '00', half] = american
  const of12 = Number(hour) % 12
  const hours = half === undefined ? Number(hour) : half.toLowerCase() === 'p' ? of12 + 12 : of12
  if (hours > 23) return undefined
  return `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)}T${two(String(hours))}:${minute}:${second}`
}

/** The milliseconds since 1970 of a time in a file: with its own zone, or on the clocks of the given one. */
export function fileTimeOf(value: unknown, zone: string): number | undefined {
  const iso = typeof value === 'string' && value.length <= 40 ? isoOf(value.trim()) : undefined
  if (iso === undefined) return timeOf(value)
  // A fraction of a second counts where the clock is UTC; on the clocks of other zones seconds are whole.
  return zone === 'UTC' ? (timeOf(value) ?? timeOf(iso)) : (instantOfClock(iso, zone) ?? undefined)
}
