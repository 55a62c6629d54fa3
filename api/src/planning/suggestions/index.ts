import { defineModule } from '../../platform/module.ts'
import { suggestionRoutes } from './routes.ts'

export {
  canSeeShifts,
  type DriverRow,
  loadArtwork,
  loadDrivers,
  loadMarkets,
  loadNeighbors,
  loadTrucks,
  type TruckRow,
} from './facts.ts'
export { sharedProblems } from './refusals.ts'
export { misfitOf } from './rules.ts'
export { type MarketPlace, milesBetweenMarkets, travelMinutes } from './travel.ts'

/** Ranks trucks and drivers for a shift. It plans nothing itself. */
export const suggestionModule = defineModule({
  name: 'planning/suggestions',
  routes: suggestionRoutes,
})
