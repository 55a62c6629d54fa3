import type { ReportOccasion } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { type BacklogContext, defineJob, type JobContext } from '../../platform/jobs/define-job.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import type { BeforeSending, EventHandler } from '../../platform/outbox/index.ts'
import { publicVersion } from '../pop/index.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { MONTH_MAIL, monthMails, type Recipient, REPORT_MAIL, reportMails } from './mail.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import {
  isSent,
  mailedClients,
  mailedPrograms,
  noteSent,
  periodByHand,
  recipientsOf,
  type ReportSent,
} from './queries.ts'
import { loadReport, loadReportPrograms, type ReportRequest } from './report.ts'
import { dueMonth, dueReports } from './rules.ts'

type Env = Pick<AppContext['env'], 'brandName' | 'publicUrl'>

/** A report that is to be sent, and what makes its mails once it is known that someone gets it. */
interface Sending extends ReportSent {
  /** Undefined: there is nothing to report. */
  prepare: () => Promise<((to: Recipient) => Mail) | undefined>
}

/** The report of a program over its days. */
export function programSending(db: Db, env: Env, { period, ...request }: ProgramReport, now: Date): Sending {
  const { programUid, occasion } = request
  return {
    owner: { of: 'program', uid: programUid },
    occasion,
    period,
    prepare: async () => {
      const report = await loadReport(db, { ...request, publicUrl: env.publicUrl, now })
      return occasion === 'published' && !report.page ? undefined : reportMails(report, env, now)
    },
  }
}

interface ProgramReport extends Omit<ReportRequest, 'publicUrl' | 'now'> {
  period: string
}

/** The report of a client over a month. */
export function monthSending(
  db: Db,
  env: Env,
  { client, month }: { client: string; month: string },
  now: Date,
): Sending {
  return {
    owner: { of: 'client', uid: client },
    occasion: 'monthly',
    period: month,
    prepare: async () => monthMails(db, env, { client, month }, now),
  }
}

/** Hands a report to the outbox, once: later data changes neither it nor whether it was sent. */
async function sendReport(db: Db, sending: Sending): Promise<void> {
  const { prepare, ...report } = sending
  const { owner, occasion, period } = report
  if (await isSent(db, report)) return
  const recipients = await recipientsOf(db, owner, occasion)
  if (recipients.length === 0) return
  const mailTo = await prepare()
  if (!mailTo) return
  await inTransaction(db, async (db) => {
    if (!(await noteSent(db, report, recipients.length))) return
    for (const recipient of recipients) {
      const key = `report ${owner.uid} ${occasion} ${period} ${recipient.uid}`
      await enqueueMail(db, mailTo(recipient), { target: recipient.uid, key })
    }
  })
}

/** A report that was sent by hand is not sent again for this long. */
const PAUSE_MS = 10 * 60_000

/** Why there is nothing to send. */
export const NOTHING_TO_REPORT = {
  weekly: 'No week of this program is over yet.',
  end: 'There is nothing to report.',
  published: 'No version is published yet.',
  monthly: 'No program ran in this month.',
} satisfies Record<ReportOccasion, string>

/** Mails a report at once to those who get it; answers how many. */
export async function sendReportNow(db: Db, sending: Sending, now: Date): Promise<number> {
  const { prepare, ...report } = sending
  const { owner, occasion, period } = report
  const field = owner.of === 'client' ? 'month' : 'occasion'
  const recipients = await recipientsOf(db, owner, occasion)
  if (recipients.length === 0) refuseFields({ [field]: 'No one gets this report. Add a recipient and save first.' })
  const mailTo = await prepare()
  if (!mailTo) throw new AppError('badInput', { fields: { [field]: NOTHING_TO_REPORT[occasion] } })
  // Each month can be sent, and each report of a program is that of now.
  const which = owner.of === 'client' ? `${occasion} ${period}` : occasion
  const turn = Math.floor(now.getTime() / PAUSE_MS)
  return inTransaction(db, async (db) => {
    let mailed = 0
    for (const recipient of recipients) {
      const key = `report ${owner.uid} ${which} by hand ${turn} ${recipient.uid}`
      if (await enqueueMail(db, mailTo(recipient), { target: recipient.uid, key })) mailed++
    }
    if (mailed > 0) await noteSent(db, { ...report, period: periodByHand(period, now) }, mailed)
    return mailed
  })
}

type Run = Pick<JobContext, 'db' | 'env' | 'now' | 'log'> & BacklogContext

async function dueSendings(db: Db, env: Env, now: number): Promise<Sending[]> {
  const at = new Date(now)
  const programs = await loadReportPrograms(db, await mailedPrograms(db, at))
  const ofPrograms = programs.flatMap((program) =>
    dueReports(program, now).map((due) => programSending(db, env, { programUid: program.uid, ...due }, at)),
  )
  const ofClients = (await mailedClients(db)).flatMap(({ uid: client, zones }) => {
    const month = dueMonth(zones, now)
    return month === undefined ? [] : [monthSending(db, env, { client, month }, at)]
  })
  return [...ofPrograms, ...ofClients]
}

/** Sends the weekly, monthly and last reports that are due. One that fails does not keep others from theirs. */
export async function sendDueReports({ db, env, now, timeUp, log }: Run): Promise<void> {
  for (const sending of await dueSendings(db, env, now)) {
    if (timeUp.aborted) return
    try {
      await sendReport(db, sending)
    } catch (error) {
      log(error)
    }
  }
}

export const sendReportsJob = defineJob('send-reports', sendDueReports)

/** Sends the report of a version when it is published. */
export const publishedHandler: EventHandler = {
  types: ['pop.published'],
  async handle(db, { data, at }, { env }) {
    const { programUid, version } = data
    if (typeof programUid !== 'string' || typeof version !== 'number') return
    const [program] = await loadReportPrograms(db, [programUid])
    // A version that was withdrawn or replaced meanwhile is not reported.
    if (!program || (await publicVersion(db, programUid))?.number !== version) return
    const days = { from: program.startsOn, to: program.endsOn }
    const report = { programUid, occasion: 'published' as const, period: String(version), ...days }
    await sendReport(db, programSending(db, env, report, new Date(at)))
  },
}

const ENDED = 'The recipient unsubscribed or was removed.'

/** Keeps back reports to addresses that were removed or unsubscribed, and of deleted programs and clients. Other messages pass. */
export const checkReportMail: BeforeSending = async (db, { kind, target }) => {
  if (kind !== REPORT_MAIL && kind !== MONTH_MAIL) return undefined
  const found = await db
    .selectFrom('report_recipient as r')
    .leftJoin('client_program as p', 'p.uid', 'r.program_uid')
    .leftJoin('client as c', 'c.uid', 'r.client_uid')
    .select('r.occasions')
    .where('r.uid', '=', target)
    .where('r.unsubscribed_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .where('c.deleted_at', 'is', null)
    .executeTakeFirst()
  return found && found.occasions.length > 0 ? undefined : ENDED
}
