import { type IssueKind, type MarketArea, metersOutside, type Point, type Settings } from '@roadshow/contract'

const MINUTE = 60_000

/** A shift that is out, with what is known of its truck. Times in milliseconds since 1970. */
export interface RunningShift {
  truckUid: string
  shiftUid: string
  startedAt: number
  hasScreen: boolean
  market: MarketArea
  positionAt: number | null
  position: Point | null
  playedAt: number | null
  playerSeenAt: number | null
}

/** What the server raises by itself. */
export type AlertKind = Extract<IssueKind, 'noGps' | 'noPlays' | 'outsideMarket' | 'playerOffline'>
export const alertKinds = ['noGps', 'noPlays', 'outsideMarket', 'playerOffline'] as const satisfies AlertKind[]

/** What is wrong with a running shift at this moment. */
export function activeAlerts(running: RunningShift, settings: Settings, now: number): AlertKind[] {
  // What has not been heard since the start cannot have been missed for longer than that.
  const missedFor = (at: number | null, minutes: number) =>
    now - Math.max(at ?? 0, running.startedAt) > minutes * MINUTE
  const outside =
    running.position && !missedFor(running.positionAt, settings.noGpsAfterMinutes)
      ? metersOutside(running.market, running.position)
      : 0
  const holds: Record<AlertKind, boolean> = {
    noGps: missedFor(running.positionAt, settings.noGpsAfterMinutes),
    noPlays: running.hasScreen && missedFor(running.playedAt, settings.noPlaysAfterMinutes),
    outsideMarket: outside > settings.outsideMarketByMetres,
    playerOffline: running.hasScreen && missedFor(running.playerSeenAt, settings.playerOfflineAfterMinutes),
  }
  return alertKinds.filter((trouble) => holds[trouble])
}

/** How long a trouble must last before it is raised; the others have their time in them already. */
export const alertDelay = (trouble: AlertKind, settings: Settings): number =>
  trouble === 'outsideMarket' ? settings.outsideMarketForMinutes * MINUTE : MINUTE
/** How long it must be gone before its issue is closed: what comes and goes stays open. */
export const CLEAR_MS = 3 * MINUTE

/** Since when a trouble is seen, or no longer. */
export interface AlertWatch {
  since: number
  /** Null while it lasts. */
  goneSince: number | null
}

export type AlertVerdict = 'wait' | 'raise' | 'keep' | 'close' | 'forget'

/** What to do about a trouble, seen or not, given what was seen before. */
export function evaluateAlert(
  watch: AlertWatch | undefined,
  isSeen: boolean,
  isRaised: boolean,
  hold: number,
  now: number,
): AlertVerdict {
  if (isSeen) return isRaised ? 'keep' : watch && now - watch.since >= hold ? 'raise' : 'wait'
  if (!isRaised) return 'forget'
  const goneSince = watch?.goneSince ?? now
  return now - goneSince >= CLEAR_MS ? 'close' : 'keep'
}
