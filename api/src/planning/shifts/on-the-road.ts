import { type DriverShift, type ShiftStatus, shiftStatusLabel, blocksTruck } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

interface Road {
  status: ShiftStatus
  startedAt: number | null
  stoppedAt: number | null
}

/**
 * What a start or stop makes of a shift, whenever it is heard: it began with the first start and ended with the last
 * stop. A stop before a later start was no end; a start after the end goes on.
 */
function afterEvent(
  shift: Road,
  { kind, at }: { kind: DriverShift['kind']; at: number },
  lastStart: number | null,
): Road {
  const { status, startedAt, stoppedAt } = shift
  if (kind === 'start') {
    const goesOn = stoppedAt !== null && stoppedAt < at
    return {
      status: status === 'planned' || goesOn ? 'out' : status,
      startedAt: startedAt === null ? at : Math.min(startedAt, at),
      stoppedAt: goesOn ? null : stoppedAt,
    }
  }
  const latestStart = Math.max(lastStart ?? -Infinity, startedAt ?? -Infinity)
  if (at < latestStart) return shift
  return { status: 'completed', startedAt, stoppedAt: stoppedAt === null ? at : Math.max(stoppedAt, at) }
}

const DAY_MS = 86_400_000
const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
const msOf = (instant: string | null) => (instant === null ? null : Date.parse(instant))

interface Reported extends Pick<DriverShift, 'shiftUid' | 'kind' | 'at'> {
  truckUid: string
  /** The latest start of this shift that was reported before. */
  lastStart: string | null
  /** Where it was reported from. */
  address: string
}

/** Starts or stops a shift as its truck reports it. Answers why not, or undefined. Call it in a transaction. */
export async function applyDriverReport(db: Db, event: Reported): Promise<string | undefined> {
  const found = await db
    .selectFrom('shift')
    .select(['status', 'local_date', 'starts_at', 'ends_at', 'started_at', 'stopped_at'])
    .where('uid', '=', event.shiftUid)
    .where('truck_uid', '=', event.truckUid)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) return 'This truck has no such shift.'
  const status = found.status as ShiftStatus
  if (!blocksTruck(status)) return `The shift is marked ${shiftStatusLabel[status].toLowerCase()}.`
  const at = Date.parse(event.at)
  if (at < Date.parse(found.starts_at) - DAY_MS || at > Date.parse(found.ends_at) + DAY_MS) {
    return 'That is more than a day away from the shift.'
  }
  const before: Road = { status, startedAt: msOf(found.started_at), stoppedAt: msOf(found.stopped_at) }
  const after = afterEvent(before, { kind: event.kind, at }, msOf(event.lastStart))
  if (Object.entries(after).every(([key, value]) => before[key as keyof Road] === value)) return undefined
  // What is paid stays as it is; payroll shows what came too late.
  if (await isPayLocked(db, found.local_date)) return undefined
  await db
    .updateTable('shift')
    .set({
      status: after.status,
      started_at: isoOf(after.startedAt),
      stopped_at: isoOf(after.stoppedAt),
      // The device did it, nobody who is signed in.
      changed_by: null,
      changed_from: event.address,
    })
    .where('uid', '=', event.shiftUid)
    .execute()
  return undefined
}

/** Whether the period of a day is locked. Nobody locks it before this transaction ends. */
async function isPayLocked(db: Db, day: string): Promise<boolean> {
  const { rows } = await sql<{ state: string | null }>`select state from closed_period(${day}::date)`.execute(db)
  return rows[0]?.state === 'locked'
}

/** The shift that a truck is on at a moment. */
export async function findShiftAt(db: Db, truckUid: string, at: string): Promise<string | undefined> {
  const { rows } = await sql<{ uid: string }>`
    select uid from shift
     where truck_uid = ${truckUid} and starts_at <= ${at} and ends_at > ${at}
       and deleted_at is null and status not in ('cancelled', 'noShow')`.execute(db)
  return rows[0]?.uid
}
