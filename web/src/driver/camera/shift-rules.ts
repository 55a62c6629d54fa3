import type { DriverAppShift } from '@roadshow/contract/live/driver-app'

/** What of a shift decides whether photos go to it. */
export type PhotoShift = Pick<
  DriverAppShift,
  'uid' | 'status' | 'startsAt' | 'endsAt' | 'startedAt' | 'stoppedAt' | 'truck' | 'date' | 'program'
>

/** Photos are taken before a shift starts and after it stopped, but not hours away from it. */
const AROUND_MS = 2 * 3_600_000

const isRunning = ({ status }: PhotoShift) => status === 'out'

const isAround = ({ startsAt, endsAt, stoppedAt }: PhotoShift, now: number) =>
  Date.parse(startsAt) - AROUND_MS <= now && now <= Date.parse(stoppedAt ?? endsAt) + AROUND_MS

/**
 * The shift that photos go to by themselves, and those that the driver may choose instead: the one that was just stopped,
 * and the next ones. Of two that run, it is the one that was started last.
 */
export function photoShifts<S extends PhotoShift>(
  shifts: readonly S[],
  now: number,
): { running: S | undefined; others: S[] } {
  const running = shifts
    .filter(isRunning)
    .toSorted((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''))
    .at(-1)
  const open = shifts.filter((shift) => shift !== running && shift.status !== 'cancelled')
  const around = open.filter((shift) => isRunning(shift) || isAround(shift, now))
  const next = open
    .filter((shift) => shift.startedAt === null && Date.parse(shift.startsAt) > now)
    .toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))[0]
  return { running, others: next && !around.includes(next) ? [...around, next] : around }
}
