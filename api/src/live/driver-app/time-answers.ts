import type { ActProblem } from '@roadshow/contract'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { noteTimeAnswer } from '../shift-times/index.ts'
import { ActRefused } from './act-refused.ts'
import type { ReceivedAct } from './received-act.ts'
import { storeDriverEvent } from './driver-events.ts'

/** Stores an answer about a start or stop. A corrected time is an event of the driver like any other. */
export async function storeTimeAnswer(
  db: Db,
  { act, shift, scope }: ReceivedAct<'timeAnswer'>,
): Promise<ActProblem | null> {
  const { actId, shiftUid, place, time, about, seenAt, isCorrected } = act
  if (Date.parse(seenAt) > (await sharedNow(db))) throw new ActRefused('future')
  if (shift.isOwn) {
    await noteTimeAnswer(db, shift.uid, { time, about, seenAt, isCorrected, answeredBy: scope.actor.uid })
  }
  if (!isCorrected) return null
  return storeDriverEvent(db, { act: { kind: time, actId, at: seenAt, shiftUid, place }, at: seenAt, shift, scope })
}
