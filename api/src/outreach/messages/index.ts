import { defineModule } from '../../platform/module.ts'
import { messageRoutes } from './routes.ts'

export const messageModule = defineModule({
  name: 'outreach/messages',
  routes: messageRoutes,
})
