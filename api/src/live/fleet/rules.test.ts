import { defaultSettings } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { type TruckClocks, readinessOf, truckState } from './rules.ts'

const now = Date.parse('2026-07-01T15:00:00Z')
const minutesAgo = (minutes: number) => now - minutes * 60_000
const out = { status: 'out', startsAt: minutesAgo(120) } as const
const clocks = (given: Partial<TruckClocks>): TruckClocks => ({
  positionAt: minutesAgo(1),
  speedKmh: 40,
  isDriving: true,
  playedAt: minutesAgo(0.5),
  hasScreen: true,
  shift: out,
  ...given,
})
const state = (given: Partial<TruckClocks>) => truckState(clocks(given), defaultSettings, now)

describe('a truck', () => {
  test.each<[string, Partial<TruckClocks>]>([
    ['driving', {}],
    ['driving', { speedKmh: null, isDriving: true }],
    ['parked', { speedKmh: 0 }],
    ['parked', { speedKmh: null, isDriving: false }],
    ['silent', { positionAt: minutesAgo(11), playedAt: minutesAgo(60) }],
    ['silent', { positionAt: null, playedAt: null }],
    ['playingSilent', { positionAt: minutesAgo(11) }],
    ['darkScreen', { playedAt: minutesAgo(16) }],
    ['darkScreen', { playedAt: null }],
    ['driving', { playedAt: null, hasScreen: false }],
    ['offShift', { shift: null }],
    ['parked', { shift: null, speedKmh: 2 }],
    ['notMoving', { speedKmh: 0, shift: { status: 'planned', startsAt: minutesAgo(11) } }],
    ['parked', { speedKmh: 0, shift: { status: 'planned', startsAt: minutesAgo(5) } }],
    ['driving', { shift: { status: 'planned', startsAt: minutesAgo(11) } }],
  ])('is %s: %o', (expected, given) => expect(state(given)).toBe(expected))
})

describe('ready to roll', () => {
  const health = { receivedAt: now, files: ['a', 'b', 'c'], clockOffsetMs: 900, gpsFix: true }

  test('a player with the files, the right time, a fix and a connection is ready', () => {
    expect(readinessOf(health, ['a', 'b'], minutesAgo(1), now)).toEqual({
      artwork: true,
      clock: true,
      gps: true,
      player: true,
    })
  })

  test('each missing part is named', () => {
    const faulty = { ...health, clockOffsetMs: -7000, gpsFix: false }
    expect(readinessOf(faulty, ['a', 'd'], minutesAgo(30), now)).toEqual({
      artwork: false,
      clock: false,
      gps: false,
      player: false,
    })
    expect(readinessOf(health, [], null, now).artwork).toBe(false)
  })

  test('without a report, nothing is known', () => {
    expect(readinessOf(null, ['a'], null, now)).toEqual({ artwork: null, clock: null, gps: null, player: false })
  })
})
