import { OLD_POP_PHOTOS, type OldPop, oldPops, type Pop } from '@roadshow/contract'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import type { App } from '../platform/http/app.ts'
import { Download } from '../platform/http/download.ts'
import { byBody } from '../platform/http/handlers.ts'
import { listOrExport } from '../platform/spreadsheet/list-or-export.ts'
import { serve } from '../platform/http/serve.ts'
import { firstPhotos, servePhotoUploads } from '../proof/photos/index.ts'
import { milesDriven, popSheet, publishPop, savePopMarkets, updatePop, popRecordsFor } from '../proof/pop/index.ts'

export async function oldPopRoutes(app: App, env: { brandName: string }): Promise<void> {
  serve(app, oldPops.list, async (call) => {
    const found = await listOrExport(call, popRecordsFor(call.scope), popSheet)
    return found instanceof Download ? found : { ...found, data: await withPhotos(call.db, call.scope, found.data) }
  })
  await servePhotoUploads(app, oldPops.addPhotos)
  serve(app, oldPops.update, byBody(withPhotosOf(updatePop)))
  serve(app, oldPops.saveMarkets, byBody(withPhotosOf(savePopMarkets)))
  serve(app, oldPops.publish, async ({ db, scope, body }) => ({
    data: await publishPop(db, scope, body, { blobs: app.blobs, brandName: env.brandName }),
  }))
  serve(app, oldPops.milesDriven, async ({ db, scope, query }) => ({
    data: await milesDriven(db, scope, query.programUid),
  }))
}

async function withPhotos(db: Db, scope: Scope, pops: readonly Pop[]): Promise<OldPop[]> {
  const uids = pops.map(({ uid }) => uid)
  const photos = await firstPhotos(db, scope, uids, OLD_POP_PHOTOS)
  return pops.map(({ client, photos: photoCount, ...pop }) => ({
    ...pop,
    clientUid: client.uid,
    clientName: client.name,
    photoCount,
    photos: photos.filter(({ program }) => program.uid === pop.uid),
  }))
}

const withPhotosOf =
  <Body>(save: (db: Db, scope: Scope, body: Body) => Promise<Pop>) =>
  async (db: Db, scope: Scope, body: Body) =>
    (await withPhotos(db, scope, [await save(db, scope, body)]))[0] as OldPop
