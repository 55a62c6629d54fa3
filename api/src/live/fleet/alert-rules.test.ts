import { defaultSettings } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { activeAlerts, alertDelay, alertKinds, type RunningShift } from './alert-rules.ts'

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
    // An old position says nothing about where the truck is now.
    [['noGps'], { position: { latitude: 33.9, longitude: -96.8 }, positionAt: minutesAgo(20) }],
  ])('has %o: %o', (expected, given) => expect(found(given)).toEqual(expected))
})

test('an alert lasts a minute before it is raised, a truck outside its market as long as the settings say', () => {
  expect(alertKinds.map((kind) => alertDelay(kind, defaultSettings) / 60_000)).toEqual([1, 1, 10, 1])
})
