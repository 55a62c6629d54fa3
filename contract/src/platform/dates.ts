import type { Language } from './languages.ts'

// Days and times in words. This file has no schemas, so that a page can use it without loading zod.

const months: Record<Language, readonly string[]> = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  es: ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'],
}

/** A calendar day as people read it: `2026-11-16` is `Nov 16, 2026`, in Spanish `16 nov 2026`. */
export function formatDay(day: string, language: Language = 'en'): string {
  const [year, month, date] = day.split('-').map(Number)
  const name = months[language][(month ?? 1) - 1]
  return language === 'en' ? `${name} ${date}, ${year}` : `${date} ${name} ${year}`
}

/** The days from one to another: `Nov 16, 2026 – Nov 22, 2026`, or one day alone. */
export const formatDays = (from: string, to: string, language: Language = 'en'): string =>
  from === to ? formatDay(from, language) : `${formatDay(from, language)} – ${formatDay(to, language)}`

const halves: Record<Language, readonly [morning: string, afternoon: string]> = {
  en: ['AM', 'PM'],
  es: ['a. m.', 'p. m.'],
}

/** A time of day as people read it: `20:00` is `8:00 PM`. */
export function formatClock(clock: string, language: Language = 'en'): string {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${halves[language][hour < 12 ? 0 : 1]}`
}

/** A duration as people read it: `450` minutes are `7 h 30 min`. */
export function formatMinutes(minutes: number): string {
  const whole = Math.round(minutes)
  const [hours, rest] = [Math.floor(whole / 60), whole % 60]
  if (rest === 0) return `${hours} h`
  return hours === 0 ? `${rest} min` : `${hours} h ${rest} min`
}

const locales: Record<Language, string> = { en: 'en-US', es: 'es-US' }
const formats = new Map<string, Intl.DateTimeFormat>()

/** A format of Intl, made once for each language, zone and options. */
export function formatIn(language: Language, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, zone, options])
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locales[language], { timeZone: zone, ...options })
  formats.set(key, made)
  return made
}

/**
 * Dates and times of Intl in one spelling. Versions of it differ in the space before AM and PM, and in Spanish between
 * `8:00 p.m.` and `8:00 p. m.`, `18 de nov` and `18 nov`.
 */
export const plainDate = (text: string, language: Language): string => {
  const spaced = text.replaceAll(/[\u202f\u00a0]/g, ' ')
  if (language === 'en') return spaced
  return spaced.replaceAll(' de ', ' ').replaceAll(/\b([ap])\.\s?m\./g, '$1. m.')
}

/** A calendar day with its weekday and year: `Mon, Nov 16, 2026`. */
export const formatWeekday = (day: string, language: Language = 'en'): string =>
  plainDate(
    formatIn(language, 'UTC', { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' }).format(
      new Date(`${day}T12:00:00Z`),
    ),
    language,
  )

/** An instant in a zone as people read it: `Mon, Nov 16, 6:00 AM CST`. */
export const formatMoment = (at: string | number, zone: string, language: Language = 'en'): string =>
  plainDate(
    formatIn(language, zone, {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    }).format(new Date(at)),
    language,
  )
