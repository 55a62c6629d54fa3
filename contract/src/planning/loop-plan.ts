import type { Loop } from './loop-lines.ts'
import { type Turn, turnsBetween } from './loop-rules.ts'
import { HOUR_MS, hourStart } from './loop-stretches.ts'

/** A clock hour of a plan, or the part of it that the screen runs, with the turns that begin in it. */
export interface PlannedHour {
  from: number
  to: number
  turns: readonly Turn[]
}

/** What a screen shows between two moments, hour by hour. */
export function plannedHours(loop: Loop, { from, to }: { from: number; to: number }): PlannedHour[] {
  const hours: { from: number; to: number; turns: Turn[] }[] = []
  for (let at = from; at < to; at = hourStart(loop, at) + HOUR_MS)
    hours.push({ from: at, to: Math.min(hourStart(loop, at) + HOUR_MS, to), turns: [] })
  let index = 0
  for (const turn of turnsBetween(loop, { from, to })) {
    while (index < hours.length - 1 && turn.startsAt >= (hours[index]?.to ?? Infinity)) index++
    hours[index]?.turns.push(turn)
  }
  return hours
}

/** What a line gets: its plays, and its part of the screen time. The rest of a loop is under null. */
export interface PlannedShare {
  plays: number
  ms: number
}

export function plannedShares(turns: Iterable<Turn>): Map<string | null, PlannedShare> {
  const shares = new Map<string | null, PlannedShare>()
  for (const { line, startsAt, endsAt } of turns) {
    const key = line?.uid ?? null
    const known = shares.get(key) ?? { plays: 0, ms: 0 }
    shares.set(key, { plays: known.plays + 1, ms: known.ms + endsAt - startsAt })
  }
  return shares
}
