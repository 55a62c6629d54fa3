import { DAY_MS, type Play } from '@roadshow/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Spot, TruckPlayer } from './player.ts'
import { PlayLog } from './plays.ts'
import { type Fate, ModelServer, SlowStore } from './test-crashes.ts'
import { HOUR, manifestOf, setOf, shiftOf, START } from './test-manifest.ts'

const SIDES = 3
// A heartbeat, the tick that writes it, the time until it is written, and what is too short to count.
const MAY_BE_MISSED_MS = 5000 + 1500 + 3000 + 500
const WEEK = 7 * DAY_MS

/** A shift of two weeks, so that wherever a clock jumps to, there is something to show. Each start has sets of its own. */
const manifestFor = (index: number, start: number) => {
  const artwork = setOf(`set ${index} of start ${start}`)
  return manifestOf([shiftOf({ uid: index === 1 ? 'other shift' : 'shift', from: -WEEK, to: WEEK, artwork })])
}

/** What a witness in front of the screen saw. */
interface Seen {
  startedAt: number
  shownMs: number
  name: string
}

/** A truck whose player is killed, whose clock jumps, and whose network and disk fail, beside a server. */
class RoughRoad {
  readonly server = new ModelServer()
  readonly store = new SlowStore()
  readonly seen: Seen[] = []
  readonly fates: Fate[]
  isOnline = true
  isDiskWell = true
  now = START
  starts = 0
  #manifest = 0
  #spot: { number: number; seen: Seen } | undefined
  #player: TruckPlayer | undefined

  constructor(fates: Fate[]) {
    this.fates = fates
  }

  get player(): TruckPlayer {
    if (!this.#player) throw new Error('The player is off.')
    return this.#player
  }

  async start(): Promise<void> {
    const start = ++this.starts
    const log = await PlayLog.recover(this.store, `start ${this.starts}`)
    const sendPlays = async (plays: Play[]) => {
      const fate = this.isOnline ? (this.fates.shift() ?? 'answered') : 'lost'
      const answer = await this.server.receive(plays, fate)
      // A player that was killed hears nothing.
      return start === this.starts ? answer : new Promise<never>(() => {})
    }
    this.#player = new TruckPlayer({ host: { isReady: () => true, sendPlays }, log })
    this.replan(this.#manifest)
  }

  replan(index: number): void {
    this.#manifest = index
    this.player.update(manifestFor(index, this.starts))
  }

  async run(seconds: number, stepMs: number): Promise<void> {
    for (const until = this.now + seconds * 1000; this.now < until; this.now += stepMs) await this.tick()
  }

  async jump(ms: number): Promise<void> {
    this.now += ms
    await this.tick()
  }

  async runWithFailingDisk(seconds: number): Promise<void> {
    this.isDiskWell = false
    await this.run(seconds, 200)
    this.isDiskWell = true
    await this.run(6, 200)
  }

  async tick(): Promise<void> {
    this.#look(this.player.tick(this.now))
    void this.player.send(this.now)
    await this.settle()
  }

  /** What the disk and the network do between two frames. */
  async settle(): Promise<void> {
    this.store.settle(this.isDiskWell)
    this.server.deliverLateAnswers()
    // Answers pass through a few promises.
    for (let turn = 0; turn < 8; turn++) await Promise.resolve()
  }

  async kill(tookEffect: boolean): Promise<void> {
    this.#spot = undefined
    this.store.crash(tookEffect)
    await this.start()
  }

  /** The network is there, and everything is sent. */
  async drain(): Promise<void> {
    this.isOnline = true
    this.isDiskWell = true
    this.fates.length = 0
    this.player.stop(this.now)
    for (let round = 0; round < 50; round++) {
      this.now += 600_000
      this.player.log.beat(this.now)
      await this.settle()
      await this.settle()
      this.player.sender.retryNow()
      const sending = this.player.send(this.now)
      for (let turn = 0; turn < 5; turn++) await this.settle()
      await sending
      await this.settle()
      if (this.player.log.waiting === 0 && !this.store.isWriting) return
    }
    throw new Error('Plays are left over.')
  }

  #look(spot: Spot | undefined): void {
    if (spot && this.#spot?.number !== spot.number) {
      const seen = { startedAt: spot.startedAt, shownMs: 0, name: spot.set.name }
      this.#spot = { number: spot.number, seen }
      this.seen.push(seen)
    }
    if (spot && this.#spot) this.#spot.seen.shownMs = Math.max(0, this.now - spot.startedAt)
  }
}

/** Every play of the server is one that was seen, and everything that was seen long enough is there, in its order. */
function expectSameSpots(server: ModelServer, seen: readonly Seen[]): void {
  const plays = [...server.plays.values()].toSorted((one, other) => one.sequence - other.sequence)
  const spots = Array.from({ length: plays.length / SIDES }, (_, index) =>
    plays.slice(index * SIDES, (index + 1) * SIDES),
  )
  let next = 0
  for (const { startedAt, shownMs, name } of seen) {
    const [first] = spots[next] ?? []
    // A spot that the disk held up starts later than it was planned for.
    const isThis = first?.artworkSetUid === name && Math.abs(Date.parse(first.startedAt) - startedAt) <= 2500
    if (!isThis) {
      expect(shownMs, `Not counted: ${name} at ${new Date(startedAt).toISOString()}`).toBeLessThan(MAY_BE_MISSED_MS)
      continue
    }
    next++
    const lengths = new Set(spots[next - 1]?.map(({ durationMs }) => durationMs))
    expect(lengths.size).toBe(1)
    const [length = 0] = lengths
    expect(length).toBeGreaterThan(shownMs - MAY_BE_MISSED_MS)
    expect(length).toBeLessThanOrEqual(shownMs + 2500)
    expect(new Set(spots[next - 1]?.map((play) => play.startedAt)).size).toBe(1)
  }
  expect(spots.slice(next), 'Counted, but not seen').toEqual([])
}

function expectAllCounted({ server, player, seen }: RoughRoad): void {
  const numbers = [...server.plays.values()].map(({ sequence }) => sequence).toSorted((one, other) => one - other)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect(player.log.completed).toBe(server.plays.size)
  expect([player.log.lost, player.log.waiting, server.rejected]).toEqual([0, 0, 0])
  expectSameSpots(server, seen)
}

type Event = (road: RoughRoad) => Promise<void> | void

const stretch = fc.tuple(fc.integer({ min: 1, max: 200 }), fc.constantFrom(100, 300, 700, 1500)).map(
  ([seconds, stepMs]): Event =>
    (road) =>
      road.run(seconds, stepMs),
)
// A player cannot tell a shorter leap ahead from a page that hung.
const jumps = fc.oneof(
  fc.integer({ min: -900, max: 900 }),
  fc.integer({ min: 10_001, max: 8 * HOUR }),
  fc.integer({ min: -8 * HOUR, max: -8000 }),
)
const events = fc.oneof(
  { weight: 6, arbitrary: stretch },
  fc.boolean().map(
    (tookEffect): Event =>
      (road) =>
        road.kill(tookEffect),
  ),
  jumps.map(
    (ms): Event =>
      (road) =>
        road.jump(ms),
  ),
  fc.boolean().map(
    (isOnline): Event =>
      (road) =>
        void (road.isOnline = isOnline),
  ),
  // A disk that fails until the power is cut keeps nothing; one that recovers before has lost nothing.
  fc.integer({ min: 1, max: 100 }).map(
    (seconds): Event =>
      (road) =>
        road.runWithFailingDisk(seconds),
  ),
  fc.nat({ max: 2 }).map(
    (index): Event =>
      (road) =>
        road.replan(index),
  ),
)
const fates = fc.array(fc.constantFrom<Fate>('answered', 'lost', 'answerLost', 'answeredLate', 'error', 'later'))

test('whatever happens to a player, its network, its disk and its clock: no play is lost, twice, or missing a number', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(events, { minLength: 4, maxLength: 30 }), fates, async (happenings, given) => {
      const road = new RoughRoad([...given])
      await road.start()
      for (const happening of happenings) await happening(road)
      await road.drain()
      expectAllCounted(road)
    }),
    { numRuns: 40 },
  )
})

test('after six hours without a network, two kills and answers that came late, the server has every play once', async () => {
  const road = new RoughRoad([])
  await road.start()
  await road.run(600, 100)
  expect(road.server.plays.size).toBeGreaterThan(0)
  road.isOnline = false
  await road.run(3 * 3600, 250)
  await road.kill(false)
  await road.run(2 * 3600, 250)
  await road.kill(true)
  await road.run(3600, 250)
  expect(road.player.log.waiting).toBeGreaterThan(2000)
  road.isOnline = true
  road.fates.push('answerLost', 'answeredLate', 'error', 'later', 'answeredLate')
  await road.run(600, 100)
  await road.drain()
  expectAllCounted(road)
  // Six hours and twenty minutes of three sides, fifteen seconds each.
  expect(road.server.plays.size).toBeGreaterThanOrEqual(((6 * 3600 + 1200) / 15) * SIDES - 2 * SIDES)
})
