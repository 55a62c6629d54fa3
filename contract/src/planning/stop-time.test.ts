import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInsideShift, stopRange } from './stop-time.ts'
import { shiftRange } from './shift-time.ts'
import { popStopText, visitText, windowText } from './stop-words.ts'

const zone = 'America/Chicago'
const text = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

describe('the window of a stop', () => {
  test.each<[string, { start: string; end: string }, { from: string; to: string }, boolean]>([
    ['inside', { start: '08:00', end: '16:00' }, { from: '11:00', to: '12:30' }, true],
    ['the whole shift', { start: '08:00', end: '16:00' }, { from: '08:00', to: '16:00' }, true],
    ['before the start', { start: '08:00', end: '16:00' }, { from: '07:59', to: '09:00' }, false],
    ['after the end', { start: '08:00', end: '16:00' }, { from: '15:00', to: '16:01' }, false],
    ['backwards', { start: '08:00', end: '16:00' }, { from: '12:00', to: '11:00' }, false],
    ['empty', { start: '08:00', end: '16:00' }, { from: '12:00', to: '12:00' }, false],
    ['over midnight', { start: '20:00', end: '04:00' }, { from: '23:30', to: '01:00' }, true],
    ['after midnight', { start: '20:00', end: '04:00' }, { from: '02:00', to: '04:00' }, true],
    ['by day of a night shift', { start: '20:00', end: '04:00' }, { from: '12:00', to: '13:00' }, false],
    ['back to the start', { start: '20:00', end: '04:00' }, { from: '21:00', to: '20:00' }, false],
  ])('%s', (_, hours, window, expected) => expect(isInsideShift(hours, window)).toBe(expected))

  test('is on the next day after midnight', () => {
    const range = stopRange({ date: '2026-07-01', start: '20:00', end: '04:00', zone }, { from: '23:30', to: '01:00' })
    expect([text(range.opensAt), text(range.closesAt)]).toEqual([
      '2026-07-02T04:30:00.000Z',
      '2026-07-02T06:00:00.000Z',
    ])
  })

  test('keeps its local times when the shift moves over a change of clocks', () => {
    const hours = { start: '08:00', end: '20:00', zone }
    const at = (date: string) => text(stopRange({ date, ...hours }, { from: '17:00', to: '19:00' }).opensAt)
    expect(at('2026-10-31')).toBe('2026-10-31T22:00:00.000Z')
    expect(at('2026-11-01')).toBe('2026-11-01T23:00:00.000Z')
    expect(at('2027-03-14')).toBe('2027-03-14T22:00:00.000Z')
  })

  test('does not exist where clocks skip it', () => {
    const night = { date: '2027-03-13', start: '22:00', end: '06:00', zone }
    expect(stopRange(night, { from: '02:30', to: '04:00' }).opensAt).toBeUndefined()
  })

  test('inside by the clock is inside in time, on any day that has its times', () => {
    const clock = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
    const date = fc.constantFrom('2026-07-01', '2026-10-31', '2026-11-01', '2027-03-13', '2027-03-14')
    fc.assert(
      fc.property(clock, clock, clock, clock, date, (start, end, from, to, day) => {
        fc.pre(start !== end && isInsideShift({ start, end }, { from, to }))
        const hours = { date: day, start, end, zone }
        const { startsAt, endsAt } = shiftRange(hours)
        const { opensAt, closesAt } = stopRange(hours, { from, to })
        fc.pre([startsAt, endsAt, opensAt, closesAt].every((at) => at !== undefined))
        expect(opensAt).toBeGreaterThanOrEqual(startsAt ?? 0)
        expect(closesAt).toBeGreaterThan(opensAt ?? 0)
        expect(closesAt).toBeLessThanOrEqual(endsAt ?? 0)
      }),
    )
  })
})

describe('the words of a stop', () => {
  const stop = {
    name: 'Stadium',
    from: '17:00',
    to: '19:00',
    state: null,
    arrivedAt: null,
    leftAt: null,
    dwellMinutes: null,
  }
  const visited = { ...stop, arrivedAt: '2026-07-01T22:02:10Z', leftAt: '2026-07-01T23:48:00Z', dwellMinutes: 106 }

  test.each([
    ['Stadium, 5:02–6:48 PM, 1 h 46 min', { ...visited, state: 'onTime' as const }],
    ['Stadium, 5:02–6:48 PM, 1 h 46 min, late', { ...visited, state: 'late' as const }],
    [
      'Stadium, since 5:02 PM, less than 1 min',
      { ...visited, state: 'onTime' as const, leftAt: null, dwellMinutes: 0 },
    ],
    ['Stadium, planned 5:00–7:00 PM: missed', { ...stop, state: 'missed' as const }],
    ['Stadium, planned 5:00–7:00 PM: no GPS data', { ...stop, state: 'noData' as const }],
    ['Stadium, planned 5:00–7:00 PM', stop],
  ])('%s', (expected, given) => expect(visitText(given, zone)).toBe(expected))

  test('name both halves of the day where they differ', () =>
    expect(windowText({ from: '11:30', to: '13:00' })).toBe('11:30 AM–1:00 PM'))

  test('read local times of a published version', () => {
    const local = { arrivedAt: '2026-07-01 17:02:10', leftAt: '2026-07-01 18:48:00', state: 'onTime' as const }
    expect(popStopText({ ...visited, ...local })).toBe('Stadium, 5:02–6:48 PM, 1 h 46 min')
  })
})
