import { blocksTruck, type BodyOf, type shifts } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { loadShiftFacts } from './facts.ts'
import { shiftRecords } from './queries.ts'
import { checkMove, timesAfterMove } from './rules.ts'
import { refuseClashes } from './save.ts'
import { shiftInstants, toShiftValues } from './shift-row.ts'

/** Starts, completes, cancels or reopens a shift. */
export const moveShift = (db: Db, scope: Scope, { uid, version, status, reason }: BodyOf<typeof shifts.move>) =>
  inTransaction(db, async (db) => {
    const saved = await shiftRecords.get(db, scope, uid)
    if (saved.version !== version) throw new AppError('staleVersion')
    const refusal = checkMove(saved.status, status, scope.rows)
    if (refusal) throw new AppError('shiftMove', { text: refusal })
    // A reopened shift blocks its truck and driver again.
    if (!blocksTruck(saved.status)) {
      const values = toShiftValues(saved)
      const { startsAt, endsAt } = shiftInstants(values, await loadShiftFacts(db, [values]), saved)
      await refuseClashes(db, { uid, truckUid: values.truckUid, driverUid: values.driverUid, startsAt, endsAt })
    }
    const { startedAt, stoppedAt } = timesAfterMove(saved, status, new Date().toISOString())
    return shiftRecords.update(db, scope, uid, version, {
      status,
      reason,
      started_at: startedAt,
      stopped_at: stoppedAt,
    })
  })
