import { deviceHealth } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'

// The limit of the column: a clock that was never set is decades away.
const MOST_MS = 2 ** 31 - 1
const FIRST = Date.UTC(1970, 0, 1)
const LAST = Date.UTC(2199, 11, 31)

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** Stores the health report of a device; answers how far its clock is ahead of the server's. */
export async function storeHealth(db: Db, deviceUid: string, sent: unknown): Promise<{ clockOffsetMs: number }> {
  const { data, error } = deviceHealth.safeParse(sent)
  if (!data) {
    const fields = Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.') || 'payload', message]))
    throw new AppError('badInput', { fields })
  }
  const now = await sharedNow(db)
  const at = within(Date.parse(data.at), FIRST, LAST)
  const clockOffsetMs = within(at - now, -MOST_MS, MOST_MS)
  const row = {
    at: new Date(at),
    files: data.files,
    clock_offset_ms: clockOffsetMs,
    gps_fix: data.gpsFix,
    free_bytes: data.freeBytes,
    app_version: data.appVersion,
    received_at: new Date(now),
  }
  await db
    .insertInto('device_health')
    .values({ device_uid: deviceUid, ...row })
    .onConflict((conflict) => conflict.column('device_uid').doUpdateSet(row))
    .execute()
  return { clockOffsetMs }
}
