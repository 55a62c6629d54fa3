import { createHash } from 'node:crypto'
import type { AppContext } from '../../platform/context.ts'
import { composeMail } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { reportCsv } from './csv.ts'
import { reportPdf } from './pdf.ts'
import type { CampaignReport } from './report.ts'
import { unsubscribeReportUrl } from './unsubscribe.ts'
import { bookedRows, figureLine, occasionText, reportTitle, spanFigures, totalFigures } from './words.ts'

export const REPORT_MAIL = 'campaignReport'

/** A report with its files, made once for all of its recipients. */
export async function prepareReport(report: CampaignReport, brand: string, now: Date) {
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
export function reportMail(
  { report, attachments, csvSha256 }: Awaited<ReturnType<typeof prepareReport>>,
  to: { uid: string; email: string },
  env: Pick<AppContext['env'], 'brandName' | 'publicUrl'>,
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
