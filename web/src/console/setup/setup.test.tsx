import { defaultSettings, settings } from '@roadshow/contract/catalog/settings'
import { services } from '@roadshow/contract/console/services'
import { setup, setupKeys } from '@roadshow/contract/console/setup'
import type { Setup, SetupRow, SetupStanding } from '@roadshow/contract/console/setup'
import { markets } from '@roadshow/contract/catalog/markets'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, openConsole, paged, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

let api: FakeApi
const user = userEvent.setup({ delay: null })

const rowsWith = (changed: Partial<Record<string, Partial<SetupRow>>>): SetupRow[] =>
  setupKeys.map((key) => ({ key, state: 'open', text: 'Nothing yet', at: null, ...changed[key] }))
const found = (more: Partial<Setup> = {}): { data: Setup } => ({
  data: { greeting: null, isUnfinished: true, done: 1, total: 15, rows: rowsWith({}), ...more },
})
const stands = (more: Partial<SetupStanding> = {}): { data: SetupStanding } => ({
  data: { greeting: null, isUnfinished: true, demo: null, ...more },
})

beforeEach(() => {
  api = fakeApi()
  api.answer(setup.get, () => found())
  api.answer(setup.standing, () => stands())
  api.answer(settings.get, () => ({ data: { version: 1, values: defaultSettings } }))
  api.answer(markets.list, () => paged([]))
})
afterEach(cleanup)

test('each line says what is there, how long ago, and leads to where it is done', async () => {
  const at = new Date(Date.now() - 3000).toISOString()
  const tracker = { state: 'done', text: 'Last position of T-1', at } as const
  api.answer(setup.get, () => found({ rows: rowsWith({ tracker }) }))
  const { address } = openConsole('/setup', { api })
  const list = within(await screen.findByRole('list', { name: 'What is left to set up' }))
  expect(list.getAllByRole('listitem')).toHaveLength(15)
  expect(list.getByText(/Last position of T-1, [3-9] s ago/)).toBeInTheDocument()
  expect(screen.getByText('1 of 15 done')).toBeInTheDocument()
  for (const each of ['Markets', 'Trucks', 'Drivers', 'Clients', 'First program', 'First shift'])
    expect(list.getByRole('button', { name: `Import from a spreadsheet: ${each}` })).toBeInTheDocument()
  await user.click(list.getByRole('button', { name: 'Add: Clients' }))
  expect(address()).toBe('/clients?open=new')
})

test('a test email is sent, and the list put away', async () => {
  api.answer(services.testConnection, () => ({
    data: { isWorking: true, text: 'The mail server took an email to avery@example.com.' },
  }))
  api.answer(setup.dismiss, () => found({ isUnfinished: false }))
  openConsole('/setup', { api })
  await user.click(await screen.findByRole('button', { name: 'Send a test' }))
  expect(await screen.findByText('The mail server took an email to avery@example.com.')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Put this list away' }))
  await waitFor(() => expect(api.sentTo(setup.dismiss)[0]?.body).toEqual({ isDismissed: true }))
})

test('the greeting saves a step and goes on with the next, and a step can be skipped', async () => {
  api.answer(setup.get, () => found({ greeting: 'company' }))
  api.answer(settings.update, () => ({ data: { version: 2, values: defaultSettings } }))
  api.answer(setup.passStep, () => found({ greeting: 'markets' }))
  const { address } = openConsole('/welcome', { api })
  await user.type(await screen.findByLabelText('Company name'), 'Wheels & Ads')
  await user.click(screen.getByRole('button', { name: 'Save and continue' }))
  await waitFor(() => expect(address()).toBe('/welcome?step=markets'))
  expect(api.sentTo(settings.update)[0]?.body).toMatchObject({ companyName: 'Wheels & Ads', version: 1 })
  expect(api.sentTo(setup.passStep)[0]?.body).toEqual({ step: 'company' })
  await user.click(await screen.findByRole('button', { name: 'Skip' }))
  await waitFor(() => expect(address()).toBe('/welcome?step=pay'))
  expect(api.sentTo(setup.passStep).at(-1)?.body).toEqual({ step: 'markets' })
})

test('the demo is deleted only after its words were typed, by the one who is left', async () => {
  api.answer(setup.standing, () => stands({ isUnfinished: false, demo: 'loaded' }))
  api.answer(setup.emptyDemo, () => ({ data: { email: 'robin@vale.example' } }))
  openConsole('/setup', { api })
  await user.click(await screen.findByRole('button', { name: 'Start with your own data' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the demo?' }))
  await user.type(dialog.getByLabelText('Your name'), 'Robin Vale')
  await user.type(dialog.getByLabelText('Your email'), 'robin@vale.example')
  await user.type(dialog.getByLabelText('Your password'), 'seven green lanterns')
  await user.type(dialog.getByLabelText('To confirm'), 'delete the demo')
  await user.click(dialog.getByRole('button', { name: 'Delete the demo' }))
  expect(await dialog.findByRole('status')).toHaveTextContent('The demo is being deleted.')
  expect(api.sentTo(setup.emptyDemo)[0]?.body).toMatchObject({ confirm: 'delete the demo', name: 'Robin Vale' })
})

test('no one but admins is led there', async () => {
  openConsole('/setup', { api, user: someUser('sales', ['overview', 'clients']) })
  await waitFor(() => expect(screen.queryByRole('list', { name: 'What is left to set up' })).toBeNull())
  expect(api.sentTo(setup.get)).toHaveLength(0)
})
