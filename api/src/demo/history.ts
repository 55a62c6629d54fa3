import { DAY_MS, MAX_BATCH, type Play, type PlayerData } from '@roadshow/contract'
import type { PastDrive, PlannedShift, PlannedTruck } from '@roadshow/simulator'
import { CompiledQuery } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import { artworkOfShifts } from '../live/players/index.ts'
import { storePlays } from '../live/plays/index.ts'
import { storeTelemetry } from '../live/telemetry/index.ts'
import { loadSimulator } from './load-simulator.ts'
import { FIRST_CLIENT } from './people.ts'
import { playsOfPast } from './past-plays.ts'
import {
  firstSequences,
  loadPast,
  LOST,
  NEWEST_WEEKS,
  type Past,
  type PastPart,
  type PastShift,
  WEEK,
} from './past-shifts.ts'

type Simulator = Awaited<ReturnType<typeof loadSimulator>>

interface Progress {
  db: Db
  signal: AbortSignal
  onProgress?: (done: number, total: number) => void
}

/** How many ways a truck has to drive the same hours. */
const VARIANTS = 2
const CURSOR = 'Demo'
// Below what the simulator's trucks begin with, so that no odometer goes back.
const LAST_ODOMETER_M = 147_000_000

/** The shifts of a truck in a week, which are recorded together. */
interface TruckWeek {
  truckUid: string
  /** How many weeks ago. */
  ago: number
  /** By start. */
  shifts: PastShift[]
}

/**
 * Weeks of trucks. The trucks of the client that a newcomer looks into come first, and the newest weeks: what people look at
 * first is there first.
 */
function weeksOf({ shifts, loadedAt }: Past, firstTrucks: ReadonlySet<string>): TruckWeek[] {
  const weeks = new Map<string, TruckWeek>()
  const weekOf = ({ startsAt }: PastShift) => Math.floor((loadedAt - startsAt) / WEEK)
  const turnOf = ({ truckUid }: PastShift) => (firstTrucks.has(truckUid) ? 0 : 1)
  const inOrder = shifts.toSorted(
    (one, other) => turnOf(one) - turnOf(other) || weekOf(one) - weekOf(other) || one.startsAt - other.startsAt,
  )
  for (const shift of inOrder) {
    const { truckUid } = shift
    const ago = weekOf(shift)
    const key = `${ago} ${truckUid}`
    const known = weeks.get(key)
    if (known) known.shifts.push(shift)
    else weeks.set(key, { truckUid, ago, shifts: [shift] })
  }
  return [...weeks.values()]
}

/**
 * Records what trackers and players of the demo would have sent in the last eight weeks, by the functions that store it
 * when they do. What a start leaves undone, the next one goes on with.
 */
export async function recordHistory({ db, signal, onProgress }: Progress, part: PastPart): Promise<void> {
  const history = await History.open(db)
  const { weeks } = history
  const before = await history.weeksDone()
  const until = history.weeksOf(part)
  // The late track comes last.
  if (before > weeks.length || (part !== 'all' && before > until)) return
  // The plays of the last week may not have been stored.
  for (let done = Math.max(0, before - 1); done < until; done++) {
    if (signal.aborted) return
    onProgress?.(done, weeks.length)
    const week = weeks[done]
    if (week) await history.record(week, done)
  }
  if (part !== 'all') return
  onProgress?.(weeks.length, weeks.length)
  await history.recordLateTrack()
}

/** The same drive at another time. */
const laterBy = ({ logs, readings }: PastDrive, ms: number): PastDrive => ({
  logs: logs.map((log) => ({ ...log, at: log.at + ms })),
  readings: readings.map((reading) => ({ ...reading, at: reading.at + ms })),
})

class History {
  readonly weeks: TruckWeek[]
  readonly #firstTrucks: ReadonlySet<string>
  readonly #db: Db
  readonly #past: Past
  readonly #firsts: Map<PastShift, number>
  readonly #roads: Map<string, { truck: PlannedTruck; shift: PlannedShift }>
  readonly #driver: InstanceType<Simulator['PastDriver']>
  readonly #drives = new Map<string, { startsAt: number; drive: PastDrive }>()
  /** Before this, positions come from here; afterwards from the simulator's trackers. */
  readonly #trackedUntil: number
  /** The SD addresses in each market, of any program: trucks drive past them. */
  readonly #places: Map<string, PlannedShift['places']>

  private constructor(db: Db, simulator: Simulator, past: Past, plan: PlannedTruck[]) {
    this.#db = db
    this.#past = past
    this.#driver = new simulator.PastDriver()
    this.#firsts = firstSequences(past)
    this.#trackedUntil = past.loadedAt - simulator.PAST_MS
    this.#roads = new Map(plan.flatMap((truck) => truck.shifts.map((shift) => [shift.uid, { truck, shift }])))
    const shifts = plan.flatMap((truck) => truck.shifts)
    this.#places = new Map(
      shifts.filter(({ places }) => places.length > 0).map(({ market, places }) => [market.uid, places]),
    )
    const isOfFirst = ({ uid }: PastShift) => this.#roads.get(uid)?.shift.client === FIRST_CLIENT
    this.#firstTrucks = new Set(past.shifts.filter(isOfFirst).map(({ truckUid }) => truckUid))
    this.weeks = weeksOf(past, this.#firstTrucks)
  }

  static async open(db: Db): Promise<History> {
    const past = await loadPast(db)
    const simulator = await loadSimulator()
    const query = async <Row>(text: string, values: unknown[]) =>
      (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
    const plan = await simulator.readPlan(query, past.shifts[0]?.startsAt ?? past.loadedAt, past.loadedAt)
    return new History(db, simulator, past, plan)
  }

  /** How many of the weeks belong to a part, which are the first ones. */
  weeksOf(part: PastPart): number {
    if (part === 'all') return this.weeks.length
    const longest = part === 'newest' ? NEWEST_WEEKS : Infinity
    return this.weeks.filter(({ truckUid, ago }) => this.#firstTrucks.has(truckUid) && ago < longest).length
  }

  async weeksDone(): Promise<number> {
    return Number((await this.#cursor()) ?? 0)
  }

  async #cursor(): Promise<string | undefined> {
    const found = this.#db.selectFrom('geotab_cursor').select('version').where('entity', '=', CURSOR)
    return (await found.executeTakeFirst())?.version
  }

  async record({ truckUid, shifts }: TruckWeek, index: number): Promise<void> {
    const drives = new Map<PastShift, PastDrive>()
    for (const shift of shifts) {
      const drive = await this.#drive(shift)
      if (drive) drives.set(shift, drive)
    }
    if ((await this.weeksDone()) <= index) await this.#storeDrives(truckUid, drives, index + 1)
    const uids = shifts.map(({ uid }) => uid)
    const shown = new Map((await artworkOfShifts(this.#db, uids)).map((each) => [each.uid, each]))
    for (const [shift, drive] of drives) await this.#storePlays(shift, drive, shown.get(shift.uid))
  }

  /** A track that was stuck in its tracker for days. */
  async recordLateTrack(): Promise<void> {
    const { lateTrack } = this.#past.exceptions
    const drive = lateTrack && (await this.#drive(lateTrack))
    const last = this.weeks.length + 1
    if (!drive) return
    await this.#storePage(lateTrack.truckUid, { logs: drive.logs, readings: [] }, last)
  }

  /** Drives a shift, or takes a drive of the same truck, market and length: driving again takes longer than all the rest. */
  async #drive({ uid, startsAt, endsAt }: PastShift): Promise<PastDrive | undefined> {
    const road = this.#roads.get(uid)
    if (!road) return undefined
    const { truck, shift } = road
    const variant = Math.floor(startsAt / DAY_MS) % VARIANTS
    const { market } = shift
    const stops = shift.stops.map(({ opensAt, closesAt }) => `${opensAt - startsAt}-${closesAt - startsAt}`)
    const key = [truck.number, market.uid, endsAt - startsAt, variant, ...stops].join(' ')
    const driven = { ...shift, places: this.#places.get(market.uid) ?? [] }
    const known = this.#drives.get(key) ?? {
      startsAt,
      drive: await this.#driver.drive({ truck, shift: driven, odometerM: 0 }),
    }
    this.#drives.set(key, known)
    return laterBy(known.drive, startsAt - known.startsAt)
  }

  /** Stores what the tracker sent of drives. Odometers count down from what is stored, the newest drive first. */
  async #storeDrives(truckUid: string, drives: ReadonlyMap<PastShift, PastDrive>, version: number): Promise<void> {
    const { lateTrack, withoutTrack } = this.#past.exceptions
    let top = await this.#firstReading(truckUid)
    const page: PastDrive = { logs: [], readings: [] }
    for (const [shift, { logs, readings }] of [...drives].toReversed()) {
      const start = top - (readings.at(-1)?.metres ?? 0)
      top = start
      if (shift === lateTrack || shift === withoutTrack) continue
      page.logs.push(...logs)
      page.readings.push(...readings.map(({ at, metres }) => ({ at, metres: start + metres })))
    }
    await this.#storePage(truckUid, page, version)
  }

  async #storePage(truckUid: string, { logs, readings }: PastDrive, version: number): Promise<void> {
    const tracker = this.#db.selectFrom('truck').select('geotab_device_id as id').where('uid', '=', truckUid)
    const { id: truck } = await tracker.executeTakeFirstOrThrow()
    const isDue = ({ at }: { at: number }) => at < this.#trackedUntil
    await storeTelemetry(this.#db, {
      cursor: { entity: CURSOR, from: await this.#cursor(), to: String(version) },
      now: Date.now(),
      fixes: logs.filter(isDue).map((log) => ({ ...log, truck })),
      statuses: [],
      readings: readings.filter(isDue).map((reading) => ({ ...reading, truck })),
    })
  }

  async #firstReading(truckUid: string): Promise<number> {
    const first = this.#db
      .selectFrom('odometer_reading')
      .select('metres')
      .where('truck_uid', '=', truckUid)
      .where('at', '<', new Date(this.#trackedUntil).toISOString())
      .orderBy('at')
      .limit(1)
    return (await first.executeTakeFirst())?.metres ?? LAST_ODOMETER_M
  }

  async #storePlays(shift: PastShift, { logs }: PastDrive, shown: PlayerData['shifts'][number] | undefined) {
    const firstSequence = this.#firsts.get(shift)
    if (!shown || firstSequence === undefined) return
    const track = logs.filter(({ at }) => at < this.#trackedUntil)
    const plays = playsOfPast({ shown, track, from: shift.from, to: shift.to, firstSequence })
    const loses = shift === this.#past.exceptions.withLostPlays
    const kept = plays.filter((_, index) => !loses || index < LOST.from || index >= LOST.from + LOST.count)
    await storeInBatches(this.#db, shift.truckUid, kept)
  }
}

async function storeInBatches(db: Db, truckUid: string, plays: readonly Play[]): Promise<void> {
  const player = db
    .selectFrom('device')
    .select('uid')
    .where('truck_uid', '=', truckUid)
    .where('kind', '=', 'player')
    .where('deleted_at', 'is', null)
    .orderBy('mac_address')
  const device = await player.executeTakeFirst()
  if (!device) return
  for (let at = 0; at < plays.length; at += MAX_BATCH) {
    await storePlays(db, { uid: device.uid, truckUid }, plays.slice(at, at + MAX_BATCH))
  }
}
