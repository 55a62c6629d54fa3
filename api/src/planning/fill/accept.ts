import { type BodyOf, type FillResult, type shiftFill, shiftInput } from '@roadshow/contract'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { planNewShifts, type ShiftValues } from '../shifts/index.ts'
import { takeFillProposal } from './fill-proposals.ts'

type Acceptance = BodyOf<typeof shiftFill.accept>

/** Plans the shifts of a fill proposal by the rules of saving, all or none. */
export const acceptFillProposal = (db: Db, scope: Scope, { uid, shifts, allowInactiveProgram }: Acceptance) =>
  inTransaction(db, async (db) => {
    const { request, result } = await takeFillProposal(db, scope.actor.uid, uid)
    return planProposed(db, scope, toValues(shifts, request.programUid, result), { allowInactiveProgram })
  })

type PlannedShifts = Parameters<typeof planNewShifts>[2]

/** Plans proposed shifts, all or none. Needs a transaction. */
export async function planProposed(
  db: Db,
  scope: Scope,
  planned: PlannedShifts,
  consent: { allowInactiveProgram: boolean },
): Promise<{ uids: string[]; undoUid: string | null }> {
  const done = await planNewShifts(db, scope, planned, consent)
  if (done.refused.length > 0) throw refusalOf(done)
  return { uids: done.changed.map((shift) => shift.uid), undoUid: done.undoUid }
}

function refusalOf({ refused, isOnlyInactive }: Awaited<ReturnType<typeof planNewShifts>>): AppError {
  const [first] = refused
  if (first && isOnlyInactive) {
    const text = `${first.reason} Confirm to plan the shifts anyway.`
    return new AppError('programInactive', { text, fields: { allowInactiveProgram: text } })
  }
  return new AppError('fillRefused', { fields: Object.fromEntries(refused.map(({ key, reason }) => [key, reason])) })
}

/** Market, day and artwork are those of the fill proposal; the rest is as the person left it. */
export function toValues(
  shifts: Acceptance['shifts'],
  programUid: string,
  { shifts: proposed, artworkSet }: Pick<FillResult, 'shifts' | 'artworkSet'>,
) {
  const byKey = new Map(proposed.map((shift) => [shift.key, shift]))
  const values = new Map<string, ShiftValues>()
  for (const { key, ...chosen } of shifts) {
    const shift = byKey.get(key)
    if (!shift) throw new AppError('badInput', { fields: { shifts: 'A shift is not part of this proposal.' } })
    if (values.has(key)) throw new AppError('badInput', { fields: { shifts: 'Name each shift once.' } })
    const { market, date } = shift
    const place = { programUid, marketUid: market.uid, date, artworkSetUid: artworkSet?.uid ?? null }
    values.set(key, shiftInput.parse({ ...place, ...chosen }))
  }
  return [...values].map(([key, each]) => ({ key, values: each }))
}
