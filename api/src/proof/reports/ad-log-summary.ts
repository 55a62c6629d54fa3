import {
  type AccountedFigures,
  type adLog,
  type AdLogSummary,
  hoursOfSpan,
  type QueryOf,
  type TruckSide,
  truckSides,
} from '@roadshow/contract'
import type { Scope } from '../../platform/db/records/scope.ts'
import {
  countOldAddressPlays,
  type GroupTotal,
  hideDriver,
  nameOfAddress,
  type OtherTotal,
  type PlayCounts,
  playFiguresOf,
  type PlayStores,
  playTotals,
  requirePrograms,
  withAddressSnapshot,
  withClocks,
} from '../../live/plays/index.ts'

type Query = QueryOf<typeof adLog.summary>
type Counts = Omit<AccountedFigures, 'numbers' | 'unassigned'> & { unassigned: number }

const noFigures = (): Counts => ({
  plays: 0,
  seconds: 0,
  verified: 0,
  unverified: 0,
  conflict: 0,
  noTrack: 0,
  missing: 0,
  rejected: 0,
  duplicates: 0,
  unassigned: 0,
})

/** Whether a query asks for what only plays of a shift have: a market, a driver, an SD address, or the clock of a market. */
const asksForShifts = ({ market, shift, driver, address, ...query }: Query): boolean =>
  Boolean(market ?? shift ?? driver ?? address ?? hoursOfSpan(query))

/** Adds up what players have numbered. Unassigned plays are unknown where a query asks for what they do not have. */
const account = (counts: Counts, query: Query): AccountedFigures => ({
  ...counts,
  unassigned: asksForShifts(query) ? null : counts.unassigned,
  numbers: counts.plays + counts.missing + counts.rejected + counts.duplicates + counts.unassigned,
})

function addOthers(counts: Counts, { missing, rejected, duplicates, unassigned }: OtherTotal): Counts {
  return {
    ...counts,
    missing: counts.missing + missing,
    rejected: counts.rejected + rejected,
    duplicates: counts.duplicates + duplicates,
    unassigned: counts.unassigned + unassigned,
  }
}

/** The total of everything, summed from the sides; seconds are rounded once, as everywhere. */
function totalOf(groups: readonly GroupTotal[], others: readonly OtherTotal[]): Counts {
  const total: PlayCounts = { plays: 0, ms: 0, verified: 0, conflict: 0, noTrack: 0 }
  for (const group of groups.filter(({ side }) => side !== null)) {
    for (const name of ['plays', 'ms', 'verified', 'conflict', 'noTrack'] as const) total[name] += group[name]
  }
  return others.reduce(addOthers, { ...noFigures(), ...playFiguresOf(total), noTrack: total.noTrack })
}

// People expect T-2 before T-10.
const naturalOrder = new Intl.Collator('en', { numeric: true })

/** Everything that players have numbered, by day or by truck. */
function countsBy(
  key: 'day' | 'truck',
  groups: readonly GroupTotal[],
  others: readonly OtherTotal[],
): Map<string, Counts> {
  const found = new Map<string, Counts>()
  for (const group of groups) {
    const value = group[key]
    if (value !== null) found.set(value, { ...noFigures(), ...playFiguresOf(group), noTrack: group.noTrack })
  }
  for (const each of others) found.set(each[key], addOthers(found.get(each[key]) ?? noFigures(), each))
  return found
}

const figuresOfSide = (side: TruckSide, groups: readonly GroupTotal[]) =>
  groups.filter((group) => group.side === side).map((group) => ({ side, ...playFiguresOf(group) }))

/** Plays by day, side and truck with their grades, and the numbers that are no plays. */
export async function summarizeAdLog(stores: PlayStores, scope: Scope, query: Query): Promise<AdLogSummary> {
  const { db } = stores
  // Before plays for an address are read: they are of one program.
  if (query.address !== undefined && query.program) await requirePrograms(db, scope, query.program)
  const asked = await withAddressSnapshot(stores, await withClocks(db, hideDriver(scope, query)))
  const { zones, keptSince, groups, others: found } = await playTotals(db, scope, { by: 'day', ...asked })
  const others = found.filter((each) => each.missing + each.rejected + each.duplicates + each.unassigned > 0)
  const numbers = new Map([...groups, ...others].map(({ truck, number }) => [truck, number ?? '']))
  return {
    zones,
    total: account(totalOf(groups, others), query),
    days: [...countsBy('day', groups, others)]
      .map(([day, counts]) => ({ day, ...account(counts, query) }))
      .toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    sides: truckSides.flatMap((side) => figuresOfSide(side, groups)),
    trucks: [...countsBy('truck', groups, others)]
      .map(([uid, counts]) => ({ truck: { uid, name: numbers.get(uid) ?? '' }, ...account(counts, query) }))
      .toSorted((one, other) => naturalOrder.compare(one.truck.name, other.truck.name)),
    keptSince,
    jumps: found.reduce((sum, { jumps }) => sum + jumps, 0),
    address: await nameOfAddress(db, query),
    onlyCounted: query.address === undefined ? 0 : await countOldAddressPlays(db, query),
  }
}
