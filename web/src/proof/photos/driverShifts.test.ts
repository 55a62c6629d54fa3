import { expect, test } from 'vitest'
import { orderForPhotos, shiftPhase } from './driverShifts.ts'

const NOW = Date.parse('2026-11-16T15:00:00Z')
const shift = (name: string, startsAt: string, endsAt: string, status = 'planned') => ({
  name,
  startsAt: `2026-11-${startsAt}:00.000Z`,
  endsAt: `2026-11-${endsAt}:00.000Z`,
  status: status as 'planned' | 'out' | 'completed',
})

test('the running shift is first, then the next ones, then the past ones from the last back', () => {
  const shifts = [
    shift('tomorrow', '17T14:00', '17T22:00'),
    shift('tonight', '16T23:00', '17T05:00'),
    shift('running', '16T14:00', '16T22:00', 'out'),
    shift('yesterday', '15T14:00', '15T22:00', 'completed'),
    shift('the day before', '14T14:00', '14T22:00', 'completed'),
  ]
  const expected = ['running', 'tonight', 'tomorrow', 'yesterday', 'the day before']
  expect(orderForPhotos(shifts, NOW).map(({ name }) => name)).toEqual(expected)
  expect(orderForPhotos(shifts.toReversed(), NOW).map(({ name }) => name)).toEqual(expected)
})

test.each([
  ['a shift that was started and runs over', '15T22:00', '16T06:00', 'out', 'running'],
  ['a shift in its planned hours that was not started', '16T14:00', '16T22:00', 'planned', 'running'],
  ['a shift that was completed early', '16T14:00', '16T22:00', 'completed', 'past'],
  ['a shift that ends at this moment', '16T07:00', '16T15:00', 'planned', 'past'],
  ['a shift that starts at this moment', '16T15:00', '16T22:00', 'planned', 'running'],
  ['a shift that starts in a minute', '16T15:01', '16T22:00', 'planned', 'next'],
])('%s', (_, startsAt, endsAt, status, phase) => {
  expect(shiftPhase(shift('', startsAt, endsAt, status), NOW)).toBe(phase)
})
