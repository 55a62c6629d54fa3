import { business } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { loadBusiness } from './load.ts'

/** How the business does, for its owner. */
export const businessModule = defineModule({
  name: 'console/business',
  routes: (app) => serve(app, business.figures, async ({ db, scope }) => ({ data: await loadBusiness(db, scope) })),
})
