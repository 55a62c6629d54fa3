import { defineModule } from '../../platform/module.ts'
import { proposalPages } from './page/pages.ts'
import { acceptRoutes, hideProposalToken, publicProposalRoutes } from './page/routes.ts'
import { proposalRoutes } from './routes.ts'
import { proposalSockets } from './sockets.ts'

export { sendProposal } from './send.ts'

export const proposalModule = defineModule({
  name: 'outreach/proposals',
  tables: {
    sales_proposal: {
      kept: 'for good',
      bound: 'Proposals of programs. A person sends each; who accepted it stays on record.',
    },
  },
  routes: async (app, context) => {
    await proposalRoutes(app, context)
    publicProposalRoutes(app)
    await acceptRoutes(app, context)
  },
  sockets: proposalSockets,
  pages: proposalPages,
  redactPath: hideProposalToken,
})
