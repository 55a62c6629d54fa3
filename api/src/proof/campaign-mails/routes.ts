import { campaignMails, clientMails, type ReportOccasion } from '@roadshow/contract'
import { clientRecords } from '../../catalog/clients/index.ts'
import { programRecords } from '../../catalog/programs/index.ts'
import type { AppContext } from '../../platform/context.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { refuseFields } from '../../platform/runtime/app-error.ts'
import { publicVersion } from '../pop/index.ts'
import { type Recipient, reportMails } from './mail.ts'
import { loadMailing, saveMailing } from './queries.ts'
import { loadReport, loadReportProgram } from './report.ts'
import { lastWeek } from './rules.ts'
import { monthSending, NOTHING_TO_REPORT, programSending, sendReportNow } from './send.ts'
import { unsubscribeReportRoutes } from './unsubscribe.ts'

/** The days that a report would cover if it were sent now. */
async function daysNow(db: Db, programUid: string, occasion: ReportOccasion, now: Date) {
  const program = await loadReportProgram(db, programUid)
  const week = occasion === 'weekly' ? lastWeek(program, now.getTime()) : undefined
  if (week) return { from: week.from, to: week.to, period: week.period, isLacking: false }
  const whole = { from: program.startsOn, to: program.endsOn }
  return { ...whole, period: program.endsOn, isLacking: occasion === 'weekly' }
}

// The link to unsubscribe belongs to no address here, and opens a page that says so.
const READER: Recipient = { uid: 'preview', email: 'reader@example.com' }

/** The endpoints of mailed reports, and the page to unsubscribe from them. */
export async function campaignMailRoutes(app: App, context: AppContext): Promise<void> {
  programMailRoutes(app, context)
  clientMailRoutes(app, context)
  await unsubscribeReportRoutes(app, context)
}

function programMailRoutes(app: App, { env }: AppContext): void {
  const ofProgram = (uid: string) => ({ of: 'program' as const, uid })

  serve(app, campaignMails.get, async ({ db, scope, params }) => ({
    data: await loadMailing(db, scope, ofProgram(params.uid)),
  }))

  serve(app, campaignMails.save, async ({ db, scope, params, body }) => ({
    data: await saveMailing(db, scope, ofProgram(params.uid), body),
  }))

  serve(app, campaignMails.preview, async ({ db, scope, params: { uid }, query: { occasion } }) => {
    await programRecords.get(db, scope, uid)
    const now = new Date(await sharedNow(db))
    const { isLacking: _lacking, ...days } = await daysNow(db, uid, occasion, now)
    const report = await loadReport(db, { programUid: uid, occasion, ...days, publicUrl: env.publicUrl, now })
    const { subject, text, html = '', attachments = [] } = (await reportMails(report, env, now))(READER)
    return { data: { subject, text, html, files: [...attachments] } }
  })

  serve(app, campaignMails.send, async ({ db, scope, params: { uid }, body: { occasion } }) => {
    await programRecords.get(db, scope, uid)
    const now = new Date(await sharedNow(db))
    const { period, isLacking, ...days } = await daysNow(db, uid, occasion, now)
    if (isLacking) refuseFields({ occasion: NOTHING_TO_REPORT.weekly })
    const version = occasion === 'published' ? await publicVersion(db, uid) : undefined
    const report = { programUid: uid, occasion, ...days, period: version ? String(version.number) : period }
    return { data: { recipients: await sendReportNow(db, programSending(db, env, report, now), now) } }
  })
}

function clientMailRoutes(app: App, { env }: AppContext): void {
  const ofClient = (uid: string) => ({ of: 'client' as const, uid })

  serve(app, clientMails.get, async ({ db, scope, params }) => ({
    data: await loadMailing(db, scope, ofClient(params.uid)),
  }))

  serve(app, clientMails.save, async ({ db, scope, params, body }) => ({
    data: await saveMailing(db, scope, ofClient(params.uid), body),
  }))

  serve(app, clientMails.send, async ({ db, scope, params: { uid }, body: { month } }) => {
    await clientRecords.get(db, scope, uid)
    const now = new Date(await sharedNow(db))
    const sending = monthSending(db, env, { client: uid, month }, now)
    return { data: { recipients: await sendReportNow(db, sending, now) } }
  })
}
