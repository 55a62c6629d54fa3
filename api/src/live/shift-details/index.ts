import { defineModule } from '../../platform/module.ts'
import { shiftDetailRoutes } from './routes.ts'

export { shiftDetailSheet } from './export.ts'
export { type ShiftDetails, shiftDetailsFor } from './queries.ts'

/** A shift as planned, together with its actual plays, miles, issues and photos. */
export const shiftDetailModule = defineModule({
  name: 'live/shift-details',
  routes: shiftDetailRoutes,
})
