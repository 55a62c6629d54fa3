import { defineModule } from '../../platform/module.ts'
import { pushChannel } from './channel.ts'
import { pushCredentials } from './credentials.ts'
import { makePushKeys } from './keys.ts'
import { pushRoutes } from './routes.ts'

export { enqueuePush } from './enqueue.ts'
export type { Push } from './rules.ts'

export const pushModule = defineModule({
  name: 'outreach/push',
  tables: ['push_key', 'push_subscription'],
  routes: pushRoutes,
  jobs: [makePushKeys],
  channels: (context) => [pushChannel(context)],
  credentials: [pushCredentials],
})
