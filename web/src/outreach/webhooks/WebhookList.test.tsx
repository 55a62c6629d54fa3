import { clients } from '@roadshow/contract/catalog/clients'
import { webhookDeliveries, webhooks } from '@roadshow/contract/outreach/webhooks'
import type { DeliveryDetails, Webhook } from '@roadshow/contract/outreach/webhooks'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, refusal } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const AT = '2026-07-01T12:00:00.000Z'

const aWebhook = (n: number, more: Partial<Webhook> = {}): Webhook => ({
  uid: uidOf(n),
  version: 1,
  url: `https://hooks${n}.example.com/in`,
  description: '',
  events: ['pop.published'],
  client: null,
  state: 'active',
  createdBy: { uid: uidOf(900), name: 'Avery Stone' },
  createdAt: AT,
  pausedAt: null,
  pausedBy: null,
  pauseReason: null,
  endedAt: null,
  endedBy: null,
  endReason: null,
  oldSecretUntil: null,
  failures: 0,
  failingSince: null,
  lastAcceptedAt: null,
  waiting: 0,
  ...more,
})

const aDelivery = (more: Partial<DeliveryDetails> = {}): DeliveryDetails => ({
  uid: uidOf(50),
  webhookId: `msg_${uidOf(50)}`,
  at: AT,
  event: 'webhook.test',
  webhook: { uid: uidOf(1), url: 'https://hooks1.example.com/in' },
  state: 'sent',
  attempts: 1,
  nextAt: null,
  expiresAt: AT,
  doneAt: AT,
  problem: null,
  body: '{"type":"webhook.test"}',
  log: [{ at: AT, ms: 41, isAccepted: true, result: 'It answered 200 OK.', status: 200, answer: 'thanks' }],
  ...more,
})

let api: FakeApi
let rows: Webhook[]
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  rows = [aWebhook(1), aWebhook(2, { failures: 3, failingSince: AT })]
  api.answer(webhooks.list, () => ({ data: rows, page: 1, pageSize: 10, total: rows.length }))
  api.answer(webhooks.get, ({ params }) => ({ data: rows.find(({ uid }) => uid === params.uid) ?? aWebhook(1) }))
  api.answer(webhookDeliveries.get, () => ({ data: aDelivery() }))
  api.answer(clients.list, () => ({ data: [], page: 1, pageSize: 200, total: 0 }))
})
afterEach(cleanup)

const openWebhooks = (more = '') => openConsole(`/users?view=webhooks${more}`, { api })

test('an admin sees the webhooks and which one fails', async () => {
  openWebhooks()
  const first = within((await screen.findByText('https://hooks1.example.com/in')).closest('tr') as HTMLElement)
  expect(first.getByText('Active')).toBeInTheDocument()
  const second = within(screen.getByText('https://hooks2.example.com/in').closest('tr') as HTMLElement)
  expect(second.getByText('Failing (3)')).toBeInTheDocument()
})

test('a new webhook shows its secret once, and a test shows the answer', async () => {
  api.answer(webhooks.create, () => ({ data: { secret: 'whsec_abc', webhook: aWebhook(3) } }))
  api.answer(webhooks.test, () => ({ data: aDelivery({ state: 'waiting', log: [] }) }))
  openWebhooks('&open=new')
  await user.type(await screen.findByLabelText('Address'), 'https://hooks3.example.com/in')
  await user.click(screen.getByRole('button', { name: 'Create webhook' }))
  expect(await screen.findByText('Choose at least one event.')).toBeInTheDocument()
  await user.click(screen.getByRole('checkbox', { name: /POP published/ }))
  await user.click(screen.getByRole('button', { name: 'Create webhook' }))
  expect(await screen.findByLabelText<HTMLInputElement>('Signing secret')).toHaveValue('whsec_abc')
  expect(api.sentTo(webhooks.create)[0]?.body).toEqual({
    url: 'https://hooks3.example.com/in',
    description: '',
    clientUid: null,
    events: ['pop.published'],
  })
  await user.click(screen.getByRole('button', { name: 'Send test event' }))
  expect(await screen.findByText('The receiver accepted the test event')).toBeInTheDocument()
  expect(screen.getByText('thanks')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByLabelText('Signing secret')).toBeNull())
})

test('what the server refuses is marked at its field', async () => {
  api.respond(webhooks.create, () => refusal('badInput', { fields: { url: 'The address must begin with https://.' } }))
  openWebhooks('&open=new')
  await user.type(await screen.findByLabelText('Address'), 'http://hooks.example.com')
  await user.click(screen.getByRole('checkbox', { name: /POP published/ }))
  await user.click(screen.getByRole('button', { name: 'Create webhook' }))
  expect(await screen.findByText('The address must begin with https://.')).toBeInTheDocument()
})

test('resuming a webhook asks what becomes of the messages that wait', async () => {
  rows = [aWebhook(1, { state: 'paused', pausedAt: AT, pauseReason: 'failing', waiting: 7 })]
  api.answer(webhooks.resume, () => ({ data: aWebhook(1) }))
  openWebhooks(`&open=${uidOf(1)}`)
  expect(await screen.findByText('Paused automatically')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Resume' }))
  const dialog = within(await findDialog('Resume hooks1.example.com?'))
  expect(dialog.getByText(/7 messages wait for it/)).toBeInTheDocument()
  await user.click(dialog.getByRole('radio', { name: 'Skip waiting messages' }))
  await user.click(dialog.getByRole('button', { name: 'Resume' }))
  await waitFor(() => expect(api.sentTo(webhooks.resume)[0]?.body).toEqual({ waiting: 'cancel' }))
})

test('a failed message is sent again from the log, which shows body and answer', async () => {
  const failed = aDelivery({ event: 'pop.published', state: 'dead', problem: 'It answered 500 Internal Server Error.' })
  const { body: _body, log: _log, ...row } = failed
  api.answer(webhookDeliveries.list, () => ({ data: [row], page: 1, pageSize: 10, total: 1 }))
  api.answer(webhookDeliveries.get, () => ({ data: failed }))
  api.answer(webhookDeliveries.sendAgain, () => ({ data: aDelivery({ state: 'waiting' }) }))
  openConsole(`/users?view=webhook-log&open=${failed.uid}`, { api })
  await user.click(await screen.findByRole('button', { name: 'Send again' }))
  await waitFor(() => expect(api.sentTo(webhookDeliveries.sendAgain)).toHaveLength(1))
  expect(screen.getByText(/"type": "webhook.test"/)).toBeInTheDocument()
})
