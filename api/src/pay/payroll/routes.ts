import { Readable } from 'node:stream'
import { payAnomalyLabel, payReview, payroll } from '@roadshow/contract'
import { recipientLanguage } from '../../accounts/sign-in/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { AppContext } from '../../platform/context.ts'
import { officeZone } from '../../platform/db/office-zone.ts'
import { serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { Download } from '../../platform/http/download.ts'
import { exportSheet } from '../../platform/spreadsheet/sheet.ts'
import { byBody } from '../../platform/http/handlers.ts'
import { serve } from '../../platform/http/serve.ts'
import { adjustmentRecords } from './adjustments.ts'
import { fillPayPeriod, loadPayCalendar } from './calendar.ts'
import { addAdjustment, overrideOption } from './changes.ts'
import { decideShifts, loadUndecided } from './decisions.ts'
import { type StatementItem, paySheet, statementSheet } from './export.ts'
import { checkPayFile, makePayFile } from './files.ts'
import { loadPayPage, loadPayRows, loadStatement } from './list.ts'
import { approvePeriod, movePeriod, periodRecords } from './periods.ts'
import { statementPdf } from './statement-pdf.ts'

/** The endpoints of payroll. */
export function payrollRoutes(app: App, { env }: AppContext): void {
  serve(
    app,
    payroll.list,
    async ({ db, scope, query }) => {
      const { format, from, to } = query
      if (!format) return loadPayPage(db, scope, query)
      const filters = [
        `from: ${from}`,
        `to: ${to}`,
        ...(query.search ? [`search: ${query.search}`] : []),
        ...(query.driver ? [`drivers: ${query.driver.length} selected`] : []),
        ...(query.anomaly ? [`anomalies: ${query.anomaly.map((kind) => payAnomalyLabel[kind]).join(', ')}`] : []),
        ...(query.only ? [`only with ${query.only.join(' or ')}`] : []),
        ...(query.sort ? [`sorted by ${query.sort}`] : []),
      ]
      const about = { filters, zone: 'the zone of each shift', now: new Date(), filename: `payroll_${from}_${to}` }
      return exportSheet(format, paySheet, await loadPayRows(db, scope, query), about)
    },
    fillPayPeriod,
  )

  serve(
    app,
    payroll.statement,
    async ({ db, scope, query, request }) => {
      if (scope.rows === 'all' && !query.driver)
        throw new AppError('badInput', { fields: { driver: 'Choose a driver.' } })
      const statement = await loadStatement(db, scope, query)
      if (!query.format) return { data: statement }
      const { from, to, driver, lines, adjustments } = statement
      const filename = `pay_${driver.name}_${from}_${to}`
      if (query.format === 'pdf') {
        return new Download(
          `${filename}.pdf`,
          'application/pdf',
          statementPdf(statement, {
            brand: env.brandName,
            now: new Date(),
            zone: await officeZone(db),
            // Drivers read it in the app, in their own language.
            language: scope.rows === 'own' ? await recipientLanguage(db, driver.uid, request) : 'en',
          }),
        )
      }
      const items: StatementItem[] = [
        ...lines.map((line) => ({ line })),
        ...adjustments.map((adjustment) => ({ adjustment })),
      ]
      const filters = [`driver: ${driver.name}`, `from: ${from}`, `to: ${to}`]
      const about = { filters, zone: 'the zone of each shift', now: new Date(), filename }
      return exportSheet(query.format, statementSheet, items, about)
    },
    fillPayPeriod,
  )

  serve(app, payReview.calendar, async ({ db, scope, query }) => ({ data: await loadPayCalendar(db, scope, query) }))
  serve(app, payReview.undecided, async ({ db, scope, query }) => ({ data: await loadUndecided(db, scope, query) }))
  serve(app, payReview.decide, byBody(decideShifts))
  serve(app, payroll.override, byBody(overrideOption))
  serve(app, payroll.adjust, byBody(addAdjustment))
  serveDeletion(
    app,
    { remove: payroll.removeAdjustment, restore: payroll.restoreAdjustment },
    { kind: 'payAdjustment', records: adjustmentRecords },
  )
  serve(app, payroll.periods, ({ db, scope, query }) =>
    periodRecords.page(db, scope, { ...query, sort: query.sort ?? '-from' }),
  )
  serve(app, payroll.approve, byBody(approvePeriod))
  serve(app, payroll.move, byBody(movePeriod))
  serve(app, payroll.checkFile, async ({ db, scope, query }) => ({ data: await checkPayFile(db, scope, query) }))
  serve(app, payroll.file, async ({ db, scope, query }) => {
    const { filename, content } = await makePayFile(db, scope, query)
    const type = query.system === 'quickbooks' ? 'text/plain; charset=utf-8' : 'text/csv; charset=utf-8'
    return new Download(filename, type, Readable.from([content]))
  })
  serveHistory(app, payroll.history, periodRecords)
}
