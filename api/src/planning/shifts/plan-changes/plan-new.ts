import type { Db } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { describeShift } from '../bookings.ts'
import { loadShiftFacts } from '../facts.ts'
import type { ShiftFacts, ShiftValues } from '../rules.ts'
import { addShifts } from './apply.ts'
import { placeShifts } from './place.ts'

interface NewShift {
  /** Names it among the others. */
  key: string
  values: ShiftValues
}

const nameOfNew = ({ truckUid, driverUid, programUid, ...hours }: ShiftValues, facts: ShiftFacts) =>
  describeShift({
    ...hours,
    truck: facts.trucks.get(truckUid)?.number ?? 'Truck',
    driver: facts.drivers.get(driverUid)?.name ?? 'driver',
    program: facts.programs.get(programUid)?.name ?? 'program',
  })

/** Adds new shifts as one change that can be undone, all or none. Needs a transaction. */
export async function planNewShifts(
  db: Db,
  scope: Scope,
  shifts: readonly NewShift[],
  { allowInactiveProgram }: { allowInactiveProgram: boolean },
) {
  const facts = await loadShiftFacts(
    db,
    shifts.map(({ values }) => values),
  )
  const wanted = shifts.map(({ key, values }) => ({ uid: key, name: nameOfNew(values, facts), values }))
  const { accepted, refusals, inactive } = await placeShifts(db, wanted, { facts, allowInactiveProgram })
  const refused = refusals.map(({ uid, reason, detail }) => ({ key: uid, reason: `${reason} ${detail}`.trim() }))
  // Only the status of the program is something that a person can confirm.
  if (refused.length > 0) return { refused, isOnlyInactive: refused.length === inactive, undoUid: null, changed: [] }
  return { refused, isOnlyInactive: false, ...(await addShifts(db, scope, accepted, facts)) }
}
