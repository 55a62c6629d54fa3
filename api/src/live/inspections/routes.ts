import { type Inspection, inspectionItems, inspections } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { Download } from '../../platform/http/download.ts'
import { serve } from '../../platform/http/serve.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { inspectionSheet } from './export.ts'
import { inspectionItemRecords, toItemRow } from './items.ts'
import { inspectionRecords, loadInspection } from './queries.ts'
import { certifyRepair } from './repairs.ts'
import { inspectionPdf } from './report-pdf.ts'

export function inspectionRoutes(app: App, { env }: AppContext): void {
  const pdfOf = (inspection: Inspection) =>
    new Download(
      `inspection_${inspection.truck.name}_${inspection.shift.date}.pdf`,
      'application/pdf',
      inspectionPdf(inspection, { brand: env.brandName, now: new Date(), language: 'en' }),
    )

  serve(app, inspections.list, (call) =>
    listOrExport(
      { ...call, query: { ...call.query, sort: call.query.sort ?? '-at' } },
      inspectionRecords,
      inspectionSheet,
    ),
  )
  serve(app, inspections.get, async ({ db, scope, params }) => ({ data: await loadInspection(db, scope, params.uid) }))
  serve(app, inspections.pdf, async ({ db, scope, params }) => pdfOf(await loadInspection(db, scope, params.uid)))
  serve(app, inspections.certify, async ({ db, scope, body }) => ({ data: await certifyRepair(db, scope, body) }))

  serve(app, inspections.ownList, ({ db, scope, query }) =>
    inspectionRecords.page(db, scope, { ...query, sort: query.sort ?? '-at' }),
  )
  serve(app, inspections.own, async ({ db, scope, params }) => ({ data: await loadInspection(db, scope, params.uid) }))
  serve(app, inspections.ownPdf, async ({ db, scope, params }) => pdfOf(await loadInspection(db, scope, params.uid)))

  serve(app, inspectionItems.list, ({ db, scope, query }) =>
    inspectionItemRecords.page(db, scope, { ...query, sort: query.sort ?? 'position' }),
  )
  serve(app, inspectionItems.get, async ({ db, scope, params }) => ({
    data: await inspectionItemRecords.get(db, scope, params.uid),
  }))
  serve(app, inspectionItems.create, async ({ db, scope, body }) => ({
    data: await inspectionItemRecords.create(db, scope, toItemRow(body)),
  }))
  serve(app, inspectionItems.update, async ({ db, scope, body: { uid, version, ...input } }) => ({
    data: await inspectionItemRecords.update(db, scope, uid, version, toItemRow(input)),
  }))
  serveHistory(app, inspectionItems.history, inspectionItemRecords)
}
