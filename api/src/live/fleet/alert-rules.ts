import { type IssueKind, type MarketArea, metersOutside, type Point, type Settings } from '@roadshow/contract'

const MINUTE = 60_000

/** A shift that is out, with the latest facts about its truck. Times are milliseconds since 1970. */
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

/** The issues that the server raises by itself. */
export type AlertKind = Extract<IssueKind, 'noGps' | 'noPlays' | 'outsideMarket' | 'playerOffline'>
export const alertKinds = ['noGps', 'noPlays', 'outsideMarket', 'playerOffline'] as const satisfies AlertKind[]

/** The alerts that hold for a running shift at this moment. */
export function activeAlerts(running: RunningShift, settings: Settings, now: number): AlertKind[] {
  // Nothing counts as missing for longer than the shift has run.
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
  return alertKinds.filter((kind) => holds[kind])
}

/** How long an alert must last before it is raised. The conditions of the other kinds include a time already. */
export const alertDelay = (kind: AlertKind, settings: Settings): number =>
  kind === 'outsideMarket' ? settings.outsideMarketForMinutes * MINUTE : MINUTE
