import { defineModule } from '../../platform/module.ts'
import { campaignPages } from './link-page/pages.ts'
import { hideCampaignToken, linkPageRoutes } from './link-page/routes.ts'
import { campaignRoutes } from './routes.ts'

export { createCampaignLink } from './links.ts'
export { IS_RUNNING, nextShifts } from './queries.ts'

export const campaignModule = defineModule({
  name: 'proof/campaigns',
  tables: {
    campaign_link: {
      kept: 'for good',
      bound: 'Links to pages of campaigns. A person makes each; ended ones stay with their views.',
    },
  },
  routes: (app, context) => {
    campaignRoutes(app, context)
    linkPageRoutes(app)
  },
  pages: campaignPages,
  redactPath: hideCampaignToken,
})
