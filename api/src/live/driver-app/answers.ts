import { type ActProblem, blocksTruck } from '@roadshow/contract'
import { sql } from 'kysely'
import { loadFormerPlans, newestAnswer } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { answeredPlan } from './plans.ts'
import { problemOfShift } from './shift-problem.ts'
import type { ReceivedAct } from './received-act.ts'

/** Stores whether a driver takes a shift. The last answer by its true time counts, and only for the plan it is about. */
export async function storeAnswer(
  db: Db,
  { act, at, shift, scope }: ReceivedAct<'answer'>,
): Promise<ActProblem | null> {
  const plan = answeredPlan(shift, await loadFormerPlans(db, shift), { seen: act.seen, at })
  await db
    .insertInto('shift_answer')
    .values({
      shift_uid: shift.uid,
      driver_uid: scope.actor.uid,
      act_id: act.actId,
      answer: act.answer,
      reason: act.reason,
      at,
      truck_uid: plan.truckUid,
      local_date: plan.date,
      start_time: plan.start,
      end_time: plan.end,
      changed_by: scope.actor.uid,
      changed_from: scope.actor.address,
    })
    .execute()
  const problem = problemOfShift(shift) ?? (plan.isCurrent ? null : 'shiftMoved')
  if (
    act.answer === 'declined' &&
    problem === null &&
    blocksTruck(shift.status) &&
    (await isNewest(db, shift.uid, act))
  ) {
    const data = { reason: act.reason, driverUid: scope.actor.uid }
    await recordEvents(db, [{ type: 'shift.declined', object: `shift ${shift.uid}`, data }])
  }
  return problem
}

/** Whether no later answer of the driver is stored already. */
async function isNewest(db: Db, shiftUid: string, { actId }: { actId: string }): Promise<boolean> {
  const { rows } = await sql<{ actId: string }>`
    select ${newestAnswer(sql`n.act_id`)} as "actId" from shift t where t.uid = ${shiftUid}`.execute(db)
  return rows[0]?.actId === actId
}
