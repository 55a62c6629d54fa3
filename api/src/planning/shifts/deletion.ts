import { type Deletion, refuseMissing, refuseToRestore } from '../../platform/deletion/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { withShiftEvents } from './changes.ts'
import { applyDriverEvents } from './driver-events.ts'
import { lockedPeriods } from './facts.ts'
import { checkRemoval } from './move-rules.ts'
import { lockShifts, recordPlanChange } from './plan-changes/record.ts'
import { restoreProblem } from './plan-changes/undo.ts'
import { shiftRecords } from './queries.ts'
import { checkPayLock } from './rules.ts'
import { toShiftValues } from './shift-row.ts'

/** What a shift refers to. A canceled one comes back without it. */
const needed: Deletion['needed'] = {
  truck_uid: ['truck', 'truck'],
  driver_uid: ['user_account', 'driver'],
  program_uid: ['client_program', 'program'],
  market_uid: ['market', 'market'],
  artwork_set_uid: ['artwork_set', 'artwork set'],
  address_set_uid: ['address_set', 'SD address set'],
}

/** A shift that has begun stays. A restored one needs what it had: truck, driver, program and its hours. */
export const shiftDeletion: Deletion = {
  kind: 'shift',
  records: shiftRecords,

  async refuse(db, scope, uid) {
    const shift = await shiftRecords.get(db, scope, uid)
    const refusal = checkRemoval(shift.status)
    if (refusal) throw new AppError('shiftMove', { text: refusal })
    const locked = checkPayLock(toShiftValues(shift), { lockedPay: await lockedPeriods(db).execute() })
    if (locked) throw new AppError('payPeriodClosed', { text: locked })
  },

  async refuseRestore(db, _scope, uid) {
    const problem = await restoreProblem(db, uid)
    if (!problem) return
    await refuseMissing(db, { records: shiftRecords, needed }, uid)
    refuseToRestore(problem)
  },

  // Other events may count for it than before.
  afterRestore: (db, { actor }, uid) => applyDriverEvents(db, uid, { userUid: actor.uid, address: actor.address }),

  async around(db, scope, { kind, uid }, work) {
    const before = await lockShifts(db, [uid])
    const result = await withShiftEvents(db, [uid], work)
    await recordPlanChange(db, scope, { kind: kind === 'delete' ? 'delete' : 'save', before })
    return result
  },
}
