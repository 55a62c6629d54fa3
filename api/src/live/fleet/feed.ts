import type { LiveTruck } from '@roadshow/contract'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { LiveFleetReader } from './live-trucks.ts'

interface Feed {
  db: Db
  /** Without listeners, nothing is read. */
  hasListeners: () => boolean
  publish: (trucks: LiveTruck[]) => void | Promise<void>
  log: (error: unknown) => void
}

const MOST_OFTEN_MS = 1000
// Some states change with time alone: a truck falls silent, or its shift begins.
const AT_LEAST_MS = 5000

/** Publishes changes of the fleet: soon after a truck moved, at most once a second, and now and then anyway. */
export function startFleetFeed({ db, hasListeners, publish, log }: Feed) {
  const fleet = new LiveFleetReader()
  let isMoved = true
  let isPlanned = true
  let lastAt = 0
  let wholeAt = 0
  let underWay: Promise<void> | undefined

  async function publishChanges(): Promise<void> {
    lastAt = performance.now()
    isMoved = false
    const isWhole = isPlanned || lastAt - wholeAt >= AT_LEAST_MS
    isPlanned = false
    const now = await sharedNow(db)
    const changed = isWhole ? await fleet.readAll(db, now) : await fleet.readMovement(db, now)
    if (isWhole) wholeAt = lastAt
    if (changed.length > 0) await publish(changed)
  }

  function tick(): void {
    const isDue = performance.now() - lastAt >= (isMoved ? MOST_OFTEN_MS : AT_LEAST_MS)
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
