import type { credentials } from '@roadshow/contract/accounts/credentials'
import type { auth } from '@roadshow/contract/accounts/sign-in'
import type { driverProfile } from '@roadshow/contract/catalog/driver-profile'
import type { notifications } from '@roadshow/contract/outreach/notifications'
import type { push } from '@roadshow/contract/outreach/push'
import type { payroll } from '@roadshow/contract/pay/payroll'
import type { calendar } from '@roadshow/contract/planning/calendar'
import { endpointWithoutSchemas } from '../../api/call.ts'

// Written out instead of imported: the schemas of the contract weigh more than this whole app.
export const meCalls = {
  statement: endpointWithoutSchemas<typeof payroll.statement>({ method: 'GET', path: 'payroll/statement' }),
  credentials: endpointWithoutSchemas<typeof credentials.own>({
    method: 'GET',
    path: 'authentication/credentials',
  }),
  endCredential: endpointWithoutSchemas<typeof credentials.endOwn>({
    method: 'DELETE',
    path: 'authentication/credentials/{kind}/{uid}',
  }),
  me: endpointWithoutSchemas<typeof auth.me>({ method: 'GET', path: 'user/user-with-permissions' }),
  profile: endpointWithoutSchemas<typeof driverProfile.get>({ method: 'GET', path: 'driver-app/profile' }),
  saveProfile: endpointWithoutSchemas<typeof driverProfile.update>({
    method: 'PUT',
    path: 'driver-app/profile',
    files: {},
  }),
  endOtherSessions: endpointWithoutSchemas<typeof auth.endOtherSessions>({
    method: 'DELETE',
    path: 'authentication/sessions',
  }),
  mailPasswordLink: endpointWithoutSchemas<typeof auth.forgotPasswordMail>({
    method: 'POST',
    path: 'authentication/forgot-password-mail',
  }),
  notificationSettings: endpointWithoutSchemas<typeof notifications.settings>({
    method: 'GET',
    path: 'notifications/settings',
  }),
  saveNotificationSettings: endpointWithoutSchemas<typeof notifications.saveSettings>({
    method: 'PUT',
    path: 'notifications/settings',
  }),
  pushBrowsers: endpointWithoutSchemas<typeof push.browsers>({ method: 'GET', path: 'push/browsers' }),
  calendarLink: endpointWithoutSchemas<typeof calendar.link>({
    method: 'GET',
    path: 'program-user-schedule/calendar-link',
  }),
  createCalendarLink: endpointWithoutSchemas<typeof calendar.createLink>({
    method: 'POST',
    path: 'program-user-schedule/calendar-link',
  }),
}
