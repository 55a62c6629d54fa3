import { DAY_MS } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { EMPTY_TRUCK_STATE, packState, unpackState } from './packed-track.ts'
import { trackOf } from './miles.ts'
import { at, drive } from './test-fleet.ts'
import { addFixes, hasData, holdsWithin, partsOf, sumTotals, timesOfDay } from './track-parts.ts'

const HOUR = 3_600_000
const shift = (uid: string, from: number, to: number) => ({ uid, from, to })

test.each([
  ['no shift, no hours', [], []],
  [
    'shifts keep their hours, in their order',
    [shift('b', 12, 16), shift('a', 8, 12)],
    [shift('a', 8, 12), shift('b', 12, 16)],
  ],
  [
    'only the part within the range counts',
    [shift('a', -4, 6), shift('b', 20, 30)],
    [shift('a', 0, 6), shift('b', 20, 24)],
  ],
])('%s', (_, shifts, expected) => {
  expect(holdsWithin({ from: 0, to: 24 }, shifts)).toEqual(expected)
  expect(holdsWithin({ from: 0, to: 24 }, shifts.toReversed())).toEqual(expected)
})

test('a day has no hole: shifts, and the hours between them', () => {
  const day = at('00:00:00')
  const shifts = [shift('a', at('08:30:00'), at('10:00:00'))]
  const parts = partsOf(timesOfDay(day), shifts)
  expect(parts[0]?.from).toBe(day - 12 * HOUR)
  expect(parts.at(-1)?.to).toBe(day + DAY_MS)
  for (const [index, part] of parts.slice(1).entries()) expect(part.from).toBe(parts[index]?.to)
  expect(parts.filter((part) => part.shift === 'a')).toHaveLength(1)
  expect(parts.every((part) => part.shift !== null || part.to - part.from <= HOUR)).toBe(true)
})

test('a drive across the edges of a shift is divided there to the meter', () => {
  // 452 meters were lost here when each part began with its own first fix.
  const fixes = drive(at('07:00:05'), at('11:00:05'), 30_000)
  const parts = partsOf(timesOfDay(at('00:00:00')), [shift('a', at('08:00:00'), at('10:00:00'))])
  const state = { ...EMPTY_TRUCK_STATE }
  addFixes(state, parts, fixes)
  const mine = sumTotals(parts.filter((part) => part.shift === 'a'))
  const others = sumTotals(parts.filter((part) => part.shift === null))
  const whole = trackOf(fixes)
  expect(mine.meters + others.meters).toBeCloseTo(whole.meters, 6)
  expect(mine.meters).toBeCloseTo(2 * 54_000, -1)
  expect(mine.heardMs + others.heardMs).toBe(whole.heardMs)
  expect(mine.heardMs).toBe(2 * HOUR)
  expect(mine.fixes + others.fixes).toBe(whole.fixes)
})

test('a silence over the edge of a shift is divided by time and marked as estimated', () => {
  const [start, end] = drive(at('07:00:00'), at('09:00:00'), 2 * HOUR)
  const parts = partsOf(timesOfDay(at('00:00:00')), [shift('a', at('08:30:00'), at('10:00:00'))])
  addFixes({ ...EMPTY_TRUCK_STATE }, parts, [start!, end!])
  const mine = sumTotals(parts.filter((part) => part.shift === 'a'))
  expect(mine.meters).toBeCloseTo(27_000, -2)
  expect(mine.estimatedMeters).toBe(mine.meters)
  expect(mine.heardMs).toBe(0)
  expect(sumTotals(parts).meters).toBeCloseTo(108_000, -2)
})

test('the drive outside of shifts begins after a stop, goes on, and ends with a shift or a stop', () => {
  const state = { ...EMPTY_TRUCK_STATE }
  const parts = partsOf(timesOfDay(at('00:00:00')), [shift('a', at('08:00:00'), at('10:00:00'))])
  const fixes = drive(at('07:30:00'), at('11:00:00'))
  const until = (time: string) =>
    addFixes(
      state,
      parts,
      fixes.filter((fix) => fix.at <= at(time) && fix.at > (state.last?.at ?? 0)),
    )
  until('07:50:00')
  expect(state.drive).toMatchObject({ since: at('07:30:00'), until: at('07:50:00') })
  expect(state.drive?.meters).toBeCloseTo(18_000, -2)
  until('09:00:00')
  expect(state.drive).toBeNull()
  until('10:20:00')
  expect(state.drive).toMatchObject({ since: at('10:00:00'), until: at('10:20:00') })
  const last = fixes.findLast((fix) => fix.at <= at('10:20:00'))!
  addFixes(state, parts, [{ ...last, at: at('10:31:00'), speedKmh: 0 }])
  expect(state.drive).toBeNull()
})

test('a state that was kept is the same, wherever it stood', () => {
  const fixes = drive(at('08:00:00'), at('08:10:00')).map((fix, index) => ({
    ...fix,
    latitude: index === 20 ? 40 : fix.latitude,
    speedKmh: index % 3 ? fix.speedKmh : null,
  }))
  const state = { ...EMPTY_TRUCK_STATE }
  const parts = partsOf(timesOfDay(at('00:00:00')), [])
  for (const fix of [...fixes, ...drive(at('09:00:00'), at('09:01:00'))]) {
    expect(unpackState(JSON.parse(JSON.stringify(packState(state))) as ReturnType<typeof packState>)).toEqual(state)
    addFixes(state, parts, [fix])
  }
  expect(parts.some(hasData)).toBe(true)
})
