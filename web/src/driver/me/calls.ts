import type { credentials } from '@roadshow/contract/accounts/credentials'
import type { secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { auth } from '@roadshow/contract/accounts/sign-in'
import type { driverProfile } from '@roadshow/contract/catalog/driver-profile'
import type { notifications } from '@roadshow/contract/outreach/notifications'
import type { push } from '@roadshow/contract/outreach/push'
import type { payroll } from '@roadshow/contract/pay/payroll'
import type { calendar } from '@roadshow/contract/planning/calendar'
import { endpointWithoutSchemas } from '../../api/call.ts'

// Written out instead of imported: the schemas of the contract weigh more than this whole app.
const access = 'signedIn' as never

export const meCalls = {
  statement: endpointWithoutSchemas<typeof payroll.statement>({ method: 'GET', path: 'payroll/statement', access }),
  credentials: endpointWithoutSchemas<typeof credentials.own>({
    method: 'GET',
    path: 'authentication/credentials',
    access,
  }),
  endCredential: endpointWithoutSchemas<typeof credentials.endOwn>({
    method: 'DELETE',
    path: 'authentication/credentials/{kind}/{uid}',
    access,
  }),
  me: endpointWithoutSchemas<typeof auth.me>({ method: 'GET', path: 'user/user-with-permissions', access }),
  profile: endpointWithoutSchemas<typeof driverProfile.get>({ method: 'GET', path: 'driver-app/profile', access }),
  saveProfile: endpointWithoutSchemas<typeof driverProfile.update>({
    method: 'PUT',
    path: 'driver-app/profile',
    access,
    files: {},
  }),
  endOtherSessions: endpointWithoutSchemas<typeof auth.endOtherSessions>({
    method: 'DELETE',
    path: 'authentication/sessions',
    access,
  }),
  mailPasswordLink: endpointWithoutSchemas<typeof auth.forgotPasswordMail>({
    method: 'POST',
    path: 'authentication/forgot-password-mail',
    access,
  }),
  factors: endpointWithoutSchemas<typeof secondFactors.list>({ method: 'GET', path: 'authentication/factors', access }),
  prove: endpointWithoutSchemas<typeof secondFactors.prove>({
    method: 'POST',
    path: 'authentication/proof',
    access,
    secret: true,
  }),
  challengeProof: endpointWithoutSchemas<typeof secondFactors.challengeProof>({
    method: 'POST',
    path: 'authentication/proof/challenge',
    access,
    secret: true,
  }),
  startCodeApp: endpointWithoutSchemas<typeof secondFactors.startCodeApp>({
    method: 'POST',
    path: 'authentication/code-app/setup',
    access,
    secret: true,
  }),
  addCodeApp: endpointWithoutSchemas<typeof secondFactors.addCodeApp>({
    method: 'POST',
    path: 'authentication/code-app',
    access,
    secret: true,
  }),
  removeCodeApp: endpointWithoutSchemas<typeof secondFactors.removeCodeApp>({
    method: 'DELETE',
    path: 'authentication/code-app',
    access,
  }),
  challengePasskey: endpointWithoutSchemas<typeof secondFactors.challengePasskey>({
    method: 'POST',
    path: 'authentication/passkeys/challenge',
    access,
    secret: true,
  }),
  addPasskey: endpointWithoutSchemas<typeof secondFactors.addPasskey>({
    method: 'POST',
    path: 'authentication/passkeys',
    access,
    secret: true,
  }),
  removePasskey: endpointWithoutSchemas<typeof secondFactors.removePasskey>({
    method: 'DELETE',
    path: 'authentication/passkeys/{uid}',
    access,
  }),
  makeRecoveryCodes: endpointWithoutSchemas<typeof secondFactors.makeRecoveryCodes>({
    method: 'POST',
    path: 'authentication/recovery-codes',
    access,
    secret: true,
  }),
  notificationSettings: endpointWithoutSchemas<typeof notifications.settings>({
    method: 'GET',
    path: 'notifications/settings',
    access,
  }),
  saveNotificationSettings: endpointWithoutSchemas<typeof notifications.saveSettings>({
    method: 'PUT',
    path: 'notifications/settings',
    access,
  }),
  pushBrowsers: endpointWithoutSchemas<typeof push.browsers>({ method: 'GET', path: 'push/browsers', access }),
  calendarLink: endpointWithoutSchemas<typeof calendar.link>({
    method: 'GET',
    path: 'program-user-schedule/calendar-link',
    access,
  }),
  createCalendarLink: endpointWithoutSchemas<typeof calendar.createLink>({
    method: 'POST',
    path: 'program-user-schedule/calendar-link',
    access,
  }),
}
