import { imports } from '@roadshow/contract'
import { inTransaction } from '../db/connection.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { AppError } from '../runtime/app-error.ts'
import { exportSheet } from '../spreadsheet/sheet.ts'
import type { ImportKind } from '../import-kind.ts'
import { refuseUnlessAllowed, runImport } from './run.ts'
import { listImportRuns, lockImportRun, markUndone } from './runs.ts'
import { importTemplate } from './template.ts'

export function importRoutes(app: App): void {
  const kindNamed = (name: ImportKind['kind']): ImportKind => {
    const found = app.kernel.imports.find(({ kind }) => kind === name)
    if (!found) throw new AppError('notFound')
    return found
  }

  serve(app, imports.run, async ({ db, scope, body, files, request }) => {
    const [file] = files.file
    const data = await runImport(db, scope, kindNamed(body.kind), { body, file })
    if (data.undoUid !== null) {
      const detail = `${body.kind}: ${data.records.new} new, ${data.records.changed} changed`
      await app.kernel.audit(request, {
        kind: 'imported',
        actorUid: scope.actor.uid,
        subject: file?.name ?? '',
        detail,
      })
    }
    return { data }
  })

  serve(app, imports.undo, async ({ db, scope, body: { kind, uid }, request }) => {
    refuseUnlessAllowed(scope, kind)
    const data = await inTransaction(db, async (db) => {
      const undone = await kindNamed(kind).undo(db, scope, await lockImportRun(db, { kind, uid }))
      await markUndone(db, scope, uid)
      return undone
    })
    const detail = `${data.removed} deleted, ${data.restored} restored`
    await app.kernel.audit(request, { kind: 'importUndone', actorUid: scope.actor.uid, subject: kind, detail })
    return { data }
  })

  serve(app, imports.list, ({ db, scope, query }) => listImportRuns(db, scope, query, kindNamed))

  serve(app, imports.template, async ({ query: { kind, format } }) => importTemplate(kind, format))

  serve(app, imports.records, async ({ db, scope, query: { kind, format } }) => {
    refuseUnlessAllowed(scope, kind)
    const { sheet, stream } = kindNamed(kind).exported
    return exportSheet(format, sheet, stream(db, scope), { filters: [], zone: 'UTC', now: new Date() })
  })
}
