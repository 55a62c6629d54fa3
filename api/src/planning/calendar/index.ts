import { defineModule } from '../../platform/module.ts'
import { calendarCredentials } from './credentials.ts'
import { calendarRoutes, hideCalendarToken } from './routes.ts'

export const calendarModule = defineModule({
  name: 'planning/calendar',
  tables: ['calendar_link'],
  routes: calendarRoutes,
  redactPath: hideCalendarToken,
  credentials: [calendarCredentials],
})
