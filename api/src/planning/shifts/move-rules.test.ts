import { DAY_MS, earlyStartRefusal, shiftRange, type ShiftStatus } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { checkBegunHours, checkCorrection, checkMove, checkRemoval, timesAfterMove } from './move-rules.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const zone = 'America/Chicago'

const startOf = (date: string, start: string) => {
  const { startsAt } = shiftRange({ date, start, end: '23:59', zone })
  return new Date(startsAt ?? NaN).toISOString()
}

describe('the window in which a shift starts', () => {
  const usual = startOf('2026-11-16', '08:00')
  // Clocks go back at 2:00 AM on Nov 1 and forward at 2:00 AM on Mar 8: 2 hours are 2 hours on both nights.
  const back = startOf('2026-11-01', '02:30')
  const forward = startOf('2026-03-08', '03:30')
  test.each<[string, string, number, string | undefined]>([
    ['at its planned start', usual, 0, undefined],
    ['long after it', usual, 90 * DAY_MS, undefined],
    ['2 hours before', usual, -2 * HOUR, undefined],
    [
      'a minute more',
      usual,
      -2 * HOUR - MINUTE,
      'This shift can start from Mon, Nov 16, 6:00 AM CST, 2 hours before its planned start.',
    ],
    ['2 hours before, on the night with an hour twice', back, -2 * HOUR, undefined],
    [
      'a minute more, on that night',
      back,
      -2 * HOUR - MINUTE,
      'This shift can start from Sun, Nov 1, 1:30 AM CDT, 2 hours before its planned start.',
    ],
    ['2 hours before, on the night that skips an hour', forward, -2 * HOUR, undefined],
    [
      'a minute more, on that night',
      forward,
      -2 * HOUR - MINUTE,
      'This shift can start from Sun, Mar 8, 12:30 AM CST, 2 hours before its planned start.',
    ],
  ])('%s', (_, startsAt, away, refusal) => {
    expect(earlyStartRefusal({ startsAt, zone }, Date.parse(startsAt) + away)).toBe(refusal)
  })
})

describe('the status of a shift', () => {
  const startsAt = startOf('2026-11-16', '08:00')
  const at = (hours: number) => Date.parse(startsAt) + hours * HOUR
  const EARLY = 'This shift can start from Mon, Nov 16, 6:00 AM CST, 2 hours before its planned start.'
  const UNSTARTED = 'Start the shift before you complete it.'
  type Case = [
    ShiftStatus,
    ShiftStatus,
    'all' | 'own',
    now: number,
    startedAt: string | null,
    refusal: string | undefined,
  ]
  test.each<Case>([
    ['planned', 'out', 'all', 0, null, undefined],
    ['planned', 'out', 'own', -2, null, undefined],
    ['planned', 'out', 'own', -2.1, null, EARLY],
    ['planned', 'out', 'all', -24, null, EARLY],
    ['planned', 'completed', 'own', 9, null, UNSTARTED],
    ['planned', 'completed', 'all', -3, null, EARLY],
    ['out', 'completed', 'own', 8, null, UNSTARTED],
    ['out', 'completed', 'own', 8, startsAt, undefined],
    ['planned', 'noShow', 'all', -24, null, undefined],
    ['out', 'planned', 'all', 0, startsAt, undefined],
    [
      'out',
      'planned',
      'own',
      0,
      startsAt,
      "This change isn't possible for a shift that is out. It can only become completed.",
    ],
    [
      'completed',
      'planned',
      'all',
      9,
      startsAt,
      "This change isn't possible for a shift that is completed. It can only become out.",
    ],
    ['completed', 'out', 'own', 9, startsAt, "This change isn't possible for a shift that is completed."],
  ])(
    'from %s to %s, reaching %s rows, %f hours after the planned start',
    (status, to, rows, now, startedAt, refusal) => {
      const verdict = checkMove({ status, startsAt, zone, startedAt }, { status: to, reason: 'x', rows, now: at(now) })
      expect('refusal' in verdict ? verdict.refusal : undefined).toBe(refusal)
    },
  )

  test('staff complete a shift that never started with a reason', () => {
    const shift = { status: 'planned' as const, startsAt, zone, startedAt: null }
    const move = (reason: string) => checkMove(shift, { status: 'completed', reason, rows: 'all', now: at(9) })
    expect(move('')).toEqual({ isReasonMissing: true })
    expect(move('Phone broken')).toEqual({ isReasonMissing: false })
  })

  test.each<[string, ShiftStatus, string | null, string, number, boolean]>([
    ['a planned shift may be planned for any day', 'planned', null, '2027-11-16', 0, true],
    ['a shift that is out stays within 2 hours from now', 'out', startsAt, '2026-11-17', 1, false],
    ['a completed one stays within 2 hours of its start', 'completed', startsAt, '2026-11-17', 72, false],
    ['other hours of the same day', 'completed', startsAt, '2026-11-16', 72, true],
  ])('%s', (_, status, startedAt, date, now, isAllowed) => {
    const hours = { startsAt: startOf(date, '09:30'), zone }
    expect(checkBegunHours({ status, startedAt, timesReason: '' }, hours, at(now)) === undefined).toBe(isAllowed)
  })

  test('a corrected start says nothing about the hours: the present does', () => {
    const hours = { startsAt: startOf('2026-11-17', '09:30'), zone }
    const saved = { status: 'completed', startedAt: startsAt, timesReason: 'The phone was broken' } as const
    expect(checkBegunHours(saved, hours, at(72))).toBeUndefined()
    expect(checkBegunHours(saved, hours, at(1))).toMatch(/^This shift has already started\./)
  })

  test.each<[ShiftStatus, boolean]>([
    ['planned', true],
    ['cancelled', true],
    ['noShow', true],
    ['out', false],
    ['completed', false],
  ])('a shift that is %s can be deleted: %s', (status, can) => {
    expect(checkRemoval(status) === undefined).toBe(can)
  })
})

describe('the times of a shift after a move', () => {
  const unknown = { startedAt: null, stoppedAt: null }
  const [startedAt, stoppedAt] = ['then', 'later']
  const goesOn = { stopped_at: null, stop_corrected: false, stops_count_from: 'now' }
  test.each<[string, ShiftStatus, Parameters<typeof timesAfterMove>[0], object]>([
    ['starts now', 'out', unknown, { started_at: 'now', ...goesOn }],
    [
      'keeps its start and loses its end when it goes out again',
      'out',
      { startedAt, stoppedAt },
      { started_at: 'then', ...goesOn },
    ],
    ['ends now', 'completed', { startedAt, stoppedAt: null }, { stopped_at: 'now' }],
    ['keeps its end', 'completed', { startedAt, stoppedAt }, { stopped_at: 'later' }],
    ['has no times when it was never started', 'completed', unknown, { stopped_at: null }],
    [
      'has no times when it is planned again, and reports from before do not count',
      'planned',
      { startedAt, stoppedAt },
      {
        started_at: null,
        stopped_at: null,
        times_reason: '',
        start_corrected: false,
        stop_corrected: false,
        starts_count_from: 'now',
        stops_count_from: 'now',
      },
    ],
  ])('a shift %s', (_, status, before, after) => {
    expect(timesAfterMove(before, status, 'now')).toEqual(after)
  })
})

describe('a correction of actual times', () => {
  const shift = {
    status: 'planned' as ShiftStatus,
    zone,
    startsAt: '2026-11-16T14:00:00Z',
    endsAt: '2026-11-16T22:00:00Z',
  }
  const now = Date.parse('2026-11-16T23:00:00Z')
  const given = { startedAt: '2026-11-16T14:05:00Z', stoppedAt: '2026-11-16T22:05:00Z' }
  test.each<[string, Partial<typeof shift>, Partial<{ startedAt: string; stoppedAt: string | null }>, object]>([
    ['of both times', {}, {}, { fields: {} }],
    ['of the start alone', {}, { stoppedAt: null }, { fields: {} }],
    ['three hours early, with its reason', {}, { startedAt: '2026-11-16T11:00:00Z' }, { fields: {} }],
    [
      'that stops first',
      {},
      { stoppedAt: '2026-11-16T14:00:00Z' },
      { fields: { stoppedAt: 'Must not be before the start.' } },
    ],
    [
      'in the future',
      {},
      { stoppedAt: '2026-11-16T23:00:01Z' },
      { fields: { stoppedAt: 'Must not be in the future.' } },
    ],
    [
      'on another day',
      {},
      { startedAt: '2026-11-14T14:00:00Z' },
      { fields: { startedAt: 'Must be within a day of the planned hours.' } },
    ],
    [
      'of a no-show',
      { status: 'noShow' },
      {},
      { refusal: 'The shift is marked no-show. Plan it again first.', fields: {} },
    ],
    [
      'of a shift that is still to come',
      { startsAt: '2026-11-17T14:00:00Z', endsAt: '2026-11-17T22:00:00Z' },
      {},
      { refusal: 'This shift can start from Tue, Nov 17, 6:00 AM CST, 2 hours before its planned start.', fields: {} },
    ],
  ])('%s', (_, of, times, verdict) => {
    expect(checkCorrection({ ...shift, ...of }, { ...given, ...times }, now)).toEqual(verdict)
  })
})
