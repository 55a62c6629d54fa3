import type { LiveTruck } from '@roadshow/contract'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { LiveFleetReader } from './live-trucks.ts'

interface Feed {
  db: Db
  /** Whether anybody listens: nobody is told nothing, at no cost. */
  isHeard: () => boolean
  tell: (trucks: LiveTruck[]) => void | Promise<void>
  log: (error: unknown) => void
}

const MOST_OFTEN_MS = 1000
// Some states come by waiting: a truck falls silent without a word, or its shift begins.
const AT_LEAST_MS = 5000

/** Tells what changed of the fleet: soon after something moved, at most once a second, and now and then anyway. */
export function startFleetFeed({ db, isHeard, tell, log }: Feed) {
  const fleet = new LiveFleetReader()
  let isMoved = true
  let isPlanned = true
  let lastAt = 0
  let wholeAt = 0
  let underWay: Promise<void> | undefined

  async function look(): Promise<void> {
    lastAt = performance.now()
    isMoved = false
    const isWhole = isPlanned || lastAt - wholeAt >= AT_LEAST_MS
    isPlanned = false
    const now = await sharedNow(db)
    const changed = isWhole ? await fleet.readAll(db, now) : await fleet.readMovement(db, now)
    if (isWhole) wholeAt = lastAt
    if (changed.length > 0) await tell(changed)
  }

  function tick(): void {
    const isDue = performance.now() - lastAt >= (isMoved ? MOST_OFTEN_MS : AT_LEAST_MS)
    if (underWay || !isDue || !isHeard()) return
    underWay = look()
      .catch((error: unknown) => {
        isPlanned = true
        log(error)
      })
      .finally(() => (underWay = undefined))
  }

  const timer = setInterval(tick, MOST_OFTEN_MS / 4)
  return {
    /** Something moved. */
    nudge: () => void (isMoved = true),
    /** What trucks are on may be something else. */
    replan: () => void (isMoved = isPlanned = true),
    async close() {
      clearInterval(timer)
      await underWay
    },
  }
}
