import { figures } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { impressionRoutes } from './routes.ts'
import { storeImpressionsJob } from './shift-impressions.ts'

export { methodDownload } from './method-files.ts'
export { estimatePlanned, LEAST_SHIFTS, loadTypicalShifts, TYPICAL_DAYS } from './planned.ts'
export { finishImpressions } from './shift-impressions.ts'
export { loadProgramImpressions } from './totals.ts'

/** Estimated impressions, modeled from the tracks of shifts. */
export const impressionModule = defineModule({
  name: 'proof/impressions',
  tables: {
    impression_method: {
      kept: 'for good',
      bound: 'Versions of the method for impressions, on which published numbers rely. An admin adds each.',
    },
    shift_impression: figures,
  },
  routes: impressionRoutes,
  jobs: [storeImpressionsJob],
})
