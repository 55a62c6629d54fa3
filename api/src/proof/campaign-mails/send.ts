import type { AppContext } from '../../platform/context.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { type BacklogContext, defineJob, type JobContext } from '../../platform/jobs/define-job.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import type { BeforeSending, EventHandler } from '../../platform/outbox/index.ts'
import { publicVersion } from '../pop/index.ts'
import { prepareReport, REPORT_MAIL, reportMail } from './mail.ts'
import { refuseFields } from '../../platform/runtime/app-error.ts'
import { isSent, mailedPrograms, periodByHand, recipientsOf } from './queries.ts'
import { loadReport, loadReportPrograms, type ReportRequest } from './report.ts'
import { dueReports } from './rules.ts'

interface Sending extends Omit<ReportRequest, 'publicUrl' | 'now'> {
  period: string
}

type Env = Pick<AppContext['env'], 'brandName' | 'publicUrl'>

/** Hands a report to the outbox, once: later data changes neither it nor whether it was sent. */
async function sendReport(db: Db, env: Env, sending: Sending, now: Date): Promise<void> {
  const { period, ...request } = sending
  const { programUid, occasion } = request
  if (await isSent(db, sending)) return
  const recipients = await recipientsOf(db, programUid, occasion)
  if (recipients.length === 0) return
  const report = await loadReport(db, { ...request, publicUrl: env.publicUrl, now })
  const prepared = await prepareReport(report, env.brandName, now)
  await inTransaction(db, async (db) => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('report_sent')
      .values({ program_uid: programUid, occasion, period, recipients: recipients.length })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return
    for (const recipient of recipients) {
      const key = `report ${programUid} ${occasion} ${period} ${recipient.uid}`
      await enqueueMail(db, reportMail(prepared, recipient, env), { target: recipient.uid, key })
    }
  })
}

/** A report that was sent by hand is not sent again for this long. */
const PAUSE_MS = 10 * 60_000

/** Mails a report at once to those who get it; answers how many. */
export async function sendReportNow(db: Db, env: Env, sending: Sending, now: Date): Promise<number> {
  const { period, ...request } = sending
  const { programUid, occasion } = request
  const recipients = await recipientsOf(db, programUid, occasion)
  if (recipients.length === 0) refuseFields({ occasion: 'No one gets this report. Add a recipient and save first.' })
  const report = await loadReport(db, { ...request, publicUrl: env.publicUrl, now })
  if (occasion === 'published' && !report.page) refuseFields({ occasion: 'No version is published yet.' })
  const prepared = await prepareReport(report, env.brandName, now)
  const turn = Math.floor(now.getTime() / PAUSE_MS)
  return inTransaction(db, async (db) => {
    let mailed = 0
    for (const recipient of recipients) {
      const key = `report ${programUid} ${occasion} by hand ${turn} ${recipient.uid}`
      if (await enqueueMail(db, reportMail(prepared, recipient, env), { target: recipient.uid, key })) mailed++
    }
    if (mailed > 0) {
      const row = { program_uid: programUid, occasion, period: periodByHand(period, now), recipients: mailed }
      await db.insertInto('report_sent').values(row).execute()
    }
    return mailed
  })
}

type Run = Pick<JobContext, 'db' | 'env' | 'now' | 'log'> & BacklogContext

/** Sends the weekly and last reports that are due. A program whose report fails does not keep others from theirs. */
export async function sendDueReports({ db, env, now, timeUp, log }: Run): Promise<void> {
  const programs = await loadReportPrograms(db, await mailedPrograms(db, new Date(now)))
  for (const program of programs) {
    for (const due of dueReports(program, now)) {
      if (timeUp.aborted) return
      try {
        await sendReport(db, env, { programUid: program.uid, ...due }, new Date(now))
      } catch (error) {
        log(error)
      }
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
    await sendReport(db, env, { programUid, occasion: 'published', period: String(version), ...days }, new Date(at))
  },
}

const ENDED = 'The recipient unsubscribed or was removed.'

/** Keeps back reports to addresses that were removed or unsubscribed, and of deleted programs. Other messages pass. */
export const checkReportMail: BeforeSending = async (db, { kind, target }) => {
  if (kind !== REPORT_MAIL) return undefined
  const found = await db
    .selectFrom('report_recipient as r')
    .innerJoin('client_program as p', 'p.uid', 'r.program_uid')
    .select('r.occasions')
    .where('r.uid', '=', target)
    .where('r.unsubscribed_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  return found && found.occasions.length > 0 ? undefined : ENDED
}
