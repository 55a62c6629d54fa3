import { describe, expect, test } from 'vitest'
import { type AlertProgress, dueForAlert, isFillingUp, latestDigest, sendTime } from './rules.ts'

const at = (text: string) => Date.parse(text)
const iso = (instant: number) => new Date(instant).toISOString()
const night = { zone: 'America/Chicago', quietHours: { from: '22:00', to: '07:00' }, urgentPasses: false }

describe('quiet hours', () => {
  test.each([
    ['in the evening before them, at once', '2026-11-17T03:59:00Z', '2026-11-17T03:59:00.000Z'],
    ['from their first minute on, in the morning', '2026-11-17T04:00:00Z', '2026-11-17T13:00:00.000Z'],
    ['after midnight, the same morning', '2026-11-17T08:00:00Z', '2026-11-17T13:00:00.000Z'],
    ['at their end, at once', '2026-11-17T13:00:00Z', '2026-11-17T13:00:00.000Z'],
    [
      'in the night on which clocks go forward, at 7 AM daylight time',
      '2026-03-08T07:30:00Z',
      '2026-03-08T12:00:00.000Z',
    ],
    ['in the night on which clocks go back, at 7 AM standard time', '2026-11-01T06:30:00Z', '2026-11-01T13:00:00.000Z'],
    ['in the second of two equal hours, the same morning', '2026-11-01T07:30:00Z', '2026-11-01T13:00:00.000Z'],
  ])('a message is sent %s', (_, now, sent) => {
    expect(iso(sendTime(at(now), night, false))).toBe(sent)
  })

  test('that do not span midnight hold on their own day', () => {
    const noon = { ...night, quietHours: { from: '12:00', to: '13:30' } }
    expect(iso(sendTime(at('2026-07-01T17:45:00Z'), noon, false))).toBe('2026-07-01T18:30:00.000Z')
    expect(sendTime(at('2026-07-01T18:30:00Z'), noon, false)).toBe(at('2026-07-01T18:30:00Z'))
  })

  test('that end in an hour that clocks skip end when clocks have gone forward', () => {
    const short = { ...night, quietHours: { from: '01:00', to: '02:30' } }
    expect(iso(sendTime(at('2026-03-08T07:30:00Z'), short, false))).toBe('2026-03-08T08:00:00.000Z')
  })

  test('let urgent messages pass only if their reader wants so', () => {
    const now = at('2026-11-17T08:00:00Z')
    expect(sendTime(now, night, true)).toBeGreaterThan(now)
    expect(sendTime(now, { ...night, urgentPasses: true }, true)).toBe(now)
    expect(sendTime(now, { ...night, urgentPasses: true }, false)).toBeGreaterThan(now)
    expect(sendTime(now, { ...night, quietHours: null }, false)).toBe(now)
  })
})

test.each([
  ['yesterday before its hour', '2026-11-17T13:59:00Z', '2026-11-16T14:00:00.000Z'],
  ['today from its hour on', '2026-11-17T14:00:00Z', '2026-11-17T14:00:00.000Z'],
  ['an hour earlier by UTC once clocks went forward', '2026-03-08T20:00:00Z', '2026-03-08T13:00:00.000Z'],
])('the latest digest was due %s', (_, now, due) => {
  expect(iso(latestDigest(at(now), { zone: 'America/Chicago', digestAt: '08:00' }))).toBe(due)
})

describe('an alert that no one acknowledged', () => {
  const told = at('2026-11-16T20:00:00Z')
  const fresh: AlertProgress = { toldAt: told, lastAt: told, repeats: 0, isEscalated: false, isAcknowledged: false }
  const times = { repeatAfter: 30, escalateAfter: 60 }
  const after = (minutes: number) => told + minutes * 60_000
  test.each([
    ['is quiet before its time', fresh, 29, { repeat: false, escalate: false }],
    ['repeats after the time of the settings', fresh, 30, { repeat: true, escalate: false }],
    ['repeats once although a node was away for hours', fresh, 600, { repeat: true, escalate: true }],
    ['waits as long again', { ...fresh, repeats: 1, lastAt: after(30) }, 59, { repeat: false, escalate: false }],
    [
      'escalates once',
      { ...fresh, isEscalated: true, repeats: 2, lastAt: after(60) },
      80,
      { repeat: false, escalate: false },
    ],
    ['ends after three repeats', { ...fresh, isEscalated: true, repeats: 3 }, 900, { repeat: false, escalate: false }],
    ['is quiet from then on', { ...fresh, isAcknowledged: true }, 900, { repeat: false, escalate: false }],
  ])('%s', (_, progress, minutes, due) => {
    expect(dueForAlert(progress, times, after(minutes))).toEqual(due)
  })

  test('neither repeats nor escalates where the settings say never', () => {
    expect(dueForAlert(fresh, { repeatAfter: 0, escalateAfter: 0 }, after(900))).toEqual({
      repeat: false,
      escalate: false,
    })
  })
})

const GB = 1024 ** 3
test.each([
  ['a large disk with much left', { free: 60 * GB, total: 1000 * GB }, false, false],
  ['a disk with little left in bytes and in proportion', { free: 15 * GB, total: 200 * GB }, false, true],
  ['a small disk that is half empty', { free: 15 * GB, total: 30 * GB }, false, false],
  ['any disk with less than 2 GB', { free: GB, total: 4 * GB }, false, true],
  ['a disk that was just said to fill up and has slightly more', { free: 21 * GB, total: 200 * GB }, true, true],
])('%s', (_, space, isKnown, isFilling) => {
  expect(isFillingUp(space, isKnown)).toBe(isFilling)
})
