import type { DriverAppShift, DriverDay } from '@roadshow/contract/live/driver-app'
import type { QueueItem } from '../queue/items.ts'
import { currentShift } from '../shift-rules.ts'

/** A shift that the driver stopped on this phone, until the summary of it is dismissed. */
export type StoppedShift = Pick<
  DriverAppShift,
  'uid' | 'date' | 'zone' | 'truck' | 'startsAt' | 'endsAt' | 'startedAt' | 'contacts'
> & { stoppedAt: string }

export interface ShiftSummary {
  shift: Omit<StoppedShift, 'stoppedAt'> & { stoppedAt: string | null }
  /** Null where the start is not known. */
  minutes: number | null
  /** Null until the truck's data have arrived. */
  metres: number | null
  photos: number
  next: DriverAppShift | undefined
}

/**
 * What a driver sees after stopping a shift, by what is known now; the day is the one that is shown. Undefined while the
 * shift goes on after all, because the stop was refused, or the shift was started again or reopened.
 */
export function summaryOf(
  stopped: StoppedShift,
  { day, queue, now }: { day: Pick<DriverDay, 'shifts'> | undefined; queue: readonly QueueItem[]; now: number },
): ShiftSummary | undefined {
  // After two days the shift leaves the day; what was kept of it stays.
  const known = day?.shifts.find(({ uid }) => uid === stopped.uid)
  if (known && known.status !== 'completed') return undefined
  const shift = known ?? stopped
  const { startedAt, stoppedAt } = shift
  const isMeasured = startedAt !== null && stoppedAt !== null
  const onPhone = queue.filter(
    ({ kind, state, about }) =>
      kind === 'photo' && about.shiftUid === stopped.uid && (state === 'waiting' || state === 'sent'),
  )
  return {
    shift,
    minutes: isMeasured ? Math.round((Date.parse(stoppedAt) - Date.parse(startedAt)) / 60_000) : null,
    metres: known?.metres ?? null,
    photos: (known?.photos ?? 0) + onPhone.length,
    next: currentShift(day?.shifts.filter(({ uid }) => uid !== stopped.uid) ?? [], now),
  }
}
