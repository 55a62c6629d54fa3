import type { Language } from '@roadshow/contract/live/driver-app'

const locales: Record<Language, string> = { en: 'en-US', es: 'es-US' }

const formats = new Map<string, Intl.DateTimeFormat>()

function format(language: Language, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, zone, options])
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locales[language], { timeZone: zone, ...options })
  formats.set(key, made)
  return made
}

// Some versions of Intl separate the time from AM and PM by a narrow space.
const plain = (text: string) => text.replaceAll(/[\u202f\u00a0]/g, ' ')

const clock = { hour: 'numeric', minute: '2-digit' } as const
const calendar = { weekday: 'short', month: 'short', day: 'numeric' } as const

/** An instant as `8:00 PM`, or with its zone as `8:00 PM CST`. */
export const timeText = (at: string | number, zone: string, language: Language, isZoned = true): string =>
  plain(format(language, zone, { ...clock, ...(isZoned && { timeZoneName: 'short' }) }).format(new Date(at)))

/** An instant as `Mon, Nov 16`. */
export const dayText = (at: string | number, zone: string, language: Language): string =>
  plain(format(language, zone, calendar).format(new Date(at)))

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
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
