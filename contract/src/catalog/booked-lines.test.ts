import { describe, expect, test } from 'vitest'
import { bookedLineInputs, countBeyond, removeApart, shortenLines, wrongBookedLines } from './booked-lines.ts'

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

describe('lines beyond new dates of their program', () => {
  const days = (startsOn: string, endsOn: string) => ({ ...line, startsOn, endsOn })
  const within = days('2026-08-01', '2026-08-31')
  const overTheEnd = days('2026-08-20', '2026-09-10')
  const overBoth = days('2026-07-01', '2026-12-31')
  const after = days('2026-09-01', '2026-09-30')
  const before = days('2026-07-01', '2026-07-31')
  const lines = [within, overTheEnd, overBoth, after, before]

  test('are counted: those that keep some days, and those that keep none', () => {
    expect(countBeyond(program, lines)).toEqual({ partly: 2, wholly: 2 })
    expect(countBeyond(program, [within])).toEqual({ partly: 0, wholly: 0 })
  })

  test('are shortened or removed, after which nothing is wrong with the dates', () => {
    const shortened = shortenLines(program, lines)
    expect(shortened).toEqual([within, days('2026-08-20', '2026-08-31'), within, after, before])
    const left = removeApart(program, shortened)
    expect(countBeyond(program, left)).toEqual({ partly: 0, wholly: 0 })
    expect(removeApart(program, lines)).toEqual([within, overTheEnd, overBoth])
  })
})
