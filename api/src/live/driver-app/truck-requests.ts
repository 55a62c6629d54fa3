import type { ActProblem } from '@roadshow/contract'
import { loadFormerPlans } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { planAt } from './plans.ts'
import { problemOfShift } from './shift-problem.ts'
import type { ReceivedAct } from './received-act.ts'

/** Stores that a driver stands at another truck than planned. It is open until dispatch changes the truck or dismisses it. */
export async function storeTruckRequest(
  db: Db,
  { act, at, shift, scope }: ReceivedAct<'otherTruck'>,
): Promise<ActProblem | null> {
  const plan = planAt(shift, await loadFormerPlans(db, shift), at)
  await db
    .insertInto('truck_request')
    .values({
      shift_uid: shift.uid,
      driver_uid: scope.actor.uid,
      act_id: act.actId,
      truck_number: act.truckNumber,
      text: act.text,
      planned_truck_uid: plan.truckUid,
      at,
      changed_by: scope.actor.uid,
      changed_from: scope.actor.address,
    })
    .execute()
  const problem = problemOfShift(shift) ?? (plan.truckUid === shift.truckUid ? null : 'shiftMoved')
  if (problem === null) {
    const data = { truck: act.truckNumber, text: act.text, from: scope.actor.name }
    await recordEvents(db, [{ type: 'shift.truckRequested', object: `shift ${shift.uid}`, data }])
  }
  return problem
}
