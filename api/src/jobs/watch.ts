import { sharedNow } from '../platform/db/clock.ts'
import type { Db } from '../platform/db/connection.ts'
import { watchFleet } from '../live/fleet/index.ts'
import { repeat } from '../platform/jobs/repeat.ts'

const EVERY_MS = 20_000

/** Looks after running shifts until stopped. Every node tries; one at a time does. */
export const keepWatching = (db: Db, log: (error: unknown) => void) =>
  repeat('watch', async () => watchFleet(db, await sharedNow(db)), EVERY_MS, log)
