import type { PlannedStop } from '@roadshow/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readStops, stopsText } from './stop-cells.ts'

const stadium: PlannedStop = {
  name: 'Stadium',
  latitude: 32.7473,
  longitude: -97.0945,
  radiusM: 402,
  from: '12:00',
  to: '14:00',
  minMinutes: 30,
  note: 'North gate.',
}
const plain = { ...stadium, minMinutes: null, note: '' }

describe('planned stops in a cell', () => {
  test.each<[string, PlannedStop[]]>([
    ['Stadium, 12:00–2:00 PM (32.7473 -97.0945, 1319 ft, at least 30 min: North gate.)', [stadium]],
    ['Stadium, 12 to 2 pm (32.7473, -97.0945, 0.25 mi)', [plain]],
    ['Stadium, 11:30 AM - 14:00 (32.7473 -97.0945)', [{ ...plain, from: '11:30' }]],
    ['A, B, 12–2 PM (32.7473 -97.0945);\nStadium, 12–2 PM (32.7473 -97.0945);', [{ ...plain, name: 'A, B' }, plain]],
    ['', []],
  ])('%s', (text, stops) => expect(readStops(text)).toEqual({ value: stops }))

  test.each([
    ['Stadium', 'Must be stops such as Stadium, 5:00–7:00 PM (32.7473 -97.0945, 1300 ft).'],
    ['Stadium, 5 to 25 (32 -97)', 'Is this AM or PM? Write 8am, 8pm or 08:00.'],
    ['Stadium, 5–7 PM (99 -97)', 'Stadium: Must be a number from -90 to 90.'],
    ['Stadium, 5–7 PM (32 -97, 10 ft)', 'Stadium: Must be from 0.03 mi to 5 mi.'],
    [Array.from({ length: 13 }, () => 'S, 5–7 PM (32 -97)').join(';'), 'At most 12 planned stops.'],
  ])('%s is refused', (text, problem) => expect(readStops(text)).toEqual({ problem }))

  test('are read again as they were written', () => {
    const line = fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    const clock = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((both) => both.map((part) => String(part).padStart(2, '0')).join(':'))
    const stop = fc.record({
      name: line.filter((text) => text !== ''),
      latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((n) => n + 0),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((n) => n + 0),
      radiusM: fc.integer({ min: 50, max: 8047 }),
      from: clock,
      to: clock,
      minMinutes: fc.option(fc.integer({ min: 1, max: 720 })),
      note: line,
    })
    fc.assert(
      fc.property(fc.array(stop, { maxLength: 12 }), (stops) => {
        expect(readStops(stopsText(stops))).toEqual({ value: stops })
      }),
    )
  })
})
