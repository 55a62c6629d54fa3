import type { BodyOf, PayAdjustment, PayLine, payroll } from '@roadshow/contract'
import { CompiledQuery, sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { shiftRecords } from '../../planning/shifts/index.ts'
import { payBook } from './book.ts'
import { adjustmentColumns, ADJUSTMENTS } from './facts.ts'

const signed = ({ actor }: Scope) => ({ changed_by: actor.uid, changed_from: actor.address })

/** Sets the pay option of a shift by hand, or goes back to what plan and hours say. */
export const overrideOption = (db: Db, scope: Scope, input: BodyOf<typeof payroll.override>): Promise<PayLine> =>
  inTransaction(db, async (db) => {
    const { shiftUid, version, option, note } = input
    const { date, driver } = await shiftRecords.get(db, scope, shiftUid)
    // Whoever else overrides this shift at the same moment waits, and finds another version then.
    await shiftRecords.lockRow(db, shiftUid)
    const before = await db
      .selectFrom('pay_override')
      .select('version')
      .where('shift_uid', '=', shiftUid)
      .executeTakeFirst()
    if ((before?.version ?? null) !== version) throw new AppError('staleVersion')
    const row = { pay_option: option, note, ...signed(scope) }
    if (before) await db.updateTable('pay_override').set(row).where('shift_uid', '=', shiftUid).execute()
    else
      await db
        .insertInto('pay_override')
        .values({ shift_uid: shiftUid, ...row })
        .execute()
    const { drivers } = await payBook(db, { from: date, to: date }, { scope, drivers: [driver.uid] })
    const line = drivers.flatMap(({ lines }) => lines).find(({ uid }) => uid === shiftUid)
    if (!line) throw new AppError('notFound')
    return line
  })

/** Adds or takes off an amount. */
export const addAdjustment = (db: Db, scope: Scope, input: BodyOf<typeof payroll.adjust>): Promise<PayAdjustment> =>
  inTransaction(db, async (db) => {
    const { driverUid, date, cents, note, shiftUid } = input
    await refuseStrangers(db, driverUid, shiftUid)
    const { uid } = await db
      .insertInto('pay_adjustment')
      .values({
        driver_uid: driverUid,
        local_date: date,
        cents,
        note,
        shift_uid: shiftUid,
        created_by: scope.actor.uid,
        ...signed(scope),
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const statement = `select ${adjustmentColumns} from ${ADJUSTMENTS} where a.uid = $1`
    const [added] = (await db.executeQuery<PayAdjustment>(CompiledQuery.raw(statement, [uid]))).rows
    return added as PayAdjustment
  })

/** Paid are drivers, also those who have left; a shift that is corrected is one of theirs. */
async function refuseStrangers(db: Db, driverUid: string, shiftUid: string | null): Promise<void> {
  const { rows } = await sql<{ drives: boolean; drove: boolean }>`
    select exists (select from user_account u where u.uid = ${driverUid}
                      and (u.role = 'driver' or exists (select from shift s where s.driver_uid = u.uid))) as drives,
           ${shiftUid}::uuid is null
             or exists (select from shift s where s.uid = ${shiftUid} and s.driver_uid = ${driverUid})
             or exists (select from pay_line l where l.shift_uid = ${shiftUid} and l.driver_uid = ${driverUid}) as drove`.execute(
    db,
  )
  if (!rows[0]?.drives) throw new AppError('badInput', { fields: { driverUid: 'There is no such driver.' } })
  if (!rows[0].drove) throw new AppError('badInput', { fields: { shiftUid: 'This driver has no such shift.' } })
}

export async function removeAdjustment(db: Db, scope: Scope, uid: string): Promise<{ uid: string }> {
  const removed = await db
    .updateTable('pay_adjustment')
    .set({ deleted_at: new Date(), ...signed(scope) })
    .where('uid', '=', uid)
    .where('deleted_at', 'is', null)
    .returning('uid')
    .executeTakeFirst()
  if (!removed) throw new AppError('notFound')
  return removed
}
