import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, localDay, daysBetween, shiftRange } from './shift-time.ts'

const HOUR = 3_600_000
const zones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
  // Clocks that change by half an hour, and a zone of odd minutes.
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
]
const zone = fc.constantFrom(...zones)
const dates = fc.integer({ min: 0, max: 40 * 365 }).map((days) => addDays('2000-01-01', days))
// Change-over days of the years around, which random days would hardly meet.
const changes = fc.constantFrom(
  '2026-03-08',
  '2026-03-07',
  '2026-11-01',
  '2026-10-31',
  '2026-04-05',
  '2026-10-04',
  '2007-03-11',
)
const date = fc.oneof(dates, changes)
const clock = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`)
const hours = fc.record({ date, start: clock, end: clock, zone }).filter(({ start, end }) => start !== end)

/** What a clock on the wall shows, by another way than the code under test. */
const formats = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
)
const shown = (at: number, zone: string) => formats.get(zone)?.format(at)

describe('the hours of a shift', () => {
  test('are shown by the clocks of its zone at its start and end', () => {
    fc.assert(
      fc.property(hours, ({ date, start, end, zone }) => {
        const { startsAt, endsAt } = shiftRange({ date, start, end, zone })
        const show = (at: number | undefined) => (at === undefined ? 'skipped' : shown(at, zone))
        expect([`${date} ${start}`, 'skipped']).toContain(show(startsAt))
        expect([`${end <= start ? addDays(date, 1) : date} ${end}`, 'skipped']).toContain(show(endsAt))
      }),
      { numRuns: 3000 },
    )
  })

  test('are undefined only where clocks skip them, and the first of two where clocks repeat them', () => {
    fc.assert(
      fc.property(hours, ({ date, start, end, zone }) => {
        const { startsAt } = shiftRange({ date, start, end, zone })
        const near = startsAt ?? Date.parse(`${date}T${start}:00Z`)
        const steps = Array.from({ length: 4 * 52 }, (_, index) => near - 26 * HOUR + index * (HOUR / 4))
        const showing = steps.filter((at) => shown(at, zone) === `${date} ${start}`)
        expect(startsAt).toBe(startsAt === undefined ? showing[0] : Math.min(startsAt, ...showing))
      }),
      { numRuns: 300 },
    )
  })

  test('last as long as people count, give or take a change of clocks', () => {
    fc.assert(
      fc.property(hours, ({ date, start, end, zone }) => {
        const { startsAt, endsAt } = shiftRange({ date, start, end, zone })
        if (startsAt === undefined || endsAt === undefined) return
        const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
        const counted = (minutes(end) - minutes(start) + (end <= start ? 24 * 60 : 0)) * 60_000
        expect(Math.abs(endsAt - startsAt - counted)).toBeLessThanOrEqual(HOUR)
      }),
      { numRuns: 2000 },
    )
  })

  test('of a night are an hour shorter in spring and longer in autumn', () => {
    const night = (date: string) => {
      const { startsAt = 0, endsAt = 0 } = shiftRange({ date, start: '20:00', end: '04:00', zone: 'America/Chicago' })
      return (endsAt - startsAt) / HOUR
    }
    expect([night('2026-03-06'), night('2026-03-07'), night('2026-10-31'), night('2026-11-01')]).toEqual([8, 7, 9, 8])
    const skipped = shiftRange({ date: '2026-03-08', start: '02:30', end: '03:00', zone: 'America/Chicago' })
    expect(skipped).toEqual({ startsAt: undefined, endsAt: Date.parse('2026-03-08T08:00:00Z') })
    const twice = shiftRange({ date: '2026-11-01', start: '01:30', end: '03:00', zone: 'America/Chicago' })
    expect(twice.startsAt).toBe(Date.parse('2026-11-01T06:30:00Z'))
  })
})

test('days are counted without zones', () => {
  expect([addDays('2026-02-28', 1), addDays('2026-03-01', -1), addDays('2024-02-28', 1)]).toEqual([
    '2026-03-01',
    '2026-02-28',
    '2024-02-29',
  ])
  fc.assert(
    fc.property(dates, fc.integer({ min: -400, max: 400 }), (from, days) => {
      expect(daysBetween(from, addDays(from, days)) - days).toBe(0)
    }),
  )
  expect(localDay('America/Los_Angeles', Date.parse('2026-07-02T05:00:00Z'))).toBe('2026-07-01')
})
