import { type NotificationKind, notificationKindOf } from '@roadshow/contract'

/** What a group of alerts tells of: that they began, that no one has taken them up, or that they are over. */
export type AlertStage = 'opened' | 'repeated' | 'resolved'

const SECOND = 1000
/** An alert waits this long for others like it. With the check every 20 seconds it leaves within a minute. */
const GATHER_MS = 35 * SECOND
/** Others that come meanwhile let it wait longer, up to this. */
const LONGEST_GATHER_MS = 60 * SECOND

/** When an alert leaves unless others join it. */
export const gatheredAt = (now: number, sendAt: number): number => Math.max(sendAt, now + GATHER_MS)

/** When a group leaves that another alert joins now. Quiet hours that hold it back longer stay. */
export const gatheredWith = ({ createdAt, nextAt }: { createdAt: number; nextAt: number }, now: number): number =>
  Math.max(nextAt, Math.min(createdAt + LONGEST_GATHER_MS, now + GATHER_MS))

const MOST_NAMES = 5
const byNumber = new Intl.Collator('en-US', { numeric: true }).compare

/** `T-1, T-2 and T-3`, or the first few and how many more. */
export function joinNames(names: readonly string[]): string {
  const sorted = names.toSorted(byNumber)
  const shown = sorted.length > MOST_NAMES ? sorted.slice(0, MOST_NAMES - 1) : sorted.slice(0, -1)
  const last = sorted.length > MOST_NAMES ? `${sorted.length - shown.length} more` : sorted.at(-1)
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} and ${last}`
}

const opened: Partial<Record<NotificationKind, string>> = {
  truckDark: 'trucks log no plays',
  truckSilent: 'trucks stopped reporting',
  outsideMarket: 'trucks left their market',
  deviceOffline: 'trucks have a player that is offline',
  counterJumped: 'trucks have a player that skipped numbers',
}

/** The subject of a message about several alerts of one kind. */
export function groupSubject(kind: NotificationKind, stage: AlertStage, trucks: readonly string[]): string {
  const names = joinNames(trucks)
  const count = trucks.length
  const label = notificationKindOf(kind).label.toLowerCase()
  const subjects: Record<AlertStage, string> = {
    opened: `${count} ${opened[kind] ?? `trucks: ${label}`}: ${names}`,
    repeated: `Still open on ${count} trucks (${label}): ${names}`,
    resolved: `Resolved on ${count} trucks (${label}): ${names}`,
  }
  return subjects[stage]
}
