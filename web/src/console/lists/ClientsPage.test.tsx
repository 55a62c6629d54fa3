import { clients } from '@roadshow/contract/catalog/clients'
import type { Client } from '@roadshow/contract/catalog/clients'
import { listFacts } from '@roadshow/contract/console/list-facts'
import { users } from '@roadshow/contract/catalog/users'
import { clientMails } from '@roadshow/contract/proof/campaign-mails'
import type { ReportMailing } from '@roadshow/contract/proof/campaign-mails'
import { clientReports } from '@roadshow/contract/proof/client-reports'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const uid = '01900000-0000-7000-8000-000000000042'
const ada = { name: 'Ada Ray', title: 'Buyer', email: 'ada@acme.example', phone: '' }
const acme: Client = {
  uid,
  name: 'Acme',
  logo: null,
  contacts: [ada],
  note: '',
  programsCount: 3,
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
  version: 2,
}

let api: FakeApi
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  api.answer(clients.list, () => ({ data: [acme], page: 1, pageSize: 10, total: 1 }))
  api.answer(clients.get, () => ({ data: acme }))
  api.answer(listFacts.clients, () => ({ data: [{ uid, running: 2, monthCents: 1_250_000 }] }))
})
afterEach(cleanup)

const save = async () => user.click(screen.getByRole('button', { name: 'Save' }))

test('the list of clients shows what runs for each, what it is worth this month, and whom to call', async () => {
  openConsole('/clients', { api })
  const row = (await screen.findByRole('link', { name: 'Acme' })).closest('tr') as HTMLElement
  const cells = within(row).getAllByRole('cell')
  await within(row).findByText('2')
  expect(cells.slice(0, 6).map((cell) => cell.textContent)).toEqual([
    'Acme',
    '2',
    '$12,500.00',
    '3',
    'Ada Ray',
    'ada@acme.example',
  ])
  expect(api.sentTo(listFacts.clients)[0]?.query.getAll('client')).toEqual([uid])
})

test('notes are for people of the business: a client finds no empty place of them', async () => {
  // Wide enough for all columns.
  const media = { matches: false, addEventListener: () => {}, removeEventListener: () => {} }
  vi.spyOn(globalThis, 'matchMedia').mockReturnValue(media as unknown as MediaQueryList)
  const places = () => [screen.queryByText('Note', { selector: 'th' }), screen.queryByLabelText('Note')]
  const chosen = someUser('admin')
  const columns = { [clients.list.path]: ['name', 'note'] }
  const user = { ...chosen, preferences: { ...chosen.preferences, columns } }
  openConsole(`/clients?open=${uid}`, { api, user })
  await findDialog('Acme')
  expect(places()).not.toContain(null)
  cleanup()
  openConsole(`/clients?open=${uid}`, { api, user: someUser('client', ['clients']) })
  await findDialog('Acme')
  expect(places()).toEqual([null, null])
  vi.restoreAllMocks()
})

describe('the drawer of a client', () => {
  test('adds and removes contacts, and checks each as the server does', async () => {
    api.answer(clients.update, () => ({ data: acme }))
    openConsole(`/clients?open=${uid}`, { api })
    await findDialog('Acme')
    await user.click(screen.getByRole('button', { name: 'Add contact' }))
    const [, name] = screen.getAllByLabelText('Name', { selector: 'li input' })
    const [, email] = screen.getAllByLabelText('Email')
    await user.type(email as HTMLElement, 'nobody')
    await save()
    expect(await screen.findByText('Not a valid email address.')).toBeInTheDocument()
    expect(await screen.findByText('Required.')).toBeInTheDocument()
    expect(api.sentTo(clients.update)).toHaveLength(0)
    await user.type(email as HTMLElement, '@acme.example')
    await user.type(name as HTMLElement, 'Bo Lee')
    await user.click(screen.getByRole('button', { name: 'Remove contact 1' }))
    await save()
    await screen.findByText('Acme saved.')
    expect(api.sentTo(clients.update)[0]?.body).toMatchObject({
      version: 2,
      contacts: [{ name: 'Bo Lee', title: '', email: 'nobody@acme.example', phone: '' }],
    })
  })

  test('does not ask about edits when nothing was edited', async () => {
    const { address } = openConsole(`/clients?open=${uid}`, { api })
    await user.click(within(await findDialog('Acme')).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByText('Discard your changes?')).toBeNull()
    expect(address()).toBe('/clients')
  })

  test('invites a user of the client, and shows at the field what is wrong', async () => {
    api.respond(users.invite, () => refusal('emailTaken', { fields: { email: 'Another user has this email.' } }))
    openConsole(`/clients?open=${uid}`, { api })
    await findDialog('Acme')
    await user.click(screen.getByRole('tab', { name: 'Invite' }))
    const panel = screen.getByRole('tabpanel', { name: 'Invite' })
    const invite = within(panel).getByRole('button', { name: 'Invite a client user' })
    await user.type(within(panel).getByLabelText('Name'), 'Cy Moe')
    await user.type(within(panel).getByLabelText('Email'), 'cy@acme.example')
    await user.click(invite)
    expect(await screen.findByText('Another user has this email.')).toBeInTheDocument()
    api.answer(users.invite, () => ({ data: { userUid: uid, name: 'Cy Moe', email: 'cy@acme.example' } }))
    await user.click(invite)
    await screen.findByText('Cy Moe gets an email with a link to set a password.')
    expect(api.sentTo(users.invite)[0]?.body).toEqual({ name: 'Cy Moe', email: 'cy@acme.example', clientUid: uid })
    expect(api.sentTo(clients.update)).toHaveLength(0)
  })

  test('says which programs still need the client', async () => {
    const error = 'This client has programs that are not completed: Summer. Complete or delete them first.'
    api.respond(clients.remove, () => refusal('stillNeeded', { error }))
    openConsole(`/clients?open=${uid}`, { api })
    await user.click(within(await findDialog('Acme')).getByRole('button', { name: 'Delete' }))
    await user.click(within(await findDialog('Delete Acme?')).getByRole('button', { name: 'Delete client' }))
    expect(await screen.findByText(error)).toBeInTheDocument()
  })
})

describe('the monthly report', () => {
  const figures = { shifts: 2, seconds: 7200, metres: 16_093.44, plays: 30, verifiedPlays: 28, photos: 1 }
  const month = {
    client: { uid, name: 'Acme' },
    month: '2026-06',
    from: '2026-06-01',
    to: '2026-06-30',
    programs: [{ program: { uid, name: 'Summer' }, ...figures }],
    total: figures,
    contacts: [{ name: ada.name, email: ada.email }],
  }
  let mailing: ReportMailing

  test('goes to contacts and others who are chosen, each month and now', async () => {
    mailing = { recipients: [], sent: [] }
    api.answer(clientReports.get, () => ({ data: month }))
    api.answer(clientMails.get, () => ({ data: mailing }))
    api.answer(clientMails.save, ({ body }) => {
      const { recipients } = body as ReportMailing
      mailing = { recipients: recipients.map((each) => ({ ...each, unsubscribedAt: null })), sent: [] }
      return { data: mailing }
    })
    api.answer(clientMails.send, () => ({ data: { recipients: 2 } }))
    openConsole(`/clients?open=${uid}&tab=monthly-report`, { api })
    const part = within(await screen.findByRole('region', { name: 'Emailed reports' }))
    await part.findByText('No one gets the monthly report yet.')
    expect(part.queryByRole('button', { name: /^Send now/ })).toBeNull()
    await user.click(part.getByRole('button', { name: 'Add Ada Ray' }))
    expect(part.queryByRole('button', { name: 'Add Ada Ray' })).toBeNull()
    await part.findByRole('button', { name: /^Send now/ })
    const listed = (...emails: string[]) => emails.map((email) => ({ email, occasions: ['monthly'] }))
    expect(api.sentTo(clientMails.save)[0]?.body).toEqual({ before: [], recipients: listed(ada.email) })
    await user.click(part.getByRole('button', { name: 'Add recipient' }))
    await user.type(part.getByLabelText('Email 2'), 'boss@acme.example')
    await user.click(part.getByRole('button', { name: 'Save recipients' }))
    expect(api.sentTo(clientMails.save)[1]?.body).toEqual({
      before: listed(ada.email),
      recipients: listed(ada.email, 'boss@acme.example'),
    })
    await user.click(await part.findByRole('button', { name: 'Send now: Jun 2026' }))
    expect(api.sentTo(clientMails.send)[0]?.body).toEqual({ month: '2026-06' })
    await screen.findByText('Report sent to 2 recipients.')
  })
})
