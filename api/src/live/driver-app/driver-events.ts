import { type ActProblem, shiftRange, startWindowOpens } from '@roadshow/contract'
import { findDriverEventProblem, isFarFrom, loadFormerPlans } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { storePhoneEvent } from '../driver-events/index.ts'
import { ActRefused } from './act-refused.ts'
import type { ParsedAct, ReceivedAct } from './received-act.ts'
import { toActProblem } from './rules.ts'

type StartOrStop = Omit<ReceivedAct, 'act'> & { act: Extract<ParsedAct, { kind: 'start' | 'stop' }> }

/** Stores a start or stop as an event on the shift, even if the shift has changed meanwhile. */
export async function storeDriverEvent(db: Db, received: StartOrStop): Promise<ActProblem | null> {
  const { act, at, shift, scope } = received
  const time = Date.parse(at)
  const isFarAway = isFarFrom(shift, time)
  const isOfFormerHours = await fitsFormerHours(db, received)
  if (isFarAway && !isOfFormerHours) throw new ActRefused('tooFarAway')
  await storePhoneEvent(db, {
    userUid: scope.actor.uid,
    eventId: act.actId,
    shiftUid: shift.uid,
    kind: act.kind,
    at,
    address: scope.actor.address,
  })
  if (shift.isDeleted) return 'shiftGone'
  if (!shift.isOwn) return 'shiftOfAnother'
  if (isFarAway) return 'shiftMoved'
  const problem = toActProblem(await findDriverEventProblem(db, shift.uid, { kind: act.kind, at: time }))
  return problem === 'tooEarly' && isOfFormerHours ? 'shiftMoved' : problem
}

/** Whether an event fits hours that the shift had before: the phone may not have known of the change. */
async function fitsFormerHours(db: Db, { act, at, shift }: StartOrStop): Promise<boolean> {
  const time = Date.parse(at)
  return (await loadFormerPlans(db, shift)).some(({ date, start, end }) => {
    const { startsAt = Number.NaN, endsAt = Number.NaN } = shiftRange({ date, start, end, zone: shift.zone })
    const isInTime = act.kind === 'stop' || time >= startWindowOpens(startsAt)
    return isInTime && !isFarFrom({ startsAt, endsAt }, time)
  })
}
