import type { BodyOf, CampaignBehind, CampaignIssue, delivery } from '@roadshow/contract'
import { sql } from 'kysely'
import { planProposed, valuesOfProposed } from '../../planning/fill/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { uidAndName, utcText } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { PlayScope } from '../../live/plays/index.ts'
import { deliveriesOf } from './deliveries.ts'
import type { MakeUp } from './make-up.ts'

export type ProgramBehind = Pick<CampaignBehind, 'client' | 'delivery'>

/** Active programs with a line of about now, with their clients. The rule decides by the day of each market. */
async function runningPrograms(db: Db, now: number) {
  const today = sql`${new Date(now)}::timestamptz::date`
  const { rows } = await sql<Pick<CampaignBehind, 'client'> & { uid: string }>`
    select distinct on (p.uid) p.uid, ${uidAndName('c')} as client
      from booked_line b join client_program p on p.uid = b.program_uid join client c on c.uid = p.client_uid
     where p.status = 'active' and p.deleted_at is null
       and b.ends_on >= ${today} - 2 and b.starts_on <= ${today} + 1`.execute(db)
  return rows
}

/** Active programs that are behind, the furthest first. */
export async function programsBehind(db: Db, scope: PlayScope, now: number): Promise<ProgramBehind[]> {
  const running = await runningPrograms(db, now)
  const uids = running.map(({ uid }) => uid)
  const deliveries = await deliveriesOf(db, scope, uids, now)
  return running
    .flatMap(({ uid, client }) => {
      const found = deliveries.get(uid)
      return found?.state === 'behind' ? [{ client, delivery: found }] : []
    })
    .toSorted(
      ({ delivery: one }, { delivery: other }) =>
        (one.pace ?? 0) - (other.pace ?? 0) || one.program.name.localeCompare(other.program.name),
    )
}

/** Programs that are behind, with their clients and the issues of their lines. */
export async function campaignsBehind(db: Db, scope: Scope, now: number): Promise<CampaignBehind[]> {
  const behind = await programsBehind(db, scope, now)
  const uids = behind.map(({ delivery: { program } }) => program.uid)
  const { rows } = await sql<{ program: string; issue: CampaignIssue }>`
    select b.program_uid as program, json_build_object(
             'uid', i.uid, 'lineUid', i.line_uid, 'raisedAt', ${utcText('i.raised_at')}, 'missing', i.missing,
             'shifts', i.proposal -> 'shifts', 'accepted', case when i.accepted_at is not null then json_build_object(
               'at', ${utcText('i.accepted_at')}, 'by', coalesce(u.name, ''), 'shifts', i.accepted_shifts) end) as issue
      from campaign_issue i join booked_line b on b.uid = i.line_uid left join user_account u on u.uid = i.accepted_by
     where i.resolved_at is null and b.program_uid = any(${uids}::uuid[])
     order by i.raised_at, i.uid`.execute(db)
  const issuesOf = (uid: string) => rows.flatMap(({ program, issue }) => (program === uid ? [issue] : []))
  return behind.map((found) => ({ ...found, issues: issuesOf(found.delivery.program.uid) }))
}

/** Plans shifts of an issue by the rules of saving, all or none. */
export const planMakeUp = (db: Db, scope: Scope, { uid, keys }: BodyOf<typeof delivery.planShifts>) =>
  inTransaction(db, async (db) => {
    const issue = await db
      .selectFrom('campaign_issue as i')
      .innerJoin('booked_line as b', 'b.uid', 'i.line_uid')
      .select(['b.program_uid as programUid', sql<MakeUp>`i.proposal`.as('proposal')])
      .where('i.uid', '=', uid)
      .where('i.resolved_at', 'is', null)
      .forUpdate('i')
      .executeTakeFirst()
    if (!issue) throw new AppError('notFound', { text: 'Issue not found. The campaign may be back on pace.' })
    const { shifts } = issue.proposal
    const chosen = keys.map((key) => {
      const { truck, driver, start = '', end = '' } = shifts.find((shift) => shift.key === key) ?? {}
      return { key, truckUid: truck?.uid ?? '', driverUid: driver?.uid ?? '', start, end }
    })
    const planned = await planProposed(db, scope, valuesOfProposed(chosen, issue.programUid, issue.proposal), {
      allowInactiveProgram: false,
    })
    const left = { ...issue.proposal, shifts: shifts.filter(({ key }) => !keys.includes(key)) }
    await db
      .updateTable('campaign_issue')
      .set({ proposal: JSON.stringify(left), missing: sql`greatest(0, missing - ${keys.length})` })
      .set((eb) => ({ accepted_shifts: eb('accepted_shifts', '+', keys.length) }))
      .set({ accepted_by: scope.actor.uid, accepted_at: sql`now()` })
      .where('uid', '=', uid)
      .execute()
    return planned
  })
