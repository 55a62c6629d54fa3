import type { Loop } from './loop-lines.ts'
import { type PlannedHour, plannedHours, plannedShares } from './loop-plan.ts'
import { HOUR_MS, hourStart } from './loop-stretches.ts'

// Compares what a screen played with what its loop leads one to expect, without schemas.

/** A screen that plays nothing for longer may have been off. */
export const LONGEST_PAUSE_MS = 3 * 60_000
/** In a pause with fewer turns the screen may have run: one is easily missed. */
const MISSED_TURNS = 2
/** A turn begins a little after its time. */
const LATE_MS = 1000

interface Span {
  from: number
  to: number
}

/** The plays of a set on a side in a clock hour. */
interface CountedPlays<Side extends string> {
  hour: number
  setUid: string
  side: Side
  isForAddress: boolean
  plays: number
}

export interface DeliveredPlays<Side extends string> {
  hours: readonly CountedPlays<Side>[]
  runs: readonly Span[]
  /** In milliseconds: what played later has not been counted. */
  countedAt: number
}

/** What a line shows. A set without approved files leaves its turns to the house artwork. */
interface ShownLine {
  uid: string
  setUid: string
  isMissing: boolean
}

/** A line, or the lines that show the same set in the same hour: their plays look alike. */
export interface ComparedLine {
  uids: readonly string[]
  setUid: string
  isMissing: boolean
}

export interface ComparedShare {
  expected: number
  /** By side, in the order of the sides that played. A turn is shown on all sides at once. */
  delivered: readonly number[]
}

/** How far an hour is: still to come, not over yet, or over. */
type HourStage = 'ahead' | 'running' | 'over'

interface ComparedPlays {
  /** By line. */
  shares: readonly ComparedShare[]
  /** On all sides, for SD addresses with artwork of their own. */
  forAddresses: number
  /** On all sides, of sets that no line shows. */
  others: number
  /** On all sides, whatever they showed. */
  plays: number
}

export interface ComparedHour extends Span, ComparedPlays {
  stage: HourStage
  /** The parts of it in which the screen ran, as far as plays tell. */
  ran: readonly Span[]
  /** A whole clock hour that is over, in which the screen ran all the time and nothing took turns away. */
  isWhole: boolean
}

export interface ComparedLoop<Side extends string> {
  sides: readonly Side[]
  lines: readonly ComparedLine[]
  hours: readonly ComparedHour[]
  /** The hours that are over, together. */
  over: ComparedPlays
}

interface Compared<Side extends string> extends Span {
  loop: Loop
  shown: readonly ShownLine[]
  delivered: DeliveredPlays<Side>
  sides: readonly Side[]
}

/** What each line was expected to have of each clock hour, beside what it had. */
export function compareLoop<Side extends string>(compared: Compared<Side>): ComparedLoop<Side> {
  const { loop, shown, delivered } = compared
  const planned = plannedHours(loop, playedSpan(compared))
  const shares = planned.map(({ turns }) => plannedShares(turns))
  const lines = groupLines(shown, (line, hour) => shares[hour]?.get(line)?.plays ?? 0, planned.length)
  const sides = compared.sides.filter((side) => delivered.hours.some((each) => each.side === side))
  const expected = shares.map((hour) =>
    lines.map(({ uids }) => uids.reduce((sum, uid) => sum + (hour.get(uid)?.plays ?? 0), 0)),
  )
  const dark = darkSpans(planned, compared)
  const hours = planned.map(({ from, to }, index): ComparedHour => {
    const ofHour = delivered.hours.filter(({ hour }) => hour === hourStart(loop, from))
    const plays = countHour(ofHour, { lines, sides, expected, index })
    const stage = stageOf({ from, to }, delivered.countedAt)
    const ran = without({ from, to: Math.max(from, Math.min(to, delivered.countedAt)) }, dark)
    const [first] = ran
    const isWhole = stage === 'over' && to - from === HOUR_MS && first?.from === from && first.to === to
    return { from, to, stage, ran, isWhole: isWhole && plays.forAddresses === 0, ...plays }
  })
  const over = hours.filter(({ stage }) => stage === 'over')
  return { sides, lines, hours, over: sumOf(over, { lines, sides }) }
}

/** The most that a side differs from what was expected, below zero for fewer plays; null where that says nothing. */
export function differenceOf(hour: ComparedHour, line: ComparedLine, share: ComparedShare): number | null {
  if (!hour.isWhole || line.isMissing) return null
  return share.delivered
    .map((plays) => plays - share.expected)
    .reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most), 0)
}

/** The planned hours of a shift, and what its screen played before and after. */
function playedSpan<Side extends string>({ loop, from, to, delivered: { runs, hours } }: Compared<Side>): Span {
  const lastHour = Math.max(0, ...hours.map(({ hour }) => hourStart(loop, hour) + HOUR_MS))
  return {
    from: Math.min(from, ...runs.map((run) => run.from)),
    // The last play ends a little later than the hour in which it is counted.
    to: Math.max(to, ...runs.map((run) => Math.min(run.to, lastHour))),
  }
}

/** Lines of a set that are due in the same hour are one; others differ by their hours. */
function groupLines(
  shown: readonly ShownLine[],
  playsOf: (line: string, hour: number) => number,
  hours: number,
): ComparedLine[] {
  const isShared = (setUid: string) => {
    const ofSet = shown.filter((line) => line.setUid === setUid)
    return Array.from({ length: hours }, (_, hour) => ofSet.filter(({ uid }) => playsOf(uid, hour) > 0)).some(
      (due) => due.length > 1,
    )
  }
  const joined = new Set([...new Set(shown.map(({ setUid }) => setUid))].filter(isShared))
  const lines: ComparedLine[] = []
  for (const { uid, setUid, isMissing } of shown) {
    const known = joined.has(setUid) ? lines.findIndex((line) => line.setUid === setUid) : -1
    const line = lines[known]
    if (line) lines[known] = { ...line, uids: [...line.uids, uid] }
    else lines.push({ uids: [uid], setUid, isMissing })
  }
  return lines
}

interface HourToCount<Side extends string> {
  lines: readonly ComparedLine[]
  sides: readonly Side[]
  /** By hour and line. */
  expected: readonly (readonly number[])[]
  index: number
}

function countHour<Side extends string>(
  counted: readonly CountedPlays<Side>[],
  { lines, sides, expected, index }: HourToCount<Side>,
): ComparedPlays {
  const delivered = lines.map(() => sides.map(() => 0))
  let [forAddresses, others, plays] = [0, 0, 0]
  for (const each of counted) {
    plays += each.plays
    const line = each.isForAddress ? -1 : lineOf(each.setUid, lines, [expected[index], expected[index - 1]])
    const ofLine = delivered[line]
    const side = sides.indexOf(each.side)
    if (ofLine) ofLine[side] = (ofLine[side] ?? 0) + each.plays
    else if (each.isForAddress) forAddresses += each.plays
    else others += each.plays
  }
  const shares = delivered.map((bySide, line) => ({ expected: expected[index]?.[line] ?? 0, delivered: bySide }))
  return { shares, forAddresses, others, plays }
}

/** The line of a set that is due in an hour, or was in the hour before; -1 for a set of no line. */
function lineOf(
  setUid: string,
  lines: readonly ComparedLine[],
  expected: readonly (readonly number[] | undefined)[],
): number {
  const ofSet = [...lines.keys()].filter((line) => lines[line]?.setUid === setUid)
  for (const hour of expected) {
    const due = ofSet.find((line) => (hour?.[line] ?? 0) > 0)
    if (due !== undefined) return due
  }
  return ofSet[0] ?? -1
}

const stageOf = ({ from, to }: Span, countedAt: number): HourStage => {
  if (from >= countedAt) return 'ahead'
  return to > countedAt ? 'running' : 'over'
}

/** The pauses in which lines had turns that were not played. Hours may leave longer ones to the house artwork. */
function darkSpans<Side extends string>(planned: readonly PlannedHour[], compared: Compared<Side>): Span[] {
  const { runs, countedAt } = compared.delivered
  const first = planned[0]?.from ?? 0
  const last = Math.min(planned.at(-1)?.to ?? 0, countedAt)
  const missing = new Set(compared.shown.filter(({ isMissing }) => isMissing).map(({ uid }) => uid))
  const due = planned
    .flatMap(({ turns }) => turns)
    .filter(({ line }) => line !== null && !missing.has(line.uid))
    .map(({ startsAt }) => startsAt)
  return without({ from: first, to: last }, runs).flatMap(({ from, to }) => {
    const missed = due.filter((at) => at >= from && at < to - LATE_MS)
    const [firstMissed = from] = missed
    if (to - from <= LONGEST_PAUSE_MS || missed.length < MISSED_TURNS) return []
    // The house artwork may have been on for a while.
    return [{ from: firstMissed - from > LONGEST_PAUSE_MS ? firstMissed : from, to }]
  })
}

/** What is left of a span. */
function without({ from, to }: Span, taken: readonly Span[]): Span[] {
  const left: Span[] = []
  let at = from
  for (const span of taken) {
    if (span.to <= at || span.from >= to) continue
    if (span.from > at) left.push({ from: at, to: span.from })
    at = span.to
  }
  if (at < to) left.push({ from: at, to })
  return left
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

function sumOf(
  hours: readonly ComparedPlays[],
  { lines, sides }: { lines: readonly ComparedLine[]; sides: readonly string[] },
): ComparedPlays {
  return {
    shares: lines.map((_, line) => ({
      expected: total(hours.map(({ shares }) => shares[line]?.expected ?? 0)),
      delivered: sides.map((_side, side) => total(hours.map(({ shares }) => shares[line]?.delivered[side] ?? 0))),
    })),
    forAddresses: total(hours.map((hour) => hour.forAddresses)),
    others: total(hours.map((hour) => hour.others)),
    plays: total(hours.map((hour) => hour.plays)),
  }
}
