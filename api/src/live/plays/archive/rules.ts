import { addDays, DAY_MS, NIL_UUID } from '@roadshow/contract'
import { dayOf } from '../../../platform/db/partitions.ts'
import type { DaySum } from './columns.ts'

/**
 * Days younger than this are never archived: devices may send plays of the last 30 days, and grading follows within a
 * fortnight.
 */
const MIN_ARCHIVE_DAYS = 45

/** Moments between which plays are read; `until` is the first one after. */
export interface PlayWindow {
  from: string
  until: string
}

/** The moments of a day (UTC), which may be given by its first moment, or those up to another day. */
export const windowOfDays = (first: string, last: string = first): PlayWindow => ({
  from: `${first.slice(0, 10)}T00:00:00Z`,
  until: `${addDays(last.slice(0, 10), 1)}T00:00:00Z`,
})

/** Microseconds since 1970 as an instant; both PostgreSQL and DuckDB keep as many digits. */
export const instantOfMicros = (micros: number): string =>
  `${new Date(Math.floor(micros / 1_000_000) * 1000).toISOString().slice(0, 19)}.${String(micros % 1_000_000).padStart(6, '0')}Z`

/** The first day (UTC) that is not old enough to be archived. */
export const archivedBefore = (now: number, afterDays: number): string =>
  dayOf((Math.floor(now / DAY_MS) - afterDays) * DAY_MS)

/** Whether moments from then on may lie on archived days. */
export const mayBeArchived = (from: number, now: number): boolean =>
  dayOf(from) < archivedBefore(now, MIN_ARCHIVE_DAYS - 1)

/** Every day (UTC) between two moments, both included. */
export function daysBetween(from: number, to: number): string[] {
  const days: string[] = []
  for (let day = Math.floor(from / DAY_MS); day <= Math.floor(to / DAY_MS); day++) days.push(dayOf(day * DAY_MS))
  return days
}

/** The name of a file: `plays/utc_day=2026-08-01/market=<uid>/<unique>.parquet`, with `none` for plays without a shift. */
export const blobOf = (day: string, market: string, unique: string): string =>
  `plays/utc_day=${day}/market=${market === NIL_UUID ? 'none' : market}/${unique}.parquet`

/** The checksum of two sets of plays together. */
export function addChecksums(one: string, other: string): string {
  const [[a = '0', b = '0'], [c = '0', d = '0']] = [one.split('-'), other.split('-')]
  return `${BigInt(a) + BigInt(c)}-${BigInt(b) + BigInt(d)}`
}

/** The sums of two sets of plays together, by market. */
export function addSums(one: readonly DaySum[], other: readonly DaySum[]): DaySum[] {
  const sums = new Map(one.map((sum) => [sum.market, sum]))
  for (const { market, rows, checksum } of other) {
    const known = sums.get(market)
    sums.set(market, {
      market,
      rows: rows + (known?.rows ?? 0),
      checksum: known ? addChecksums(known.checksum, checksum) : checksum,
    })
  }
  return [...sums.values()].toSorted((a, b) => (a.market < b.market ? -1 : 1))
}

const textOf = (sums: readonly DaySum[]) =>
  sums
    .map(({ market, rows, checksum }) => `${market} ${rows} ${checksum}`)
    .toSorted()
    .join()

/** Whether two sets of plays are the same, as far as sums can tell. */
export const isSameSum = (one: readonly DaySum[], other: readonly DaySum[]): boolean => textOf(one) === textOf(other)
