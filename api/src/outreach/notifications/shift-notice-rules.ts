import type { ShiftState } from '../../planning/shifts/index.ts'
import type { NoticeText, NotificationWords, ShiftNoticeKind } from './words.ts'

/** A shift as its driver knew it, and as it is now. Null where it is not the driver's or does not take place. */
export interface DriverShiftChange {
  shiftUid: string
  before: ShiftState | null
  after: ShiftState | null
  /** Who drives it now, if it takes place with another driver. */
  drivesNow?: string | undefined
}

const isSamePlan = (one: ShiftState, other: ShiftState) =>
  one.startsAt === other.startsAt &&
  one.endsAt === other.endsAt &&
  one.truck.uid === other.truck.uid &&
  one.market.uid === other.market.uid &&
  one.program.uid === other.program.uid

/** The notice of a change to its driver; undefined where nothing changed for the driver, or the shift is over. */
export function kindForDriver({ before, after }: DriverShiftChange, now: number): ShiftNoticeKind | undefined {
  const last = after ?? before
  if (!last || Date.parse(last.endsAt) <= now) return undefined
  if (!before) return 'shiftGiven'
  if (!after) return 'shiftCancelled'
  return isSamePlan(before, after) ? undefined : 'shiftMoved'
}

function lineOf(
  kind: ShiftNoticeKind,
  { before, after, drivesNow }: DriverShiftChange,
  words: NotificationWords,
): string {
  if (kind === 'shiftMoved' && before && after)
    return words.shiftMovedLine(words.shiftLine(after), words.shiftLine(before))
  const line = words.shiftLine((after ?? before) as ShiftState)
  return kind === 'shiftCancelled' && drivesNow !== undefined ? words.shiftReplacedLine(line, drivesNow) : line
}

/** The subject where others drive now: nothing was canceled. */
function subjectOf(
  kind: ShiftNoticeKind,
  changes: readonly DriverShiftChange[],
  words: NotificationWords,
): string | undefined {
  const replaced = changes.filter(({ drivesNow }) => drivesNow !== undefined)
  if (kind !== 'shiftCancelled' || replaced.length === 0) return undefined
  const [only] = changes
  if (changes.length === 1 && only?.before) return words.shiftReplaced(only.before, only.drivesNow ?? '')
  return replaced.length === changes.length ? words.shiftsReplaced(changes.length) : words.shiftsGone(changes.length)
}

/** The words of one message about several changes of a kind. */
export function wordsForDriver(
  kind: ShiftNoticeKind,
  changes: readonly DriverShiftChange[],
  words: NotificationWords,
): NoticeText {
  const sorted = changes.toSorted((a, b) =>
    ((a.after ?? a.before)?.startsAt ?? '') < ((b.after ?? b.before)?.startsAt ?? '') ? -1 : 1,
  )
  const first = sorted[0]
  const state = first && (first.after ?? first.before)
  return {
    subject:
      subjectOf(kind, sorted, words) ??
      (sorted.length === 1 && state ? words.oneShift[kind](state) : words.severalShifts[kind](sorted.length)),
    text: sorted.map((change) => lineOf(kind, change, words)).join('\n'),
  }
}
