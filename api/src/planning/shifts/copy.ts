import { addDays, blocksTruck, type BodyOf, daysBetween, type Shift, type shifts } from '@roadshow/contract'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { addShifts } from './plan-changes/apply.ts'
import { findLateArrivals, groupRefusals, nameOf, placeShifts, type WantedShift } from './plan-changes/place.ts'
import { loadShiftFacts } from './facts.ts'
import { loadShifts } from './queries.ts'
import { toShiftValues } from './shift-row.ts'

type CopyRequest = BodyOf<typeof shifts.copy>

/** Copies shifts to other days. Shifts that do not fit there are skipped, grouped by reason. */
export const copyShifts = (db: Db, scope: Scope, request: CopyRequest) =>
  inTransaction(db, async (db) => {
    const copies = (await loadSources(db, scope, request)).map((shift) => toCopy(shift, request))
    const facts = await loadShiftFacts(
      db,
      copies.map(({ values }) => values),
    )
    const { accepted, refusals, inactive } = await placeShifts(db, copies, { facts, ...request })
    const lateArrivals = await findLateArrivals(db, accepted, facts)
    const { undoUid } = request.save ? await addShifts(db, scope, accepted, facts) : { undoUid: null }
    return { copied: accepted.length, refused: groupRefusals(refusals), inactive, lateArrivals, undoUid }
  })

function toCopy(shift: Shift, { from, onto }: CopyRequest): WantedShift {
  const date = addDays(shift.date, daysBetween(from, onto))
  return { uid: shift.uid, name: nameOf(shift, date), values: { ...toShiftValues(shift), date } }
}

async function loadSources(
  db: Db,
  scope: Scope,
  { from, to, market, client, program, truck, driver }: CopyRequest,
): Promise<Shift[]> {
  const filters = Object.entries({ market, client, program, truck, driver }).filter(([, uids]) => uids.length > 0)
  const found = await loadShifts(db, scope, { from, to, ...Object.fromEntries(filters) })
  return found.filter(({ status }) => blocksTruck(status))
}
