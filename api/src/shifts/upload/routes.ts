import { shiftUpload } from '@roadshow/contract'
import { AppError } from '../../app-error.ts'
import type { App } from '../../http/app.ts'
import { serve } from '../../http/serve.ts'
import { uploadTemplate } from './template.ts'
import { checkUpload, saveUpload } from './upload.ts'

export function uploadRoutes(app: App): void {
  serve(app, shiftUpload.upload, async ({ db, scope, body: { save, digest = '' }, files }) => {
    const [file] = files.file
    if (!file) throw new AppError('badInput', { fields: { file: 'Choose a file.' } })
    return { data: save ? await saveUpload(db, scope, file, digest) : await checkUpload(db, file) }
  })

  serve(app, shiftUpload.template, async ({ query }) => uploadTemplate(query.format))
}
