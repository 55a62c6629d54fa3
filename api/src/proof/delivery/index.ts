import { keptFor } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { findMakeUpsJob } from './make-up.ts'
import { deliveryRoutes } from './routes.ts'
import { deliveryWatch } from './watch.ts'

export { deliveriesOf, deliveriesWithParts } from './deliveries.ts'
export { deliveryWatch } from './watch.ts'

/** How much of what clients booked is delivered. */
export const deliveryModule = defineModule({
  name: 'proof/delivery',
  tables: {
    campaign_issue: keptFor('400 days', 'resolved_at', {
      since: 'it is resolved',
      bound: 'Booked lines that fell behind. At most one for each line and day.',
    }),
  },
  routes: deliveryRoutes,
  jobs: [findMakeUpsJob],
  watches: [deliveryWatch],
})
