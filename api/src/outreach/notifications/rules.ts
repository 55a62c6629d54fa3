import { addDays, instantAt, localDay } from '@roadshow/contract'
import type { ReachableHours } from './settings.ts'

type QuietHours = Pick<ReachableHours, 'zone' | 'quietHours' | 'urgentPasses'>

const MINUTE = 60_000
const GB = 1024 ** 3
/** Clocks skip at most this much when they go forward, in any zone of the country. */
const LONGEST_SKIP_MS = 2 * 60 * MINUTE

/** The first instant of a local day at which clocks show a time, or the next one that they do show. */
function firstInstant(day: string, clock: string, zone: string): number {
  const at = instantAt(day, clock, zone)
  if (at !== undefined) return at
  // Skipped by clocks that go forward: the moment of the change stands in for it.
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  for (let later = hour * 60 + minute; later < 24 * 60; later++) {
    const text = `${String(Math.floor(later / 60)).padStart(2, '0')}:${String(later % 60).padStart(2, '0')}`
    const found = instantAt(day, text, zone)
    if (found !== undefined) return found
  }
  return Date.parse(`${day}T${clock}:00Z`) + LONGEST_SKIP_MS
}

/** When a message that is due now may be sent: now, or at the end of the reader's quiet hours. */
export function sendTime(now: number, { zone, quietHours, urgentPasses }: QuietHours, isUrgent: boolean): number {
  if (quietHours === null || (isUrgent && urgentPasses)) return now
  const { from, to } = quietHours
  const today = localDay(zone, now)
  // Quiet hours that hold now began today or yesterday; those over midnight end on the day after.
  for (const day of [addDays(today, -1), today]) {
    const begins = firstInstant(day, from, zone)
    const ends = firstInstant(to > from ? day : addDays(day, 1), to, zone)
    if (begins <= now && now < ends) return ends
  }
  return now
}

/** The latest moment up to now at which a digest was due. */
export function latestDigest(now: number, { zone, digestAt }: { zone: string; digestAt: string }): number {
  const today = localDay(zone, now)
  const due = firstInstant(today, digestAt, zone)
  return due <= now ? due : firstInstant(addDays(today, -1), digestAt, zone)
}

export interface AlertProgress {
  /** When people were notified first, and of the latest repeat. Milliseconds since 1970. */
  toldAt: number
  lastAt: number
  repeats: number
  isEscalated: boolean
  isAcknowledged: boolean
}

interface AlertTimes {
  /** Minutes; 0 for never. */
  repeatAfter: number
  escalateAfter: number
}

/** After this many repeats an alert is only in the list. */
const MOST_REPEATS = 3

/** What is due for an open alert: telling its readers again, telling those it escalates to, or both. */
export function dueForAlert(
  { toldAt, lastAt, repeats, isEscalated, isAcknowledged }: AlertProgress,
  { repeatAfter, escalateAfter }: AlertTimes,
  now: number,
): { repeat: boolean; escalate: boolean } {
  if (isAcknowledged) return { repeat: false, escalate: false }
  return {
    repeat: repeatAfter > 0 && repeats < MOST_REPEATS && now - lastAt >= repeatAfter * MINUTE,
    escalate: escalateAfter > 0 && !isEscalated && now - toldAt >= escalateAfter * MINUTE,
  }
}

export interface Space {
  free: number
  total: number
}

/** Whether a disk fills up: little is left in bytes and in proportion. Once said, it holds until there is clearly more. */
export function isFillingUp({ free, total }: Space, isKnown: boolean): boolean {
  const margin = isKnown ? 1.25 : 1
  return free < 2 * GB * margin || (free < 20 * GB * margin && free < 0.1 * margin * total)
}
