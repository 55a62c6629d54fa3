import type { DriverShift, ShiftStatus } from '@roadshow/contract'
import { type Selectable, sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import {
  checkDriverEventTime,
  describeDriverEvent,
  type DriverEvent,
  problemOfDriverEvent,
  progressAfterDriverEvents,
  type ShiftBeforeDriverEvents,
  type ShiftDriverEvents,
  type ShiftProgress,
} from './event-rules.ts'

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
const msOf = (instant: string | null) => (instant === null ? null : Date.parse(instant))

/** The shift of a truck's event, locked until the transaction ends, so that its events are processed in turn. */
export async function lockShiftOfDriverEvent(
  db: Db,
  { shiftUid, truckUid, at }: { shiftUid: string; truckUid: string; at: string },
): Promise<{ refusal?: string }> {
  const found = await db
    .selectFrom('shift')
    .select(['starts_at', 'ends_at', 'truck_uid'])
    .where('uid', '=', shiftUid)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const isTrucks = found && (found.truck_uid === truckUid || (await hadBefore(db, shiftUid, 'truck_uid', truckUid)))
  if (!isTrucks) return { refusal: 'Shift not found for this truck.' }
  const hours = { startsAt: Date.parse(found.starts_at), endsAt: Date.parse(found.ends_at) }
  const refusal = checkDriverEventTime(hours, Date.parse(at))
  return refusal === undefined ? {} : { refusal }
}

/**
 * Whether a shift had this truck or driver before. Its driver may have reported from there before hearing of the change.
 */
async function hadBefore(db: Db, shiftUid: string, column: 'truck_uid' | 'driver_uid', uid: string): Promise<boolean> {
  const { rows } = await sql`
    select from history where table_name = 'shift' and record_uid = ${shiftUid}
       and changes -> ${column}::text ->> 0 = ${uid} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether a shift was a driver's before. */
export const wasDriversShift = (db: Db, shiftUid: string, driverUid: string): Promise<boolean> =>
  hadBefore(db, shiftUid, 'driver_uid', driverUid)

/** The truck that a shift had at an instant, in milliseconds since 1970. */
export async function truckOfShiftAt(
  db: Db,
  { uid, truckUid }: { uid: string; truckUid: string },
  at: number,
): Promise<string> {
  const { rows } = await sql<{ before: string }>`
    select h.changes -> 'truck_uid' ->> 0 as before from history h
     where h.table_name = 'shift' and h.record_uid = ${uid} and h.action = 'changed' and h.changes ? 'truck_uid'
       and h.at > ${new Date(at)} order by h.id limit 1`.execute(db)
  return rows[0]?.before ?? truckUid
}

/** A shift as the phone of a driver names it, locked until the transaction ends. */
export type DriversShift = NonNullable<Awaited<ReturnType<typeof lockDriversShift>>>

/** Locks a shift that is a driver's, or was before. Undefined for a shift that the driver never had. */
export async function lockDriversShift(db: Db, shiftUid: string, driverUid: string) {
  const found = await db
    .selectFrom('shift')
    .select(['uid', 'driver_uid as driverUid', 'truck_uid as truckUid', 'local_date as date', 'zone', 'status'])
    .select(['start_time', 'end_time', 'starts_at', 'ends_at', 'deleted_at'])
    .$narrowType<{ status: ShiftStatus }>()
    .where('uid', '=', shiftUid)
    .forUpdate()
    .executeTakeFirst()
  const isOwn = found?.driverUid === driverUid
  if (!found || !(isOwn || (await wasDriversShift(db, shiftUid, driverUid)))) return undefined
  const { start_time, end_time, starts_at, ends_at, deleted_at, ...shift } = found
  return {
    ...shift,
    start: start_time.slice(0, 5),
    end: end_time.slice(0, 5),
    startsAt: Date.parse(starts_at),
    endsAt: Date.parse(ends_at),
    isDeleted: deleted_at !== null,
    /** Whether it is the driver's now; otherwise it was before. */
    isOwn,
  }
}

/** The day, hours and truck of a shift. */
export interface ShiftPlan {
  date: string
  start: string
  end: string
  truckUid: string
}

/** A plan that a shift had until it was changed. */
export interface FormerPlan extends ShiftPlan {
  until: string
}

/** The plans that a shift had before, newest first. */
export async function loadFormerPlans(db: Db, shift: ShiftPlan & { uid: string }): Promise<FormerPlan[]> {
  const old = (column: string) => sql`h.changes -> ${column} ->> 0`
  const { rows } = await sql<{ [Part in keyof FormerPlan]: string | null } & { until: string }>`
    select h.at as until, ${old('local_date')} as date, left(${old('start_time')}, 5) as start,
           left(${old('end_time')}, 5) as "end", ${old('truck_uid')} as "truckUid"
      from history h
     where h.table_name = 'shift' and h.record_uid = ${shift.uid} and h.action = 'changed'
       and h.changes ?| array['local_date', 'start_time', 'end_time', 'truck_uid']
     order by h.id desc`.execute(db)
  let { date, start, end, truckUid } = shift
  return rows.map((row) => {
    date = row.date ?? date
    start = row.start ?? start
    end = row.end ?? end
    truckUid = row.truckUid ?? truckUid
    return { until: row.until, date, start, end, truckUid }
  })
}

type StoredShift = ShiftBeforeDriverEvents & { date: string; isCorrected: boolean; driverUid: string }

async function loadStoredShift(db: Db, uid: string): Promise<StoredShift | undefined> {
  const found = await db
    .selectFrom('shift')
    .selectAll()
    .where('uid', '=', uid)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return found && toStoredShift(found)
}

const toStoredShift = (found: Selectable<DB['shift']>): StoredShift => ({
  date: found.local_date,
  driverUid: found.driver_uid,
  status: found.status as ShiftStatus,
  startsAt: Date.parse(found.starts_at),
  endsAt: Date.parse(found.ends_at),
  startedAt: msOf(found.started_at),
  stoppedAt: msOf(found.stopped_at),
  isStartCorrected: found.start_corrected,
  isStopCorrected: found.stop_corrected,
  isCorrected: found.times_reason !== '',
  startsCountFrom: msOf(found.starts_count_from),
  stopsCountFrom: msOf(found.stops_count_from),
})

/** All events about some shifts. */
const loadDriverEventRows = (db: Db, shiftUids: readonly string[]) =>
  db
    .selectFrom('driver_event')
    .select(['shift_uid', 'kind', 'at', 'user_uid'])
    .where('shift_uid', '=', anyOf(shiftUids))
    .execute()

type DriverEventRow = Awaited<ReturnType<typeof loadDriverEventRows>>[number]

/** The events about a shift, of its present driver and of former ones. */
function toShiftDriverEvents(rows: readonly DriverEventRow[], driverUid: string): ShiftDriverEvents {
  const isFormers = ({ user_uid }: DriverEventRow) => user_uid !== null && user_uid !== driverUid
  const toDriverEvent = ({ kind, at }: DriverEventRow) => ({ kind: kind as DriverShift['kind'], at: Date.parse(at) })
  return {
    counting: rows.filter((row) => !isFormers(row)).map(toDriverEvent),
    ofFormerDrivers: rows.filter(isFormers).map(toDriverEvent),
  }
}

/** The author of a change that events cause: the device, or the user who changed the hours. */
interface DriverEventAuthor {
  userUid: string | null
  address: string
}

const isSameProgress = (one: ShiftProgress, other: ShiftProgress) =>
  one.status === other.status && one.startedAt === other.startedAt && one.stoppedAt === other.stoppedAt

const loadDriverEvents = async (db: Db, shiftUid: string, driverUid: string): Promise<ShiftDriverEvents> =>
  toShiftDriverEvents(await loadDriverEventRows(db, [shiftUid]), driverUid)

/** Brings a shift in line with all stored events of its driver. Needs a transaction. */
export async function applyDriverEvents(db: Db, uid: string, { userUid, address }: DriverEventAuthor): Promise<void> {
  const shift = await loadStoredShift(db, uid)
  if (!shift) return
  const after = progressAfterDriverEvents(shift, await loadDriverEvents(db, uid, shift.driverUid))
  // Locked pay does not change; payroll shows events that arrived too late.
  if (isSameProgress(shift, after) || (await isPayLocked(db, shift.date))) return
  await db
    .updateTable('shift')
    .set({
      status: after.status,
      started_at: isoOf(after.startedAt),
      stopped_at: isoOf(after.stoppedAt),
      changed_by: userUid,
      changed_from: address,
    })
    .where('uid', '=', uid)
    .execute()
}

// Pay periods have thousands of shifts.
const AT_ONCE = 1000

/** Brings those of some shifts in line that differ from their stored events. Needs a transaction. */
export async function applyDriverEventsOf(db: Db, uids: readonly string[], author: DriverEventAuthor): Promise<void> {
  for (let from = 0; from < uids.length; from += AT_ONCE) {
    const differing = await findDiffering(db, uids.slice(from, from + AT_ONCE))
    for (const uid of differing) await applyDriverEvents(db, uid, author)
  }
}

/** Those of some shifts that would change with their stored events, without locking the others. */
async function findDiffering(db: Db, uids: readonly string[]): Promise<string[]> {
  const events = groupBy(await loadDriverEventRows(db, uids), (row) => row.shift_uid)
  const reported = await db
    .selectFrom('shift')
    .selectAll()
    .where(sql<boolean>`uid = any(${[...events.keys()]}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('uid')
    .execute()
  return reported
    .filter((row) => {
      const shift = toStoredShift(row)
      const after = progressAfterDriverEvents(shift, toShiftDriverEvents(events.get(row.uid) ?? [], shift.driverUid))
      return !isSameProgress(shift, after)
    })
    .map(({ uid }) => uid)
}

/** Why a stored event of a phone changed nothing; undefined if it counts. */
export async function findDriverEventProblem(db: Db, uid: string, event: DriverEvent) {
  const shift = await loadStoredShift(db, uid)
  if (!shift) return undefined
  const problem = problemOfDriverEvent(shift, event)
  const after = progressAfterDriverEvents(shift, await loadDriverEvents(db, uid, shift.driverUid))
  // Events count as soon as they are stored, unless the pay of the day is locked.
  return isSameProgress(shift, after) ? problem : 'payLocked'
}

/** Why a stored event changed nothing, in a few words; empty if it counts. */
export async function explainDriverEvent(db: Db, uid: string, event: DriverEvent): Promise<string> {
  const shift = await loadStoredShift(db, uid)
  return shift ? describeDriverEvent(shift, event) : ''
}

/** Whether the pay period of a day is locked. Its state cannot change before this transaction ends. */
async function isPayLocked(db: Db, day: string): Promise<boolean> {
  const { rows } = await sql<{ state: string | null }>`select state from closed_period(${day}::date)`.execute(db)
  return rows[0]?.state === 'locked'
}

/** Finds the shift that holds a truck at an instant. */
export async function findShiftAt(db: Db, truckUid: string, at: string): Promise<string | undefined> {
  const isHeld = sql<boolean>`during @> ${at}::timestamptz`
  const hold = db.selectFrom('truck_hold').select('shift_uid').where('truck_uid', '=', truckUid).where(isHeld)
  return (await hold.executeTakeFirst())?.shift_uid
}
