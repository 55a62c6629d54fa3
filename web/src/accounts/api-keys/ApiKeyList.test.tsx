import { DAY_MS } from '@roadshow/contract/platform/durations'
import { apiKeys } from '@roadshow/contract/accounts/api-keys'
import type { ApiKey } from '@roadshow/contract/accounts/api-keys'
import { clients } from '@roadshow/contract/catalog/clients'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const acme = { uid: uidOf(800), name: 'Acme' }
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS + 3_600_000).toISOString()

const aKey = (n: number, more: Partial<ApiKey> = {}): ApiKey => ({
  uid: uidOf(n),
  name: `Program ${n}`,
  start: `rk_abc${n}`,
  modules: ['overview', 'pop'],
  access: 'read',
  client: null,
  state: 'open',
  createdBy: { uid: uidOf(900), name: 'Avery Stone' },
  createdAt: '2026-07-01T12:00:00.000Z',
  expiresAt: inDays(60),
  lastUsedAt: null,
  lastAddress: null,
  endedAt: null,
  endedBy: null,
  endReason: null,
  ...more,
})

let api: FakeApi
let keys: ApiKey[]
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  keys = [
    aKey(1, { lastUsedAt: '2026-07-02T12:00:00.000Z', lastAddress: '203.0.113.7' }),
    aKey(2, { expiresAt: inDays(5), client: acme }),
  ]
  api.answer(apiKeys.list, () => ({ data: keys, page: 1, pageSize: 10, total: keys.length }))
  api.answer(apiKeys.get, ({ params }) => ({ data: keys.find(({ uid }) => uid === params.uid) ?? aKey(1) }))
  const client = { ...acme, contacts: [], note: '', programsCount: 0, logo: null, createdAt: '', updatedAt: '' }
  api.answer(clients.list, () => ({ data: [{ ...client, version: 1 }], page: 1, pageSize: 200, total: 1 }))
})
afterEach(cleanup)

const openKeys = (more = '') => openConsole(`/users?view=api-keys${more}`, { api })

test('an admin sees the keys, when each was last used, and which one expires soon', async () => {
  openKeys()
  const first = within((await screen.findByText('Program 1')).closest('tr') as HTMLElement)
  expect(first.getByText('rk_abc1…')).toBeInTheDocument()
  expect(first.getByText('All clients')).toBeInTheDocument()
  expect(first.getByText(/^\w{3}, Jul \d, \d{1,2}:\d\d [AP]M \S+$/)).toBeInTheDocument()
  const second = within(screen.getByText('Program 2').closest('tr') as HTMLElement)
  expect(second.getByText('Expires in 5 days')).toBeInTheDocument()
  expect(second.getByText('Acme')).toBeInTheDocument()
})

test('a new key is shown once, to copy', async () => {
  const key = `rk_${'x'.repeat(50)}`
  api.answer(apiKeys.create, () => ({ data: { key, apiKey: aKey(3, { name: 'Data warehouse' }) } }))
  openKeys('&open=new')
  await user.type(await screen.findByLabelText('Name'), 'Data warehouse')
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  expect(await screen.findByText('Choose at least one module.')).toBeInTheDocument()
  await user.click(screen.getByRole('checkbox', { name: 'POP' }))
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  expect(await screen.findByLabelText<HTMLInputElement>('API key')).toHaveValue(key)
  expect(screen.getByText(/shown only once/)).toBeInTheDocument()
  expect(api.sentTo(apiKeys.create)[0]?.body).toEqual({
    name: 'Data warehouse',
    modules: ['pop'],
    access: 'read',
    clientUid: null,
    expiresInDays: 90,
  })
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByText(/shown only once/)).toBeNull())
})

test('a key for one client reads only what clients see', async () => {
  openKeys('&open=new')
  await user.click(await screen.findByRole('radio', { name: /Read and write/ }))
  await user.click(screen.getByRole('checkbox', { name: 'Payroll' }))
  await user.click(screen.getByRole('checkbox', { name: 'POP' }))
  await user.click(screen.getByLabelText('Client'))
  await user.click(await screen.findByText('Acme', { selector: '.ant-select-item-option-content' }))
  await waitFor(() => expect(screen.getByRole('radio', { name: /Read and write/ })).toBeDisabled())
  expect(screen.getByRole('radio', { name: /^Read:/ })).toBeChecked()
  expect(screen.queryByRole('checkbox', { name: 'Payroll' })).toBeNull()
  expect(screen.getByRole('checkbox', { name: 'POP' })).toBeChecked()
})

test('an admin gives only modules that they hold', async () => {
  openConsole('/users?view=api-keys&open=new', { api, user: someUser('admin', ['users', 'trucks']) })
  expect(await screen.findByRole('checkbox', { name: 'Trucks' })).toBeInTheDocument()
  expect(screen.queryByRole('checkbox', { name: 'Payroll' })).toBeNull()
})

test('what the server refuses is marked at its field', async () => {
  api.respond(apiKeys.create, () => refusal('badInput', { fields: { name: 'At most 80 characters.' } }))
  openKeys('&open=new')
  await user.type(await screen.findByLabelText('Name'), 'A name')
  await user.click(screen.getByRole('checkbox', { name: 'POP' }))
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  expect(await screen.findByText('At most 80 characters.')).toBeInTheDocument()
})

test('a key is ended after a question, and says so', async () => {
  api.answer(apiKeys.end, () => {
    keys = [
      aKey(1, {
        state: 'ended',
        endedAt: '2026-07-03T12:00:00.000Z',
        endReason: 'ended',
        endedBy: { uid: uidOf(900), name: 'Avery Stone' },
      }),
    ]
    return { data: keys[0] as ApiKey }
  })
  openKeys(`&open=${uidOf(1)}`)
  expect(await screen.findByText(/from 203\.0\.113\.7/)).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'End key' }))
  const question = await findDialog('End Program 1?')
  await user.click(within(question).getByRole('button', { name: 'End key' }))
  expect(await screen.findByText('Program 1 ended.')).toBeInTheDocument()
  expect(await screen.findByText('Ended by an admin')).toBeInTheDocument()
})
