import { defineModule } from '../../platform/module.ts'
import { sweepCampaignIssues, watchDeliveryJob } from './job.ts'
import { deliveryRoutes } from './routes.ts'

export { deliveriesOf } from './deliveries.ts'
export { linesBehind, programsBehind } from './issues.ts'
export { watchDelivery } from './job.ts'

/** How much of what clients booked is delivered. */
export const deliveryModule = defineModule({
  name: 'proof/delivery',
  tables: ['campaign_issue'],
  routes: deliveryRoutes,
  jobs: [watchDeliveryJob, sweepCampaignIssues],
})
