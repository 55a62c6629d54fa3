import { shiftUpload } from '@roadshow/contract'
import type { App } from '../../../platform/http/app.ts'
import { serve } from '../../../platform/http/serve.ts'
import { uploadTemplate } from './template.ts'
import { checkOrSaveUpload } from './upload.ts'

export function uploadRoutes(app: App): void {
  serve(app, shiftUpload.upload, async ({ db, scope, body, files }) => ({
    data: await checkOrSaveUpload(db, scope, body, files.file),
  }))

  serve(app, shiftUpload.template, async ({ query }) => uploadTemplate(query.format))
}
