import { defaultSettings } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import {
  activeAlerts,
  alertDelay,
  type AlertFacts,
  type AlertVerdict,
  type AlertWatch,
  CLEAR_MS,
  evaluateAlert,
  type RunningShift,
} from './alert-rules.ts'

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

describe('an alert', () => {
  const delayMs = alertDelay('outsideMarket', defaultSettings)
  const activeFor = (minutes: number): AlertWatch => ({ since: minutesAgo(minutes), goneSince: null })
  const goneFor = (ms: number): AlertWatch => ({ since: minutesAgo(20), goneSince: now - ms })

  test.each<[AlertVerdict, string, Pick<AlertFacts, 'watch' | 'isActive' | 'isRaised'>]>([
    ['wait', 'seen for the first time', { watch: undefined, isActive: true, isRaised: false }],
    ['wait', 'active for less than its delay', { watch: activeFor(9), isActive: true, isRaised: false }],
    ['raise', 'active for its delay', { watch: activeFor(10), isActive: true, isRaised: false }],
    ['keep', 'active and raised', { watch: activeFor(20), isActive: true, isRaised: true }],
    ['keep', 'raised, without a watch', { watch: undefined, isActive: true, isRaised: true }],
    ['keep', 'active again after it was gone', { watch: goneFor(CLEAR_MS), isActive: true, isRaised: true }],
    ['keep', 'raised and just gone', { watch: activeFor(20), isActive: false, isRaised: true }],
    ['keep', 'raised and gone for a moment', { watch: goneFor(CLEAR_MS - 1), isActive: false, isRaised: true }],
    ['close', 'raised and gone for a while', { watch: goneFor(CLEAR_MS), isActive: false, isRaised: true }],
    ['forget', 'gone before it was raised', { watch: activeFor(5), isActive: false, isRaised: false }],
  ])('%s: %s', (verdict, _, facts) => expect(evaluateAlert({ ...facts, delayMs, now })).toBe(verdict))
})
