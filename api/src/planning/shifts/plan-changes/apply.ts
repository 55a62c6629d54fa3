import {
  type BodyOf,
  type Shift,
  type ShiftPlanChangeKind,
  type ShiftPlanChangeResult,
  type shiftPlanChanges,
  shiftStatusLabel,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { countDependents, type DependentSource, describePast } from '../../../platform/deletion/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { insertShifts, updateShifts } from '../bulk-write.ts'
import { recordShiftChanges, withShiftEvents } from '../changes.ts'
import { applyDriverEventsOf } from '../driver-events.ts'
import { loadShiftFacts } from '../facts.ts'
import { checkRemoval, timesAfterMove } from '../move-rules.ts'
import { shiftRecords } from '../queries.ts'
import { checkPayLock, type ShiftFacts, type ShiftValues } from '../rules.ts'
import { toShiftRow, toShiftValues } from '../shift-row.ts'
import { findLateArrivals, groupRefusals, nameOf, placeShifts, type Refusal, type WantedShift } from './place.ts'
import { lockShifts, recordPlanChange } from './record.ts'

type PlanChangeRequest = BodyOf<typeof shiftPlanChanges.apply>
type PlanChange = PlanChangeRequest['act']

const GONE = 'This shift was deleted.'
const CHANGED = 'Someone else changed this shift. Reload to see their changes.'

const cannot: Record<Exclude<ShiftPlanChangeKind, 'copy' | 'delete'>, string> = {
  move: "can't be moved",
  driver: "can't change its driver",
  cancel: "can't be canceled",
}

/** Refuses a change on a shift that has begun or is off; a copy takes any shift. */
function checkStatus(kind: ShiftPlanChangeKind, { status }: Shift): string | undefined {
  if (kind === 'copy') return undefined
  if (kind === 'delete') return checkRemoval(status)
  return status === 'planned' ? undefined : `A shift that is ${shiftStatusLabel[status].toLowerCase()} ${cannot[kind]}.`
}

/** The values that a shift gets by a change. */
function valuesAfter(act: PlanChange, at: number, saved: Shift): ShiftValues {
  const values = toShiftValues(saved)
  if (act.kind === 'driver') return { ...values, driverUid: act.driverUid }
  if (act.kind !== 'move' && act.kind !== 'copy') return values
  const { uid: _uid, version: _version, ...place } = act.shifts[at] ?? {}
  return { ...values, ...place }
}

function toWanted(act: PlanChange, at: number, saved: Shift): WantedShift {
  const values = valuesAfter(act, at, saved)
  if (act.kind !== 'copy') return { uid: saved.uid, name: nameOf(saved), values, saved }
  return { uid: saved.uid, name: nameOf(saved, values.date), values }
}

/** Loads the shifts of a change, and refuses those that are not as the planner saw them or that the change is not for. */
async function loadWanted(
  db: Db,
  scope: Scope,
  act: PlanChange,
): Promise<{ wanted: WantedShift[]; refusals: Refusal[] }> {
  const found = await shiftRecords.findMany(
    db,
    scope,
    act.shifts.map(({ uid }) => uid),
  )
  const wanted: WantedShift[] = []
  const refusals: Refusal[] = []
  for (const [at, { uid, version }] of act.shifts.entries()) {
    const saved = found[at]
    const reason = !saved ? GONE : saved.version === version ? checkStatus(act.kind, saved) : CHANGED
    if (reason) refusals.push({ uid, name: saved ? nameOf(saved) : 'Deleted shift', reason, detail: '' })
    else if (saved) wanted.push(toWanted(act, at, saved))
  }
  return { wanted, refusals }
}

/** Refuses to cancel or delete on days with locked pay. */
function checkDays(wanted: readonly WantedShift[], facts: ShiftFacts) {
  const refusals = wanted.flatMap(({ uid, name, values }): Refusal[] => {
    const reason = checkPayLock(values, facts)
    return reason ? [{ uid, name, reason, detail: '' }] : []
  })
  const refused = new Set(refusals.map(({ uid }) => uid))
  return { accepted: wanted.filter(({ uid }) => !refused.has(uid)), refusals, inactive: 0 }
}

/** The shifts that are deleted with others, and refusals of those with plays or pay behind them: each asks by itself. */
async function splitByPast(
  db: Db,
  wanted: readonly WantedShift[],
  sources: readonly DependentSource[],
): Promise<[WantedShift[], Refusal[]]> {
  const accepted: WantedShift[] = []
  const refusals: Refusal[] = []
  for (const shift of wanted) {
    const { uid, name } = shift
    const past = describePast(await countDependents(sources, db, { kind: 'shift', uid }))
    if (past) refusals.push({ uid, name, reason: `Behind this shift: ${past}. Open it to delete it.`, detail: '' })
    else accepted.push(shift)
  }
  return [accepted, refusals]
}

/** Cancels or deletes shifts that are locked and checked. */
export async function writeEnd(
  db: Db,
  { actor }: Scope,
  act: { kind: 'cancel'; reason: string } | { kind: 'delete' },
  uids: string[],
) {
  const status = 'cancelled'
  const times = timesAfterMove(
    { startedAt: null, stoppedAt: null },
    status,
    new Date(await sharedNow(db)).toISOString(),
  )
  await db
    .updateTable('shift')
    .set(act.kind === 'delete' ? { deleted_at: sql`now()` } : { status, reason: act.reason, ...times })
    .set({ changed_by: actor.uid, changed_from: actor.address })
    .where('uid', '=', sql<string>`any(${uids}::uuid[])`)
    .execute()
}

/** Writes shifts that are locked and checked at the places where they are wanted. */
export async function writePlaced(db: Db, scope: Scope, accepted: readonly WantedShift[], facts: ShiftFacts) {
  const rows = accepted.map((each) => ({
    uid: each.uid,
    version: each.saved?.version ?? 0,
    ...toShiftRow(each.values, facts, each.saved),
  }))
  await updateShifts(db, scope, rows)
  // Other hours or another driver may make stored events count.
  const uids = accepted.map(({ uid }) => uid)
  await applyDriverEventsOf(db, uids, { userUid: scope.actor.uid, address: scope.actor.address })
}

/** Changes saved shifts, whose versions are compared once more under a lock. */
async function writeChanges(
  db: Db,
  scope: Scope,
  act: PlanChange,
  accepted: readonly WantedShift[],
  facts: ShiftFacts,
) {
  const saved = new Map(accepted.map((each) => [each.uid, each.saved?.version]))
  const uids = [...saved.keys()]
  return withShiftEvents(db, uids, async () => {
    const before = await lockShifts(db, uids)
    if (before.length < uids.length || before.some(({ uid, version }) => saved.get(uid) !== version)) {
      throw new AppError('staleVersion')
    }
    if (act.kind === 'cancel' || act.kind === 'delete') await writeEnd(db, scope, act, uids)
    else await writePlaced(db, scope, accepted, facts)
    return recordPlanChange(db, scope, { kind: act.kind, before })
  })
}

/** Adds shifts that passed the rules, as one change that can be undone. */
export async function addShifts(db: Db, scope: Scope, accepted: readonly WantedShift[], facts: ShiftFacts) {
  const added = await insertShifts(
    db,
    scope,
    accepted.map(({ values }) => toShiftRow(values, facts)),
  )
  await recordShiftChanges(db, added)
  return recordPlanChange(db, scope, { kind: 'copy', added })
}

/** Does a change on several shifts in one transaction, or shows what it would do. */
export const applyPlanChange = (
  db: Db,
  scope: Scope,
  request: PlanChangeRequest,
  sources: readonly DependentSource[],
): Promise<ShiftPlanChangeResult> =>
  inTransaction(db, async (db) => {
    const { act, save, partly, allowInactiveProgram } = request
    const { wanted, refusals } = await loadWanted(db, scope, act)
    const facts = await loadShiftFacts(
      db,
      wanted.map(({ values }) => values),
    )
    const isPlaced = act.kind !== 'cancel' && act.kind !== 'delete'
    const verdict = isPlaced ? await placeShifts(db, wanted, { facts, allowInactiveProgram }) : checkDays(wanted, facts)
    const { inactive } = verdict
    const [accepted, withPast] =
      act.kind === 'delete' ? await splitByPast(db, verdict.accepted, sources) : [verdict.accepted, []]
    const refused = groupRefusals([...refusals, ...verdict.refusals, ...withPast])
    const lateArrivals = isPlaced ? await findLateArrivals(db, accepted, facts) : []
    const result = { accepted: accepted.length, refused, inactive, lateArrivals }
    if (!save || accepted.length === 0 || (refused.length > 0 && !partly)) {
      return { ...result, saved: false, changed: [], undoUid: null }
    }
    const done =
      act.kind === 'copy'
        ? await addShifts(db, scope, accepted, facts)
        : await writeChanges(db, scope, act, accepted, facts)
    return { ...result, ...done, saved: true }
  })
