import { DAY_MS } from '../platform/durations.ts'

/**
 * The hours of a shift: a local day, start and end in its market's zone. An end that is not after the start is on the
 * next day. Pure, so that screen, server and upload agree; the database checks the result once more.
 */
export interface ShiftHours {
  date: string
  /** `08:00` */
  start: string
  end: string
  zone: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(zone, made)
  return made
}

/** The wall-clock time of the zone at an instant, as if it were UTC. */
function wallOf(at: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(at)
  const get = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'))
}

// Intl is slow and a schedule needs the same offsets thousands of times; offsets change on few days of a year.
const offsets = new Map<string, [before: number, after: number]>()

/** The offsets from UTC the day before and two days after a day: equal on all but a few days of a year. */
function offsetsAround(day: number, zone: string): [before: number, after: number] {
  const key = `${zone} ${day}`
  const known = offsets.get(key)
  if (known) return known
  const at = (instant: number) => wallOf(instant, zone) - instant
  const found: [number, number] = [at(day - DAY_MS), at(day + 2 * DAY_MS)]
  if (offsets.size > 50_000) offsets.clear()
  offsets.set(key, found)
  return found
}

/**
 * The instant at which a zone's clocks show a time. Undefined where they skip it when going forward; where they show
 * it twice when going back, the first one.
 */
function instantOf(wall: number, zone: string): number | undefined {
  const [before, after] = offsetsAround(Math.floor(wall / DAY_MS) * DAY_MS, zone)
  if (before === after) return wall - before
  return [wall - before, wall - after].toSorted((a, b) => a - b).find((at) => wallOf(at, zone) === wall)
}

const wallAt = (date: string, time: string) => Date.parse(`${date}T${time}:00Z`)

/** The instant at which a zone's clocks show a day and a time; undefined where they skip it. */
export const instantAt = (date: string, time: string, zone: string): number | undefined =>
  instantOf(wallAt(date, time), zone)

export interface ShiftRange {
  /** In milliseconds since 1970; undefined where clocks skip that time. */
  startsAt: number | undefined
  endsAt: number | undefined
}

/** When a shift starts and ends. */
export function shiftRange({ date, start, end, zone }: ShiftHours): ShiftRange {
  const endWall = wallAt(date, end) + (end <= start ? DAY_MS : 0)
  return { startsAt: instantOf(wallAt(date, start), zone), endsAt: instantOf(endWall, zone) }
}

/** Adds days to a local day: `2026-02-28` and 1 give `2026-03-01`. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The day of the week of a local day, Monday is 1. */
export const weekdayOf = (date: string): number => ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1

/** The Monday of a day's workweek: weeks start on Mondays everywhere in this product. */
export const workweekOf = (date: string): string => addDays(date, 1 - weekdayOf(date))

/** The minutes of a shift that count as worked: the actual ones once they are known, the planned ones until then. */
export const countedMinutes = (shift: { plannedMinutes: number; actualMinutes: number | null }): number =>
  shift.actualMinutes ?? shift.plannedMinutes

/** The number of days from one local day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)

/** The local day in a zone at an instant. */
export const localDay = (zone: string, at: number = Date.now()): string =>
  new Date(wallOf(at, zone)).toISOString().slice(0, 10)

/** How many minutes the clocks of a zone are ahead of UTC at an instant. */
export const zoneOffsetMinutes = (zone: string, at: number): number =>
  (wallOf(at, zone) - Math.floor(at / 60_000) * 60_000) / 60_000

/** The hour from 0 to 23 that the clocks of a zone show at an instant. */
export const localHour = (zone: string, at: number): number => new Date(wallOf(at, zone)).getUTCHours()
