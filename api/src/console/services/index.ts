import { services as calls } from '@roadshow/contract'
import { defineModule } from '../../platform/module.ts'
import { serve } from '../../platform/http/serve.ts'

/** Tells admins which services are away, for the bar of the console. */
export const servicesModule = defineModule({
  name: 'console/services',
  routes: (app, { services }) => serve(app, calls.away, async () => ({ data: services.degraded })),
})
