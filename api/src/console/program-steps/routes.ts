import { programProgress } from '@roadshow/contract'
import { programRecords } from '../../catalog/programs/index.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { readProgramSteps } from './queries.ts'

export function programStepsRoutes(app: App): void {
  serve(app, programProgress.steps, async ({ db, scope, params }) => {
    const { uid } = await programRecords.get(db, scope, params.uid)
    return { data: await readProgramSteps(db, uid) }
  })
}
