import { hashText } from '../platform/hash-text.ts'
import { type Loop, type LoopLine, SHORTEST_PLAY_MS } from './loop-lines.ts'
import { firstTurn, orderTurns, type TurnCounts } from './loop-order.ts'
import { HOUR_MS, hourStart, type LoopStretch, stretchesOfHour } from './loop-stretches.ts'

/**
 * Says what the screens of a truck show at any moment: a function of the plan, the time and the SD address, and of nothing
 * that was shown before. Player, simulator, preview and expectation ask it, so that they agree.
 *
 * A turn begins at its own moment only. A screen that comes back in the middle of a turn (after a restart, or from an
 * SD address) begins the next one early, so that no turn is counted twice, and what an interruption takes is taken from all alike.
 */

/** One showing on all sides. */
export interface Turn {
  /** Null for the rest of the loop, which is no line's. */
  line: LoopLine | null
  startsAt: number
  endsAt: number
  /** A line that has the screen for itself ends its spot by this time; otherwise when the turn ends. */
  endsBy: number
}

/** The turn that begins at a moment on a screen that has shown nothing of the loop just before. */
export function turnAt(loop: Loop, at: number, addressUid: string | null): Turn {
  const [first] = loop.lines
  // Without another line there is nothing to keep in step.
  if (first && loop.lines.length === 1 && isAlwaysOn(first)) return spotFrom(first, at, Number.POSITIVE_INFINITY)
  const table = timetableAt(loop, at, addressUid)
  // What is left of a stretch is too short to count.
  if (table.to - at < SHORTEST_PLAY_MS) return { ...turnAt(loop, table.to, addressUid), startsAt: at }
  if (table.only) return spotFrom(table.only, at, aloneUntil(loop, table, addressUid, at + table.only.spotMs))
  const { index, turn } = currentTurn(table, at)
  if (at - turn.startsAt < SHORTEST_PLAY_MS) return turnFrom(turn, at)
  const next = table.turns[index + 1] ?? turnAt(loop, table.to, addressUid)
  if (turn.endsAt - at < SHORTEST_PLAY_MS) return turnFrom(next, at)
  // The rest has nothing to count, and a line is not shown before its hours.
  const mayBeginNext = turn.line !== null && (next.line === null || table.isOn.has(next.line))
  return turnFrom(mayBeginNext ? next : turn, at)
}

/** The turns of a screen that runs from one moment to another; the last one may end later. */
export function* turnsBetween(
  loop: Loop,
  { from, to }: { from: number; to: number },
  addressUid: string | null = null,
): Generator<Turn, void> {
  for (let at = from; at < to;) {
    const turn = turnAt(loop, at, addressUid)
    yield turn
    at = turn.endsAt
  }
}

const isAlwaysOn = ({ share, daypart, addressUids }: LoopLine): boolean =>
  'weight' in share && daypart === null && addressUids === null

const turnFrom = ({ line, endsAt }: Turn, at: number): Turn => ({ line, startsAt: at, endsAt, endsBy: endsAt })

const spotFrom = (line: LoopLine, at: number, endsBy: number): Turn => ({
  line,
  startsAt: at,
  endsAt: Math.min(at + line.spotMs, endsBy),
  endsBy,
})

/** A stretch with its turns. */
interface Timetable {
  from: number
  to: number
  isOn: ReadonlySet<LoopLine>
  /** The line that has all of the stretch; its spots keep to no grid. */
  only: LoopLine | undefined
  turns: readonly Turn[]
}

/** Until when a line has the screen for itself, as far as one spot needs to know. */
function aloneUntil(loop: Loop, { only, to }: Timetable, addressUid: string | null, end: number): number {
  let until = to
  while (until < end) {
    const next = timetableAt(loop, until, addressUid)
    if (next.only !== only) break
    until = next.to
  }
  return until
}

function currentTurn({ turns }: Timetable, at: number): { index: number; turn: Turn } {
  let [low, high] = [0, turns.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((turns[middle]?.startsAt ?? Infinity) <= at) low = middle
    else high = middle - 1
  }
  const turn = turns[low]
  if (!turn) throw new RangeError('A stretch has a turn at every moment.')
  return { index: low, turn }
}

// A player asks in every frame. The hours that were asked for last are kept with their loop.
const MAX_HOURS = 4
const keptHours = new WeakMap<Loop, { near: string | null; tables: readonly Timetable[] }[]>()

function timetableAt(loop: Loop, at: number, addressUid: string | null): Timetable {
  const near = loop.lines.some(({ addressUids }) => addressUids !== null) ? addressUid : null
  const isAt = ({ from, to }: Timetable) => at >= from && at < to
  const hours = keptHours.get(loop) ?? []
  for (const hour of hours) {
    const known = hour.near === near ? hour.tables.find(isAt) : undefined
    if (known) return known
  }
  const tables = timetablesOfHour(loop, hourStart(loop, at), near)
  keptHours.set(loop, [{ near, tables }, ...hours.slice(0, MAX_HOURS - 1)])
  const table = tables.find(isAt)
  if (!table) throw new RangeError('An hour has a stretch at every moment.')
  return table
}

function timetablesOfHour(loop: Loop, hour: number, addressUid: string | null): Timetable[] {
  const stretches = stretchesOfHour(loop, hour, addressUid)
  const phases = phasesOf(loop)
  const [following] = stretchesOfHour(loop, hour + HOUR_MS, addressUid)
  return stretches.map((stretch, index) => {
    const then = stretches[index + 1] ?? following
    const order = orderTurns(countsOf(loop, stretch, phases), then ? firstTurn(countsOf(loop, then, phases)) : -1)
    const isOn = loop.lines.filter((_, line) => stretch.isOn[line])
    const [only] = isOn
    return {
      from: stretch.from,
      to: stretch.to,
      isOn: new Set(isOn),
      only: only && isOn.length === 1 && 'weight' in only.share ? only : undefined,
      turns: withTimes(loop, stretch, order),
    }
  })
}

/** The turns of the lines, and after them those of the rest. */
function countsOf(loop: Loop, { counts, restMs }: LoopStretch, phases: readonly number[]): TurnCounts {
  const isBooked = counts.some((count) => count > 0)
  const pieces = Math.round(restMs / loop.restMs)
  return { counts: [...counts, isBooked ? pieces : Math.max(1, pieces)], phases, rest: counts.length }
}

/** Gives turns their times. What is left of the stretch prolongs the last one. */
function withTimes({ lines }: Loop, { from, to, restMs }: LoopStretch, order: readonly number[]): Turn[] {
  const pieces = order.filter((line) => line === lines.length).length
  const restUntil = (piece: number) => Math.round((restMs * piece) / pieces)
  let [at, piece] = [from, 0]
  return order.map((index, position) => {
    const line = lines[index] ?? null
    const startsAt = at
    at += line ? line.spotMs : restUntil(piece + 1) - restUntil(piece++)
    if (position === order.length - 1) at = to
    return { line, startsAt, endsAt: at, endsBy: at }
  })
}

/** Where each line, and the rest, is in its interval: seeded, and the same in every hour, so that hours join evenly. */
const phasesOf = ({ lines, seed }: Loop): number[] => [
  ...lines.map(({ uid }) => hashText(`${seed} ${uid}`) / 0x1_0000_0000),
  hashText(seed) / 0x1_0000_0000,
]
