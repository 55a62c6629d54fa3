import type { ActProblem } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { problemOfShift } from './shift-problem.ts'
import type { ReceivedAct } from './received-act.ts'

/** Stores a message of a driver and tells dispatch, also of a shift that is another driver's by now. */
export async function storeMessage(
  db: Db,
  { act, at, shift, scope }: ReceivedAct<'message'>,
): Promise<ActProblem | null> {
  await db
    .insertInto('shift_message')
    .values({
      shift_uid: shift.uid,
      driver_uid: scope.actor.uid,
      act_id: act.actId,
      text: act.text,
      at,
      changed_by: scope.actor.uid,
      changed_from: scope.actor.address,
    })
    .execute()
  const data = { text: act.text, from: scope.actor.name }
  await recordEvents(db, [{ type: 'shift.driverMessage', object: `shift ${shift.uid}`, data }])
  return problemOfShift(shift)
}
