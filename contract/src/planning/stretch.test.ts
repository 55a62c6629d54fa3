import { describe, expect, test } from 'vitest'
import { describeStretch, isOnDay, stretchRange } from './stretch.ts'

const zone = 'America/Chicago'
const days = (from: string, to: string | null) => ({ from, startTime: '00:00', to, endTime: null, zone })
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

describe('a stretch', () => {
  test.each([
    ['a day', days('2026-07-01', '2026-07-01'), '2026-07-01T05:00:00.000Z', '2026-07-02T05:00:00.000Z'],
    ['a day of 23 hours', days('2026-03-08', '2026-03-08'), '2026-03-08T06:00:00.000Z', '2026-03-09T05:00:00.000Z'],
    ['a day of 25 hours', days('2026-11-01', '2026-11-01'), '2026-11-01T05:00:00.000Z', '2026-11-02T06:00:00.000Z'],
    [
      'hours over a change of clocks',
      { ...days('2026-10-31', '2026-11-01'), startTime: '18:00', endTime: '06:00' },
      '2026-10-31T23:00:00.000Z',
      '2026-11-01T12:00:00.000Z',
    ],
  ])('of %s begins and ends by the clocks of its zone', (_, clocks, from, to) => {
    const { startsAt, endsAt } = stretchRange(clocks)
    expect([iso(startsAt), iso(endsAt)]).toEqual([from, to])
  })

  test('until further notice has no end, and a time that clocks skip is none', () => {
    expect(stretchRange(days('2026-07-01', null)).endsAt).toBe(Number.POSITIVE_INFINITY)
    expect(stretchRange({ ...days('2026-03-08', null), startTime: '02:30' }).startsAt).toBeUndefined()
  })

  test('is said in words', () => {
    expect(describeStretch(days('2026-11-20', '2026-11-20'))).toBe('Nov 20, 2026')
    expect(describeStretch(days('2026-11-20', '2026-11-22'))).toBe('Nov 20, 2026 – Nov 22, 2026')
    expect(describeStretch(days('2026-11-20', null))).toBe('from Nov 20, 2026 until further notice')
    expect(describeStretch({ ...days('2026-11-20', '2026-11-22'), startTime: '08:00', endTime: '18:00' })).toBe(
      'from Nov 20, 2026, 8:00 AM until Nov 22, 2026, 6:00 PM',
    )
  })

  test('is on the days that it reaches into', () => {
    const stay = { startsAt: '2026-11-16T18:00:00Z', endsAt: '2026-11-18T06:00:00Z' }
    const on = (day: string) => isOnDay(stay, day, zone)
    expect(['2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18'].map(on)).toEqual([false, true, true, false])
    expect(isOnDay({ ...stay, endsAt: null }, '2027-01-01', zone)).toBe(true)
  })
})
