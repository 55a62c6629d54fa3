import type { BodyOf, PayAdjustment, PayLine, payroll } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { shiftRecords } from '../../planning/shifts/index.ts'
import { loadPayBook } from './book.ts'
import { adjustmentRecords } from './adjustments.ts'

const changedBy = ({ actor }: Scope) => ({ changed_by: actor.uid, changed_from: actor.address })

/** Decides on the pay of a shift by hand, or returns to plan and proposal. */
export const overrideOption = (db: Db, scope: Scope, input: BodyOf<typeof payroll.override>): Promise<PayLine> =>
  inTransaction(db, async (db) => {
    const { shiftUid, version, option, decision, note } = input
    const { date, driver, status } = await shiftRecords.get(db, scope, shiftUid)
    // A concurrent override of this shift waits here and then finds a newer version.
    await shiftRecords.lockRow(db, shiftUid)
    const before = await db
      .selectFrom('pay_override')
      .select('version')
      .where('shift_uid', '=', shiftUid)
      .executeTakeFirst()
    if ((before?.version ?? null) !== version) throw new AppError('staleVersion')
    if (decision !== null && status !== 'completed') {
      throw new AppError('badInput', { fields: { decision: 'Only a completed shift can be paid.' } })
    }
    const row = { pay_option: option, decision, note, ...changedBy(scope) }
    if (before) await db.updateTable('pay_override').set(row).where('shift_uid', '=', shiftUid).execute()
    else
      await db
        .insertInto('pay_override')
        .values({ shift_uid: shiftUid, ...row })
        .execute()
    const { drivers } = await loadPayBook(db, { from: date, to: date }, { scope, drivers: driver ? [driver.uid] : [] })
    const line = drivers.flatMap(({ lines }) => lines).find(({ uid }) => uid === shiftUid)
    if (!line) throw new AppError('notFound')
    return line
  })

/** Adds an adjustment, which may be negative. */
export const addAdjustment = (db: Db, scope: Scope, input: BodyOf<typeof payroll.adjust>): Promise<PayAdjustment> =>
  inTransaction(db, async (db) => {
    const { driverUid, date, cents, note, shiftUid } = input
    await checkAdjustment(db, driverUid, shiftUid)
    const { uid } = await db
      .insertInto('pay_adjustment')
      .values({
        driver_uid: driverUid,
        local_date: date,
        cents,
        note,
        shift_uid: shiftUid,
        created_by: scope.actor.uid,
        ...changedBy(scope),
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return adjustmentRecords.get(db, scope, uid)
  })

/** An adjustment is for a driver, also one who has left; a corrected shift is one of theirs. */
async function checkAdjustment(db: Db, driverUid: string, shiftUid: string | null): Promise<void> {
  const { rows } = await sql<{ isDriver: boolean; hasShift: boolean }>`
    select exists (select from user_account u where u.uid = ${driverUid}
                      and (u.role = 'driver' or exists (
                        select from shift s where s.driver_uid = u.uid and s.deleted_at is null))) as "isDriver",
           ${shiftUid}::uuid is null
             or exists (select from shift s where s.uid = ${shiftUid} and s.driver_uid = ${driverUid})
             or exists (select from pay_line l where l.shift_uid = ${shiftUid} and l.driver_uid = ${driverUid}) as "hasShift"`.execute(
    db,
  )
  if (!rows[0]?.isDriver) throw new AppError('badInput', { fields: { driverUid: 'Driver not found.' } })
  if (!rows[0].hasShift) throw new AppError('badInput', { fields: { shiftUid: 'Shift not found for this driver.' } })
}
