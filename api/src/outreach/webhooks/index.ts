import { outboundRequests } from '../../platform/http/outbound.ts'
import { current } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { webhookChannel } from './channel.ts'
import { sendToWebhooks } from './messages.ts'
import { announcePlays } from './plays.ts'
import { webhookRoutes } from './routes.ts'

export { testWebhooks } from './try-out.ts'

export const webhookModule = defineModule({
  name: 'outreach/webhooks',
  tables: {
    webhook: {
      kept: 'for good',
      bound: 'Each names its maker and its end; ended ones stay, because the delivery log names them.',
    },
    webhook_play_place: current,
  },
  routes: webhookRoutes,
  channels: ({ db, env }) => [webhookChannel(db, outboundRequests({ privateNetworks: env.privateNetworks }))],
  jobs: [announcePlays],
  eventHandlers: [sendToWebhooks],
})
