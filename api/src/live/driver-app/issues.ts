import type { ActProblem } from '@roadshow/contract'
import { loadFormerPlans } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { claimFile } from '../../platform/files/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { raiseDriverIssue } from '../fleet/index.ts'
import { ActRefused } from './act-refused.ts'
import { planAt } from './plans.ts'
import { problemOfShift } from './shift-problem.ts'
import type { ReceivedAct } from './received-act.ts'

/** Raises an issue of the truck that the shift had when the driver reported it. */
export async function storeIssue(db: Db, received: ReceivedAct<'issue'>): Promise<ActProblem | null> {
  const { act, at, shift, scope } = received
  const { truckUid } = planAt(shift, await loadFormerPlans(db, shift), at)
  if (act.photoFileUid) await claimPhoto(db, received, act.photoFileUid)
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

async function claimPhoto(db: Db, { scope }: ReceivedAct<'issue'>, uid: string): Promise<void> {
  try {
    await claimFile(db, scope, { uid, purpose: 'issue' })
  } catch (error) {
    throw error instanceof AppError ? new ActRefused('fileMissing') : error
  }
}
