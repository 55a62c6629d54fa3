import { keptUntil } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { fillRoutes } from './routes.ts'

export { planProposed, toValues as valuesOfProposed } from './accept.ts'
export { makeFillProposal, proposeShifts } from './open-fill-proposal.ts'

/** Proposes shifts for a program, its markets, days and hours, and plans those that a person accepts. */
export const fillModule = defineModule({
  name: 'planning/fill',
  tables: {
    fill_proposal: keptUntil('expires_at', {
      kept: '1 day',
      bound: 'Fill proposals, one for each user: a new one replaces the one before.',
    }),
  },
  routes: fillRoutes,
})
