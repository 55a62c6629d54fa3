import { blocksTruck, type BodyOf, type Shift, type ShiftClash, type shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction, prepared } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { lockShifts, recordPlanChange } from './plan-changes/record.ts'
import { type Booking, BookingIndex } from './bookings.ts'
import { recordShiftChanges, withShiftEvents } from './changes.ts'
import { loadBookingsAround, loadShiftFacts } from './facts.ts'
import { shiftRecords } from './queries.ts'
import { applyDriverEvents } from './driver-events.ts'
import { checkBegunHours } from './move-rules.ts'
import {
  checkPayLock,
  checkShift,
  clashProblems,
  describeInactiveProgram,
  type ShiftCandidate,
  type ShiftFacts,
  type ShiftValues,
} from './rules.ts'
import { lastShiftBefore, shortRest } from './shift-sql.ts'
import { loadShortWays } from './travel/facts.ts'
import { describeShortWay } from './travel/rules.ts'
import { bookedInstants, type ShiftRow, toShiftRow, toShiftValues, withStopsText } from './shift-row.ts'

/** Finds the shifts that overlap one, of its truck or its driver. */
const findClashes = async (db: Db, shift: Omit<Booking, 'name'>): Promise<ShiftClash[]> =>
  new BookingIndex(await loadBookingsAround(db, [shift])).clashesWith(shift)

/** Refuses a shift whose truck or driver is booked at that time, and names the shifts in the way. */
export async function refuseClashes(db: Db, shift: Omit<Booking, 'name'>): Promise<void> {
  const clashes = await findClashes(db, shift)
  if (clashes.length === 0) return
  const fields = clashProblems(clashes)
  throw new AppError('shiftClash', { text: Object.values(fields).join(' '), fields, clashes })
}

/** Refuses a shift of a draft or paused program, which needs consent. */
export function refuseInactiveProgram(values: ShiftCandidate, facts: ShiftFacts, saved?: ShiftCandidate): void {
  const inactive = describeInactiveProgram(values, facts, saved)
  if (!inactive) return
  const text = `${inactive} Confirm to plan the shift anyway.`
  throw new AppError('programInactive', { text, fields: { allowInactiveProgram: text } })
}

/** Refuses hours at which a shift that is out or completed could not have begun. */
async function refuseEarlyHours(db: Db, row: ShiftRow, saved: Shift): Promise<void> {
  const hours = { startsAt: row.starts_at, zone: row.zone }
  if (Date.parse(row.starts_at) === Date.parse(saved.startsAt)) return
  const early = checkBegunHours(saved, hours, await sharedNow(db))
  if (early) refuseFields({ start: early })
}

interface PlanRequest {
  values: ShiftValues
  allowInactiveProgram: boolean
}

/** Checks a shift and returns its row. Truck and driver stay locked until the transaction ends. */
async function checkedRow(db: Db, { values, allowInactiveProgram }: PlanRequest, saved?: Shift): Promise<ShiftRow> {
  const facts = await loadShiftFacts(db, [values])
  const savedValues = saved && { ...toShiftValues(saved), status: saved.status }
  const locked = checkPayLock(values, facts, savedValues)
  if (locked) throw new AppError('payPeriodClosed', { text: locked, fields: { date: locked } })
  refuseFields(checkShift(values, facts, savedValues))
  if (!allowInactiveProgram) refuseInactiveProgram(values, facts, savedValues)
  if (!saved || blocksTruck(saved.status)) {
    const { startsAt, endsAt } = bookedInstants(values, facts, saved)
    const { truckUid, driverUid } = values
    await refuseClashes(db, { uid: saved?.uid ?? '', truckUid, driverUid, startsAt, endsAt })
  }
  const row = toShiftRow(values, facts, saved)
  if (saved) await refuseEarlyHours(db, row, saved)
  return row
}

export const createShift = (
  db: Db,
  scope: Scope,
  { allowInactiveProgram, ...values }: BodyOf<typeof shifts.create>,
): Promise<Shift> =>
  inTransaction(db, async (db) => {
    const row = await checkedRow(db, { values, allowInactiveProgram })
    const added = await shiftRecords.create(db, scope, withStopsText(row))
    await recordShiftChanges(db, [added.uid])
    await recordPlanChange(db, scope, { kind: 'save', added: [added.uid] })
    return added
  })

export const updateShift = (
  db: Db,
  scope: Scope,
  { uid, version, allowInactiveProgram, ...given }: BodyOf<typeof shifts.update>,
): Promise<Shift> =>
  inTransaction(db, async (db) => {
    const saved = await shiftRecords.get(db, scope, uid)
    // The version is compared before the clashes: clashes of an outdated version would mislead.
    if (saved.version !== version) throw new AppError('staleVersion')
    const values = { ...given, stops: given.stops ?? saved.stops }
    const row = await checkedRow(db, { values, allowInactiveProgram }, saved)
    const before = await lockShifts(db, [uid])
    return withShiftEvents(db, [uid], async () => {
      const updated = await shiftRecords.update(db, scope, uid, version, withStopsText(row))
      if (updated.version === version) return updated
      const isSameDriver = updated.driver?.uid === saved.driver?.uid
      const isSamePlace = isSameDriver && updated.startsAt === saved.startsAt && updated.endsAt === saved.endsAt
      // Other hours or another driver may make stored events count.
      if (!isSamePlace) await applyDriverEvents(db, uid, { userUid: scope.actor.uid, address: scope.actor.address })
      await recordPlanChange(db, scope, { kind: 'save', before })
      return isSamePlace ? updated : shiftRecords.get(db, scope, uid)
    })
  })

/** Checks a shift without saving it. */
export async function previewShift(db: Db, scope: Scope, { uid, ...values }: BodyOf<typeof shifts.clashes>) {
  const saved = uid === undefined ? undefined : await shiftRecords.get(db, scope, uid)
  const facts = await loadShiftFacts(db, [values])
  const savedValues = saved && { ...toShiftValues(saved), status: saved.status }
  const problems = checkShift(values, facts, savedValues)
  const inactiveProgram = describeInactiveProgram(values, facts, savedValues) ?? null
  const { startsAt, endsAt } = bookedInstants(values, facts, saved)
  if (Number.isNaN(startsAt) || Number.isNaN(endsAt))
    return { problems, clashes: [], shortRestHours: null, lateArrivals: [], inactiveProgram }
  const { truckUid, driverUid, marketUid } = values
  const booking = { uid: saved?.uid ?? '', truckUid, driverUid, startsAt, endsAt }
  const ways = await loadShortWays(db, [{ ...booking, marketUid }], [booking.uid])
  return {
    problems,
    clashes: await findClashes(db, booking),
    shortRestHours: await loadShortRest(db, driverUid, startsAt, uid),
    lateArrivals: (ways.get(booking.uid) ?? []).map(describeShortWay),
    inactiveProgram,
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
