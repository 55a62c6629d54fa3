import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { deliveriesOf } from './deliveries.ts'
import { findMakeUp } from './make-up.ts'

/** Each search for shifts keeps a core busy for seconds; the others have their turn in the next run. */
const SEARCHES_AT_ONCE = 5

/** Unresolved issues whose missing shifts were not looked for since the last day that counts. */
async function issuesToLookInto(db: Db) {
  const { rows } = await sql<{ uid: string; lineUid: string; programUid: string }>`
    select i.uid, i.line_uid as "lineUid", b.program_uid as "programUid"
      from campaign_issue i join booked_line b on b.uid = i.line_uid
     where i.resolved_at is null and i.looked_at is null order by i.raised_at, i.uid limit ${SEARCHES_AT_ONCE}`.execute(
    db,
  )
  return rows
}

/** Looks for the shifts that would make up the lines of new issues. */
export async function findMakeUps(db: Db, now: number, signal: AbortSignal): Promise<void> {
  const issues = await issuesToLookInto(db)
  if (issues.length === 0) return
  const uids = issues.map(({ programUid }) => programUid)
  const deliveries = await deliveriesOf(db, 'all', uids, now)
  for (const { uid, lineUid, programUid } of issues) {
    if (signal.aborted) return
    const line = deliveries.get(programUid)?.lines.find((each) => each.line.uid === lineUid)
    if (line?.state !== 'behind') continue
    const { missing, proposal } = await findMakeUp(db, programUid, line, { now, signal })
    await sql`
      update campaign_issue set looked_at = now(), missing = ${missing}, proposal = ${JSON.stringify(proposal)}::jsonb
       where uid = ${uid} and resolved_at is null`.execute(db)
  }
}

export const findMakeUpsJob = defineJob('find-make-up-shifts', ({ db, now, signal }) => findMakeUps(db, now, signal))
