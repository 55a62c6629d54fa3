import type { DriverShift, ShiftStatus } from '@roadshow/contract'
import { type Selectable, sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { withShiftEvents } from './changes.ts'
import {
  type DriverEvent,
  type EventProblem,
  judgeDriverEvent,
  type OfficeTimes,
  progressAfterDriverEvents,
  type ShiftBeforeDriverEvents,
  type ShiftProgress,
} from './event-rules.ts'

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
const msOf = (instant: string | null) => (instant === null ? null : Date.parse(instant))

type StoredShift = ShiftBeforeDriverEvents & { date: string; driverUid: string; isDeleted: boolean }

async function lockStoredShift(db: Db, uid: string): Promise<StoredShift | undefined> {
  const found = await db.selectFrom('shift').selectAll().where('uid', '=', uid).forUpdate().executeTakeFirst()
  return found && toStoredShift(found, await loadOfficeTimes(db, [uid]))
}

/** The times of some shifts that the office or the system set. */
const loadOfficeTimes = (db: Db, shiftUids: readonly string[]) =>
  db
    .selectFrom('shift_office_time')
    .select(['shift_uid', 'kind', 'at'])
    .where('shift_uid', '=', anyOf(shiftUids))
    .execute()

type OfficeTimeRow = Awaited<ReturnType<typeof loadOfficeTimes>>[number]

function toOfficeTimes(rows: readonly OfficeTimeRow[], shiftUid: string): OfficeTimes {
  const rowOf = (wanted: DriverEvent['kind']) =>
    rows.find(({ shift_uid, kind }) => shift_uid === shiftUid && kind === wanted)
  const stop = rowOf('stop')
  return { start: msOf(rowOf('start')?.at ?? null), stop: msOf(stop?.at ?? null), isCompleted: stop !== undefined }
}

const toStoredShift = (found: Selectable<DB['shift']>, officeTimes: readonly OfficeTimeRow[]): StoredShift => ({
  date: found.local_date,
  driverUid: found.driver_uid,
  isDeleted: found.deleted_at !== null,
  status: found.status as ShiftStatus,
  startsAt: Date.parse(found.starts_at),
  endsAt: Date.parse(found.ends_at),
  startedAt: msOf(found.started_at),
  stoppedAt: msOf(found.stopped_at),
  office: toOfficeTimes(officeTimes, found.uid),
  isStartCorrected: found.start_corrected,
  isStopCorrected: found.stop_corrected,
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

/** The events that count for a shift: of its truck, and of its present driver. */
const countingEvents = (rows: readonly DriverEventRow[], driverUid: string): DriverEvent[] =>
  rows
    .filter(({ user_uid }) => user_uid === null || user_uid === driverUid)
    .map(({ kind, at }) => ({ kind: kind as DriverShift['kind'], at: Date.parse(at) }))

/** The author of a change that events cause: the device, or the user who changed the hours. */
interface DriverEventAuthor {
  userUid: string | null
  address: string
}

const isSameProgress = (one: ShiftProgress, other: ShiftProgress) =>
  one.status === other.status && one.startedAt === other.startedAt && one.stoppedAt === other.stoppedAt

const setProgress = (db: Db, uid: string, after: ShiftProgress, { userUid, address }: DriverEventAuthor) =>
  db
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

/** A start or stop as the phone of a driver or the device of a truck sent it. */
export interface SentDriverEvent {
  sender: { userUid: string } | { deviceUid: string }
  eventId: string
  shiftUid: string
  kind: DriverEvent['kind']
  at: string
  address: string
  /** Whether it fits hours that the shift had before. */
  isOfFormerHours: boolean
}

/** Whether an event was stored, and why it does not count if so. */
export type StoredDriverEvent =
  | { result: 'refused' }
  | { result: 'known' }
  | { result: 'stored'; problem: EventProblem | 'payLocked' | undefined }

/** Decides about an event, stores it unless it is refused, and lets it count if it may. Needs a transaction. */
export async function storeDriverEvent(db: Db, sent: SentDriverEvent): Promise<StoredDriverEvent> {
  const { sender, shiftUid, kind, at, address, isOfFormerHours } = sent
  const userUid = 'userUid' in sender ? sender.userUid : null
  const shift = await lockStoredShift(db, shiftUid)
  if (!shift) return { result: 'refused' }
  const verdict = judgeDriverEvent(shift, {
    event: { kind, at: Date.parse(at) },
    counting: countingEvents(await loadDriverEventRows(db, [shiftUid]), shift.driverUid),
    isOwn: userUid === null || userUid === shift.driverUid,
    isDeleted: shift.isDeleted,
    isOfFormerHours,
  })
  if (verdict.isRefused) return { result: 'refused' }
  if (!(await addDriverEvent(db, sent))) return { result: 'known' }
  const { problem, after } = verdict
  if (isSameProgress(shift, after)) return { result: 'stored', problem }
  if (await isPayLocked(db, shift.date)) return { result: 'stored', problem: 'payLocked' }
  await withShiftEvents(db, [shiftUid], () => setProgress(db, shiftUid, after, { userUid, address }))
  return { result: 'stored', problem }
}

/** Adds an event; false if its sender has used the id before. */
export async function addDriverEvent(
  db: Db,
  { sender, eventId, shiftUid, kind, at }: Pick<SentDriverEvent, 'sender' | 'eventId' | 'shiftUid' | 'kind' | 'at'>,
): Promise<boolean> {
  const by = 'userUid' in sender ? { user_uid: sender.userUid } : { device_uid: sender.deviceUid }
  const added = await db
    .insertInto('driver_event')
    .values({ ...by, event_id: eventId, shift_uid: shiftUid, kind, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return added !== undefined
}

/** Brings a shift in line with the times of the office and all stored events of its driver. Needs a transaction. */
export async function applyDriverEvents(db: Db, uid: string, author: DriverEventAuthor): Promise<void> {
  const shift = await lockStoredShift(db, uid)
  if (!shift || shift.isDeleted) return
  const counting = countingEvents(await loadDriverEventRows(db, [uid]), shift.driverUid)
  const after = progressAfterDriverEvents(shift, counting)
  // Locked pay does not change; payroll shows events that arrived too late.
  if (isSameProgress(shift, after) || (await isPayLocked(db, shift.date))) return
  await setProgress(db, uid, after, author)
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
  const officeTimes = groupBy(await loadOfficeTimes(db, uids), (row) => row.shift_uid)
  const reported = await db
    .selectFrom('shift')
    .selectAll()
    .where('uid', '=', anyOf([...events.keys()]))
    .where('deleted_at', 'is', null)
    .orderBy('uid')
    .execute()
  return reported
    .filter((row) => {
      const shift = toStoredShift(row, officeTimes.get(row.uid) ?? [])
      const counting = countingEvents(events.get(row.uid) ?? [], shift.driverUid)
      return !isSameProgress(shift, progressAfterDriverEvents(shift, counting))
    })
    .map(({ uid }) => uid)
}

/** Whether the pay period of a day is locked. Its state cannot change before this transaction ends. */
async function isPayLocked(db: Db, day: string): Promise<boolean> {
  const { rows } = await sql<{ state: string | null }>`select state from closed_period(${day}::date)`.execute(db)
  return rows[0]?.state === 'locked'
}
