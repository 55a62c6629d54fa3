import { shiftSuggestions } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { suggestForShift } from './suggest.ts'

export { canSeeShifts, loadArtwork, loadDrivers, loadMarkets, loadNeighbors, loadTrucks } from './facts.ts'
export { sharedProblems } from './refusals.ts'
export { misfitOf } from './rules.ts'
export { type MarketPlace, milesBetweenMarkets, travelMinutes } from './travel.ts'

/** Ranks trucks and drivers for a shift. It plans nothing itself. */
export const suggestionModule = defineModule({
  name: 'planning/suggestions',
  routes: (app) =>
    serve(app, shiftSuggestions.list, async ({ db, scope, query }) => ({
      data: await suggestForShift(db, scope, query),
    })),
})
