import { type ActProblem, shiftRange, startWindowOpens } from '@roadshow/contract'
import { findReportProblem, isFarFrom, loadFormerPlans } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { storePhoneReport } from '../driver-reports/index.ts'
import { ActRefused } from './act-refused.ts'
import type { ParsedAct, ReceivedAct } from './received-act.ts'
import { toActProblem } from './rules.ts'

type Report = Omit<ReceivedAct, 'act'> & { act: Extract<ParsedAct, { kind: 'start' | 'stop' }> }

/** Stores a start or stop as a report on the shift, even if the shift has changed meanwhile. */
export async function storeReport(db: Db, received: Report): Promise<ActProblem | null> {
  const { act, at, shift, scope } = received
  const time = Date.parse(at)
  const isFarAway = isFarFrom(shift, time)
  const isOfFormerHours = await fitsFormerHours(db, received)
  if (isFarAway && !isOfFormerHours) throw new ActRefused('tooFarAway')
  await storePhoneReport(db, {
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
  const problem = toActProblem(await findReportProblem(db, shift.uid, { kind: act.kind, at: time }))
  return problem === 'tooEarly' && isOfFormerHours ? 'shiftMoved' : problem
}

/** Whether a report fits hours that the shift had before: the phone may not have known of the change. */
async function fitsFormerHours(db: Db, { act, at, shift }: Report): Promise<boolean> {
  const time = Date.parse(at)
  return (await loadFormerPlans(db, shift)).some(({ date, start, end }) => {
    const { startsAt = Number.NaN, endsAt = Number.NaN } = shiftRange({ date, start, end, zone: shift.zone })
    const isInTime = act.kind === 'stop' || time >= startWindowOpens(startsAt)
    return isInTime && !isFarFrom({ startsAt, endsAt }, time)
  })
}
