import type { Language } from '@roadshow/contract/live/driver-app'
import { formatIn, formatMinutes, plainDate } from '@roadshow/contract/platform/dates'

const clock = { hour: 'numeric', minute: '2-digit' } as const
const calendar = { weekday: 'short', month: 'short', day: 'numeric' } as const

/** An instant as `8:00 PM`, or with its zone as `8:00 PM CST`. */
export const timeText = (at: string | number, zone: string, language: Language, isZoned = true): string =>
  plainDate(
    formatIn(language, zone, { ...clock, ...(isZoned && { timeZoneName: 'short' }) }).format(new Date(at)),
    language,
  )

/** An instant as `Mon, Nov 16`. */
export const dayText = (at: string | number, zone: string, language: Language): string =>
  plainDate(formatIn(language, zone, calendar).format(new Date(at)), language)

/** A calendar day (`2026-11-16`) as `Mon, Nov 16`. */
export const dateText = (day: string, language: Language): string => dayText(`${day}T12:00:00Z`, 'UTC', language)

/** An instant as `Mon, Nov 16, 8:00 PM CST`. */
export const momentText = (at: string | number, zone: string, language: Language): string =>
  `${dayText(at, zone, language)}, ${timeText(at, zone, language)}`

/** The zone of this phone, for what belongs to no shift. */
export const phoneZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A span as `1 h 5 min`. */
export function spanText(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  return minutes === 0 ? '0 min' : formatMinutes(minutes)
}
