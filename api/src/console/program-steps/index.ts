import { programProgress } from '@roadshow/contract'
import { programRecords } from '../../catalog/programs/index.ts'
import { byUid } from '../../platform/http/handlers.ts'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { readProgramSteps } from './queries.ts'

export const programStepsModule = defineModule({
  name: 'console/program-steps',
  routes: (app) =>
    serve(
      app,
      programProgress.steps,
      byUid(async (db, scope, uid) => readProgramSteps(db, (await programRecords.get(db, scope, uid)).uid)),
    ),
})
