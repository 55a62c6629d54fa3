import { type Play, type PlayerData, type PlayerSet, truckSides } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { Screens } from './screens.ts'
import { HOUR, START } from './test-plan.ts'

const setOf = (name: string): PlayerSet => ({
  artworkSetUid: name,
  name,
  files: truckSides.map((side) => ({
    side,
    sha256: `${name} ${side}`,
    contentType: 'image/png',
    size: 1,
    durationMs: null,
    url: '',
  })),
})

const here = { latitude: 32.79, longitude: -96.8 }
const data: Pick<PlayerData, 'shifts'> = {
  shifts: [
    {
      uid: 'shift',
      programUid: 'program',
      startsAt: new Date(START).toISOString(),
      endsAt: new Date(START + HOUR).toISOString(),
      artwork: setOf('own'),
      addresses: [{ uid: 'shop', label: 'Shop', ...here, radiusM: 500, artwork: setOf('shop') }],
    },
  ],
}

/** Plays of a truck that is at a latitude at each moment, seen every five seconds. */
function played(from: number, to: number, latitudeAt: (at: number) => number, screens = new Screens(1)): Play[] {
  const plays: Play[] = []
  for (let at = from; at <= to; at += 5000)
    plays.push(...screens.see({ at, latitude: latitudeAt(at), longitude: here.longitude, speedKmh: 40 }, data))
  return plays
}

const FAR = 32.9

describe('screens', () => {
  test('show the artwork of the shift on three sides, over and over', () => {
    const plays = played(START, START + 60_000, () => FAR)
    expect(plays).toHaveLength(12)
    expect(plays.map(({ sequence }) => sequence)).toEqual(plays.map((_, index) => index + 1))
    expect(new Set(plays.map(({ playId }) => playId)).size).toBe(12)
    for (const side of truckSides) {
      const own = plays.filter((play) => play.side === side)
      expect(own.map(({ startedAt }) => Date.parse(startedAt) - START)).toEqual([0, 15_000, 30_000, 45_000])
      expect(own.every((play) => play.durationMs === 15_000 && play.artworkSetUid === 'own')).toBe(true)
    }
  })

  test('show what belongs to an address near it, and the shift’s own again afterwards', () => {
    const speed = 40 / 3.6 / 111_195
    const passing = (at: number) => here.latitude - 0.02 + ((at - START) / 1000) * speed
    const plays = played(START, START + 8 * 60_000, passing).filter(({ side }) => side === 'rear')
    const shown = plays.map(({ addressUid }) => addressUid)
    expect(shown[0]).toBeNull()
    expect(shown).toContain('shop')
    expect(shown.at(-1)).toBeNull()
    expect(plays.every(({ addressUid, artworkSetUid }) => (addressUid ? 'shop' : 'own') === artworkSetUid)).toBe(true)
    plays.slice(1).forEach(({ startedAt }, index) => {
      const before = plays[index]
      expect(Date.parse(startedAt)).toBe(Date.parse(before?.startedAt ?? '') + (before?.durationMs ?? 0))
    })
  })

  test('are dark outside of shifts, and stop when one ends', () => {
    const screens = new Screens(7)
    expect(played(START - 60_000, START - 5000, () => FAR, screens)).toEqual([])
    const plays = played(START + HOUR - 20_000, START + HOUR + 60_000, () => FAR, screens)
    expect(plays[0]?.sequence).toBe(7)
    const ends = plays.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs)
    expect(Math.max(...ends)).toBe(START + HOUR)
  })

  test('show nothing where nothing is approved', () => {
    const nothing = { shifts: data.shifts.map((shift) => ({ ...shift, artwork: null, addresses: [] })) }
    const screens = new Screens(1)
    expect(screens.see({ at: START, ...here, speedKmh: 0 }, nothing)).toEqual([])
    expect(screens.see({ at: START + 60_000, ...here, speedKmh: 0 }, nothing)).toEqual([])
  })
})
