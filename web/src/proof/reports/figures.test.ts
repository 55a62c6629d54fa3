import { expect, describe, test } from 'vitest'
import { figuresOfSide, figuresOfSomeSides, numbersText } from './ad-log/playGrades.ts'
import { chartColumns, dayNamer } from './ad-log/playTime.ts'
import { distanceText, playTimeText, shareText } from './reportNumbers.ts'
import { accounted } from './ad-log/test-ad-log.ts'

describe('figures', () => {
  test('columns of days, weeks and months hold every play once, and empty days keep their place', () => {
    const day = (of: string, plays: number) => ({ day: of, ...accounted({ plays, missing: 1 }) })
    const days = [day('2026-01-31', 1), day('2026-02-01', 10), day('2026-03-01', 100), day('2026-12-31', 1000)]
    const plays = (from: string, to: string) => {
      const { unit, columns } = chartColumns(days, from, to)
      return [unit, columns.length, columns.map((column) => column.plays).filter(Boolean)]
    }
    expect(plays('2026-01-30', '2026-02-02')).toEqual(['day', 4, [1, 10]])
    // Weeks start on Mondays: 2026-02-01 is a Sunday, the last day of the week of 2026-01-31.
    expect(plays('2026-01-01', '2026-12-31')).toEqual(['week', 53, [11, 100, 1000]])
    expect(plays('2025-01-01', '2026-12-31')).toEqual(['month', 24, [1, 10, 100, 1000]])
    const { columns } = chartColumns(days, '2026-02-01', '2026-02-01')
    expect(columns).toMatchObject([{ from: '2026-02-01', to: '2026-02-01', plays: 10, missing: 1 }])
  })

  test('read as people say them', () => {
    expect([distanceText(null), distanceText(0), distanceText(30), distanceText(1609.344)]).toEqual([
      '–',
      '0 ft',
      '98 ft',
      '1.0 mi',
    ])
    expect([playTimeText(59), playTimeText(3600 * 1234 + 61)]).toEqual(['0:00:59', '1,234:01:01'])
    expect([shareText(99_999, 100_000), shareText(1, 1e6), shareText(1, 1), shareText(0, 5), shareText(0, 0)]).toEqual([
      '99.9%',
      '0.1%',
      '100%',
      '0%',
      '–',
    ])
  })

  test('name the year only where the days of a report span several', () => {
    expect(dayNamer('2026-11-01', '2026-11-30')('2026-11-04')).toBe('Wed, Nov 4')
    expect(dayNamer('2025-12-01', '2026-01-31')('2026-01-04')).toBe('Jan 4, 2026')
  })

  test('numbers that players used are written as a sum, as far as its parts are known', () => {
    const all = accounted({ plays: 1, missing: 14, rejected: 2, unassigned: 8 })
    expect(numbersText(all)).toBe('25 plays numbered by players = 1 play + 14 missing + 2 rejected + 8 unassigned.')
    expect(numbersText({ ...accounted({ plays: 3 }), unassigned: null })).toBe(
      '3 plays numbered by players = 3 plays + 0 missing + 0 rejected.',
    )
    expect(numbersText(figuresOfSide(all))).toBeUndefined()
    expect(numbersText(figuresOfSomeSides(all))).toBeUndefined()
    expect(numbersText(accounted({}))).toBeUndefined()
  })
})
