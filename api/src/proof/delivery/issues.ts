import type { BodyOf, CampaignBehind, CampaignIssue, delivery, LineDelivery, ProgramDelivery } from '@roadshow/contract'
import { sql } from 'kysely'
import { planProposed, valuesOfProposed } from '../../planning/fill/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { PlayScope } from '../../live/plays/index.ts'
import { deliveriesOf } from './deliveries.ts'
import type { MakeUp } from './make-up.ts'

/** Active programs with a line of about now. The rule decides by the day of each market. */
async function runningPrograms(db: Db, now: number): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select distinct b.program_uid as uid from booked_line b join client_program p on p.uid = b.program_uid
     where p.status = 'active' and p.deleted_at is null
       and b.ends_on >= ${new Date(now)}::timestamptz::date - 2 and b.starts_on <= ${new Date(now)}::timestamptz::date + 1`.execute(
    db,
  )
  return rows.map(({ uid }) => uid)
}

/** Active programs that are behind, the furthest first. */
export async function programsBehind(db: Db, scope: PlayScope, now: number): Promise<ProgramDelivery[]> {
  const all = await deliveriesOf(db, scope, await runningPrograms(db, now), now)
  return [...all.values()]
    .filter(({ state }) => state === 'behind')
    .toSorted((one, other) => (one.pace ?? 0) - (other.pace ?? 0) || one.program.name.localeCompare(other.program.name))
}

/** The lines of a program that are behind. */
export const linesBehind = ({ lines }: ProgramDelivery): LineDelivery[] =>
  lines.filter(({ state }) => state === 'behind')

interface IssueRow extends Omit<CampaignIssue, 'accepted'> {
  programUid: string
  acceptedAt: string | null
  acceptedBy: string
  acceptedShifts: number
}

const toIssue = ({
  programUid: _programUid,
  acceptedAt,
  acceptedBy,
  acceptedShifts,
  ...issue
}: IssueRow): CampaignIssue => ({
  ...issue,
  accepted: acceptedAt === null ? null : { at: acceptedAt, by: acceptedBy, shifts: acceptedShifts },
})

/** Programs that are behind, with their clients and the issues of their lines. */
export async function campaignsBehind(db: Db, scope: Scope, now: number): Promise<CampaignBehind[]> {
  const behind = await programsBehind(db, scope, now)
  const uids = behind.map(({ program }) => program.uid)
  const { rows: clients } = await sql<{ uid: string; client: CampaignBehind['client'] }>`
    select p.uid, json_build_object('uid', c.uid, 'name', c.name) as client
      from client_program p join client c on c.uid = p.client_uid where p.uid = any(${uids}::uuid[])`.execute(db)
  const { rows: issues } = await sql<IssueRow>`
    select i.uid, i.line_uid as "lineUid", b.program_uid as "programUid", i.raised_at as "raisedAt", i.missing,
           i.proposal -> 'shifts' as shifts, i.accepted_at as "acceptedAt", coalesce(u.name, '') as "acceptedBy",
           i.accepted_shifts as "acceptedShifts"
      from campaign_issue i join booked_line b on b.uid = i.line_uid left join user_account u on u.uid = i.accepted_by
     where i.resolved_at is null and b.program_uid = any(${uids}::uuid[])
     order by i.raised_at, i.uid`.execute(db)
  const clientOf = new Map(clients.map(({ uid, client }) => [uid, client]))
  return behind.flatMap((found) => {
    const client = clientOf.get(found.program.uid)
    const own = issues.filter(({ programUid }) => programUid === found.program.uid)
    return client ? [{ client, delivery: found, issues: own.map(toIssue) }] : []
  })
}

/** Plans shifts of an issue by the rules of saving, all or none. */
export const planMakeUp = (db: Db, scope: Scope, { uid, keys }: BodyOf<typeof delivery.planShifts>) =>
  inTransaction(db, async (db) => {
    const { rows } = await sql<{ proposal: MakeUp; programUid: string }>`
      select i.proposal, b.program_uid as "programUid" from campaign_issue i join booked_line b on b.uid = i.line_uid
       where i.uid = ${uid} and i.resolved_at is null for update of i`.execute(db)
    const [issue] = rows
    if (!issue) throw new AppError('notFound', { text: 'Issue not found. The campaign may be back on pace.' })
    const { shifts } = issue.proposal
    const chosen = keys.map((key) => ({ ...shifts.find((shift) => shift.key === key), key }))
    const wanted = chosen.map(({ key, truck, driver, start = '', end = '' }) => ({
      key,
      truckUid: truck?.uid ?? '',
      driverUid: driver?.uid ?? '',
      start,
      end,
    }))
    const planned = await planProposed(db, scope, valuesOfProposed(wanted, issue.programUid, issue.proposal), {
      allowInactiveProgram: false,
    })
    const left = { ...issue.proposal, shifts: shifts.filter(({ key }) => !keys.includes(key)) }
    await sql`
      update campaign_issue
         set proposal = ${JSON.stringify(left)}::jsonb, missing = greatest(0, missing - ${keys.length}),
             accepted_by = ${scope.actor.uid}, accepted_at = now(), accepted_shifts = accepted_shifts + ${keys.length}
       where uid = ${uid}`.execute(db)
    return planned
  })
