import { defaultSettings } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { placeName, type TruckClocks, readinessOf, truckState } from './rules.ts'

const now = Date.parse('2026-07-01T15:00:00Z')
const minutesAgo = (minutes: number) => now - minutes * 60_000
const out = { status: 'out', startsAt: minutesAgo(120), endsAt: minutesAgo(-360) } as const
const planned = (minutes: number) =>
  ({ status: 'planned', startsAt: minutesAgo(minutes), endsAt: minutesAgo(-360) }) as const
const over = { status: 'out', startsAt: minutesAgo(500), endsAt: minutesAgo(1) } as const
const drive = { since: minutesAgo(15), until: minutesAgo(1), meters: 1610 }
const clocks = (given: Partial<TruckClocks>): TruckClocks => ({
  positionAt: minutesAgo(1),
  speedKmh: 40,
  isDriving: true,
  playedAt: minutesAgo(0.5),
  hasScreen: true,
  shift: out,
  drive: null,
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
    ['driving', { shift: null }],
    ['offShift', { shift: null, drive }],
    ['driving', { shift: null, drive: { ...drive, since: minutesAgo(14) } }],
    ['driving', { shift: null, drive: { ...drive, meters: 1600 } }],
    ['driving', { shift: null, drive: { ...drive, until: minutesAgo(12) } }],
    ['parked', { shift: null, drive, speedKmh: 0 }],
    ['runningOver', { shift: over, drive }],
    ['runningOver', { shift: over, speedKmh: 0 }],
    ['runningOver', { shift: { ...over, endsAt: now }, playedAt: null }],
    ['silent', { shift: over, positionAt: minutesAgo(30), playedAt: null }],
    ['driving', { shift: { ...over, endsAt: now + 1 } }],
    ['parked', { shift: null, speedKmh: 2 }],
    ['notMoving', { speedKmh: 0, shift: planned(11) }],
    ['parked', { speedKmh: 0, shift: planned(5) }],
    ['driving', { shift: planned(11) }],
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

describe('the place of a truck', () => {
  const dallas = { name: 'Dallas, TX', latitude: 32.78, longitude: -96.8, radiusM: 20_000, outline: null }
  const houston = { name: 'Houston, TX', latitude: 29.76, longitude: -95.37, radiusM: 20_000, outline: null }

  test('is the market it is in, or the nearest one', () => {
    expect(placeName({ latitude: 32.8, longitude: -96.8 }, [houston, dallas])).toBe('in Dallas, TX')
    expect(placeName({ latitude: 33.5, longitude: -96.8 }, [houston, dallas])).toBe('37 mi from Dallas, TX')
    expect(placeName({ latitude: 33.5, longitude: -96.8 }, [])).toBe('')
  })
})
