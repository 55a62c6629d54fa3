import { deviceHealth, deviceHealthReport, type HealthBatchAck, MAX_BATCH, type RowAck } from '@roadshow/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { AppError } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { DeviceBatch } from '../device-batches/index.ts'
import { clockOffset, type DatedReport, dateReports, newestReport } from './health-rules.ts'

type Health = z.output<typeof deviceHealth>

interface StoredHealth {
  answer: { clockOffsetMs: number } | HealthBatchAck
  /** The newest of the reports. */
  newest: Health | undefined
}

/** Stores what a device says about itself: one report of this moment, or a list of reports that may have waited. */
export const storeHealth = (db: Db, deviceUid: string, sent: unknown): Promise<StoredHealth> =>
  Array.isArray(sent) ? storeReports(db, deviceUid, sent) : storeReport(db, deviceUid, sent)

/** A single report says how the device is now; the answer says how far its clock is ahead of the server's. */
async function storeReport(db: Db, deviceUid: string, sent: unknown): Promise<StoredHealth> {
  const { data, error } = deviceHealth.safeParse(sent)
  if (!data) {
    const fields = Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.') || 'payload', message]))
    throw new AppError('badInput', { fields })
  }
  const now = await sharedNow(db)
  const clockOffsetMs = clockOffset(data.at, now)
  await write(db, deviceUid, { health: data, reportId: '', measuredAt: now, clockOffsetMs }, now)
  return { answer: { clockOffsetMs }, newest: data }
}

/** Stores the newest report of a list unless the server has a newer one, and answers each of them. */
async function storeReports(db: Db, deviceUid: string, sent: unknown[]): Promise<StoredHealth> {
  if (sent.length === 0) throw new AppError('badInput', { text: `A batch must have 1 to ${MAX_BATCH} rows.` })
  const batch = new DeviceBatch<z.output<typeof deviceHealthReport>>(sent, deviceHealthReport, 'reportId')
  const now = await sharedNow(db)
  const good = batch.setAside(({ at, sentAt }) =>
    Date.parse(at) > Date.parse(sentAt)
      ? { result: 'rejected', reason: 'This time is after the report was sent.' }
      : undefined,
  )
  const reports = dateReports(
    good.map(({ row }) => row),
    now,
  )
  const newest = newestReport(reports)
  if (!newest) return { answer: { ...batch.acks, clockOffsetMs: null }, newest: undefined }
  const results = await inTransaction(db, async (db) => {
    // The row of the device is locked, so that two lists are compared one after the other.
    const { rows } = await sql<{ at: number; reportId: string }>`
      select (extract(epoch from at) * 1000)::float8 as at, report_id as "reportId" from device_health
       where device_uid = ${deviceUid} for update`.execute(db)
    const isKnown = ({ measuredAt, reportId }: DatedReport) =>
      rows.some((stored) => stored.reportId === reportId || measuredAt <= stored.at)
    if (!isKnown(newest)) await write(db, deviceUid, newest, now)
    return reports.map((report): RowAck['result'] => (report.isRepeat || isKnown(report) ? 'duplicate' : 'accepted'))
  })
  for (const [place, row] of good.entries()) batch.answer(row, results[place] ?? 'accepted')
  return { answer: { ...batch.acks, clockOffsetMs: newest.clockOffsetMs }, newest: newest.health }
}

async function write(
  db: Db,
  deviceUid: string,
  report: Pick<DatedReport, 'reportId' | 'measuredAt' | 'clockOffsetMs'> & { health: Health },
  now: number,
): Promise<void> {
  const { health, reportId, measuredAt, clockOffsetMs } = report
  const row = {
    at: new Date(measuredAt),
    report_id: reportId,
    files: health.files,
    clock_offset_ms: clockOffsetMs,
    gps_fix: health.gpsFix,
    free_bytes: health.freeBytes,
    app_version: health.appVersion,
    screen: health.screen && JSON.stringify(health.screen),
    received_at: new Date(now),
  }
  await db
    .insertInto('device_health')
    .values({ device_uid: deviceUid, ...row })
    .onConflict((conflict) =>
      conflict
        .column('device_uid')
        .doUpdateSet(row)
        .where('device_health.at', '<=', sql<string>`excluded.at`),
    )
    .execute()
}
