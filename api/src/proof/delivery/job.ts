import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { issuesToLookInto, linesBehind, programsBehind, storeMakeUp, updateIssues } from './issues.ts'
import { findMakeUp } from './make-up.ts'

/** Each search for shifts keeps a core busy for seconds; the others have their turn in the next run. */
const SEARCHES_AT_ONCE = 5

/** Raises and resolves the issues of campaigns, and looks for the shifts that would make up those that are new. */
export async function watchDelivery(db: Db, now: number, signal: AbortSignal): Promise<void> {
  const behind = await programsBehind(db, 'all', now)
  await updateIssues(db, behind.flatMap(linesBehind))
  for (const { uid, lineUid } of await issuesToLookInto(db, SEARCHES_AT_ONCE)) {
    if (signal.aborted) return
    const program = behind.find(({ lines }) => lines.some(({ line }) => line.uid === lineUid))
    const line = program?.lines.find((each) => each.line.uid === lineUid)
    if (program && line) await storeMakeUp(db, uid, await findMakeUp(db, program.program.uid, line, { now, signal }))
  }
}

export const watchDeliveryJob = defineJob('watch-delivery', ({ db, now, signal }) => watchDelivery(db, now, signal))
