import { type Play, type PlayerData, truckSides } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { MemoryPlayStore } from './memory-store.ts'
import { TruckPlayer } from './player.ts'
import { PlayLog } from './plays.ts'
import { HOUR, manifestOf, setOf, shiftOf, START } from './test-manifest.ts'

const here = { latitude: 32.79, longitude: -96.8 }
const shop = { uid: 'shop', label: 'Shop', ...here, radiusM: 500, artwork: setOf('shop') }
const plan = manifestOf([shiftOf({ addresses: [shop] })])
const FAR = 32.9

function playerOf(data: PlayerData = plan, isReady: (name: string) => boolean = () => true) {
  const store = new MemoryPlayStore()
  const log = new PlayLog({ store, startId: 'start' })
  const sendPlays = async () => undefined
  const player = new TruckPlayer({ host: { isReady: ({ name }) => isReady(name), sendPlays }, log })
  player.update(data)
  return { player, log, plays: () => store.oldest(10_000, 0) }
}

interface Stretch {
  from: number
  to: number
  every?: number
  latitudeAt?: (at: number) => number
}

/** Ticks a player, by default every five seconds and far from every address. */
function run(player: TruckPlayer, { from, to, every = 5000, latitudeAt = () => FAR }: Stretch) {
  for (let at = from; at <= to; at += every) {
    player.locate('bridge', { at, latitude: latitudeAt(at), longitude: here.longitude, speedKmh: 40 }, at)
    player.tick(at)
  }
}

const timesOf = (plays: readonly Play[]) =>
  plays
    .filter(({ side }) => side === 'rear')
    .map(({ startedAt, durationMs, artworkSetUid }) => [Date.parse(startedAt) - START, durationMs, artworkSetUid])

describe('a player', () => {
  test('shows the artwork of the shift on all sides at once, over and over', () => {
    const { player, plays } = playerOf()
    run(player, { from: START, to: START + 60_000 })
    expect(plays()).toHaveLength(12)
    expect(plays().map(({ sequence }) => sequence)).toEqual(plays().map((_, index) => index + 1))
    expect(new Set(plays().map(({ playId }) => playId)).size).toBe(12)
    for (const side of truckSides) {
      const own = plays().filter((play) => play.side === side)
      expect(own.map(({ startedAt }) => Date.parse(startedAt) - START)).toEqual([0, 15_000, 30_000, 45_000])
      expect(own.every((play) => play.durationMs === 15_000 && play.artworkSetUid === 'own')).toBe(true)
    }
    expect(plays().at(-1)?.place).toEqual({ latitude: FAR, longitude: here.longitude })
  })

  test('lets all sides of a spot last as long as its longest video', () => {
    const { player, plays } = playerOf(manifestOf([shiftOf({ artwork: setOf('videos', [10_000, 22_000, null]) })]))
    run(player, { from: START, to: START + 50_000, every: 16 })
    expect(timesOf(plays())).toEqual([
      [0, 22_000, 'videos'],
      [22_000, 22_000, 'videos'],
    ])
    expect(new Set(plays().map(({ durationMs }) => durationMs))).toEqual(new Set([22_000]))
  })

  test('shows what belongs to an address near it, and the shift’s own again afterwards', () => {
    const { player, plays } = playerOf()
    const speed = 40 / 3.6 / 111_195
    const latitudeAt = (at: number) => here.latitude - 0.02 + ((at - START) / 1000) * speed
    run(player, { from: START, to: START + 8 * 60_000, latitudeAt })
    const rear = plays().filter(({ side }) => side === 'rear')
    const shown = rear.map(({ addressUid }) => addressUid)
    expect(shown[0]).toBeNull()
    expect(shown).toContain('shop')
    expect(shown.at(-1)).toBeNull()
    expect(rear.every(({ addressUid, artworkSetUid }) => (addressUid ? 'shop' : 'own') === artworkSetUid)).toBe(true)
    rear.slice(1).forEach(({ startedAt }, index) => {
      const before = rear[index]
      expect(Date.parse(startedAt)).toBe(Date.parse(before?.startedAt ?? '') + (before?.durationMs ?? 0))
    })
  })

  test('is dark outside of shifts, and stops when one ends', () => {
    const { player, plays } = playerOf()
    run(player, { from: START - 60_000, to: START - 5000 })
    expect(player.tick(START - 1)).toBeUndefined()
    run(player, { from: START + HOUR - 20_000, to: START + HOUR + 60_000 })
    expect(timesOf(plays())).toEqual([
      [HOUR - 20_000, 15_000, 'own'],
      [HOUR - 5000, 5000, 'own'],
    ])
    expect(player.tick(START + HOUR + 60_001)).toBeUndefined()
  })

  test('changes from one shift to the next without a gap', () => {
    const next = shiftOf({ uid: 'next', from: 62_000, to: HOUR, artwork: setOf('next') })
    const { player, plays } = playerOf(manifestOf([shiftOf({ to: 62_000 }), next]))
    run(player, { from: START, to: START + 80_000 })
    expect(timesOf(plays()).slice(-2)).toEqual([
      [60_000, 2000, 'own'],
      [62_000, 15_000, 'next'],
    ])
  })

  test('lets a changed set wait for the next spot', () => {
    const { player, plays } = playerOf()
    run(player, { from: START, to: START + 20_000 })
    player.update(manifestOf([shiftOf({ artwork: setOf('changed') })]))
    run(player, { from: START + 25_000, to: START + 50_000 })
    expect(timesOf(plays()).map(([, , name]) => name)).toEqual(['own', 'own', 'changed'])
    expect(player.tick(START + 50_000)?.set.name).toBe('changed')
  })

  test('does not start a set again that was withdrawn while its next spot was written ahead', () => {
    const { player, plays } = playerOf()
    run(player, { from: START, to: START + 14_500, every: 500 })
    player.update(manifestOf([shiftOf({ artwork: null })], setOf('house')))
    run(player, { from: START + 14_600, to: START + 20_000, every: 100 })
    expect(player.tick(START + 20_000)?.set.name).toBe('house')
    expect(timesOf(plays())).toEqual([[0, 15_000, 'own']])
    expect(player.log.completed).toBe(3)
  })

  test('ends what it shows at once when the shift is called off', () => {
    const { player, plays } = playerOf()
    run(player, { from: START, to: START + 6000, every: 100 })
    player.update(manifestOf([]))
    expect(player.tick(START + 6100)).toBeUndefined()
    expect(timesOf(plays())).toEqual([[0, 6100, 'own']])
  })

  test('shows the fallback until the files of the shift are there', () => {
    const ready = new Set(['house'])
    const { player, plays } = playerOf(manifestOf([shiftOf()], setOf('house')), (name) => ready.has(name))
    run(player, { from: START, to: START + 20_000 })
    ready.add('own')
    run(player, { from: START + 25_000, to: START + 50_000 })
    expect(timesOf(plays()).map(([, , name]) => name)).toEqual(['house', 'house', 'own'])
  })

  test('counts nothing shorter than half a second, and leaves no hole where it was', () => {
    const { player, plays } = playerOf()
    run(player, { from: START, to: START + 400, every: 100 })
    player.hold(true)
    expect(player.tick(START + 450)).toBeUndefined()
    player.hold(false)
    run(player, { from: START + 1000, to: START + 17_000, every: 100 })
    expect(timesOf(plays())).toEqual([[1000, 15_000, 'own']])
    expect(plays().map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })

  test('counts nothing for the time in which its host did not run', () => {
    const { player, plays } = playerOf()
    run(player, { from: START, to: START + 20_000 })
    run(player, { from: START + 620_000, to: START + 640_000 })
    expect(timesOf(plays())).toEqual([
      [0, 15_000, 'own'],
      [15_000, 5000, 'own'],
      [620_000, 15_000, 'own'],
    ])
  })

  test('goes on when its clock is set back', () => {
    const { player, plays } = playerOf()
    run(player, { from: START + HOUR / 2, to: START + HOUR / 2 + 20_000 })
    run(player, { from: START + 1000, to: START + 17_000, every: 100 })
    expect(timesOf(plays())).toEqual([
      [HOUR / 2, 15_000, 'own'],
      [HOUR / 2 + 15_000, 5000, 'own'],
      [1000, 15_000, 'own'],
    ])
  })

  test('tells what comes next, so that it can be decoded ahead', () => {
    const { player } = playerOf(manifestOf([shiftOf({ from: 5000 })]))
    player.tick(START)
    expect(player.upcoming(START)).toMatchObject({ startsAt: START + 5000, scene: { set: { name: 'own' } } })
    player.tick(START + 5000)
    expect(player.upcoming(START + 5000)).toMatchObject({ startsAt: START + 20_000 })
  })
})
