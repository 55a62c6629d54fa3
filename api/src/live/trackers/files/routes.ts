import { type TrackFileResult, trackFiles } from '@roadshow/contract'
import type { App } from '../../../platform/http/app.ts'
import { serve } from '../../../platform/http/serve.ts'
import { uploadTrack } from './store-track.ts'

const summaryOf = ({ fixes, known, from, to }: TrackFileResult) =>
  `${fixes} positions, ${fixes - known} of them new, from ${from ?? '?'} to ${to ?? '?'}`

export function trackFileRoutes(app: App): void {
  serve(app, trackFiles.upload, async ({ db, scope, params: { uid }, body, files, request }) => {
    const [file] = files.file
    const { save, digest, zone } = body
    const data = await uploadTrack(db, { truckUid: uid, file, save, digest, zone })
    if (save) {
      const truck = await db.selectFrom('truck').select('number').where('uid', '=', uid).executeTakeFirst()
      await app.kernel.audit(request, {
        kind: 'trackUploaded',
        actorUid: scope.actor.uid,
        subject: `${truck?.number ?? ''}: ${file?.name ?? ''}`,
        detail: summaryOf(data),
      })
    }
    return { data }
  })
}
