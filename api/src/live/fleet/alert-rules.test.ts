import { defaultSettings } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { CLEAR_MS, alertDelay, evaluateAlert, type RunningShift, activeAlerts, type AlertWatch } from './alert-rules.ts'

const now = Date.parse('2026-07-01T15:00:00Z')
const minutesAgo = (minutes: number) => now - minutes * 60_000
const running = (given: Partial<RunningShift>): RunningShift => ({
  truckUid: 't',
  shiftUid: 's',
  startedAt: minutesAgo(120),
  hasScreen: true,
  market: {
    latitude: 32.78,
    longitude: -96.8,
    radiusM: 1e4,
    outline: null,
  },
  position: {
    latitude: 32.78,
    longitude: -96.8,
  },
  positionAt: minutesAgo(1),
  playedAt: minutesAgo(1),
  playerSeenAt: minutesAgo(1),
  ...given,
})
const found = (given: Partial<RunningShift>) => activeAlerts(running(given), defaultSettings, now)

describe('a running shift', () => {
  test.each<[string[], Partial<RunningShift>]>([
    [[], {}],
    [['noGps'], { positionAt: minutesAgo(16) }],
    [['noGps'], { positionAt: null, position: null }],
    [[], { startedAt: minutesAgo(5), positionAt: null, position: null, playedAt: null, playerSeenAt: null }],
    [['noPlays'], { playedAt: minutesAgo(16) }],
    [['playerOffline'], { playerSeenAt: minutesAgo(11) }],
    [['noPlays', 'playerOffline'], { playedAt: null, playerSeenAt: null }],
    [[], { hasScreen: false, playedAt: null, playerSeenAt: null }],
    [['outsideMarket'], { position: { latitude: 32.9, longitude: -96.8 } }],
    [[], { position: { latitude: 32.875, longitude: -96.8 } }],
    // Where it was long ago says nothing of where it is.
    [['noGps'], { position: { latitude: 33.9, longitude: -96.8 }, positionAt: minutesAgo(20) }],
  ])('has %o: %o', (expected, given) => expect(found(given)).toEqual(expected))
})

describe('an issue', () => {
  const hold = alertDelay('outsideMarket', defaultSettings)
  const seenFor = (minutes: number): AlertWatch => ({ since: minutesAgo(minutes), goneSince: null })

  test('is raised only once its cause has lasted', () => {
    expect(evaluateAlert(undefined, true, false, hold, now)).toBe('wait')
    expect(evaluateAlert(seenFor(9), true, false, hold, now)).toBe('wait')
    expect(evaluateAlert(seenFor(10), true, false, hold, now)).toBe('raise')
    expect(evaluateAlert(seenFor(20), true, true, hold, now)).toBe('keep')
  })

  test('is closed only once its cause has been gone for a while, and what comes and goes stays open', () => {
    expect(evaluateAlert({ since: minutesAgo(20), goneSince: now - CLEAR_MS + 1 }, false, true, hold, now)).toBe('keep')
    expect(evaluateAlert({ since: minutesAgo(20), goneSince: now - CLEAR_MS }, false, true, hold, now)).toBe('close')
    expect(evaluateAlert(seenFor(5), false, false, hold, now)).toBe('forget')
  })
})
