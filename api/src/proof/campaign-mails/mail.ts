import { createHash } from 'node:crypto'
import { formatCount, formatDays } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import { composeMail } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import {
  fileNameOf,
  figureTexts,
  loadClientMonth,
  monthPdf,
  type MonthReport,
  monthTitle,
} from '../client-reports/index.ts'
import { reportCsv } from './csv.ts'
import { reportPdf } from './pdf.ts'
import type { CampaignReport } from './report.ts'
import { unsubscribeReportUrl } from './unsubscribe.ts'
import { bookedRows, figureLine, occasionText, reportTitle, spanFigures, totalFigures } from './words.ts'

export const REPORT_MAIL = 'campaignReport'
export const MONTH_MAIL = 'clientMonth'

export interface Recipient {
  uid: string
  email: string
}

type Env = Pick<AppContext['env'], 'brandName' | 'publicUrl'>

/** A report with its files, made once for all of its recipients. */
async function prepareReport(report: CampaignReport, brand: string, now: Date) {
  const csv = await reportCsv(report, now)
  const csvSha256 = createHash('sha256').update(csv).digest('hex')
  const pdf = await reportPdf(report, { brand, now, csvSha256 })
  const name = exportFileName({ name: 'campaign', of: [report.program], days: [report.from, report.to] })
  return {
    report,
    csvSha256,
    attachments: [
      { name: `${name}.pdf`, type: 'application/pdf', base64: pdf.toString('base64') },
      { name: `${name}.csv`, type: 'text/csv; charset=utf-8', base64: csv.toString('base64') },
    ],
  }
}

/** The mail of a report to one recipient. */
function reportMail(
  { report, attachments, csvSha256 }: Awaited<ReturnType<typeof prepareReport>>,
  to: Recipient,
  env: Env,
): Mail {
  const span = spanFigures(report)
  const { page, program, client } = report
  const mail = composeMail({ email: to.email, name: to.email, language: 'en' }, env.brandName, {
    kind: REPORT_MAIL,
    subject: reportTitle(report),
    paragraphs: [`Here is the report of ${program} for ${client}. The attached files have every day.`],
    facts: [
      ...(span
        ? [[occasionText(report), span.length > 0 ? span.map(figureLine).join('; ') : 'No shifts took place.'] as const]
        : []),
      [span ? 'Since the start' : 'In total', totalFigures(report).map(figureLine).join('; ')],
      ...bookedRows(report).map(
        ({ market, delivered, state }) => [`Booked in ${market}`, `${delivered}: ${state}`] as const,
      ),
      ...(page ? [[`SHA-256 of version ${page.version}`, page.sha256] as const] : []),
      ['SHA-256 of the CSV file', csvSha256],
    ],
    ...(page && { action: { label: 'Open the page', url: page.url } }),
    footer: `${env.brandName} sends reports of ${program} to ${to.email}, as chosen by ${client} or by ${env.brandName}.`,
    unsubscribe: { url: unsubscribeReportUrl(env.publicUrl, to.uid) },
  })
  return { ...mail, attachments }
}

/** The mails of the report of a program. */
export async function reportMails(report: CampaignReport, env: Env, now: Date): Promise<(to: Recipient) => Mail> {
  const prepared = await prepareReport(report, env.brandName, now)
  return (to) => reportMail(prepared, to, env)
}

/** The mails of the report of a client's month; undefined for a month in which no program ran. */
export async function monthMails(
  db: Db,
  env: Env,
  { client, month }: { client: string; month: string },
  now: Date,
): Promise<((to: Recipient) => Mail) | undefined> {
  const named = await db
    .selectFrom('client')
    .select(['uid', 'name'])
    .where('uid', '=', client)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const report = named && (await loadClientMonth(db, named, month, now.getTime()))
  if (!report || report.programs.length === 0) return undefined
  const pdf = await monthPdf(report, { brand: env.brandName, now })
  const attachments = [{ name: `${fileNameOf(report)}.pdf`, type: 'application/pdf', base64: pdf.toString('base64') }]
  return (to) => ({ ...monthMail(report, to, env), attachments })
}

/** The figures of a month, with each program in the PDF. */
function monthMail({ client, from, to: last, programs, total }: MonthReport, to: Recipient, env: Env): Mail {
  const { hours, miles, plays, verified } = figureTexts(total)
  return composeMail({ email: to.email, name: to.email, language: 'en' }, env.brandName, {
    kind: MONTH_MAIL,
    subject: monthTitle({ client, from, to: last }),
    paragraphs: [
      `Here is what your programs delivered from ${formatDays(from, last)}. The attached PDF has each program.`,
    ],
    facts: [
      ['Programs', programs.map(({ program }) => program.name).join(', ')],
      ['Shifts', `${formatCount(total.shifts)}, ${hours}`],
      ['Miles', miles],
      ['Plays', `${plays}, verified: ${verified}`],
      ['Photos', formatCount(total.photos)],
    ],
    footer: `${env.brandName} sends the monthly report of ${client.name} to ${to.email}, as chosen by ${client.name} or by ${env.brandName}.`,
    unsubscribe: { url: unsubscribeReportUrl(env.publicUrl, to.uid) },
  })
}
