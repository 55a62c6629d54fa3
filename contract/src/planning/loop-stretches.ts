import { bookedMsAnHour, isDaypartOn, isNearLine, type Loop, type LoopLine, minutesOf } from './loop-lines.ts'
import { zoneOffsetMinutes } from './shift-time.ts'

/** Decides how many turns each line has in a stretch of time. An hour is one stretch, or several where dayparts cut it. */

const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
const HOURS_A_DAY = 24
const MINUTES_A_WEEK = 7 * HOURS_A_DAY * 60
/** 1970 began on a Thursday, weeks begin on Mondays. */
const MINUTES_TO_MONDAY = 3 * HOURS_A_DAY * 60
/** Sums of fractions may miss a whole number by this much. */
const TINY = 1e-7

export interface LoopStretch {
  from: number
  to: number
  /** Whether a line is on, by line. */
  isOn: readonly boolean[]
  /** The turns of each line, by line. */
  counts: readonly number[]
  /** The time that is the rest's; what is too short for it prolongs the last turn of the stretch. */
  restMs: number
}

/** When the clock hour of a zone began at an instant. Nights on which clocks change have one hour more or less. */
export function hourStart({ zone }: Loop, at: number): number {
  const offset = zoneOffsetMinutes(zone, at) * MINUTE_MS
  return at - ((((at + offset) % HOUR_MS) + HOUR_MS) % HOUR_MS)
}

/** The plays that a line was promised and has not had: since the hour began, and since the hours are counted. */
interface Owed {
  inHour: number
  inDay: number
}

/**
 * The stretches of an hour as they are near an address. A line's plays of an hour are the whole numbers around what it is
 * promised; which of the two follows from the hours before in the same day by UTC, so that a day's plays are exact too.
 */
export function stretchesOfHour(loop: Loop, hour: number, addressUid: string | null): LoopStretch[] {
  const owed: Owed[] = loop.lines.map(() => ({ inHour: 0, inDay: 0 }))
  const since = Math.floor(hour / HOUR_MS) % HOURS_A_DAY
  let stretches: LoopStretch[] = []
  for (let ago = since; ago >= 0; ago--) {
    for (const each of owed) each.inHour = 0
    stretches = partsOfHour(loop, hour - ago * HOUR_MS, addressUid).map((part) => withCounts(loop, part, owed))
  }
  return stretches
}

type Part = Pick<LoopStretch, 'from' | 'to' | 'isOn'>

/** An hour, cut where dayparts begin and end. */
function partsOfHour(loop: Loop, hour: number, addressUid: string | null): Part[] {
  const { lines, zone } = loop
  const isNear = lines.map((line) => isNearLine(line, addressUid))
  const cuts = new Set([0])
  for (const { daypart } of lines) {
    if (daypart) for (const clock of [daypart.from, daypart.to]) cuts.add(minutesOf(clock) % 60)
  }
  const sorted = [...cuts].toSorted((one, other) => one - other)
  const first = lines.some(({ daypart }) => daypart) ? minuteOfWeek(zone, hour) : 0
  return sorted.map((minute, index) => ({
    from: hour + minute * MINUTE_MS,
    to: hour + (sorted[index + 1] ?? 60) * MINUTE_MS,
    isOn: lines.map(({ daypart }, line) => isNear[line] === true && (!daypart || isDaypartOn(daypart, first + minute))),
  }))
}

const minuteOfWeek = (zone: string, at: number): number =>
  (Math.floor(at / MINUTE_MS) + zoneOffsetMinutes(zone, at) + MINUTES_TO_MONDAY) % MINUTES_A_WEEK

/** The plays that each line is promised in a part of an hour, as fractions. Booked plays that do not fit are all cut alike. */
function promisedPlays({ lines }: Loop, { from, to, isOn }: Part): number[] {
  const weightOf = ({ share }: LoopLine) => ('weight' in share ? share.weight : 0)
  const sumOf = (amount: (line: LoopLine) => number) =>
    lines.reduce((sum, line, index) => sum + (isOn[index] ? amount(line) : 0), 0)
  const [bookedMs, weights] = [sumOf(bookedMsAnHour), sumOf(weightOf)]
  const cut = Math.min(1, HOUR_MS / bookedMs)
  const freeMs = Math.max(0, HOUR_MS - bookedMs)
  const hours = (to - from) / HOUR_MS
  return lines.map((line, index) => {
    if (!isOn[index]) return 0
    const { share, spotMs } = line
    if ('playsAnHour' in share) return share.playsAnHour * cut * hours
    return ((freeMs * share.weight) / weights / spotMs) * hours
  })
}

/** Decides the whole numbers: nobody gets more than fits, and what does not fill a turn goes to the lines that are owed most. */
function withCounts(loop: Loop, part: Part, owed: Owed[]): LoopStretch {
  const { lines } = loop
  const ms = part.to - part.from
  const promised = promisedPlays(loop, part)
  const counts = promised.map((plays, line) => Math.max(0, Math.floor(plays + (owed[line]?.inHour ?? 0) + TINY)))
  const left = new TimeLeft(lines, counts, ms)
  const owedTo = (line: number) => (promised[line] ?? 0) - (counts[line] ?? 0) + (owed[line]?.inDay ?? 0)
  const isFilled = lines.some(({ share }, line) => part.isOn[line] && 'weight' in share)
  const byDebt = lines
    .map((_, line) => line)
    .filter((line) => part.isOn[line])
    .toSorted((one, other) => owedTo(other) - owedTo(one))
  for (const line of byDebt.toReversed()) while (left.ms < 0 && (counts[line] ?? 0) > 0) left.change(line, -1)
  for (const line of byDebt) {
    const missing = (promised[line] ?? 0) + (owed[line]?.inHour ?? 0) - (counts[line] ?? 0)
    const isOwed = 'weight' in (lines[line]?.share ?? {}) ? missing > TINY : owedTo(line) >= 0.5 && missing > TINY
    if (isOwed && left.fits(line)) left.change(line, 1)
  }
  // A part that is too short for any spot is the turn of the line that is owed most.
  if (isFilled && counts.every((count) => count === 0)) left.change(byDebt[0] ?? 0, 1)
  for (const [line, debt] of owed.entries()) {
    const change = (promised[line] ?? 0) - (counts[line] ?? 0)
    debt.inHour += change
    debt.inDay += change
  }
  return { ...part, counts, restMs: isFilled ? 0 : left.ms }
}

/** The time of a part that no turn has yet. */
class TimeLeft {
  readonly #lines: readonly LoopLine[]
  readonly #counts: number[]
  ms: number

  constructor(lines: readonly LoopLine[], counts: number[], ms: number) {
    this.#lines = lines
    this.#counts = counts
    this.ms = lines.reduce((left, { spotMs }, line) => left - (counts[line] ?? 0) * spotMs, ms)
  }

  fits(line: number): boolean {
    return (this.#lines[line]?.spotMs ?? 0) <= this.ms
  }

  change(line: number, turns: number): void {
    this.#counts[line] = (this.#counts[line] ?? 0) + turns
    this.ms -= turns * (this.#lines[line]?.spotMs ?? 0)
  }
}
