import { OLD_POP_PHOTOS, type OldPop, oldPops, type Pop, type PopPhoto } from '@roadshow/contract'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import type { App } from '../platform/http/app.ts'
import { Download } from '../platform/http/download.ts'
import { listOrExport } from '../platform/spreadsheet/list-or-export.ts'
import { serve } from '../platform/http/serve.ts'
import { firstPhotos, servePhotoUploads } from '../proof/photos/index.ts'
import { milesDriven, popSheet, publishPop, savePopMarkets, updatePop, popRecordsFor } from '../proof/pop/index.ts'

export async function oldPopRoutes(app: App, { brandName }: { brandName: string }): Promise<void> {
  serve(app, oldPops.list, async (call) => {
    const found = await listOrExport(call, popRecordsFor(call.scope), popSheet)
    return found instanceof Download ? found : { ...found, data: await withPhotos(call, found.data) }
  })
  await servePhotoUploads(app, oldPops.addPhotos)
  serve(app, oldPops.update, async (call) => withPhotosOf(call, await updatePop(call.db, call.scope, call.body)))
  serve(app, oldPops.saveMarkets, async (call) =>
    withPhotosOf(call, await savePopMarkets(call.db, call.scope, call.body)),
  )
  serve(app, oldPops.publish, async ({ db, scope, body }) => ({
    data: await publishPop(db, scope, body, { blobs: app.blobs, brandName }),
  }))
  serve(app, oldPops.milesDriven, async ({ db, scope, query }) => ({
    data: await milesDriven(db, scope, query.programUid),
  }))
}

interface Reader {
  db: Db
  scope: Scope
}

async function withPhotos({ db, scope }: Reader, pops: readonly Pop[]): Promise<OldPop[]> {
  const uids = pops.map(({ uid }) => uid)
  const photos = await firstPhotos(db, scope, uids, OLD_POP_PHOTOS)
  return pops.map((pop) =>
    toOldPop(
      pop,
      photos.filter(({ program }) => program.uid === pop.uid),
    ),
  )
}

async function withPhotosOf(reader: Reader, pop: Pop): Promise<{ data: OldPop }> {
  const photos = await firstPhotos(reader.db, reader.scope, [pop.uid], OLD_POP_PHOTOS)
  return { data: toOldPop(pop, photos) }
}

const toOldPop = ({ client, photos: photoCount, ...pop }: Pop, photos: PopPhoto[]): OldPop => ({
  ...pop,
  clientUid: client.uid,
  clientName: client.name,
  photoCount,
  photos,
})
