import { type AdPlayBatch, DAY_MS, type FeedPlay } from '@roadshow/contract'
import { stringify } from 'csv-stringify/sync'
import type { FedPlay } from '../../live/plays/index.ts'
import { type Cell, plainCell } from '../../platform/spreadsheet/columns.ts'
import { formatLocalTime } from '../../platform/spreadsheet/local-time.ts'

const MINUTE_MS = 60_000

/** An instant on the clocks of a zone, with the offset from UTC: `2026-11-16T14:00:00.250-06:00`. */
export function localTimeWithOffset(instant: string, zone: string): string {
  const at = Date.parse(instant)
  const local = formatLocalTime(at, zone).replace(' ', 'T')
  const minutes = Math.round((Date.parse(`${local}Z`) - Math.floor(at / 1000) * 1000) / MINUTE_MS)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((each) =>
    String(each).padStart(2, '0'),
  )
  const millis = String(at % 1000).padStart(3, '0')
  return `${local}.${millis}${minutes < 0 ? '-' : '+'}${hours}:${rest}`
}

const endOfPlay = ({ startedAt, durationMs }: FedPlay): string =>
  new Date(Date.parse(startedAt) + durationMs).toISOString()

/** An entry of a feed before it is written. */
interface Entry {
  id: string
  changedAt: string
  cursor: string
  play: FedPlay | null
}

/** A line of the feed. A play that no longer counts says nothing about the truck: it may have been on another's shift. */
export function feedLine({ id, changedAt, cursor, play }: Entry): FeedPlay {
  if (!play) return { id, state: 'withdrawn', changedAt, cursor }
  const { uid: _, durationMs, startedAt, ...rest } = play
  return {
    id,
    state: 'counted',
    changedAt,
    startedAt,
    endedAt: endOfPlay(play),
    localTime: localTimeWithOffset(startedAt, play.zone),
    ...rest,
    seconds: durationMs / 1000,
    cursor,
  }
}

/** Google takes ad plays that started at most this long ago. */
const GOOGLE_TAKES_MS = 3 * DAY_MS

export interface AdPlayOptions {
  program: string
  seller: string
  impressionsPerPlay: number
  now: number
}

/** Whether Google would take a play: it counts, nothing speaks against it, and it is young enough. */
const isAdPlay = (play: FedPlay | null, now: number): play is FedPlay =>
  play !== null &&
  play.grade !== 'conflict' &&
  Date.parse(play.startedAt) > now - GOOGLE_TAKES_MS &&
  play.durationMs > 0

/** Plays as the body of one call of Google's Out-of-Home Seller API. */
export const adPlayBatch = (
  plays: readonly (FedPlay | null)[],
  { program, seller, impressionsPerPlay, now }: AdPlayOptions,
): AdPlayBatch => ({
  requests: plays
    .filter((play) => isAdPlay(play, now))
    .map((play) => ({
      parent: `sellers/${seller}`,
      adPlay: {
        startTime: play.startedAt,
        endTime: endOfPlay(play),
        impressionCount: impressionsPerPlay,
        lineExternalId: program,
        adUnitExternalId: `${play.truck.uid}-${play.side}`,
        creativeAssetExternalId: play.sha256,
      },
    })),
})

/** The columns of the CSV file. */
export const csvColumns: Record<string, (line: FeedPlay) => Cell> = {
  id: ({ id }) => id,
  state: ({ state }) => state,
  changed_at: ({ changedAt }) => changedAt,
  started_at: counted(({ startedAt }) => startedAt),
  ended_at: counted(({ endedAt }) => endedAt),
  local_time: counted(({ localTime }) => localTime),
  zone: counted(({ zone }) => zone),
  day: counted(({ day }) => day),
  shift_uid: counted(({ shiftUid }) => shiftUid),
  market_uid: counted(({ market }) => market.uid),
  market: counted(({ market }) => plainCell(market.name)),
  truck_uid: counted(({ truck }) => truck.uid),
  truck: counted(({ truck }) => plainCell(truck.name)),
  side: counted(({ side }) => side),
  artwork_uid: counted(({ artwork }) => artwork.uid),
  artwork: counted(({ artwork }) => plainCell(artwork.name)),
  sha256: counted(({ sha256 }) => sha256),
  seconds: counted(({ seconds }) => seconds),
  address: counted(({ address }) => plainCell(address?.name ?? null)),
  latitude: counted(({ latitude }) => latitude),
  longitude: counted(({ longitude }) => longitude),
  grade: counted(({ grade }) => grade),
  reason: counted(({ reason }) => reason),
  sequence: counted(({ sequence }) => sequence),
  received_at: counted(({ receivedAt }) => receivedAt),
  is_late: counted(({ isLate }) => String(isLate)),
  cursor: ({ cursor }) => cursor,
}

/** A column that plays have only while they count. */
function counted<T>(value: (line: FeedPlay & { state: 'counted' }) => T): (line: FeedPlay) => T | null {
  return (line) => (line.state === 'counted' ? value(line) : null)
}

/** Lines of the feed as CSV (RFC 4180) with a heading. */
export const feedCsv = (lines: readonly FeedPlay[]): string =>
  stringify([Object.keys(csvColumns), ...lines.map((line) => Object.values(csvColumns).map((column) => column(line)))])
