import type { Db } from '../db/connection.ts'
import { watchFleet } from '../fleet/index.ts'

const EVERY_MS = 20_000

/** Looks after running shifts until stopped. Every node tries; one at a time does. */
export function keepWatching(db: Db, log: (error: unknown) => void) {
  let underWay: Promise<void> | undefined
  const timer = setInterval(() => {
    underWay ??= watchFleet(db, Date.now())
      .catch(log)
      .finally(() => (underWay = undefined))
  }, EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}
