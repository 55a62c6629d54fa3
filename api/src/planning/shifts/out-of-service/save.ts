import { type BodyOf, type ErrorCode, type OutOfServiceSaved, type outOfServices } from '@roadshow/contract'
import { followShopStays } from '../../../catalog/trucks/index.ts'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { AppError, refuseFields } from '../../../platform/runtime/app-error.ts'
import { withShiftEvents } from '../changes.ts'
import { loadShiftFacts } from '../facts.ts'
import { writeEnd, writePlaced } from '../plan-changes/apply.ts'
import { nameOf, placeShifts, type WantedShift } from '../plan-changes/place.ts'
import { lockShifts, recordPlanChange } from '../plan-changes/record.ts'
import { checkPayLock, type ShiftFacts } from '../rules.ts'
import { toShiftValues } from '../shift-row.ts'
import { stretchRecords } from './queries.ts'
import { findResource, type Resource } from './resource.ts'
import { cancelReason, resolveStretch } from './rules.ts'
import { decide, loadShiftsInStretch } from './shifts-in-stretch.ts'
import { lockStretch, toStretchRow } from './stored.ts'

type Created = BodyOf<typeof outOfServices.create>
type Request = Created & Partial<Pick<BodyOf<typeof outOfServices.update>, 'uid' | 'version'>>

interface Moves {
  replaced: WantedShift[]
  canceled: WantedShift[]
}

const refuseShift = (name: string, reason: string, code: ErrorCode = 'shiftsInTheWay') =>
  new AppError(code, { text: `${name}: ${reason}` })

/** Checks by the rules of saving that the shifts can go where they are to go. */
async function checkMoves(db: Db, { replaced, canceled }: Moves, request: Request): Promise<ShiftFacts> {
  const { allowInactiveProgram } = request
  const facts = await loadShiftFacts(
    db,
    [...replaced, ...canceled].flatMap(({ values, saved }) => [values, ...(saved ? [toShiftValues(saved)] : [])]),
  )
  for (const { name, values } of canceled) {
    const locked = checkPayLock(values, facts)
    if (locked) throw refuseShift(name, locked)
  }
  const { refusals } = await placeShifts(db, replaced, { facts, allowInactiveProgram })
  const [first] = refusals
  if (first) {
    const code = first.isInactive ? 'programInactive' : 'shiftsInTheWay'
    throw refuseShift(first.name, `${first.reason} ${first.detail}`.trim(), code)
  }
  return facts
}

/** Moves and cancels shifts that are checked, and takes their truck or driver out of service, as one change. */
async function writeAll(
  db: Db,
  scope: Scope,
  { replaced, canceled }: Moves,
  { facts, reason, write }: { facts: ShiftFacts; reason: string; write: () => Promise<StretchWritten> },
) {
  const wanted = [...replaced, ...canceled]
  const uids = wanted.map(({ uid }) => uid)
  return withShiftEvents(db, uids, async () => {
    const before = await lockShifts(db, uids)
    const versions = new Map(wanted.map(({ uid, saved }) => [uid, saved?.version]))
    if (before.length < uids.length || before.some(({ uid, version }) => versions.get(uid) !== version)) {
      throw new AppError('staleVersion')
    }
    await writePlaced(db, scope, replaced, facts)
    if (canceled.length > 0) {
      await writeEnd(
        db,
        scope,
        { kind: 'cancel', reason },
        canceled.map(({ uid }) => uid),
      )
    }
    const outOfService = await write()
    return recordPlanChange(db, scope, { kind: 'outOfService', before, outOfService })
  })
}

type StretchWritten = NonNullable<Parameters<typeof recordPlanChange>[2]['outOfService']>

const fieldOf = ({ over }: Resource) => `${over}Uid` as const

/** Takes a truck or a driver out of service, or changes when, and decides about every shift in that time in the same step. */
export const saveStretch = (db: Db, scope: Scope, request: Request): Promise<OutOfServiceSaved> =>
  inTransaction(db, async (db) => {
    const saved = request.uid === undefined ? undefined : await lockStretch(db, request.uid)
    if (saved && saved.version !== request.version) throw new AppError('staleVersion')
    const named = saved ? { ...request, truckUid: saved.truck_uid, driverUid: saved.driver_uid } : request
    const resource = await findResource(db, named)
    const { stretch, problems } = resolveStretch(request, resource.zone)
    refuseFields(problems)
    if (!stretch) throw new AppError('badInput')
    const decided = await decide(await loadShiftsInStretch(db, scope, resource, stretch), request.shifts, resource)
    const toWanted = ({ shift, toUid }: (typeof decided)[number]): WantedShift => {
      const values = toShiftValues(shift)
      const field = fieldOf(resource)
      return {
        uid: shift.uid,
        name: nameOf(shift),
        values: toUid === null ? values : { ...values, [field]: toUid },
        saved: shift,
      }
    }
    const moves = {
      replaced: decided.filter(({ toUid }) => toUid !== null).map(toWanted),
      canceled: decided.filter(({ toUid }) => toUid === null).map(toWanted),
    }
    const facts = await checkMoves(db, moves, request)
    const row = toStretchRow(resource, stretch, request.reason)
    let uid = request.uid ?? ''
    const { undoUid } = await writeAll(db, scope, moves, {
      facts,
      reason: cancelReason(resource.over, resource.name, request.reason),
      write: async () => {
        const written =
          saved === undefined
            ? await stretchRecords.create(db, scope, row)
            : await stretchRecords.update(db, scope, saved.uid, saved.version, row)
        uid = written.uid
        return { uid, version: written.version, before: saved?.row ?? null }
      },
    })
    await followShopStays(db)
    return {
      ...(await stretchRecords.get(db, scope, uid)),
      moved: moves.replaced.length,
      canceled: moves.canceled.length,
      undoUid: undoUid ?? '',
    }
  })

/** Deletes a stretch: its truck or driver can be planned again. */
export const removeStretch = (db: Db, scope: Scope, uid: string): Promise<{ uid: string; undoUid: string }> =>
  inTransaction(db, async (db) => {
    const saved = await lockStretch(db, uid)
    await stretchRecords.remove(db, scope, uid)
    const { undoUid } = await recordPlanChange(db, scope, {
      kind: 'outOfService',
      outOfService: { uid, version: saved.version + 1, before: saved.row },
    })
    await followShopStays(db)
    return { uid, undoUid: undoUid ?? '' }
  })
