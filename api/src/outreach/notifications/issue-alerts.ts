import {
  formatMoment,
  type IssueKind,
  issueKindLabel,
  notificationKindOf,
  type Settings,
  type StaffNotificationKind,
  type TruckIssue,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { readSettings } from '../../catalog/settings/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { EventHandler, OutboundEvent } from '../../platform/outbox/index.ts'
import type { AlertStage } from './alert-group-rules.ts'
import { rewriteNotice, stageKey, takeOut } from './alert-groups.ts'
import { type FanOutContext, notifiedOf, notify, type StaffNotice } from './fan-out.ts'
import { findLead, type Lead, openReports } from './report-groups.ts'
import { dueForAlert } from './rules.ts'

/** The kind of notification that each kind of issue makes. */
const kindOfIssue: Record<IssueKind, StaffNotificationKind> = {
  noPlays: 'truckDark',
  noGps: 'truckSilent',
  outsideMarket: 'outsideMarket',
  playerOffline: 'deviceOffline',
  counterJump: 'counterJumped',
  mechanical: 'truckProblem',
  screen: 'truckProblem',
  accident: 'truckProblem',
  other: 'truckProblem',
}

type IssueFacts = NonNullable<Awaited<ReturnType<typeof issueFacts>>>

const issueFacts = (db: Db, uid: string) =>
  db
    .selectFrom('truck_issue as i')
    .innerJoin('truck as t', 't.uid', 'i.truck_uid')
    .leftJoin('shift as s', 's.uid', 'i.shift_uid')
    .leftJoin('client_program as p', 'p.uid', 's.program_uid')
    .leftJoin('market as m', (join) => join.on('m.uid', '=', sql`coalesce(s.market_uid, t.home_market_uid)`))
    .select(['i.uid', 'i.kind', 'i.status', 'i.text', 'i.opened_at as openedAt', 'i.resolved_at as resolvedAt'])
    .select([
      'i.assignee_uid as assigneeUid',
      't.uid as truckUid',
      't.number as truck',
      'p.uid as programUid',
      'p.name as program',
    ])
    .select(['s.uid as shiftUid', 'm.name as market'])
    .select((eb) => [
      eb('i.deleted_at', 'is not', null).$castTo<boolean>().as('isDeleted'),
      eb('i.raised_by', '=', 'driver').$castTo<boolean>().as('isOfDriver'),
      // The user who raised it by hand.
      eb.case().when('i.raised_by', '=', 'staff').then(eb.ref('i.reported_by')).end().as('raisedByUid'),
      sql<string>`coalesce(zone_at(m.zone, m.earlier_zones, i.opened_at), 'UTC')`.as('zone'),
    ])
    .$narrowType<{ kind: IssueKind; status: TruckIssue['status'] }>()
    .where('i.uid', '=', uid)
    .executeTakeFirst()

const describeShift = ({ program, market }: IssueFacts) =>
  program ? `${program}${market ? `, ${market}` : ''}` : 'No shift'

const reporterOf = ({ raisedByUid, truck }: IssueFacts) =>
  raisedByUid ? `For truck ${truck}, dispatch` : `The driver of truck ${truck}`

/** What happened, as a sentence. */
function sentenceOf(issue: IssueFacts): string {
  const since = formatMoment(issue.openedAt, issue.zone)
  const sentences: Record<IssueKind, string> = {
    noPlays: `Truck ${issue.truck} is on a shift and has logged no plays; the issue was opened ${since}.`,
    noGps: `Truck ${issue.truck} is on a shift and has sent no GPS position; the issue was opened ${since}.`,
    outsideMarket: `Truck ${issue.truck} is on a shift and has left its market; the issue was opened ${since}.`,
    playerOffline: `The player of truck ${issue.truck} has not been in touch; the issue was opened ${since}.`,
    counterJump: `The player of truck ${issue.truck} skipped play numbers. Decide in the ad log whether these plays are missing or the counter was set.`,
    mechanical: `${reporterOf(issue)} reported a mechanical problem ${since}.`,
    screen: `${reporterOf(issue)} reported a problem with a screen ${since}.`,
    accident: `${reporterOf(issue)} reported an accident ${since}.`,
    other: `${reporterOf(issue)} reported a problem ${since}.`,
  }
  return sentences[issue.kind]
}

/** Issues that checks find, often on many trucks at once. What a driver reports is sent at once. */
const isFoundByCheck = ({ kind }: IssueFacts) => kindOfIssue[kind] !== 'truckProblem'

type NoticePart = Pick<StaffNotice, 'key' | 'subject'> & {
  /** What happened, unless the issue was just opened or is still open. */
  sentence?: string
  more?: string
  kind?: StaffNotificationKind
  stage?: AlertStage
}

const noticeOf = (issue: IssueFacts, { key, subject, sentence, more, kind, stage }: NoticePart): StaffNotice => ({
  kind: kind ?? kindOfIssue[issue.kind],
  key,
  subject,
  text: [
    sentence ?? sentenceOf(issue),
    describeShift(issue),
    ...(issue.text ? [`“${issue.text}”`] : []),
    ...(more ? [more] : []),
  ].join('\n'),
  path: `/overview?open=${issue.uid}`,
  object: `issue ${issue.uid}`,
  programUid: issue.programUid,
  shiftUid: issue.shiftUid,
  ...(stage && isFoundByCheck(issue) && { stage }),
})

const titleOf = ({ truck, kind }: IssueFacts) => `${truck}: ${issueKindLabel[kind]}`

const QUOTED_REPORTS = 5

/** The notification of an issue, and of others that drivers reported with it, as long as several are open. */
async function openedNotice(db: Db, issue: IssueFacts, opening: string): Promise<StaffNotice> {
  const reports = await openReports(db, opening)
  const notice = noticeOf(issue, { key: openedKey(opening), subject: titleOf(issue), stage: 'opened' })
  if (reports.length < 2) return notice
  const since = formatMoment(issue.openedAt, issue.zone)
  const texts = reports.flatMap(({ text }) => (text ? [`“${text}”`] : [])).slice(0, QUOTED_REPORTS)
  const more = reports.length - texts.length
  return {
    ...notice,
    subject: `${titleOf(issue)}, ${reports.length} reports`,
    text: [
      `The driver of truck ${issue.truck} reported ${reports.length} problems since ${since}.`,
      describeShift(issue),
      ...texts,
      ...(more > 0 ? [`${more} more among the issues of the truck.`] : []),
    ].join('\n'),
  }
}

/** Makes the notification of a first report say how many there are by now. */
async function retell(db: Db, { env }: FanOutContext, { uid, opening }: Lead, isNews: boolean): Promise<void> {
  const issue = await issueFacts(db, uid)
  if (issue) await rewriteNotice(db, env, await openedNotice(db, issue, opening), isNews)
}

const openedKey = (opening: string) => `${stageKey('opened')} ${opening}`

/** Tells of an issue once. One that was resolved before anyone could be told makes no message. */
async function tellOpened(db: Db, context: FanOutContext, { uid, opening }: { uid: string; opening: string }) {
  const issue = await issueFacts(db, uid)
  if (!issue || issue.status === 'resolved' || issue.isDeleted) return
  const lead = issue.isOfDriver ? await findLead(db, issue) : undefined
  const told = { opening: lead?.opening ?? opening, told_with: lead?.uid ?? null }
  await db
    .insertInto('issue_alert')
    .values({ issue_uid: uid, ...told })
    .onConflict((conflict) =>
      conflict.column('issue_uid').doUpdateSet({
        ...told,
        told_at: sql`now()`,
        last_at: sql`now()`,
        repeats: 0,
        escalated_at: null,
      }),
    )
    .execute()
  if (lead) return retell(db, context, lead, true)
  const notice = await openedNotice(db, issue, opening)
  // Who raised it knows it.
  await notify(db, context, notice, { except: issue.raisedByUid ? [issue.raisedByUid] : [] })
}

/** Notifies of the end everyone who was notified of the beginning; of several reports, of the end of the last one. */
async function tellResolved(db: Db, context: FanOutContext, uid: string): Promise<void> {
  const alert = await db
    .deleteFrom('issue_alert')
    .where('issue_uid', '=', uid)
    .returning(['opening', 'told_with'])
    .executeTakeFirst()
  const issue = alert && (await issueFacts(db, uid))
  if (!issue) return
  const lead: Lead = { uid: alert.told_with ?? uid, opening: alert.opening }
  if ((await openReports(db, alert.opening)).length > 0) return retell(db, context, lead, false)
  const object = `issue ${lead.uid}`
  const only = await notifiedOf(db, object, `issue % ${alert.opening}%`)
  const at = issue.resolvedAt ? ` ${formatMoment(issue.resolvedAt, issue.zone)}` : ''
  const notice = noticeOf(issue, {
    key: `${stageKey('resolved')} ${alert.opening}`,
    stage: 'resolved',
    subject: `Resolved: ${titleOf(issue)}`,
    sentence: `The issue of truck ${issue.truck}, opened ${formatMoment(issue.openedAt, issue.zone)}, was resolved${at}.`,
  })
  const unreached = await takeOut(db, context.env, { object, opening: alert.opening })
  await notify(db, context, notice, { only, unreached })
}

/** Tells the user to whom an issue was assigned, unless it is resolved or another's by now. */
async function tellAssigned(db: Db, context: FanOutContext, { uid, data }: OutboundEvent): Promise<void> {
  const [issueUid, assigneeUid] = [String(data.issueUid), String(data.assigneeUid)]
  const issue = await issueFacts(db, issueUid)
  if (!issue || issue.status === 'resolved' || issue.isDeleted || issue.assigneeUid !== assigneeUid) return
  const notice = noticeOf(issue, {
    kind: 'issueAssigned',
    key: `issue assigned ${uid}`,
    subject: `Assigned to you: ${titleOf(issue)}`,
    sentence: `${String(data.from)} assigned this issue to you. ${sentenceOf(issue)}`,
  })
  await notify(db, context, notice, { only: [assigneeUid] })
}

export const issueHandler: EventHandler = {
  types: ['issue.opened', 'issue.resolved', 'issue.assigned'],
  async handle(db, event, context) {
    const { type, uid, data } = event
    const issueUid = String(data.issueUid)
    if (type === 'issue.assigned') await tellAssigned(db, context, event)
    else if (type === 'issue.opened') await tellOpened(db, context, { uid: issueUid, opening: uid })
    else await tellResolved(db, context, issueUid)
  },
}

interface OpenAlert {
  issueUid: string
  opening: string
  toldAt: string
  lastAt: string
  repeats: number
  isEscalated: boolean
  isAcknowledged: boolean
  isOver: boolean
  /** The issue whose notification tells of this one. */
  leadUid: string
}

/** Repeats and escalates one alert, as far as it is due. */
async function repeatAlert(
  db: Db,
  context: FanOutContext,
  alert: OpenAlert,
  { now, settings }: { now: number; settings: Settings },
): Promise<void> {
  const { alertRepeatMinutes, alertEscalateMinutes, alertEscalateTo } = settings
  const progress = { ...alert, toldAt: Date.parse(alert.toldAt), lastAt: Date.parse(alert.lastAt) }
  const due = dueForAlert(progress, { repeatAfter: alertRepeatMinutes, escalateAfter: alertEscalateMinutes }, now)
  const issue = due.repeat || due.escalate ? await issueFacts(db, alert.issueUid) : undefined
  if (!issue) return
  let escalatedTo: string[] = []
  if (due.escalate) {
    const notice = noticeOf(issue, {
      kind: 'alertEscalated',
      key: `issue escalated ${alert.opening}`,
      subject: `Not acknowledged: ${titleOf(issue)}`,
      more: 'No one has started work on it yet. “Start work” on the issue ends these messages.',
    })
    escalatedTo = await notify(db, context, notice, { roles: alertEscalateTo })
  }
  if (due.repeat) {
    const only = await notifiedOf(db, `issue ${alert.leadUid}`, openedKey(alert.opening))
    const notice = noticeOf(issue, {
      key: `${stageKey('repeated')} ${alert.opening} ${alert.repeats + 1}`,
      stage: 'repeated',
      subject: `Still open: ${(await openedNotice(db, issue, alert.opening)).subject}`,
      more: '“Start work” on the issue ends these messages.',
    })
    await notify(db, context, notice, { only, except: escalatedTo })
  }
  await db
    .updateTable('issue_alert')
    .set({
      ...(due.repeat && { repeats: alert.repeats + 1, last_at: new Date(now) }),
      ...(due.escalate && { escalated_at: new Date(now) }),
    })
    .where('issue_uid', '=', alert.issueUid)
    .execute()
}

/**
 * Repeats and escalates alerts that no one has acknowledged. An issue in progress is acknowledged, and a snoozed one until
 * then: afterwards its time counts from the end of the snooze.
 */
export async function repeatAlerts(db: Db, context: FanOutContext, now: number): Promise<void> {
  const { rows } = await sql<OpenAlert & { kind: IssueKind }>`
    select a.issue_uid as "issueUid", a.opening, a.repeats, i.kind, coalesce(a.told_with, a.issue_uid) as "leadUid",
           greatest(a.told_at, i.snoozed_until) as "toldAt", greatest(a.last_at, i.snoozed_until) as "lastAt",
           a.escalated_at is not null as "isEscalated",
           i.status <> 'open' or coalesce(i.snoozed_until > ${new Date(now)}, false) as "isAcknowledged",
           i.status = 'resolved' or i.deleted_at is not null as "isOver"
      from issue_alert a join truck_issue i on i.uid = a.issue_uid`.execute(db)
  // The end of an issue is an event of its own, which tells people.
  const urgent = rows.filter(({ isOver, kind }) => !isOver && notificationKindOf(kindOfIssue[kind]).isUrgent)
  if (urgent.length === 0) return
  const settings = await readSettings(db)
  for (const alert of urgent) await inTransaction(db, (db) => repeatAlert(db, context, alert, { now, settings }))
}

export const repeatAlertsJob = defineJob('repeat-alerts', ({ db, env, now }) => repeatAlerts(db, { env }, now))
