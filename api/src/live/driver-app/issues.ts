import type { ActProblem } from '@roadshow/contract'
import { loadFormerPlans } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { claimIssuePhotos, raiseDriverIssue } from '../fleet/index.ts'
import { ActRefused } from './act-refused.ts'
import { planAt } from './plans.ts'
import { problemOfShift } from './shift-problem.ts'
import type { ReceivedAct } from './received-act.ts'

/** Raises an issue of the truck that the shift had when the driver reported it. */
export async function storeIssue(db: Db, received: ReceivedAct<'issue'>): Promise<ActProblem | null> {
  const { act, at, shift, scope } = received
  const { truckUid } = planAt(shift, await loadFormerPlans(db, shift), at)
  if (!(await claimIssuePhotos(db, scope, [act.photoFileUid]))) throw new ActRefused('fileMissing')
  await raiseDriverIssue(db, {
    truckUid,
    shiftUid: shift.uid,
    kind: act.issueKind,
    eventId: `${scope.actor.uid} ${act.actId}`,
    text: act.text,
    photoFileUid: act.photoFileUid,
    openedAt: at,
    reportedBy: scope.actor.uid,
    address: scope.actor.address,
  })
  return problemOfShift(shift)
}
