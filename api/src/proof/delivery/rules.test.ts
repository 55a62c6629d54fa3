import type { LineDelivery } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { isBehind, type LineShifts, makeUpRequest, missingShifts } from './rules.ts'

test.each([
  ['with too few hours to tell', { planned: 12, driven: 0 }, false, false],
  ['below 90%', { planned: 100, driven: 89.9 }, false, true],
  ['at 90%', { planned: 100, driven: 90 }, false, false],
  ['at 91% after it was said to be behind', { planned: 100, driven: 91 }, true, true],
])('a program is behind or not: %s', (_, hours, isKnown, expected) => {
  expect(isBehind(hours, isKnown)).toBe(expected)
})

const now = Date.parse('2026-08-11T17:00:00Z')
const uid = '0198c5f0-0000-7000-8000-000000000001'

const delivery = (unit: LineDelivery['line']['unit'], delivered: number, endsOn = '2026-08-20'): LineDelivery => ({
  line: {
    uid,
    market: { uid, name: 'Dallas', zone: 'America/Chicago' },
    unit,
    amount: 100,
    startsOn: '2026-08-01',
    endsOn,
    priceCents: null,
  },
  delivered,
  expected: 50,
  through: '2026-08-10',
  deliveredSince: 0,
  shiftsWithoutData: 0,
  pace: delivered / 50,
  forecast: null,
  state: 'behind',
})
const shifts = (given: Partial<LineShifts> = {}): LineShifts => ({
  worked: 10,
  start: '10:00',
  end: '18:00',
  hours: 8,
  planned: [],
  ...given,
})
const planned = [
  { date: '2026-08-12', shifts: 2, hours: 16 },
  { date: '2026-08-13', shifts: 1, hours: 8 },
]

describe('missing shifts', () => {
  test.each([
    ['truck-days until the end', delivery('truckDays', 40), shifts(), 60],
    ['beside what today has brought', { ...delivery('truckDays', 40), deliveredSince: 3 }, shifts(), 57],
    ['beside those planned', delivery('truckDays', 40), shifts({ planned }), 57],
    ['hours by the length of a shift', delivery('hours', 40), shifts({ planned }), 5],
    ['miles by what shifts brought', delivery('miles', 40), shifts({ planned }), 12],
    ['unknown while no shift brought any', delivery('plays', 0), shifts({ worked: 0 }), null],
    ['none where the plan is enough', delivery('truckDays', 98), shifts({ planned }), 0],
    // 25 of 50 days are 50 truck-days.
    ['only what two weeks need', delivery('truckDays', 40, '2026-09-19'), shifts(), 10],
  ])('%s', (_, line, known, count) => {
    expect(missingShifts(line, known, now)).toBe(count)
  })
})

describe('the request to Fill', () => {
  test('asks for as many trucks a day as the missing shifts need beside those planned', () => {
    const request = (missing: number) =>
      makeUpRequest(uid, delivery('truckDays', 40), shifts({ planned }), { missing, now })
    expect(request(0)).toBeUndefined()
    expect(request(7)).toMatchObject({
      programUid: uid,
      markets: [{ marketUid: uid, trucks: 1 }],
      from: '2026-08-12',
      to: '2026-08-20',
      start: '10:00',
      end: '18:00',
    })
    expect(request(8)).toMatchObject({ markets: [{ trucks: 2 }] })
    expect(request(1000)).toMatchObject({ markets: [{ trucks: 33 }] })
  })

  test('is none after the last day', () => {
    const over = delivery('truckDays', 40, '2026-08-11')
    expect(makeUpRequest(uid, over, shifts(), { missing: 5, now })).toBeUndefined()
  })
})
