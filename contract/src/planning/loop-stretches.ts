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
export function hourStart({ zone }: Pick<Loop, 'zone'>, at: number): number {
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
  const parts = sorted.map((minute, index) => ({
    from: hour + minute * MINUTE_MS,
    to: hour + (sorted[index + 1] ?? 60) * MINUTE_MS,
    isOn: lines.map(({ daypart }, line) => isNear[line] === true && (!daypart || isDaypartOn(daypart, first + minute))),
  }))
  // Dayparts that begin in another hour cut nothing.
  return parts.reduce<Part[]>((joined, part) => {
    const before = joined.at(-1)
    if (!before?.isOn.every((isOn, line) => isOn === part.isOn[line])) return [...joined, part]
    return [...joined.slice(0, -1), { ...before, to: part.to }]
  }, [])
}

const minuteOfWeek = (zone: string, at: number): number =>
  (Math.floor(at / MINUTE_MS) + zoneOffsetMinutes(zone, at) + MINUTES_TO_MONDAY) % MINUTES_A_WEEK

/** Decides the whole numbers: booked plays first, and lines with weights share the time that these leave. */
function withCounts({ lines }: Loop, part: Part, owed: Owed[]): LoopStretch {
  const ms = part.to - part.from
  const plan = new PartPlan(lines, owed, ms)
  const on = [...lines.keys()].filter((index) => part.isOn[index])
  const booked = on.filter((index) => weightOf(lines[index]) === 0)
  const weighted = on.filter((index) => weightOf(lines[index]) > 0)
  const bookedMs = booked.reduce((sum, index) => sum + bookedMsAnHour(lines[index]), 0)
  // Plays that do not fit are all cut alike.
  const hours = (Math.min(1, HOUR_MS / bookedMs) * ms) / HOUR_MS
  plan.share(booked, (index) => (bookedMsAnHour(lines[index]) / spotMsOf(lines[index])) * hours)
  plan.roundUp(booked, 0.5)
  const weights = weighted.reduce((sum, index) => sum + weightOf(lines[index]), 0)
  const msPerWeight = plan.msLeft / weights
  plan.share(weighted, (index) => (msPerWeight * weightOf(lines[index])) / spotMsOf(lines[index]))
  plan.roundUp(weighted, -Infinity)
  // A part that is too short for any spot is one turn.
  const [first] = weighted
  if (first !== undefined && plan.counts.every((count) => count === 0)) plan.add(first, 1)
  return { ...part, counts: plan.counts, restMs: weighted.length > 0 ? 0 : plan.msLeft }
}

const weightOf = (line: LoopLine | undefined): number => (line && 'weight' in line.share ? line.share.weight : 0)
const spotMsOf = (line: LoopLine | undefined): number => line?.spotMs ?? 0

/** The turns of a part while they are decided. */
class PartPlan {
  readonly counts: number[]
  msLeft: number
  readonly #lines: readonly LoopLine[]
  readonly #owed: Owed[]

  constructor(lines: readonly LoopLine[], owed: Owed[], ms: number) {
    this.#lines = lines
    this.#owed = owed
    this.counts = lines.map(() => 0)
    this.msLeft = ms
  }

  /** Gives lines the whole plays of what they are promised. */
  share(indexes: readonly number[], promisedTo: (index: number) => number): void {
    for (const index of indexes) {
      const promised = promisedTo(index)
      const owed = this.#owedTo(index)
      owed.inHour += promised
      owed.inDay += promised
      this.add(index, Math.max(0, Math.floor(owed.inHour + TINY)))
    }
    // What earlier parts of the hour owed may be too much for this one.
    for (const index of this.#byDebt(indexes).toReversed()) {
      while (this.msLeft < 0 && (this.counts[index] ?? 0) > 0) this.add(index, -1)
    }
  }

  /** One more play where it fits for lines that are owed a part of one, the ones first that were owed most in the day. */
  roundUp(indexes: readonly number[], leastInDay: number): void {
    for (const index of this.#byDebt(indexes)) {
      const { inHour, inDay } = this.#owedTo(index)
      if (inHour > TINY && inDay >= leastInDay && spotMsOf(this.#lines[index]) <= this.msLeft) this.add(index, 1)
    }
  }

  add(index: number, plays: number): void {
    const owed = this.#owedTo(index)
    this.counts[index] = (this.counts[index] ?? 0) + plays
    this.msLeft -= plays * spotMsOf(this.#lines[index])
    owed.inHour -= plays
    owed.inDay -= plays
  }

  #byDebt(indexes: readonly number[]): number[] {
    return indexes.toSorted((one, other) => this.#owedTo(other).inDay - this.#owedTo(one).inDay)
  }

  #owedTo(index: number): Owed {
    return (this.#owed[index] ??= { inHour: 0, inDay: 0 })
  }
}
