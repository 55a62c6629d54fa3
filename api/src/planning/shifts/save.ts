import { blocksTruck, type BodyOf, type Shift, type ShiftClash, type shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction, prepared } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { BookingIndex } from './bookings.ts'
import { loadBookings, loadShiftFacts } from './facts.ts'
import { shiftRecords } from './queries.ts'
import { checkPayLock, checkRemoval, checkShift, clashProblems, type ShiftValues } from './rules.ts'
import { lastShiftBefore, shortRest } from './short-rest-sql.ts'
import { type ShiftRow, shiftInstants, toShiftRow, toShiftValues } from './shift-row.ts'

/** Finds the shifts that overlap one, of its truck or its driver. */
async function findClashes(
  db: Db,
  shift: { uid: string; truckUid: string; driverUid: string; startsAt: number; endsAt: number },
): Promise<ShiftClash[]> {
  const { truckUid, driverUid, startsAt, endsAt } = shift
  const search = { truckUids: [truckUid], driverUids: [driverUid], from: startsAt, to: endsAt }
  return new BookingIndex(await loadBookings(db, search)).clashesWith(shift)
}

/** Refuses a shift whose truck or driver is booked at that time, and names the shifts in the way. */
export async function refuseClashes(db: Db, shift: Parameters<typeof findClashes>[1]): Promise<void> {
  const clashes = await findClashes(db, shift)
  if (clashes.length === 0) return
  const fields = clashProblems(clashes)
  throw new AppError('shiftClash', { text: Object.values(fields).join(' '), fields, clashes })
}

/** Checks a shift and returns its row. Truck and driver stay locked until the transaction ends. */
async function checkedRow(db: Db, values: ShiftValues, saved?: Shift): Promise<ShiftRow> {
  const facts = await loadShiftFacts(db, [values])
  const savedValues = saved && toShiftValues(saved)
  const locked = checkPayLock(values, facts, savedValues)
  if (locked) throw new AppError('payPeriodClosed', { text: locked, fields: { date: locked } })
  refuseFields(checkShift(values, facts, savedValues))
  if (!saved || blocksTruck(saved.status)) {
    const { startsAt, endsAt } = shiftInstants(values, facts, saved)
    const { truckUid, driverUid } = values
    await refuseClashes(db, { uid: saved?.uid ?? '', truckUid, driverUid, startsAt, endsAt })
  }
  return toShiftRow(values, facts, saved)
}

export const createShift = (db: Db, scope: Scope, values: ShiftValues): Promise<Shift> =>
  inTransaction(db, async (db) => shiftRecords.create(db, scope, await checkedRow(db, values)))

interface ShiftUpdate {
  uid: string
  version: number
  values: ShiftValues
}

export const updateShift = (db: Db, scope: Scope, { uid, version, values }: ShiftUpdate): Promise<Shift> =>
  inTransaction(db, async (db) => {
    const saved = await shiftRecords.get(db, scope, uid)
    // The version is compared before the clashes: clashes of an outdated version would mislead.
    if (saved.version !== version) throw new AppError('staleVersion')
    return shiftRecords.update(db, scope, uid, version, await checkedRow(db, values, saved))
  })

/** Checks a shift without saving it. */
export async function previewShift(db: Db, scope: Scope, { uid, ...values }: BodyOf<typeof shifts.clashes>) {
  const saved = uid === undefined ? undefined : await shiftRecords.get(db, scope, uid)
  const facts = await loadShiftFacts(db, [values])
  const problems = checkShift(values, facts, saved && toShiftValues(saved))
  const { startsAt, endsAt } = shiftInstants(values, facts, saved)
  if (Number.isNaN(startsAt) || Number.isNaN(endsAt)) return { problems, clashes: [], shortRestHours: null }
  const { truckUid, driverUid } = values
  return {
    problems,
    clashes: await findClashes(db, { uid: saved?.uid ?? '', truckUid, driverUid, startsAt, endsAt }),
    shortRestHours: await loadShortRest(db, driverUid, startsAt, uid),
  }
}

/** The hours since the driver's last shift before an instant, if they are fewer than the settings ask for. */
async function loadShortRest(db: Db, driverUid: string, startsAt: number, uid: string | undefined) {
  const before = sql`${new Date(startsAt).toISOString()}::timestamptz`
  const isOther = sql`b.uid is distinct from ${uid ?? null}::uuid`
  const last = lastShiftBefore({ driver: sql`${driverUid}::uuid`, before, isOther })
  const { rows } = await prepared(sql<{ hours: number | null }>`select ${shortRest(before, last)} as hours`).execute(db)
  return rows[0]?.hours ?? null
}

export async function removeShift(db: Db, scope: Scope, uid: string): Promise<{ uid: string }> {
  return shiftRecords.removeUnless(db, scope, uid, async (db) => {
    const { status } = await shiftRecords.get(db, scope, uid)
    const refusal = checkRemoval(status)
    if (refusal) throw new AppError('shiftMove', { text: refusal })
  })
}
