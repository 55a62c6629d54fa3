import { API_BASE, type Endpoint, endpoints, type Role, roles } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { endpointName, legacyAccess } from '../src/legacy/test-samples.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { guarded } from './access-table.ts'

const world = await openWorld()
const somebodyElses = '01900000-0000-7000-8000-000000000000'

const ask = (endpoint: Endpoint, token: string) =>
  world.app.inject({
    method: endpoint.method,
    url: `${API_BASE}/${endpoint.path.replace(/\{\w+\}/g, somebodyElses)}`,
    ...(endpoint.method !== 'GET' && endpoint.method !== 'DELETE' && { payload: {} }),
    headers: { ...(token && { authorization: `Bearer ${token}` }) },
  })

describe('without a session', () => {
  test.each(guarded.map((endpoint) => [endpointName(endpoint), endpoint] as const))(
    '%s answers 401',
    async (_, endpoint) => {
      for (const token of ['', 'not-a-token', '🚚'.repeat(3)]) {
        const answer = await ask(endpoint, encodeURIComponent(token))
        expect(answer.statusCode).toBe(401)
        expect(answer.json()).toMatchObject({ code: 'signedOut' })
      }
    },
  )

  test('an ended, an expired and a deleted user’s session are no sessions', async () => {
    const [ended, expired, deleted] = [
      await world.addUser('admin'),
      await world.addUser('admin'),
      await world.addUser('admin'),
    ]
    const { db } = world
    await db
      .updateTable('session')
      .set({ ended_at: new Date(), end_reason: 'forced' })
      .where('user_uid', '=', ended.uid)
      .execute()
    await db
      .updateTable('session')
      .set({ expires_at: new Date(0) })
      .where('user_uid', '=', expired.uid)
      .execute()
    await db.updateTable('user_account').set({ deleted_at: new Date() }).where('uid', '=', deleted.uid).execute()
    for (const { token } of [ended, expired, deleted]) {
      for (const endpoint of guarded) expect((await ask(endpoint, token)).statusCode).toBe(401)
    }
  })

  test('a session ended between two calls is ended for the second', async () => {
    const { uid, token } = await world.addUser('admin')
    const me = endpoints.find(({ path }) => path === 'user/user-with-permissions') as Endpoint
    expect((await ask(me, token)).statusCode).toBe(200)
    await world.db
      .updateTable('session')
      .set({ ended_at: new Date(), end_reason: 'forced' })
      .where('user_uid', '=', uid)
      .execute()
    expect((await ask(me, token)).statusCode).toBe(401)
  })

  test('a change of role ends the session', async () => {
    const { uid, token } = await world.addUser('sales')
    await world.db.updateTable('user_account').set({ role: 'driver' }).where('uid', '=', uid).execute()
    for (const endpoint of guarded) expect((await ask(endpoint, token)).statusCode).toBe(401)
  })
})

describe('what each role may do', () => {
  /** With the role's default modules; `yes` means let in, whatever the input then gives. */
  const expected: Record<string, Record<Role, 'yes' | 'no'>> = {
    'POST authentication/logout': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET user/user-with-permissions': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET authentication/sessions': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'DELETE authentication/sessions': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET authentication/credentials': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'DELETE authentication/credentials/{kind}/{uid}': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET user/{uid}/credentials': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE user/{uid}/credentials/{kind}/{credentialUid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET push/browsers': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST push/browsers': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST push/browsers/confirm': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST push/browsers/{uid}/test': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET notifications/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET notifications/unread': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'PUT notifications/read': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'PUT notifications/all-read': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET notifications/settings': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'PUT notifications/settings': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET authentication/factors': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST authentication/proof': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST authentication/proof/challenge': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST authentication/passkeys/challenge': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST authentication/passkeys': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'DELETE authentication/passkeys/{uid}': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST authentication/code-app/setup': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST authentication/code-app': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'DELETE authentication/code-app': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST authentication/recovery-codes': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'PUT user/preferences': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET user/info/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET user/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST user/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT user/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE user/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET user/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT user/restore-user/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT user/force-logout-user/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT user/reset-second-factor/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT user/resend-invitation/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST user/send-invitations': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET user/{uid}/sessions': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET user/{uid}/history': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET web-log/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET web-log/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET position-sources/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST position-sources/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT position-sources/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST position-sources/{uid}/key': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST position-sources/accounts': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT position-sources/{uid}/account': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE position-sources/{uid}/account': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST position-sources/{uid}/test': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST truck-trackers/{uid}/file': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET services/connections': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST services/connections/test': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE position-sources/{uid}/key': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET truck-trackers/unknown': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET truck-trackers/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST truck-trackers/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE truck-trackers/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET api-keys/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET api-keys/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST api-keys/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE api-keys/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET webhooks/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET webhooks/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST webhooks/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT webhooks/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE webhooks/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST webhooks/{uid}/pause': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST webhooks/{uid}/resume': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST webhooks/{uid}/secret': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST webhooks/{uid}/test': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET webhook-deliveries/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET webhook-deliveries/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST webhook-deliveries/{uid}/send-again': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET audit-log/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET messages/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET messages/counts': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET messages/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT messages/{uid}/send-again': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT messages/{uid}/cancel': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST user/invite-client': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET markets/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET clients/run': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET clients/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST clients/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT clients/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE clients/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET clients/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT clients/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET clients/{uid}/history': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-programs/run': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-programs/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST client-programs/copy': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST client-programs/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT client-programs/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE client-programs/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-programs/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT client-programs/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-programs/{uid}/history': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET markets/{uid}': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET markets/{uid}/history': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET markets/zone': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET markets/{uid}/zone': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT markets/{uid}/zone': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST markets/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT markets/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE markets/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET markets/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT markets/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET impressions/methods': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST impressions/methods': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET impressions/methods/{version}/{format}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET impressions/shifts/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET impressions/programs/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET settings/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT settings/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET settings/history': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET setup/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT setup/greeting': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT setup/dismissed': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET setup/standing': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST setup/empty-demo': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET gps-address-sets/run': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET gps-address-sets/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET gps-address-sets/{uid}/history': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST gps-address-sets/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT gps-address-sets/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE gps-address-sets/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET gps-address-sets/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT gps-address-sets/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST gps-address-sets/check-import': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST gps-address-sets/geocode': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST blob-storage/get-upload-sas': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'POST blob-storage/delete-blob': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'POST blob-storage/complete': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET artwork-sets/run': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET artwork-sets/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST artwork-sets/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT artwork-sets/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE artwork-sets/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET artwork-sets/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT artwork-sets/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST artwork-sets/approve': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST artwork-sets/withdraw': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET artwork-sets/trucks': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET artwork-sets/{uid}/fit': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET artwork-sets/{uid}/history': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET trucks/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET trucks/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST trucks/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT trucks/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE trucks/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET trucks/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT trucks/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET trucks/{uid}/history': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET devices/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST devices/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST devices/{uid}/code': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET trucks/{uid}/screens': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST devices/{uid}/commands': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET device-commands/{uid}/picture': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST screen-pairings/claim': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST devices/{uid}/revoke': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST devices/{uid}/counter-jump': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE devices/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT devices/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET devices/{uid}/play-numbers': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET devices/{uid}/history': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET pixel/': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET pixel/{uid}': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'POST pixel/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT pixel/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE pixel/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET pixel/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT pixel/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET pixel/{uid}/history': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET program-schedule/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET program-schedule/details/totals': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET changes/run': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-pop/photos/waiting/run': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET clients/{uid}/monthly-report': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET clients/{uid}/report-mails': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'PUT clients/{uid}/report-mails': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'POST clients/{uid}/report-mails/send': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'POST client-programs/{uid}/report-mails/send': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET payroll/calendar': { admin: 'yes', driver: 'yes', sales: 'no', client: 'no' },
    'GET payroll/decisions': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT payroll/decisions': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET program-schedule/day-sheet': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/details/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET program-schedule/{uid}/track': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/{uid}/plays': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET replay/trucks': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET replay/track': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET replay/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET program-user-schedule/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET program-user-schedule/calendar-link': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'POST program-user-schedule/calendar-link': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'DELETE program-user-schedule/calendar-link': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET program-schedule/{uid}': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET program-schedule/board': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'POST program-schedule/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT program-schedule/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE program-schedule/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT program-schedule/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT program-schedule/status': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'PUT program-schedule/times': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST program-schedule/clashes': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/suggestions': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST program-schedule/acts': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST program-schedule/acts/undo': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET out-of-service/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'POST out-of-service/check': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST out-of-service/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT out-of-service/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE out-of-service/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/fill': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST program-schedule/fill': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE program-schedule/fill/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST program-schedule/fill/accept': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST program-schedule/copy': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST program-schedule/upload': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/upload-template': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST imports/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST imports/undo': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET imports/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET imports/template': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET imports/records': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/trucks': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/drivers': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/programs': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/{uid}/history': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET inspections/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET inspections/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET inspections/{uid}/pdf': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT inspections/repairs': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET incidents/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET incidents/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST incidents/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT incidents/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE incidents/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT incidents/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET incidents/{uid}/history': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET inspection-items/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET inspection-items/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST inspection-items/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT inspection-items/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET inspection-items/{uid}/history': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET driver-app/inspections/run': { admin: 'no', driver: 'yes', sales: 'no', client: 'no' },
    'GET driver-app/inspections/{uid}': { admin: 'no', driver: 'yes', sales: 'no', client: 'no' },
    'GET driver-app/inspections/{uid}/pdf': { admin: 'no', driver: 'yes', sales: 'no', client: 'no' },
    'GET driver-app/profile': { admin: 'no', driver: 'yes', sales: 'no', client: 'no' },
    'PUT driver-app/profile': { admin: 'no', driver: 'yes', sales: 'no', client: 'no' },
    'GET driver-app/day': { admin: 'no', driver: 'yes', sales: 'no', client: 'no' },
    'POST driver-app/acts': { admin: 'no', driver: 'yes', sales: 'no', client: 'no' },
    'GET program-schedule/{uid}/driver': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST program-schedule/{uid}/messages': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST program-schedule/{uid}/dismiss-truck-request': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET program-schedule/{uid}/time-questions': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST program-schedule/{uid}/time-answer': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET payroll/run': { admin: 'yes', driver: 'yes', sales: 'no', client: 'no' },
    'GET payroll/statement': { admin: 'yes', driver: 'yes', sales: 'no', client: 'no' },
    'PUT payroll/override': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST payroll/adjustments/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'DELETE payroll/adjustments/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT payroll/adjustments/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET payroll/periods/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'POST payroll/periods/approve': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT payroll/periods/state': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET payroll/file/check': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET payroll/file': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET payroll/periods/{uid}/history': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET overview/shifts': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET overview/truck-issues': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET overview/truck-issues/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET overview/figures': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET overview/plays': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT issues/resolved-status': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET issues/{uid}/history': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST issues/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT issues/assignee': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'PUT issues/snooze': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET issues/{uid}/comments': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST issues/{uid}/comments': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET issues/trucks': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET issues/assignees': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET overview/trucks/{uid}/track': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET trucks/miles-by-day': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET client-pop/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET client-pop/{uid}': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'PUT client-pop/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT client-pop/pop-market': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST client-pop/program-pop': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST client-pop/withdraw': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-programs/{uid}/report-mails': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'PUT client-programs/{uid}/report-mails': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET client-programs/{uid}/report-mails/preview': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'PUT client-pop/password': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-pop/miles-driven': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET client-pop/{uid}/preview': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-pop/{uid}/versions': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET client-pop/{uid}/versions/{number}/{format}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET client-pop/{uid}/history': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST client-pop/': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET client-pop/photos/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'GET client-pop/photos/{uid}': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    'PUT client-pop/photos/': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'PUT client-pop/photos/status': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT client-pop/photos/move': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE client-pop/photos/{uid}': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'PUT client-pop/photos/{uid}/restore': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
    'GET client-pop/photos/{uid}/history': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET overview/pop-photos': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET smart-directional-report/client-program-lookup': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET smart-directional-report/client-program-market-lookup': {
      admin: 'yes',
      driver: 'no',
      sales: 'yes',
      client: 'no',
    },
    'GET smart-directional-report/ranking': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET smart-directional-report/run': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET smart-directional-report/summary': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET smart-directional-report/approaches': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET feeds/{uid}/plays.csv': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET feeds/{uid}/plays.jsonl': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET feeds/{uid}/google-ad-plays.json': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET feeds/{uid}/positions.geojson': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET campaigns/run': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET campaigns/trucks': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET campaigns/{uid}/ad-log': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET campaigns/{uid}/links': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST campaigns/links': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE campaigns/links/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-programs/{uid}/proposals': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST client-programs/{uid}/proposals/preview': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST client-programs/{uid}/proposals': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET sales-proposals/{uid}/page': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET sales-proposals/{uid}/pdf': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'DELETE sales-proposals/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET ad-log-report/client-program-lookup': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET ad-log-report/client-program-market-lookup': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET ad-log-report/run': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET ad-log-report/missing-and-rejected': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET charts/utilization': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET charts/driver-hours': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET charts/on-time-starts': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET charts/plays-by-hour': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET ad-log-report/unassigned': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET ad-log-report/summary': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-programs/{uid}/rotation': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'PUT client-programs/{uid}/rotation': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-programs/{uid}/delivery': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
    'GET overview/campaigns-behind': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'POST overview/campaigns-behind/shifts': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET overview/business': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET client-programs/facts': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET clients/facts': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET trucks/facts': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET user/facts': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET client-programs/{uid}/steps': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
    'GET services/away': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET services/jobs': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
    'GET jump/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
    ...legacyAccess,
  }

  test('is this table', async () => {
    const found: Record<string, Record<string, string>> = {}
    for (const endpoint of guarded) {
      const row: Record<string, string> = (found[endpointName(endpoint)] = {})
      for (const role of roles) {
        // Some calls sign out, so each of those gets a user of its own.
        const { token } = endpoint.access === 'signedIn' ? await world.addUser(role) : world.people[role]
        const { statusCode } = await ask(endpoint, token)
        expect(statusCode, `${role} is signed in at ${endpointName(endpoint)}`).not.toBe(401)
        row[role] = statusCode === 403 ? 'no' : 'yes'
      }
    }
    // oxlint-disable-next-line no-console
    console.table(found)
    expect(found).toEqual(expected)
  })

  test('a role that is granted every module still reaches only what the permission table opens to it', async () => {
    const sales = await world.addUser('sales', ['trucks'])
    const driver = await world.addUser('driver', ['trucks'])
    const client = await world.addUser('client', ['trucks'])
    const status = async (name: string, token: string) =>
      (await ask(endpoints.find((e) => endpointName(e) === name) as Endpoint, token)).statusCode
    expect(await status('GET trucks/run', sales.token)).toBe(200)
    expect(await status('POST trucks/', sales.token)).toBe(403)
    expect(await status('DELETE trucks/{uid}', sales.token)).toBe(403)
    expect(await status('GET trucks/run', driver.token)).toBe(403)
    expect(await status('GET trucks/run', client.token)).toBe(403)
  })

  test('an id that names nothing answers 404, also when it is no id at all', async () => {
    for (const path of [
      'trucks/01900000-0000-7000-8000-000000000000',
      'trucks/1',
      "trucks/';drop table truck;--",
      'trucks/%00',
    ]) {
      const answer = await world.app.inject({
        url: `${API_BASE}/${path}`,
        headers: { authorization: `Bearer ${world.people.admin.token}` },
      })
      expect(answer.statusCode, path).toBe(404)
    }
  })
})
