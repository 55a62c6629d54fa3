import { randomUUID } from 'node:crypto'
import {
  blocksTruck,
  type BodyOf,
  type Shift,
  type shifts,
  type ShiftStatus,
  type ShiftTimeKind,
} from '@roadshow/contract'
import { sharedNow } from '../../platform/db/clock.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { withShiftEvents } from './changes.ts'
import { addDriverEvent } from './driver-events.ts'
import { loadShiftFacts } from './facts.ts'
import { checkCorrection, checkMove, type CorrectedTimes, timesAfterMove } from './move-rules.ts'
import { shiftRecords } from './queries.ts'
import { checkInService, checkShift } from './rules.ts'
import { refuseClashes, refuseInactiveProgram } from './save.ts'
import { shiftInstants, toShiftValues } from './shift-row.ts'

type ShiftColumns = Parameters<typeof shiftRecords.update>[4]

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
    const at = new Date(now).toISOString()
    const times = isByDriver(scope) ? timesByDriver(status, at) : timesAfterMove(saved, status, at)
    return withShiftEvents(db, [uid], async () => {
      if (isByDriver(scope)) await keepAsDriverEvent(db, scope, { shiftUid: uid, status, at })
      return shiftRecords.update(db, scope, uid, version, { status, reason, ...times })
    })
  })

const isByDriver = ({ actor }: Scope) => actor.role === 'driver'

const timesByDriver = (status: ShiftStatus, at: string) => (status === 'out' ? { started_at: at } : { stopped_at: at })

/** What a driver marks in the console is an event like those of the phone: it counts as long as the shift is theirs. */
const keepAsDriverEvent = (
  db: Db,
  { actor }: Scope,
  { shiftUid, status, at }: { shiftUid: string; status: ShiftStatus; at: string },
) =>
  addDriverEvent(db, {
    sender: { userUid: actor.uid },
    eventId: randomUUID(),
    shiftUid,
    kind: status === 'out' ? 'start' : 'stop',
    at,
  })

/** A shift that is planned again needs its program, and blocks its truck and driver again. */
async function checkPlannedAgain(db: Db, saved: Shift, allowInactiveProgram: boolean): Promise<void> {
  const values = toShiftValues(saved)
  const facts = await loadShiftFacts(db, [values])
  const { programUid } = checkShift(values, facts)
  const away = { ...checkInService('truckUid', values, facts), ...checkInService('driverUid', values, facts) }
  const refusal = programUid ?? away.truckUid ?? away.driverUid
  if (refusal) throw new AppError('shiftMove', { text: refusal })
  if (!allowInactiveProgram) refuseInactiveProgram(values, facts)
  const { startsAt, endsAt } = shiftInstants(values, facts, saved)
  const { truckUid, driverUid } = values
  await refuseClashes(db, { uid: saved.uid, truckUid, driverUid, startsAt, endsAt })
}

/** Checks corrected times of a shift and saves them. */
async function saveCorrection(
  db: Db,
  scope: Scope,
  saved: Shift,
  { now, columns, ...times }: CorrectedTimes & { now: number; columns: ShiftColumns },
): Promise<Shift> {
  const { uid, version } = saved
  const { refusal, fields } = checkCorrection(saved, times, now)
  if (refusal) throw new AppError('shiftMove', { text: refusal })
  refuseFields(fields)
  return withShiftEvents(db, [uid], () => shiftRecords.update(db, scope, uid, version, columns))
}

/** Corrects the actual times of a shift. The history keeps the reason. */
export const correctTimes = (db: Db, scope: Scope, request: BodyOf<typeof shifts.correctTimes>) =>
  inTransaction(db, async (db) => {
    const { startedAt, stoppedAt, reason } = request
    const now = await sharedNow(db)
    const isStopped = stoppedAt !== null
    const columns = {
      status: isStopped ? 'completed' : 'out',
      reason: '',
      started_at: startedAt,
      stopped_at: stoppedAt,
      times_reason: reason,
      start_corrected: true,
      stop_corrected: isStopped,
      // Without an end the shift goes on: stops from before the correction do not count.
      ...(!isStopped && { stops_count_from: new Date(now).toISOString() }),
    }
    return saveCorrection(db, scope, await getVersion(db, scope, request), { startedAt, stoppedAt, now, columns })
  })

/** Corrects either the actual start or the actual stop of a shift, and leaves the other to the driver's events. */
export async function correctTime(
  db: Db,
  scope: Scope,
  { uid, kind, at, reason }: { uid: string; kind: ShiftTimeKind; at: string; reason: string },
): Promise<void> {
  const saved = await shiftRecords.get(db, scope, uid)
  const times =
    kind === 'start'
      ? { startedAt: at, stoppedAt: saved.stoppedAt }
      : { startedAt: saved.startedAt ?? at, stoppedAt: at }
  const column = kind === 'start' ? { started_at: at, start_corrected: true } : { stopped_at: at, stop_corrected: true }
  const columns = { ...column, times_reason: reason }
  await saveCorrection(db, scope, saved, { ...times, now: await sharedNow(db), columns })
}
