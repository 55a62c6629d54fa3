import { formatClock, type OutOfServiceInput, stretchRange } from '@roadshow/contract'

type Clocks = Required<Pick<OutOfServiceInput, 'from' | 'startTime' | 'to' | 'endTime'>>

interface Stretch {
  /** As the input has it, with its zone. */
  clocks: { from: string; startTime: string; to: string | null; endTime: string | null; zone: string }
  /** In milliseconds since 1970; without an end Infinity. */
  startsAt: number
  endsAt: number
}

/** The longest stretch that has an end; a longer one lasts until further notice. */
const MOST_DAYS = 400

/** The instants of a stretch, or a sentence for each field that is wrong. */
export function resolveStretch(
  { from, startTime = '00:00', to = null, endTime = null }: Clocks,
  zone: string,
): { stretch?: Stretch; problems: Record<string, string> } {
  const clocks = { from, startTime, to, endTime, zone }
  const { startsAt, endsAt } = stretchRange(clocks)
  const skipped = (time: string) => `Clocks in ${zone} skip ${formatClock(time)} on that day.`
  if (startsAt === undefined) return { problems: { startTime: skipped(startTime) } }
  if (endsAt === undefined) return { problems: { endTime: skipped(endTime ?? '00:00') } }
  if (endsAt <= startsAt) return { problems: { endTime: 'Must be after the start.' } }
  if (endsAt !== Number.POSITIVE_INFINITY && endsAt - startsAt > MOST_DAYS * 86_400_000)
    return { problems: { to: `At most ${MOST_DAYS} days. Leave it blank while the end is not known.` } }
  return { stretch: { clocks, startsAt, endsAt }, problems: {} }
}

/** Why a shift is canceled whose truck or driver is out of service. What a driver's days off are for stays with the office. */
export const cancelReason = (over: 'truck' | 'driver', name: string, reason: string): string =>
  over === 'driver' ? `${name} is off.` : `${name} is in the shop${reason === '' ? '.' : `: ${reason}`}`
