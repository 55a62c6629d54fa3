import { clientReports } from '@roadshow/contract'
import { Readable } from 'node:stream'
import { clientRecords } from '../../catalog/clients/index.ts'
import type { AppContext } from '../../platform/context.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { App } from '../../platform/http/app.ts'
import { Download } from '../../platform/http/download.ts'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { fileNameOf, monthPdf } from './pdf.ts'
import { loadClientMonth } from './report.ts'

export { fileNameOf, figureTexts, monthPdf, monthTitle } from './pdf.ts'
export { loadClientMonth, type MonthReport } from './report.ts'
export { lastMonth } from './months.ts'

function clientReportRoutes(app: App, { env }: AppContext): void {
  serve(app, clientReports.get, async ({ db, scope, params: { uid }, query: { month, format } }) => {
    const { name, contacts } = await clientRecords.get(db, scope, uid)
    const now = await sharedNow(db)
    const report = await loadClientMonth(db, { uid, name }, month, now)
    if (!format) {
      const reachable = scope.rows === 'own' ? [] : contacts.filter(({ email }) => email !== '')
      return { data: { ...report, contacts: reachable.map(({ name, email }) => ({ name, email })) } }
    }
    const pdf = await monthPdf(report, { brand: env.brandName, now: new Date(now) })
    return new Download(`${fileNameOf(report)}.pdf`, 'application/pdf', Readable.from([pdf]))
  })
}

/** Reports of all programs of a client, by month. */
export const clientReportModule = defineModule({ name: 'proof/client-reports', routes: clientReportRoutes })
