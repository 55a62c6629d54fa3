import { defaultSettings, settings } from '@roadshow/contract/catalog/settings'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { services } from '@roadshow/contract/console/services'
import type { Connection } from '@roadshow/contract/console/services'
import { sources } from '@roadshow/contract/live/position-sources'
import type { PositionSource } from '@roadshow/contract/live/position-sources'
import { cleanup, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole } from '../../test-console.tsx'

const user = userEvent.setup({ delay: null })
afterEach(cleanup)

const GEOTAB = '00000000-0000-0000-0000-000000000000'
const geotab: PositionSource = {
  uid: GEOTAB,
  name: 'MyGeotab',
  kind: 'geotab',
  state: 'unset',
  isBuiltIn: true,
  keyStart: '',
  account: null,
  trucks: 0,
  unknownIds: 0,
  createdAt: '2026-07-01T12:00:00.000Z',
  createdBy: null,
  lastSeenAt: null,
  lastAddress: null,
  lastFixAt: null,
  lastError: null,
  lastErrorAt: null,
}
const connection = (given: Partial<Connection> & Pick<Connection, 'key' | 'group' | 'name'>): Connection => ({
  detail: '',
  state: 'working',
  lastSuccessAt: '2026-07-01T12:00:00.000Z',
  lastError: null,
  lastErrorAt: null,
  setUpIn: 'server',
  canTest: true,
  turnOn: null,
  ...given,
})

async function openTab(rows: Connection[]) {
  const api = fakeApi()
  api.answer(trucks.list, () => ({ data: [], page: 1, pageSize: 50, total: 0 }))
  api.answer(settings.get, () => ({ data: { version: 1, values: defaultSettings } }))
  api.answer(services.connections, () => ({ data: rows }))
  api.answer(sources.list, () => ({ data: [geotab] }))
  openConsole('/trucks?settings=open', { api })
  const drawer = within(await findDialog('Settings'))
  await user.click(await drawer.findByRole('tab', { name: 'Connections' }))
  return { api, drawer, list: within(await drawer.findByRole('list', { name: 'Connections' })) }
}

test('an admin reads each connection with its last problem in words, and tests one', async () => {
  const { api, list } = await openTab([
    connection({ key: 'storage', group: 'storage', name: 'File storage', detail: 'Azure at blobs.example' }),
    connection({
      key: 'mail',
      group: 'mail',
      name: 'Email',
      state: 'failing',
      lastError: 'The mail server refused the password.',
      lastErrorAt: '2026-07-01T13:00:00.000Z',
    }),
  ])
  const [storage, mail] = await list.findAllByRole('listitem')
  expect(storage?.textContent).toMatch(/File storageWorking.*Azure at blobs\.example\. Set by the server\.Worked last /)
  expect(mail?.textContent).toMatch(/EmailFailing.*Last problem .*: The mail server refused the password\.$/)
  api.answer(services.testConnection, () => ({
    data: { isWorking: true, text: 'A file was written, read and deleted.' },
  }))
  await user.click(list.getByRole('button', { name: 'Test File storage now' }))
  expect(await list.findByText('A file was written, read and deleted.')).toBeTruthy()
  expect(api.sentTo(services.testConnection).map(({ body }) => body)).toEqual([{ key: 'storage' }])
})

const off = (given: Partial<Connection> & Pick<Connection, 'key' | 'group' | 'name'>) =>
  connection({ state: 'off', setUpIn: 'console', canTest: false, lastSuccessAt: null, ...given })

test('an admin connects MyGeotab', async () => {
  const turnOn = { text: 'Enter its account.', step: 'connectGeotab' } as const
  const { api, list } = await openTab([off({ key: `trackers ${GEOTAB}`, group: 'trackers', name: 'MyGeotab', turnOn })])
  expect(await list.findByText('Enter its account.')).toBeVisible()
  await user.click(list.getByRole('button', { name: 'Connect MyGeotab' }))
  const dialog = within(await findDialog('Account of MyGeotab'))
  await user.type(dialog.getByRole('textbox', { name: 'Database' }), 'acme')
  await user.type(dialog.getByRole('textbox', { name: 'User' }), 'ops@acme.example')
  await user.type(dialog.getByLabelText('Password'), 'a secret')
  api.answer(sources.saveAccount, () => ({ data: { ...geotab, state: 'active' as const } }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await expect
    .poll(() => api.sentTo(sources.saveAccount).map(({ body }) => body))
    .toEqual([{ server: 'https://my.geotab.com', database: 'acme', user: 'ops@acme.example', secret: 'a secret' }])
})

test('an admin connects Samsara, which has no row of its own before', async () => {
  const turnOn = { text: 'Enter an API token.', step: 'connectSamsara' } as const
  const { api, list } = await openTab([off({ key: 'new samsara', group: 'trackers', name: 'Samsara', turnOn })])
  await user.click(await list.findByRole('button', { name: 'Connect Samsara' }))
  const dialog = within(await findDialog('Connect Samsara'))
  await user.type(dialog.getByLabelText('API token'), 'samsara_api_1')
  api.answer(sources.addPolled, () => ({ data: { ...geotab, kind: 'samsara' as const, name: 'Samsara' } }))
  await user.click(dialog.getByRole('button', { name: 'Connect' }))
  await expect
    .poll(() => api.sentTo(sources.addPolled).map(({ body }) => body))
    .toEqual([{ name: 'Samsara', kind: 'samsara', server: 'https://api.samsara.com', secret: 'samsara_api_1' }])
})

test('what is off says how it is switched on, and leads there', async () => {
  const { drawer, list } = await openTab([
    off({
      key: 'mail',
      group: 'mail',
      name: 'Email',
      setUpIn: 'server',
      turnOn: { text: 'Set SMTP_URL to your mail server and restart the server.', step: null },
    }),
    off({
      key: 'new source',
      group: 'trackers',
      name: 'Traccar, OsmAnd and JSON',
      turnOn: { text: 'Add a source.', step: 'addSource' },
    }),
  ])
  const [mail] = await list.findAllByRole('listitem')
  expect(mail?.textContent).toMatch(/Set SMTP_URL to your mail server and restart the server\.$/)
  expect(within(mail as HTMLElement).queryByRole('button')).toBeNull()
  await user.click(list.getByRole('button', { name: 'Add a position source' }))
  expect(await drawer.findByRole('tab', { name: 'Position sources' })).toHaveAttribute('aria-selected', 'true')
  expect(await drawer.findByRole('button', { name: 'Add source' })).toBeVisible()
})
