import { describe, expect, test } from 'vitest'
import { type DayFacts, hoursOfDay, milesByDay, presentDay, type ShiftOfTruck, zoneAt } from './day-rules.ts'

const CHICAGO = 'America/Chicago'
const at = (instant: string) => Date.parse(instant)
let count = 0
const shift = (date: string, from: string, to: string, more: Partial<ShiftOfTruck> = {}): ShiftOfTruck => ({
  uid: `shift ${++count}`,
  clientUid: 'client',
  program: 'Summer',
  date,
  zone: CHICAGO,
  start: '22:00',
  end: '02:00',
  from: at(from),
  to: at(to),
  metres: 1000,
  gpsMetres: 900,
  source: 'odometer',
  ...more,
})
const hour = (from: string, meters = 100) => ({ from: at(from), meters })
const facts = (more: Partial<DayFacts>): DayFacts => ({ shifts: [], hours: [], homeZone: CHICAGO, ...more })
const table = (given: Partial<DayFacts>, first = '2026-01-01', last = '2026-12-31') =>
  milesByDay(facts(given), first, last).map(({ date, shiftMetres, unassignedMetres, metres }) => [
    date,
    shiftMetres,
    unassignedMetres,
    metres,
  ])

describe('the days of a truck', () => {
  // 10 PM to 2 AM in Chicago.
  const night = shift('2026-07-01', '2026-07-02T03:00:00Z', '2026-07-02T07:00:00Z')

  test('are those of the market: a night shift with all its miles belongs to the day on which it began', () => {
    expect(
      table({
        shifts: [night],
        // 9 PM, 2 AM and 11 PM in Chicago.
        hours: [hour('2026-07-02T02:00:00Z', 10), hour('2026-07-02T07:00:00Z', 20), hour('2026-07-03T04:00:00Z', 30)],
      }),
    ).toEqual([
      ['2026-07-01', 1000, 10, 1010],
      ['2026-07-02', null, 50, 50],
    ])
  })

  test('add up by GPS alone, too', () => {
    const [day] = milesByDay(
      facts({ shifts: [night], hours: [hour('2026-07-02T02:00:00Z', 10)] }),
      '2026-07-01',
      '2026-07-01',
    )
    expect(day).toMatchObject({ metres: 1010, gpsMetres: 910 })
  })

  test('say nothing where nothing is known: no data is not zero', () => {
    const silent = { ...night, metres: null, gpsMetres: null, source: null }
    expect(table({ shifts: [silent] })).toEqual([['2026-07-01', null, null, null]])
    expect(table({ shifts: [silent], hours: [hour('2026-07-02T02:00:00Z', 0)] })).toEqual([['2026-07-01', null, 0, 0]])
    expect(table({})).toEqual([])
  })

  test('are only those that were asked for', () => {
    expect(table({ shifts: [night], hours: [hour('2026-07-03T04:00:00Z')] }, '2026-07-02', '2026-07-02')).toEqual([
      ['2026-07-02', null, 100, 100],
    ])
  })

  test('have 25 hours when clocks go back, and 23 when they go forward', () => {
    const all = (first: string, hours: number) =>
      Array.from({ length: hours }, (_, n) => ({ from: at(first) + n * 3_600_000, meters: 1 }))
    expect(table({ hours: all('2026-11-01T05:00:00Z', 26) })).toEqual([
      ['2026-11-01', null, 25, 25],
      ['2026-11-02', null, 1, 1],
    ])
    expect(table({ hours: all('2026-03-08T06:00:00Z', 24) })).toEqual([
      ['2026-03-08', null, 23, 23],
      ['2026-03-09', null, 1, 1],
    ])
  })

  test('lie in the zone of the last shift, of the first one before it, and of the home market without any', () => {
    const denver = shift('2026-07-01', '2026-07-01T14:00:00Z', '2026-07-01T22:00:00Z', { zone: 'America/Denver' })
    const auckland = shift('2026-07-10', '2026-07-09T20:00:00Z', '2026-07-10T02:00:00Z', { zone: 'Pacific/Auckland' })
    const given = facts({ shifts: [denver, auckland] })
    expect(zoneAt(at('2026-06-01T00:00:00Z'), given)).toBe('America/Denver')
    expect(zoneAt(at('2026-07-05T00:00:00Z'), given)).toBe('America/Denver')
    expect(zoneAt(at('2026-07-11T00:00:00Z'), given)).toBe('Pacific/Auckland')
    expect(zoneAt(0, facts({}))).toBe(CHICAGO)
    expect(table({ shifts: [auckland], hours: [hour('2026-07-10T12:00:00Z')] })).toEqual([
      ['2026-07-10', 1000, null, 1000],
      ['2026-07-11', null, 100, 100],
    ])
  })
})

describe('the present day', () => {
  const night = shift('2026-07-01', '2026-07-02T03:00:00Z', '2026-07-02T07:00:00Z')

  test('is that of the shift that runs, and then the market’s', () => {
    expect(presentDay(facts({ shifts: [night] }), at('2026-07-02T06:30:00Z'))).toBe('2026-07-01')
    expect(presentDay(facts({ shifts: [night] }), at('2026-07-02T07:00:00Z'))).toBe('2026-07-02')
    expect(presentDay(facts({}), at('2026-07-02T04:59:00Z'))).toBe('2026-07-01')
  })

  test('has the hours between two midnights, and a shift over midnight whole', () => {
    const day = { from: at('2026-07-01T05:00:00Z'), to: at('2026-07-02T05:00:00Z') }
    const next = { from: day.to, to: at('2026-07-03T05:00:00Z') }
    expect(hoursOfDay('2026-07-01', day, [])).toEqual(day)
    expect(hoursOfDay('2026-07-01', day, [night])).toEqual({ from: day.from, to: night.to })
    expect(hoursOfDay('2026-07-02', next, [night])).toEqual({ from: night.to, to: next.to })
  })
})
