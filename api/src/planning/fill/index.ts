import { defineModule } from '../../platform/module.ts'
import { sweepProposals } from './proposals.ts'
import { fillRoutes } from './routes.ts'

export { planProposed, toValues as valuesOfProposed } from './accept.ts'
export { makeProposal, proposeShifts } from './open-proposal.ts'

/** Proposes shifts for a program, its markets, days and hours, and plans those that a person accepts. */
export const fillModule = defineModule({
  name: 'planning/fill',
  tables: ['fill_proposal'],
  routes: fillRoutes,
  jobs: [sweepProposals],
})
