import { type ShiftUploadColumn, shiftRange, type ImportRow } from '@roadshow/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Table } from '../../../platform/spreadsheet/table-file.ts'
import { programMarketKey, type ShiftFacts, type ShiftValues } from '../rules.ts'
import { checkDrafts } from './check.ts'
import { readDraftRows } from './draft-rows.ts'
import { nameKey } from '../../../platform/runtime/name-key.ts'
import type { KnownNames } from './known-names.ts'
import type { SavedShift } from './saved-shifts.ts'

// A business so small that random rows meet each other all the time.
const trucks = ['T1', 'T2', 'T3']
const drivers = ['Ann', 'Bob', 'Cid']
const dates = ['2026-07-04', '2026-07-05']
const hours = ['00:00', '04:00', '08:00', '12:00', '16:00', '20:00']
const uidOf = (name: string) => `uid of ${name.toLowerCase()}`
const zone = 'America/Chicago'

const byName = (all: string[]) => new Map(all.map((name) => [nameKey(name), { uid: uidOf(name) }]))
const names: KnownNames = {
  trucks: byName([...trucks, 'Broken']),
  driversByEmail: new Map(),
  driversByName: new Map(
    drivers.map((name) => [nameKey(name), [{ uid: uidOf(name), name, email: '', role: 'driver', isDeleted: false }]]),
  ),
  programs: new Map([['p', [{ uid: 'p', name: 'P', client: 'C' }]]]),
  markets: new Map([['m', [{ uid: 'm', name: 'M', state: '', calledAs: 'm' }]]]),
  programMarkets: new Set([programMarketKey('p', 'm')]),
  artworkSets: new Map(),
  addressSets: new Map(),
}
const facts: ShiftFacts = {
  trucks: new Map(
    [...trucks, 'Broken'].map((number) => [
      uidOf(number),
      { number, state: number === 'Broken' ? 'inShop' : 'active' },
    ]),
  ),
  drivers: new Map(drivers.map((name) => [uidOf(name), { name, role: 'driver' }])),
  programs: new Map([['p', { name: 'P', status: 'active', startsOn: '2026-07-01', endsOn: '2026-07-31' }]]),
  markets: new Map([['m', { name: 'M', zone, earlierZones: [] }]]),
  outOfService: new Map([
    [uidOf('Broken'), [{ startsAt: 0, endsAt: Infinity, words: 'from Jul 1, 2026 until further notice' }]],
  ]),
  lockedPay: [],
  programMarkets: new Map([[programMarketKey('p', 'm'), { startsOn: null, endsOn: null }]]),
  artworkSets: new Map(),
  addressSets: new Map(),
}

type Cells = Partial<Record<ShiftUploadColumn, string>>
const columns: ShiftUploadColumn[] = ['date', 'start', 'end', 'truck', 'driver', 'program', 'market', 'note']

const cells: fc.Arbitrary<Cells> = fc.record({
  date: fc.constantFrom(...dates, '7/4/2026', '13/4/2026'),
  start: fc.constantFrom(...hours, '8am'),
  end: fc.constantFrom(...hours, '8pm'),
  truck: fc.constantFrom(...trucks, 't1', 'Broken', 'none'),
  driver: fc.constantFrom(...drivers, 'nobody'),
  program: fc.constant('P'),
  market: fc.constant('M'),
  note: fc.constantFrom('', 'x'),
})

/** Shifts of a database: planned one after the other, as far as they do not overlap. */
const existing: fc.Arbitrary<SavedShift[]> = fc
  .array(
    fc.record({
      truck: fc.constantFrom(...trucks),
      driver: fc.constantFrom(...drivers),
      date: fc.constantFrom(...dates),
      start: fc.constantFrom(...hours),
      end: fc.constantFrom(...hours),
      status: fc.constantFrom('planned' as const, 'planned' as const, 'out' as const),
    }),
    { maxLength: 8 },
  )
  .map((given) => {
    const kept: SavedShift[] = []
    for (const [index, { truck, driver, date, start, end, status }] of given.entries()) {
      const { startsAt = 0, endsAt = 0 } = shiftRange({ date, start, end, zone })
      const [truckUid, driverUid] = [uidOf(truck), uidOf(driver)]
      const meets = (other: SavedShift) =>
        (other.truckUid === truckUid || other.driverUid === driverUid) &&
        other.startsAt < endsAt &&
        startsAt < other.endsAt
      if (start === end || kept.some(meets)) continue
      kept.push({
        uid: `shift ${index}`,
        version: 1,
        status,
        zone,
        startsAt,
        endsAt,
        truckUid,
        driverUid,
        truck,
        driver,
        programUid: 'p',
        marketUid: 'm',
        program: 'P',
        market: 'M',
        date,
        start,
        end,
        artworkSetUid: null,
        addressSetUid: null,
        payOption: null,
        note: '',
        artworkSet: null,
        addressSet: null,
      })
    }
    return kept
  })

function check(rows: readonly Cells[], saved: readonly SavedShift[]) {
  const filled = rows.map((given, index) => ({
    row: index + 2,
    cells: Object.fromEntries(Object.entries(given).filter(([, text]) => text !== '')) as Cells,
  }))
  const table: Table<ShiftUploadColumn> = { columns, ignored: [], repeated: [], rows: filled }
  return checkDrafts(readDraftRows(table, names), facts, saved)
}

// Which other rows a reason names depends on where they stand.
const reasons = ({ problems }: ImportRow) =>
  Object.entries(problems)
    .map(([column, text]) => `${column}: ${text.replace(/rows? .*?(?=:| at that time|\.$)/, 'rows')}`)
    .toSorted()

/** What the check says of each distinct row: its best state (repeats of a good row are "same"), and its reasons. */
function verdicts(rows: readonly Cells[], results: readonly ImportRow[]) {
  const order = ['wrong', 'new', 'changed', 'same']
  const found = new Map<string, { state: string; reasons: string[] }>()
  for (const [index, result] of results.entries()) {
    const key = JSON.stringify(rows[index])
    const state = [found.get(key)?.state ?? 'same', result.state].toSorted(
      (a, b) => order.indexOf(a) - order.indexOf(b),
    )[0]
    found.set(key, { state: state ?? '', reasons: reasons(result) })
  }
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The same without telling a first row from one that says the same in other words. */
const isGood = (found: ReturnType<typeof verdicts>) =>
  [...found].map(([key, { state, reasons: why }]) => [key, state === 'wrong' ? 'wrong' : 'good', why])

const file = fc.array(cells, { minLength: 1, maxLength: 14 })
const shuffled = file.chain((rows) =>
  fc
    .tuple(
      fc.shuffledSubarray([...rows.keys()], { minLength: rows.length }),
      fc.array(fc.nat({ max: rows.length - 1 }), { maxLength: 6 }),
    )
    .map(([order, repeats]) => ({ rows, order, repeats })),
)
const RUNS = { numRuns: 1_000 }

describe('the check of an upload', () => {
  test('does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(shuffled, existing, ({ rows, order }, saved) => {
        const others = order.map((index) => rows[index] ?? {})
        const [one, other] = [check(rows, saved), check(others, saved)]
        expect(isGood(verdicts(others, other.rows))).toEqual(isGood(verdicts(rows, one.rows)))
        expect(other.toSave).toEqual(one.toSave)
      }),
      RUNS,
    )
  })

  test('does not depend on how often a row is there', () => {
    fc.assert(
      fc.property(shuffled, existing, ({ rows, repeats }, saved) => {
        const more = [...rows, ...repeats.map((index) => rows[index] ?? {})]
        const [one, other] = [check(rows, saved), check(more, saved)]
        expect(isGood(verdicts(more, other.rows))).toEqual(isGood(verdicts(rows, one.rows)))
        expect(other.toSave).toEqual(one.toSave)
      }),
      RUNS,
    )
  })

  test('lets nothing through that overlaps, and after saving finds everything the same', () => {
    fc.assert(
      fc.property(file, existing, (rows, saved) => {
        const { rows: results, toSave } = check(rows, saved)
        const changed = new Map(toSave.flatMap((each) => (each.saved ? [[each.saved.uid, each]] : [])))
        const spanOf = (input: ShiftValues) => {
          const { startsAt = 0, endsAt = 0 } = shiftRange({ ...input, zone })
          return { startsAt, endsAt, truckUid: input.truckUid, driverUid: input.driverUid }
        }
        const after: SavedShift[] = [
          ...saved.map((each) => {
            const input = changed.get(each.uid)?.input ?? each
            return { ...each, ...input, ...spanOf(input) }
          }),
          ...toSave
            .filter((each) => !each.saved)
            .map(({ input }, index) => ({
              uid: `new ${index}`,
              version: 1,
              status: 'planned' as const,
              zone,
              truck: '',
              driver: '',
              program: '',
              market: '',
              artworkSet: null,
              addressSet: null,
              ...input,
              ...spanOf(input),
            })),
        ]
        for (const [index, one] of after.entries()) {
          for (const other of after.slice(index + 1)) {
            const apart = one.endsAt <= other.startsAt || other.endsAt <= one.startsAt
            expect(apart || (one.truckUid !== other.truckUid && one.driverUid !== other.driverUid)).toBe(true)
          }
        }
        const again = check(rows, after)
        expect(again.toSave).toEqual([])
        const good = again.rows.filter((_, index) => results[index]?.state !== 'wrong')
        expect(good.every(({ state }) => state === 'same')).toBe(true)
      }),
      RUNS,
    )
  })
})
