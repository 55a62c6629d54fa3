import { clientReports, formatCount, formatDays } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { inTransaction } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { Download } from '../../platform/http/download.ts'
import { serve } from '../../platform/http/serve.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import { composeMail } from '../../platform/mail/compose.ts'
import { defineModule } from '../../platform/module.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { figureTexts, monthPdf, monthTitle } from './pdf.ts'
import { loadClientMonth } from './report.ts'
import { Readable } from 'node:stream'

/** The same report is not mailed to an address again for this long. */
const PAUSE_MS = 10 * 60_000

function clientReportRoutes(app: App, { env }: AppContext): void {
  serve(app, clientReports.get, async ({ db, scope, params: { uid }, query: { month, format } }) => {
    const report = await loadClientMonth(db, scope, uid, month)
    if (!format) return { data: report }
    const pdf = await monthPdf(report, { brand: env.brandName, now: new Date(await sharedNow(db)) })
    return new Download(`${fileNameOf(report)}.pdf`, 'application/pdf', Readable.from([pdf]))
  })

  serve(app, clientReports.send, async ({ db, scope, params: { uid }, body: { month, sendTo } }) => {
    const report = await loadClientMonth(db, scope, uid, month)
    const now = await sharedNow(db)
    const pdf = await monthPdf(report, { brand: env.brandName, now: new Date(now) })
    const { hours, miles, plays, verified } = figureTexts(report.total)
    const { shifts, photos } = report.total
    const facts: [string, string][] = [
      ['Programs', report.programs.map(({ program }) => program.name).join(', ') || 'None ran in this month'],
      ['Shifts', `${formatCount(shifts)}, ${hours}`],
      ['Miles', miles],
      ['Plays', `${plays}, verified: ${verified}`],
      ['Photos', formatCount(photos)],
    ]
    const attachments = [{ name: `${fileNameOf(report)}.pdf`, type: 'application/pdf', base64: pdf.toString('base64') }]
    const turn = Math.floor(now / PAUSE_MS)
    const recipients = await inTransaction(db, async (db) => {
      let mailed = 0
      for (const email of new Set(sendTo.map((each) => each.toLowerCase()))) {
        const mail = composeMail({ email, name: email, language: 'en' }, env.brandName, {
          kind: 'clientMonth',
          subject: monthTitle(report),
          paragraphs: [
            `Here is what your programs delivered from ${formatDays(report.from, report.to)}. The attached PDF has each program.`,
          ],
          facts,
          footer: `${env.brandName} sent this report of ${report.client.name} to ${email}.`,
        })
        const key = `client month ${uid} ${month} ${turn} ${email}`
        if (await enqueueMail(db, { ...mail, attachments }, { key })) mailed++
      }
      return mailed
    })
    return { data: { recipients } }
  })
}

const fileNameOf = ({ client, from, to }: { client: { name: string }; from: string; to: string }): string =>
  exportFileName({ name: 'monthly-report', of: [client.name], days: [from, to] })

/** Reports of all programs of a client, by month. */
export const clientReportModule = defineModule({ name: 'proof/client-reports', routes: clientReportRoutes })
