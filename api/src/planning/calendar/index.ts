import { credential } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { calendarCredentials } from './credentials.ts'
import { calendarRoutes, hideCalendarToken } from './routes.ts'

export const calendarModule = defineModule({
  name: 'planning/calendar',
  tables: {
    calendar_link: credential,
  },
  routes: calendarRoutes,
  redactPath: hideCalendarToken,
  credentials: [calendarCredentials],
})
