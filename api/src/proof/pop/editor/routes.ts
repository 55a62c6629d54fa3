import { pops } from '@roadshow/contract'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { serveHistory } from '../../../platform/history/index.ts'
import type { App } from '../../../platform/http/app.ts'
import { listOrExport } from '../../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../../platform/http/serve.ts'
import { popSheet } from './export.ts'
import { previewOf, type PreviewSettings } from './preview.ts'
import { publish, withdraw } from '../publication/publish.ts'
import { documentFile, pdfFile } from '../publication/version-files.ts'
import { versionFile, versionsOf } from '../publication/versions.ts'
import { popHistory, popOf, popsSeenBy, refuseDrivers } from './queries.ts'
import { milesDriven, removePhotoAndCover, savePopMarkets, updatePop } from './save.ts'

/** The calls of the POP editor. */
export function editorRoutes(app: App, settings: PreviewSettings): void {
  serve(app, pops.list, (call) => listOrExport(call, popsSeenBy(call.scope), popSheet))

  serve(app, pops.get, async ({ db, scope, params }) => ({ data: await popOf(db, scope, params.uid) }))

  serve(app, pops.update, async ({ db, scope, body }) => ({ data: await updatePop(db, scope, body) }))

  serve(app, pops.saveMarkets, async ({ db, scope, body }) => ({ data: await savePopMarkets(db, scope, body) }))

  serve(app, pops.removePhoto, async ({ db, scope, params }) => ({
    data: await removePhotoAndCover(db, scope, params.uid),
  }))

  serve(app, pops.publish, async ({ db, scope, body }) => ({
    data: await publish(db, scope, body, { blobs: app.blobs, brandName: settings.brandName }),
  }))

  serve(app, pops.withdraw, async ({ db, scope, body }) => {
    await withdraw(db, scope, body)
    return { data: await popOf(db, scope, body.uid) }
  })

  serve(app, pops.milesDriven, async ({ db, scope, query }) => ({
    data: await milesDriven(db, scope, query.programUid),
  }))

  serve(app, pops.preview, async ({ db, params }) => ({ data: await previewOf(db, params.uid, settings) }))

  serve(app, pops.versions, async ({ db, scope, params: { uid } }) => {
    refuseDrivers(scope)
    const only = await onlyVersion(db, scope, uid)
    const found = await versionsOf(db, uid)
    if (only === 'all') return { data: found }
    return { data: found.filter(({ number }) => number === only).map((version) => ({ ...version, note: '' })) }
  })

  serve(app, pops.versionFile, async ({ db, scope, params: { uid, number, format }, request }) => {
    refuseDrivers(scope)
    const only = await onlyVersion(db, scope, uid)
    if (only !== 'all' && number !== only) throw new AppError('notFound')
    const { popUrl } = await popsSeenBy(scope).get(db, scope, uid)
    const file = await versionFile(db, uid, number)
    return format === 'json' ? documentFile(popUrl, file) : pdfFile(app.blobs, popUrl, file, request.headers.range)
  })

  serveHistory(app, pops.history, popHistory, { market_uid: 'market', cover_photo_uid: 'pop_photo' })
}

/** Which versions somebody may see: clients the one that everybody sees, and none while nobody does. */
async function onlyVersion(db: Db, scope: Scope, uid: string): Promise<number | 'all' | undefined> {
  const { state, shownVersion } = await popsSeenBy(scope).get(db, scope, uid)
  if (scope.rows === 'all') return 'all'
  return state === 'published' && shownVersion !== null ? shownVersion : undefined
}
