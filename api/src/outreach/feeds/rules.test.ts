import { describe, expect, test } from 'vitest'
import type { FedPlay } from '../../live/plays/index.ts'
import { adPlayBatch, csvColumns, feedCsv, feedLine, localTimeWithOffset } from './rules.ts'

const uid = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
const aPlay = (more: Partial<FedPlay> = {}): FedPlay => ({
  uid: `${uid(1)} p1`,
  startedAt: '2026-11-16T20:00:00.250Z',
  day: '2026-11-16',
  shiftUid: uid(2),
  zone: 'America/Chicago',
  market: { uid: uid(3), name: 'Houston, TX' },
  truck: { uid: uid(4), name: 'T-4' },
  side: 'rear',
  artwork: { uid: uid(5), name: 'Summer' },
  durationMs: 8250,
  address: null,
  latitude: null,
  longitude: null,
  grade: 'verified',
  reason: null,
  sequence: 7,
  receivedAt: '2026-11-16T20:01:00.000001Z',
  isLate: false,
  sha256: 'a'.repeat(64),
  ...more,
})

describe('local time', () => {
  test.each([
    ['2026-07-01T20:00:00Z', 'America/Chicago', '2026-07-01T15:00:00.000-05:00'],
    ['2026-11-16T20:00:00.250Z', 'America/Chicago', '2026-11-16T14:00:00.250-06:00'],
    // One hour apart, on the same wall clock: the offset tells them apart.
    ['2026-11-01T06:30:00Z', 'America/Chicago', '2026-11-01T01:30:00.000-05:00'],
    ['2026-11-01T07:30:00Z', 'America/Chicago', '2026-11-01T01:30:00.000-06:00'],
    ['2026-03-08T08:00:00Z', 'America/Chicago', '2026-03-08T03:00:00.000-05:00'],
    ['2026-07-01T20:00:00.123456Z', 'Asia/Kolkata', '2026-07-02T01:30:00.123+05:30'],
    ['2026-07-01T20:00:00Z', 'UTC', '2026-07-01T20:00:00.000+00:00'],
  ])('%s in %s is %s', (instant, zone, local) => {
    expect(localTimeWithOffset(instant, zone)).toBe(local)
    expect(Date.parse(local)).toBe(Date.parse(instant))
  })
})

describe('a line', () => {
  const entry = { id: `${uid(1)} p1`, changedAt: '2026-11-16T20:01:00.000001Z', cursor: 'c' }

  test('of a play that counts has its end and its seconds', () => {
    expect(feedLine({ ...entry, play: aPlay() })).toMatchObject({
      state: 'counted',
      endedAt: '2026-11-16T20:00:08.500Z',
      seconds: 8.25,
      cursor: 'c',
    })
  })

  test('of a withdrawn play says nothing about the truck', () => {
    expect(feedLine({ ...entry, play: null })).toEqual({ ...entry, state: 'withdrawn' })
  })

  test('as CSV has one cell for each column, also when the play is withdrawn', () => {
    const lines = [feedLine({ ...entry, play: aPlay() }), feedLine({ ...entry, play: null })]
    const [heading, counted, withdrawn] = feedCsv(lines).split('\n')
    const columns = Object.keys(csvColumns)
    expect(heading).toBe(columns.join(','))
    expect(counted).toContain('"Houston, TX"')
    expect(withdrawn?.split(',')).toHaveLength(columns.length)
  })
})

describe('ad plays for Google', () => {
  const options = { program: uid(9), seller: '47', impressionsPerPlay: 2.5, now: Date.parse('2026-11-17T00:00:00Z') }
  const started = (startedAt: string) => aPlay({ startedAt })

  test.each([
    ['a play that counts', aPlay(), 1],
    ['an unverified play', aPlay({ grade: 'unverified', reason: 'noTrack' }), 1],
    ['a play in conflict', aPlay({ grade: 'conflict', reason: 'overlap' }), 0],
    ['a withdrawn play', null, 0],
    ['a play of almost three days ago', started('2026-11-14T00:00:01Z'), 1],
    ['a play of three days ago', started('2026-11-14T00:00:00Z'), 0],
    ['a play without a length, whose end would not be after its start', aPlay({ durationMs: 0 }), 0],
  ])('%s', (_, play, count) => {
    expect(adPlayBatch([play], options).requests).toHaveLength(count)
  })
})
