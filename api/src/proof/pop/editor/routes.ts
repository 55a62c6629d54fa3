import { pops } from '@roadshow/contract'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { serveDeletion } from '../../../platform/deletion/index.ts'
import { serveHistory } from '../../../platform/history/index.ts'
import type { App } from '../../../platform/http/app.ts'
import { listOrExport } from '../../../platform/spreadsheet/list-or-export.ts'
import { byBody, byUid } from '../../../platform/http/handlers.ts'
import { serve } from '../../../platform/http/serve.ts'
import { popSheet } from './export.ts'
import { previewPop, type PreviewSettings } from './preview.ts'
import { publishPop, setPagePublic } from '../publication/publish.ts'
import { visibleVersions } from '../publication/rules.ts'
import { documentDownload, pdfDownload } from '../publication/version-files.ts'
import { loadVersion, listVersions } from '../publication/versions.ts'
import { popHistory, loadPop, popListFor } from './queries.ts'
import { pageWaitingFirst } from './waiting-first.ts'
import { milesDriven, photoAndCoverDeletion, savePopMarkets, setPagePassword, updatePop } from './save.ts'

/** The endpoints of the POP editor. */
export function editorRoutes(app: App, settings: PreviewSettings): void {
  serve(app, pops.list, (call) => listOrExport(call, { ...popListFor(call.scope), page: pageWaitingFirst }, popSheet))
  serve(app, pops.get, byUid(loadPop))
  serve(app, pops.update, byBody(updatePop))
  serve(app, pops.saveMarkets, byBody(savePopMarkets))
  serve(app, pops.setPassword, byBody(setPagePassword))
  serveDeletion(app, { remove: pops.removePhoto, restore: pops.restorePhoto }, photoAndCoverDeletion)

  serve(app, pops.publish, async ({ db, scope, body }) => ({
    data: await publishPop(db, scope, body, { blobs: app.blobs, brandName: settings.env.brandName }),
  }))

  serve(app, pops.withdraw, async ({ db, scope, body }) => {
    await setPagePublic(db, scope, body)
    return { data: await loadPop(db, scope, body.uid) }
  })

  serve(app, pops.milesDriven, async ({ db, scope, query }) => ({
    data: await milesDriven(db, scope, query.programUid),
  }))

  serve(app, pops.preview, async ({ db, params }) => ({ data: await previewPop(db, params.uid, settings) }))

  serve(app, pops.versions, async ({ db, scope, params: { uid } }) => {
    const visible = visibleVersions(scope.rows, await popListFor(scope).get(db, scope, uid))
    const found = await listVersions(db, uid)
    if (visible === 'all') return { data: found }
    const shown = found.filter(({ number }) => visible.includes(number))
    return { data: shown.map((version) => ({ ...version, note: '', publishedBy: null })) }
  })

  serve(app, pops.versionFile, async ({ db, scope, params: { uid, number, format }, request }) => {
    const pop = await popListFor(scope).get(db, scope, uid)
    const visible = visibleVersions(scope.rows, pop)
    if (visible !== 'all' && !visible.includes(number)) throw new AppError('notFound')
    const file = await loadVersion(db, uid, number)
    return format === 'json'
      ? documentDownload(pop.popUrl, file)
      : pdfDownload(app.blobs, pop.popUrl, file, request.headers.range)
  })

  serveHistory(app, pops.history, popHistory, { market_uid: 'market', cover_photo_uid: 'pop_photo' })
}
