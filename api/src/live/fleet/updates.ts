import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type FleetChanges, LiveFleetReader } from './live-trucks.ts'

interface FleetUpdateOptions {
  db: Db
  /** Without listeners, nothing is read. */
  hasListeners: () => boolean
  publish: (changes: FleetChanges, now: number) => void | Promise<void>
  log: (error: unknown) => void
}

const MOST_OFTEN_MS = 1000
// Some states change with time alone: a truck falls silent, or its shift begins.
const AT_LEAST_MS = 5000

/** How long it is until the next shift begins, at most as long as until the fleet is read again anyway. */
async function msToNextStart(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(starts_at)) * 1000)::float8 as ms from shift
     where deleted_at is null and starts_at > to_timestamp(${now / 1000})
       and starts_at <= to_timestamp(${(now + AT_LEAST_MS) / 1000})`.execute(db)
  return (rows[0]?.ms ?? now + AT_LEAST_MS) - now
}

/**
 * Publishes changes of the fleet: soon after a truck moved, at most once a second, and now and then anyway. Anyone who sees a
 * truck changes when a shift begins or ends, so the fleet is read again at that moment.
 */
export function startFleetUpdates({ db, hasListeners, publish, log }: FleetUpdateOptions) {
  const fleet = new LiveFleetReader()
  let isMoved = true
  let isPlanned = true
  let lastAt = 0
  let wholeDueAt = 0
  let underWay: Promise<void> | undefined

  async function publishChanges(): Promise<void> {
    lastAt = performance.now()
    isMoved = false
    const isWhole = isPlanned || lastAt >= wholeDueAt
    isPlanned = false
    const now = await sharedNow(db)
    const changes = isWhole ? await fleet.readAll(db, now) : await fleet.readMovement(db, now)
    if (isWhole) wholeDueAt = lastAt + Math.min(await msToNextStart(db, now), fleet.nextEnd(now) - now)
    if (changes.changed.length + changes.left.length > 0) await publish(changes, now)
  }

  function tick(): void {
    const present = performance.now()
    const isDue = present >= wholeDueAt || (isMoved && present - lastAt >= MOST_OFTEN_MS)
    if (underWay || !isDue || !hasListeners()) return
    underWay = publishChanges()
      .catch((error: unknown) => {
        isPlanned = true
        log(error)
      })
      .finally(() => (underWay = undefined))
  }

  const timer = setInterval(tick, MOST_OFTEN_MS / 4)
  return {
    /** A truck moved. */
    nudge: () => void (isMoved = true),
    /** The shifts of trucks may have changed. */
    replan: () => void (isMoved = isPlanned = true),
    async close() {
      clearInterval(timer)
      await underWay
    },
  }
}
