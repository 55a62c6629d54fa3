import { formatClock, formatDay, type NotificationKind } from '@roadshow/contract'
import type { ShiftState } from '../../planning/shifts/index.ts'

/** A shift as its driver knew it, and as it is now. Null where it is not the driver's or does not take place. */
export interface DriverShiftChange {
  shiftUid: string
  before: ShiftState | null
  after: ShiftState | null
}

type DriverKind = Extract<NotificationKind, 'shiftGiven' | 'shiftMoved' | 'shiftCancelled'>

const isSamePlan = (one: ShiftState, other: ShiftState) =>
  one.startsAt === other.startsAt &&
  one.endsAt === other.endsAt &&
  one.truck.uid === other.truck.uid &&
  one.market.uid === other.market.uid &&
  one.program.uid === other.program.uid

/** The notice of a change to its driver; undefined where nothing changed for the driver, or the shift is over. */
export function kindForDriver({ before, after }: DriverShiftChange, now: number): DriverKind | undefined {
  const last = after ?? before
  if (!last || Date.parse(last.endsAt) <= now) return undefined
  if (!before) return 'shiftGiven'
  if (!after) return 'shiftCancelled'
  return isSamePlan(before, after) ? undefined : 'shiftMoved'
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** `Mon, Nov 16, 2026, 8:00 PM – 2:00 AM` */
const hoursOf = ({ date, start, end }: ShiftState) =>
  `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]}, ${formatDay(date)}, ${formatClock(start)} – ${formatClock(end)}`

const placeOf = ({ program, market, truck }: ShiftState) => `${program.name}, ${market.name}, truck ${truck.name}`

const line = (state: ShiftState) => `${hoursOf(state)}: ${placeOf(state)}`

function lineOf(kind: DriverKind, { before, after }: DriverShiftChange): string {
  if (kind === 'shiftMoved' && before && after) return `Now ${line(after)} (before: ${line(before)})`
  return line((after ?? before) as ShiftState)
}

const subjects: Record<DriverKind, [one: string, many: string]> = {
  shiftGiven: ['New shift', 'new shifts'],
  shiftMoved: ['Shift changed', 'shifts changed'],
  shiftCancelled: ['Shift canceled', 'shifts canceled'],
}

/** The words of one message about several changes of a kind. */
export function wordsForDriver(
  kind: DriverKind,
  changes: readonly DriverShiftChange[],
): { subject: string; text: string } {
  const [one, many] = subjects[kind]
  const sorted = changes.toSorted((a, b) =>
    ((a.after ?? a.before)?.startsAt ?? '') < ((b.after ?? b.before)?.startsAt ?? '') ? -1 : 1,
  )
  const first = sorted[0]
  const state = first && (first.after ?? first.before)
  return {
    subject: sorted.length === 1 && state ? `${one}: ${hoursOf(state)}` : `${sorted.length} ${many}`,
    text: sorted.map((change) => lineOf(kind, change)).join('\n'),
  }
}
