import { impressions } from '@roadshow/contract'
import { readSettings } from '../../catalog/settings/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { serve } from '../../platform/http/serve.ts'
import { methodDownload } from './method-files.ts'
import { addMethod, listMethods, loadMethod, parseMethod } from './methods.ts'
import { impressionsOfProgram, impressionsOfShift } from './totals.ts'

export function impressionRoutes(app: App): void {
  serve(app, impressions.methods, async ({ db }) => ({
    data: {
      isOn: (await readSettings(db)).showImpressions,
      versions: await listMethods(db),
      inputs: parseMethod(await loadMethod(db)).inputs,
    },
  }))

  serve(app, impressions.addMethod, byBody(addMethod))
  serve(app, impressions.methodFile, ({ db, params: { version, format } }) => methodDownload(db, version, format))
  serve(app, impressions.shift, byUid(impressionsOfShift))
  serve(app, impressions.program, byUid(impressionsOfProgram))
}
