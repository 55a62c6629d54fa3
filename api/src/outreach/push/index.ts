import { credential, current } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { pushChannel } from './channel.ts'
import { pushCredentials } from './credentials.ts'
import { makePushKeys } from './keys.ts'
import { pushRoutes } from './routes.ts'

export { enqueuePush } from './enqueue.ts'
export type { Push } from './rules.ts'
export { enqueueTest } from './try-out.ts'

export const pushModule = defineModule({
  name: 'outreach/push',
  tables: {
    push_key: current,
    push_subscription: credential,
  },
  routes: pushRoutes,
  jobs: [makePushKeys],
  channels: (context) => [pushChannel(context)],
  credentials: [pushCredentials],
})
