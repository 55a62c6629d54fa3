import { describe, expect, test } from 'vitest'
import { bookedLineInputs, wrongBookedLines } from './booked-lines.ts'

const dallas = '0198c5f0-0000-7000-8000-000000000001'
const austin = '0198c5f0-0000-7000-8000-000000000002'
const program = { startsOn: '2026-08-01', endsOn: '2026-08-31', markets: [{ marketUid: dallas }] }
const line = { marketUid: dallas, unit: 'hours', startsOn: '2026-08-01', endsOn: '2026-08-31' } as const
const wrong = (...lines: Parameters<typeof wrongBookedLines>[1]) => [...wrongBookedLines(program, lines)]

describe('booked lines', () => {
  test('may fill the program, change with the days, and count several units', () => {
    const early = { ...line, endsOn: '2026-08-10' }
    const late = { ...line, startsOn: '2026-08-11' }
    expect(wrong(early, late, { ...line, unit: 'miles' })).toEqual([])
  })

  test.each([
    [{ marketUid: austin }, 'marketUid', 'Add this market to the program first.'],
    [{ startsOn: '2026-08-20', endsOn: '2026-08-19' }, 'endsOn', 'Must not be before the start.'],
    [{ startsOn: '2026-07-31' }, 'startsOn', 'The program starts on Aug 1, 2026.'],
    [{ endsOn: '2026-09-01' }, 'endsOn', 'The program ends on Aug 31, 2026.'],
  ])('%o is refused at %s', (change, field, message) => {
    expect(wrong({ ...line, ...change })).toEqual([[0, field, message]])
  })

  test('the same unit twice on one day is refused', () => {
    expect(wrong({ ...line, endsOn: '2026-08-10' }, { ...line, startsOn: '2026-08-10' })).toEqual([
      [1, 'unit', 'Another line books the same for these days.'],
    ])
  })

  test.each([{ amount: 0 }, { amount: 1.5 }, { amount: 1e12 }, { priceCents: -1 }, { unit: 'km' }])(
    '%o is no line',
    (change) => {
      expect(bookedLineInputs.safeParse([{ ...line, amount: 10, ...change }]).success).toBe(false)
      expect(bookedLineInputs.parse([{ ...line, amount: 10 }])[0]?.priceCents).toBeNull()
    },
  )
})
