import type { DriverAppShift } from '@roadshow/contract/live/driver-app'

/** Where a shift stands, as its driver sees it. */
export type ShiftPhase = 'upcoming' | 'open' | 'running' | 'runningOver' | 'over' | 'cancelled'

/** What of a shift decides what its driver does next. */
export type ShiftFacts = Pick<
  DriverAppShift,
  'status' | 'opensAt' | 'startsAt' | 'endsAt' | 'startedAt' | 'stoppedAt' | 'inspection'
>

export function shiftPhase(shift: ShiftFacts, now: number): ShiftPhase {
  if (shift.status === 'cancelled') return 'cancelled'
  if (shift.status === 'completed' || shift.status === 'noShow') return 'over'
  if (shift.status === 'out') return now > Date.parse(shift.endsAt) ? 'runningOver' : 'running'
  if (now < Date.parse(shift.opensAt)) return 'upcoming'
  return now > Date.parse(shift.endsAt) ? 'over' : 'open'
}

export const isRunning = (phase: ShiftPhase): boolean => phase === 'running' || phase === 'runningOver'

/** The one thing that comes next. */
export type NextAct = 'wait' | 'inspect' | 'start' | 'photo' | 'stop' | 'none'

/** A running shift asks for photos until its planned end, then to be stopped. Where no list is set up, none is asked for. */
export function nextAct(shift: ShiftFacts, now: number, hasInspectionList = true): NextAct {
  const phase = shiftPhase(shift, now)
  if (phase === 'upcoming') return 'wait'
  if (phase === 'open') return shift.inspection || !hasInspectionList ? 'start' : 'inspect'
  if (phase === 'running') return 'photo'
  return phase === 'runningOver' ? 'stop' : 'none'
}

const byStart = (a: ShiftFacts, b: ShiftFacts) => Date.parse(a.startsAt) - Date.parse(b.startsAt)

/**
 * The shift that fills the first screen: the one that runs (of two, the one that was started last), then the next one that
 * has not ended.
 */
export function currentShift<S extends ShiftFacts>(shifts: readonly S[], now: number): S | undefined {
  const running = shifts
    .filter((shift) => isRunning(shiftPhase(shift, now)))
    .toSorted((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''))
  if (running.length > 0) return running.at(-1)
  return shifts.filter((shift) => ['open', 'upcoming'].includes(shiftPhase(shift, now))).toSorted(byStart)[0]
}

/** The others by start: those to come or still running, and those that are over. */
export function otherShifts<S extends ShiftFacts & { uid: string }>(
  shifts: readonly S[],
  current: S | undefined,
  now: number,
): { ahead: S[]; past: S[] } {
  const others = shifts.filter(({ uid }) => uid !== current?.uid).toSorted(byStart)
  const isPast = (shift: S) => {
    const phase = shiftPhase(shift, now)
    return phase === 'over' || (phase === 'cancelled' && Date.parse(shift.endsAt) < now)
  }
  return { ahead: others.filter((shift) => !isPast(shift)), past: others.filter(isPast) }
}
