import type { DriverShift, ShiftStatus } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { checkDriverReport, progressAfterReport, type ShiftProgress } from './rules.ts'

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
const msOf = (instant: string | null) => (instant === null ? null : Date.parse(instant))

interface DriverReport extends Pick<DriverShift, 'shiftUid' | 'kind' | 'at'> {
  truckUid: string
  /** The latest start of this shift among earlier reports. */
  lastStart: string | null
  /** The IP address of the device. */
  address: string
}

/** Starts or stops a shift as its truck reports it. Returns the reason for a refusal. Needs a transaction. */
export async function applyDriverReport(db: Db, report: DriverReport): Promise<string | undefined> {
  const found = await db
    .selectFrom('shift')
    .select(['status', 'local_date', 'starts_at', 'ends_at', 'started_at', 'stopped_at'])
    .where('uid', '=', report.shiftUid)
    .where('truck_uid', '=', report.truckUid)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) return 'Shift not found for this truck.'
  const status = found.status as ShiftStatus
  const at = Date.parse(report.at)
  const hours = { startsAt: Date.parse(found.starts_at), endsAt: Date.parse(found.ends_at) }
  const refusal = checkDriverReport({ status, ...hours }, at)
  if (refusal) return refusal
  const before: ShiftProgress = { status, startedAt: msOf(found.started_at), stoppedAt: msOf(found.stopped_at) }
  const after = progressAfterReport(before, { kind: report.kind, at }, msOf(report.lastStart))
  if (Object.entries(after).every(([key, value]) => before[key as keyof ShiftProgress] === value)) return undefined
  // Locked pay does not change; payroll shows reports that arrived too late.
  if (await isPayLocked(db, found.local_date)) return undefined
  await db
    .updateTable('shift')
    .set({
      status: after.status,
      started_at: isoOf(after.startedAt),
      stopped_at: isoOf(after.stoppedAt),
      // The device made the change, not a user.
      changed_by: null,
      changed_from: report.address,
    })
    .where('uid', '=', report.shiftUid)
    .execute()
  return undefined
}

/** Whether the pay period of a day is locked. Its state cannot change before this transaction ends. */
async function isPayLocked(db: Db, day: string): Promise<boolean> {
  const { rows } = await sql<{ state: string | null }>`select state from closed_period(${day}::date)`.execute(db)
  return rows[0]?.state === 'locked'
}

/** Finds the shift that a truck is on at an instant. */
export async function findShiftAt(db: Db, truckUid: string, at: string): Promise<string | undefined> {
  const { rows } = await sql<{ uid: string }>`
    select uid from shift
     where truck_uid = ${truckUid} and starts_at <= ${at} and ends_at > ${at}
       and deleted_at is null and status not in ('cancelled', 'noShow')`.execute(db)
  return rows[0]?.uid
}
