import { blocksTruck, type BodyOf, type Shift, type shifts } from '@roadshow/contract'
import { sharedNow } from '../../platform/db/clock.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { withShiftEvents } from './changes.ts'
import { loadShiftFacts } from './facts.ts'
import { type ActualTimes, checkCorrection, checkMove, timesAfterMove } from './move-rules.ts'
import { shiftRecords } from './queries.ts'
import { checkShift } from './rules.ts'
import { refuseClashes, refuseInactiveProgram } from './save.ts'
import { shiftInstants, toShiftValues } from './shift-row.ts'

/** Loads a shift for a change of this version; saving compares the version once more. */
async function getVersion(db: Db, scope: Scope, { uid, version }: { uid: string; version: number }): Promise<Shift> {
  const saved = await shiftRecords.get(db, scope, uid)
  if (saved.version !== version) throw new AppError('staleVersion')
  return saved
}

/** Starts, completes, cancels or reopens a shift. */
export const moveShift = (db: Db, scope: Scope, request: BodyOf<typeof shifts.move>) =>
  inTransaction(db, async (db) => {
    const { uid, version, status, reason } = request
    const saved = await getVersion(db, scope, request)
    const now = await sharedNow(db)
    const verdict = checkMove(saved, { status, reason, rows: scope.rows, now })
    if ('refusal' in verdict) throw new AppError('shiftMove', { text: verdict.refusal })
    if (verdict.isReasonMissing) refuseFields({ reason: 'Enter a reason: this shift was never started.' })
    if (!blocksTruck(saved.status)) await checkPlannedAgain(db, saved, request.allowInactiveProgram)
    const times = timesAfterMove(await loadTimes(db, uid), status, new Date(now).toISOString())
    return withShiftEvents(db, [uid], () =>
      shiftRecords.update(db, scope, uid, version, { status, reason, ...toColumns(times) }),
    )
  })

/** A shift that is planned again needs its program, and blocks its truck and driver again. */
async function checkPlannedAgain(db: Db, saved: Shift, allowInactiveProgram: boolean): Promise<void> {
  const values = toShiftValues(saved)
  const facts = await loadShiftFacts(db, [values])
  const { programUid } = checkShift(values, facts)
  if (programUid) throw new AppError('shiftMove', { text: programUid })
  if (!allowInactiveProgram) refuseInactiveProgram(values, facts)
  const { startsAt, endsAt } = shiftInstants(values, facts, saved)
  const { truckUid, driverUid } = values
  await refuseClashes(db, { uid: saved.uid, truckUid, driverUid, startsAt, endsAt })
}

/** Corrects the actual times of a shift. The history keeps the reason. */
export const correctTimes = (db: Db, scope: Scope, request: BodyOf<typeof shifts.correctTimes>) =>
  inTransaction(db, async (db) => {
    const { uid, version, startedAt, stoppedAt, reason } = request
    const saved = await getVersion(db, scope, request)
    const now = await sharedNow(db)
    const { refusal, fields } = checkCorrection(saved, request, now)
    if (refusal) throw new AppError('shiftMove', { text: refusal })
    refuseFields(fields)
    const isStopped = stoppedAt !== null
    return withShiftEvents(db, [uid], () =>
      shiftRecords.update(db, scope, uid, version, {
        status: isStopped ? 'completed' : 'out',
        reason: '',
        started_at: startedAt,
        stopped_at: stoppedAt,
        times_reason: reason,
        start_corrected: true,
        stop_corrected: isStopped,
        // Without an end the shift goes on: stops from before the correction do not count.
        ...(!isStopped && { stops_count_from: new Date(now).toISOString() }),
      }),
    )
  })

async function loadTimes(db: Db, uid: string): Promise<ActualTimes> {
  return db
    .selectFrom('shift')
    .select([
      'started_at as startedAt',
      'stopped_at as stoppedAt',
      'times_reason as timesReason',
      'start_corrected as isStartCorrected',
      'stop_corrected as isStopCorrected',
      'starts_count_from as startsCountFrom',
      'stops_count_from as stopsCountFrom',
    ])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
}

const toColumns = (times: ActualTimes) => ({
  started_at: times.startedAt,
  stopped_at: times.stoppedAt,
  times_reason: times.timesReason,
  start_corrected: times.isStartCorrected,
  stop_corrected: times.isStopCorrected,
  starts_count_from: times.startsCountFrom,
  stops_count_from: times.stopsCountFrom,
})
