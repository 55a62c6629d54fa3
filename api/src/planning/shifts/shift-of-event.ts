import type { ShiftStatus } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Locks the shift of a truck's event until the transaction ends; false if it is not the truck's and never was. */
export async function lockTrucksShift(db: Db, shiftUid: string, truckUid: string): Promise<boolean> {
  const found = await db
    .selectFrom('shift')
    .select('truck_uid')
    .where('uid', '=', shiftUid)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return found !== undefined && (found.truck_uid === truckUid || hadBefore(db, shiftUid, 'truck_uid', truckUid))
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

/** Finds the shift that holds a truck at an instant. */
export async function findShiftAt(db: Db, truckUid: string, at: string): Promise<string | undefined> {
  const isHeld = sql<boolean>`during @> ${at}::timestamptz`
  const hold = db.selectFrom('truck_hold').select('shift_uid').where('truck_uid', '=', truckUid).where(isHeld)
  return (await hold.executeTakeFirst())?.shift_uid
}
