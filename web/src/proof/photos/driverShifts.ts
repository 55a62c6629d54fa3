import type { Shift } from '@roadshow/contract/planning/shifts'

type Timed = Pick<Shift, 'startsAt' | 'endsAt' | 'status'>

export type ShiftPhase = 'running' | 'next' | 'past'

/** A shift runs when it was started and not completed, or in its planned hours. */
export function shiftPhase({ status, startsAt, endsAt }: Timed, now: number): ShiftPhase {
  if (status === 'out') return 'running'
  if (status === 'completed' || Date.parse(endsAt) <= now) return 'past'
  return Date.parse(startsAt) <= now ? 'running' : 'next'
}

const phases: readonly ShiftPhase[] = ['running', 'next', 'past']

/** The running shift first, then the coming ones from the next on, then the past ones from the last back. */
export function orderForPhotos<S extends Timed>(shifts: readonly S[], now: number): S[] {
  const phaseOf = (shift: S) => phases.indexOf(shiftPhase(shift, now))
  return shifts.toSorted((one, other) => {
    const [phase, difference] = [phaseOf(one), Date.parse(one.startsAt) - Date.parse(other.startsAt)]
    if (phase !== phaseOf(other)) return phase - phaseOf(other)
    return phases[phase] === 'past' ? -difference : difference
  })
}
