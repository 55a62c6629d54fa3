import { outboundRequests } from '../../platform/http/outbound.ts'
import { defineModule } from '../../platform/module.ts'
import { webhookChannel } from './channel.ts'
import { sendToWebhooks } from './messages.ts'
import { announcePlays } from './plays.ts'
import { webhookRoutes } from './routes.ts'

export const webhookModule = defineModule({
  name: 'outreach/webhooks',
  tables: ['webhook', 'webhook_play_place'],
  routes: webhookRoutes,
  channels: ({ db, env }) => [webhookChannel(db, outboundRequests({ privateNetworks: env.privateNetworks }))],
  jobs: [announcePlays],
  eventHandlers: [sendToWebhooks],
})
