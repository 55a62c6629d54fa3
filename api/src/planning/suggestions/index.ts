import { shiftSuggestions } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { suggestForShift } from './suggest.ts'

export { canSeeShifts, loadArtwork, loadBookedPlays, loadDrivers, loadNeighbors, loadTrucks } from './facts.ts'
export { sharedProblems } from './refusals.ts'
export { suggestForShift } from './suggest.ts'
export { misfitOf, screenNeedOf, type ScreenNeeds } from './rules.ts'

/** Ranks trucks and drivers for a shift. It plans nothing itself. */
export const suggestionModule = defineModule({
  name: 'planning/suggestions',
  routes: (app) =>
    serve(app, shiftSuggestions.list, async ({ db, scope, query }) => ({
      data: await suggestForShift(db, scope, query),
    })),
})
