import {
  type adLog,
  type AdLogSummary,
  type PlayFigures,
  type QueryOf,
  type TruckSide,
  truckSides,
} from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type GroupTotal, type MissingTotal, type PlayCounts, playTotals } from '../../live/plays/index.ts'

type Query = QueryOf<typeof adLog.summary>
type FiguresWithMissing = PlayFigures & { missing: number }

const noFigures = (): FiguresWithMissing => ({
  plays: 0,
  seconds: 0,
  verified: 0,
  unverified: 0,
  conflict: 0,
  missing: 0,
})

const figuresOf = ({ plays, ms, verified, conflict }: PlayCounts): PlayFigures => ({
  plays,
  seconds: Math.floor(ms / 1000),
  verified,
  unverified: plays - verified - conflict,
  conflict,
})

/** The total of everything, summed from the sides; seconds are rounded once, as everywhere. */
function totalOf(groups: readonly GroupTotal[], missing: readonly MissingTotal[]): FiguresWithMissing {
  const total: PlayCounts = { plays: 0, ms: 0, verified: 0, conflict: 0 }
  for (const group of groups.filter(({ side }) => side !== null)) {
    for (const name of ['plays', 'ms', 'verified', 'conflict'] as const) total[name] += group[name]
  }
  return { ...figuresOf(total), missing: missing.reduce((sum, each) => sum + each.missing, 0) }
}

// People expect T-2 before T-10.
const naturalOrder = new Intl.Collator('en', { numeric: true })

/** Plays and missing plays by day or by truck. */
function groupBy(
  key: 'day' | 'truck',
  groups: readonly GroupTotal[],
  missing: readonly MissingTotal[],
): Map<string, FiguresWithMissing> {
  const found = new Map<string, FiguresWithMissing>()
  for (const group of groups) {
    const value = group[key]
    if (value !== null) found.set(value, { ...noFigures(), ...figuresOf(group) })
  }
  for (const each of missing) {
    const known = found.get(each[key]) ?? noFigures()
    found.set(each[key], { ...known, missing: known.missing + each.missing })
  }
  return found
}

const figuresOfSide = (side: TruckSide, groups: readonly GroupTotal[]) =>
  groups.filter((group) => group.side === side).map((group) => ({ side, ...figuresOf(group) }))

/** Plays by day, side and truck with their grades, and how many are missing. */
export async function summarizeAdLog(db: Db, scope: Scope, query: Query): Promise<AdLogSummary> {
  const { zones, keptSince, groups, missing } = await playTotals(db, scope, { by: 'day', ...query })
  const numbers = new Map([...groups, ...missing].map(({ truck, number }) => [truck, number ?? '']))
  return {
    zones,
    total: totalOf(groups, missing),
    days: [...groupBy('day', groups, missing)]
      .map(([day, figures]) => ({ day, ...figures }))
      .toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    sides: truckSides.flatMap((side) => figuresOfSide(side, groups)),
    trucks: [...groupBy('truck', groups, missing)]
      .map(([uid, figures]) => ({ truck: { uid, name: numbers.get(uid) ?? '' }, ...figures }))
      .toSorted((one, other) => naturalOrder.compare(one.truck.name, other.truck.name)),
    keptSince,
  }
}
