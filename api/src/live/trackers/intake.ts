import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings } from '../../catalog/settings/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { keptSince } from '../../platform/db/partitions.ts'
import type { Signals } from '../../platform/db/signals.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { timeProblem } from '../device-batches/index.ts'
import { type OdometerReading, storeTelemetry, type StoreResult, type TrackerFix } from '../telemetry/index.ts'
import { noteUse, noteUnknown, type SendingSource } from './queries.ts'

interface Sent {
  source: SendingSource
  fixes: TrackerFix[]
  readings?: OdometerReading[]
  address: string
  /** What was wrong with the rest of the call. */
  problem?: string | undefined
}

/** What became of a call, and by which clock it was decided. */
export interface TakenCall extends StoreResult {
  now: number
  /** Older fixes are not kept. */
  oldest: number
}

interface Waiting extends Sent {
  resolve: (taken: TakenCall) => void
  reject: (error: unknown) => void
}

/** Calls wait this long for others, which are stored in the same transaction. */
const GATHER_MS = 200
// A node that cannot keep up refuses calls before its memory is full; trackers keep what was refused.
const MOST_WAITING = 50_000

/** Stores what trackers send in groups: a call with one position costs a fraction of a transaction. */
export class PositionIntake {
  readonly #db: Db
  readonly #publish: Signals['publish'] | undefined
  #waiting: Waiting[] = []
  #count = 0
  #running: Promise<void> | undefined

  constructor(db: Db, publish?: Signals['publish']) {
    this.#db = db
    this.#publish = publish
  }

  /** Settles when it is on disk. */
  take(sent: Sent): Promise<TakenCall> {
    if (this.#count + sent.fixes.length > MOST_WAITING) throw new AppError('unavailable', { retryAfter: 5 })
    this.#count += sent.fixes.length
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...sent, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Settles when all that was taken is stored. */
  async close(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await sleep(GATHER_MS)
      const calls = this.#waiting
      this.#waiting = []
      this.#count = 0
      for (const group of groupBy(calls, ({ source }) => source.uid).values()) await this.#store(group)
    }
    this.#running = undefined
  }

  async #store(calls: Waiting[]): Promise<void> {
    const [first] = calls
    if (!first) return
    try {
      const db = this.#db
      const now = await sharedNow(db)
      const oldest = keptSince((await readSettings(db)).keepPositionsDays, now)
      const fixes = calls.flatMap((call) => call.fixes)
      const readings = calls.flatMap((call) => call.readings ?? [])
      const batch = { source: first.source.uid, now, fixes, statuses: [], readings }
      const result = await storeTelemetry(db, batch, this.#publish)
      const { address, problem } = lastOf(calls)
      const untimely = fixes
        .map(({ at }) => timeProblem(at, oldest, now)?.reason)
        .find((reason) => reason !== undefined)
      const note = { source: first.source, address, problem: problem ?? untimely }
      await noteUnknown(db, first.source, unknownOf(fixes, result.trucks))
      await noteUse(db, note)
      for (const { resolve } of calls) resolve({ ...result, now, oldest })
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
}

/** Where the newest call came from, and the last thing that was wrong. */
const lastOf = (calls: readonly Waiting[]) => ({
  address: calls.at(-1)?.address ?? '',
  problem: calls.findLast(({ problem }) => problem !== undefined)?.problem,
})

/** How many fixes came of each id that no truck has. */
function unknownOf(fixes: readonly TrackerFix[], trucks: ReadonlyMap<string, string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { truck } of fixes) if (!trucks.has(truck)) counts.set(truck, (counts.get(truck) ?? 0) + 1)
  return counts
}
