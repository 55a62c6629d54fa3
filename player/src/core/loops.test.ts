import type { Play, PlayerData, PlayerSet } from '@roadshow/contract'
import type { PlayerLine } from '@roadshow/contract/live/device-events'
import { turnsBetween } from '@roadshow/contract/planning/loop-rules'
import { describe, expect, test } from 'vitest'
import { neededFiles } from './file-plan.ts'
import { MemoryPlayStore } from './memory-store.ts'
import { TruckPlayer } from './player.ts'
import { PlayLog } from './plays.ts'
import { spotPlanOf } from './spots.ts'
import { HOUR, manifestOf, setOf, shiftOf, START } from './test-manifest.ts'

const MINUTE = 60_000
const DAY = 24 * HOUR
const here = { latitude: 32.79, longitude: -96.8 }
const FAR = 33.2

const lineOf = (name: string, given: Partial<PlayerLine> = {}): PlayerLine => ({
  uid: name,
  share: { weight: 1 },
  daypart: null,
  addressUids: null,
  spotMs: 8000,
  artwork: setOf(name),
  ...given,
})

const eight = [
  lineOf('bank', { share: { playsAnHour: 60 } }),
  lineOf('beer', { share: { weight: 2 } }),
  lineOf('cars', { spotMs: 30_000 }),
  lineOf('dental', { spotMs: null, artwork: setOf('dental', [12_000, 20_000, null]) }),
  lineOf('energy'),
  lineOf('flowers', { spotMs: 15_000 }),
  lineOf('games', { share: { playsAnHour: 20 }, spotMs: 10_000 }),
  lineOf('hotel'),
]

const sharedShift = (lines: PlayerLine[], given: Parameters<typeof shiftOf>[0] = {}): PlayerData['shifts'][number] =>
  shiftOf({ to: 3 * DAY, artwork: null, loop: { zone: 'America/Chicago', lines }, ...given })

/** A truck's player that can be killed; its store stays. */
class Screen {
  readonly store = new MemoryPlayStore()
  readonly missing = new Set<string>()
  shown = new Map<number, string>()
  #data: PlayerData
  #starts = 0
  #player: TruckPlayer | undefined

  constructor(data: PlayerData) {
    this.#data = data
  }

  get player(): TruckPlayer {
    if (!this.#player) throw new Error('The player is off.')
    return this.#player
  }

  async start(): Promise<this> {
    const log = await PlayLog.recover(this.store, `start ${++this.#starts}`)
    const isReady = ({ name }: PlayerSet) => !this.missing.has(name)
    this.#player = new TruckPlayer({ host: { isReady, sendPlays: async () => undefined }, log })
    this.#player.update(this.#data)
    return this
  }

  run(from: number, to: number, { every = 250, latitude = FAR } = {}): void {
    for (let at = from; at < to; at += every) {
      this.player.locate('bridge', { at, latitude, longitude: here.longitude, speedKmh: 40 }, at)
      this.shown.set(at, this.player.tick(at)?.set.name ?? 'black')
    }
  }

  /** Completed plays of one side. */
  plays(): Play[] {
    return this.store.oldest(1_000_000, 0).filter(({ side }) => side === 'rear')
  }

  /** How often each set was begun in an hour. */
  counts(from: number, to = from + HOUR): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { artworkSetUid, startedAt } of this.plays()) {
      const at = Date.parse(startedAt)
      if (at >= from && at < to) counts[artworkSetUid] = (counts[artworkSetUid] ?? 0) + 1
    }
    return counts
  }
}

/** What the contract expects of a manifest's only shift. */
function expected(data: PlayerData, from: number, to = from + HOUR): Record<string, number> {
  const [shift] = spotPlanOf(data).shifts
  const counts: Record<string, number> = {}
  for (const { line } of shift ? turnsBetween(shift.loop, { from, to }) : []) {
    const name = line?.uid ?? 'rest'
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

function expectWithinOne(counts: Record<string, number>, plan: Record<string, number>): void {
  for (const [name, plays] of Object.entries(plan)) {
    expect(Math.abs((counts[name] ?? 0) - plays), `${name}: ${counts[name]} of ${plays}`).toBeLessThanOrEqual(1)
  }
}

describe('a player with a loop', () => {
  const plan = manifestOf([sharedShift(eight)])

  test('shows each line as often as the contract says, without a gap', async () => {
    const screen = await new Screen(plan).start()
    screen.run(START, START + 2 * HOUR + 1000)
    for (const hour of [START, START + HOUR]) expect(screen.counts(hour)).toEqual(expected(plan, hour))
    expect([screen.counts(START)['bank'], screen.counts(START)['games']]).toEqual([60, 20])
    const plays = screen.plays()
    const gaps = plays.slice(1).filter(({ startedAt }, index) => {
      const before = plays[index]
      return Date.parse(startedAt) !== Date.parse(before?.startedAt ?? '') + (before?.durationMs ?? 0)
    })
    expect(gaps).toEqual([])
  })

  test('does the same where it is asked every five seconds, as in the simulator', async () => {
    const screen = await new Screen(plan).start()
    screen.run(START, START + HOUR + 5000, { every: 5000 })
    expect(screen.counts(START)).toEqual(expected(plan, START))
  })

  test('keeps each line within one play of the plan through two kills in an hour, and a day without network', async () => {
    const screen = await new Screen(plan).start()
    screen.run(START, START + 17 * MINUTE + 3300)
    await screen.start()
    screen.run(START + 17 * MINUTE + 5100, START + 41 * MINUTE + 700)
    await screen.start()
    screen.run(START + 41 * MINUTE + 2900, START + DAY + HOUR + 5000, { every: 5000 })
    expectWithinOne(screen.counts(START), expected(plan, START))
    for (const hour of [1, 12, 24]) {
      const from = START + hour * HOUR
      expect(screen.counts(from)).toEqual(expected(plan, from))
    }
    const numbers = screen.store.oldest(1_000_000, 0).map(({ sequence }) => sequence)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  test('keeps each line within one play of the plan wherever in an hour two kills of two seconds fall', async () => {
    for (let pair = 0; pair < 16; pair++) {
      const screen = await new Screen(plan).start()
      const [first, second] = [START + (3 + pair) * MINUTE + pair * 1700, START + (33 + pair) * MINUTE + pair * 2300]
      screen.run(START, first)
      await screen.start()
      screen.run(first + 2000, second)
      await screen.start()
      screen.run(second + 2000, START + HOUR + 1000)
      expectWithinOne(screen.counts(START), expected(plan, START))
    }
  })

  test('goes on by the clock after a day in which it was off', async () => {
    const screen = await new Screen(plan).start()
    screen.run(START, START + 10 * MINUTE)
    await screen.start()
    screen.run(START + DAY, START + DAY + HOUR + 1000)
    expect(screen.counts(START + DAY)).toEqual(expected(plan, START + DAY))
  })

  test('gives the turns of a line whose file is missing to no other line: they show the fallback', async () => {
    const data = manifestOf([sharedShift(eight)], setOf('house'))
    const screen = await new Screen(data).start()
    screen.missing.add('beer')
    screen.run(START, START + HOUR + 1000)
    const { beer, ...others } = expected(data, START)
    expect(screen.counts(START)).toEqual({ ...others, house: beer })
  })

  test('is black in these turns without a fallback, and shows the line as soon as its file is there', async () => {
    const screen = await new Screen(plan).start()
    screen.missing.add('beer')
    screen.run(START, START + HOUR, { every: 500 })
    const { beer = 0, ...others } = expected(plan, START)
    expect(screen.counts(START)).toEqual(others)
    const black = [...screen.shown.values()].filter((name) => name === 'black').length / 2
    expect(Math.abs(black - beer * 8)).toBeLessThan(beer)
    screen.missing.clear()
    screen.run(START + HOUR, START + 2 * HOUR + 1000)
    expect(screen.counts(START + HOUR)['beer']).toBe(expected(plan, START + HOUR)['beer'])
  })

  test('shows the rest of an hour as the fallback', async () => {
    const data = manifestOf(
      [sharedShift([lineOf('bank', { share: { playsAnHour: 90 }, spotMs: 10_000 })])],
      setOf('house'),
    )
    const screen = await new Screen(data).start()
    screen.run(START, START + HOUR + 1000)
    expect(screen.counts(START)).toEqual({ bank: 90, house: 180 })
  })

  test('has a line near its SD addresses only, names the address in its plays, and takes from no line alone', async () => {
    const shop = { uid: 'shop', label: 'Shop', ...here, radiusM: 500, artwork: null }
    const lines = [lineOf('bank'), lineOf('beer'), lineOf('near', { share: { weight: 2 }, addressUids: ['shop'] })]
    const screen = await new Screen(manifestOf([sharedShift(lines, { addresses: [shop] })])).start()
    screen.run(START, START + 20 * MINUTE)
    expect(screen.counts(START)['near']).toBeUndefined()
    screen.run(START + 20 * MINUTE, START + 40 * MINUTE, { latitude: here.latitude })
    screen.run(START + 40 * MINUTE, START + HOUR)
    const { near = 0, bank = 0, beer = 0 } = screen.counts(START)
    // Half of twenty minutes, and a quarter for each other line.
    expect(Math.abs(near - 75)).toBeLessThan(6)
    expect(Math.abs(bank - beer)).toBeLessThanOrEqual(2)
    const places = new Set(screen.plays().map(({ artworkSetUid, addressUid }) => `${artworkSetUid} ${addressUid}`))
    expect([...places].toSorted()).toEqual(['bank null', 'beer null', 'near shop'])
  })

  test('of its own program stands for an address without artwork, and names it', async () => {
    const shop = { uid: 'shop', label: 'Shop', ...here, radiusM: 500, artwork: null }
    const lines = [lineOf('main', { programUid: 'program' }), lineOf('other', { programUid: 'another' })]
    const screen = await new Screen(manifestOf([sharedShift(lines, { addresses: [shop] })])).start()
    screen.run(START, START + 5 * MINUTE)
    screen.run(START + 5 * MINUTE, START + 10 * MINUTE, { latitude: here.latitude })
    const places = new Set(screen.plays().map(({ artworkSetUid, addressUid }) => `${artworkSetUid} ${addressUid}`))
    expect([...places].toSorted()).toEqual(['main null', 'main shop', 'other null'])
  })

  test('lets the artwork of an address take the screen, and loses what was due meanwhile from all lines alike', async () => {
    const shop = { uid: 'shop', label: 'Shop', ...here, radiusM: 500, artwork: setOf('shop') }
    const lines = [lineOf('bank'), lineOf('beer'), lineOf('cars'), lineOf('games')]
    const screen = await new Screen(manifestOf([sharedShift(lines, { addresses: [shop] })])).start()
    for (let visit = 0; visit < 15; visit++) {
      const at = START + visit * 4 * MINUTE
      screen.run(at, at + 2 * MINUTE)
      screen.run(at + 2 * MINUTE, at + 4 * MINUTE, { latitude: here.latitude })
    }
    const counts = screen.counts(START)
    const [least, most] = [
      Math.min(...lines.map(({ uid }) => counts[uid] ?? 0)),
      Math.max(...lines.map(({ uid }) => counts[uid] ?? 0)),
    ]
    expect(counts['shop']).toBeGreaterThan(60)
    expect(least).toBeGreaterThan(50)
    expect(most - least).toBeLessThanOrEqual(8)
  })

  test('needs the files of all lines', () => {
    const needed = neededFiles(plan, START).map(({ sha256 }) => sha256.split(' ')[0])
    expect([...new Set(needed)]).toEqual(['bank', 'beer', 'cars', 'dental', 'energy', 'flowers', 'games', 'hotel'])
  })

  test('says when its lines do not fit into an hour', async () => {
    const tooMuch = manifestOf([sharedShift([lineOf('bank', { share: { playsAnHour: 500 } })])])
    const screen = await new Screen(tooMuch).start()
    expect(screen.player.loopProblem(START)).toContain('66.7 min of screen time, 6.7 min too much')
    expect((await new Screen(plan).start()).player.loopProblem(START)).toBeNull()
    expect((await new Screen(manifestOf([shiftOf()])).start()).player.loopProblem(START)).toBeNull()
  })
})
