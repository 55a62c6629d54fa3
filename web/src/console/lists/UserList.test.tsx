import { auditLog } from '@roadshow/contract/accounts/audit-log'
import type { AuditEntry } from '@roadshow/contract/accounts/audit-log'
import { credentials } from '@roadshow/contract/accounts/credentials'
import type { Credential } from '@roadshow/contract/accounts/credentials'
import { auth } from '@roadshow/contract/accounts/sign-in'
import { clients } from '@roadshow/contract/catalog/clients'
import { defaultModules } from '@roadshow/contract/platform/permissions'
import { users } from '@roadshow/contract/catalog/users'
import { listFacts } from '@roadshow/contract/console/list-facts'
import type { User } from '@roadshow/contract/catalog/users'
import { errorLog } from '@roadshow/contract/console/error-log'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const acme = { uid: uidOf(800), name: 'Acme' }

const aUser = (n: number, more: Partial<User> = {}): User => ({
  userUid: uidOf(n),
  name: `Person ${n}`,
  email: `person-${n}@example.com`,
  phone: '',
  photo: null,
  role: 'driver',
  modules: [...defaultModules.driver],
  client: null,
  payRates: [],
  payrollId: '',
  language: null,
  isInvited: false,
  lastSeen: null,
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
  deletedAt: null,
  version: 3,
  ...more,
})

let api: FakeApi
let people: User[]
const user = userEvent.setup({ delay: null, applyAccept: false })

beforeEach(() => {
  api = fakeApi()
  people = [aUser(1), aUser(2, { role: 'admin' }), aUser(3, { deletedAt: '2026-07-02T12:00:00.000Z' })]
  api.answer(users.list, ({ query }) => {
    const data = people.filter(({ deletedAt }) => query.get('deleted') !== null || deletedAt === null)
    return { data, page: 1, pageSize: 10, total: data.length }
  })
  api.answer(users.get, ({ params }) => ({ data: people.find(({ userUid }) => userUid === params.uid) ?? aUser(1) }))
  api.answer(users.history, () => ({ data: [], page: 1, pageSize: 50, total: 0 }))
  api.answer(users.sessions, () => ({ data: [] }))
  api.answer(credentials.ofUser, () => ({ data: [] }))
  const client = {
    ...acme,
    contacts: [],
    note: '',
    programsCount: 0,
    logo: null,
    createdAt: '',
    updatedAt: '',
    version: 1,
  }
  api.answer(clients.list, () => ({ data: [client], page: 1, pageSize: 200, total: 1 }))
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: () => undefined }))
})

afterEach(cleanup)

const option = (word: string) => screen.findByText(word, { selector: '.ant-select-item-option-content' })
const save = () => user.click(screen.getByRole('button', { name: 'Save' }))

describe('the list of users', () => {
  test('shows deleted users on request only', async () => {
    openConsole('/users?view=all', { api })
    await screen.findByText('2 users')
    expect(screen.queryByText('Person 3')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show deleted' }))
    const row = (await screen.findByText('Person 3')).closest('tr')
    expect(row?.textContent).toContain('Deleted')
  })

  test('shows drivers with their week first, and everyone to those who search', async () => {
    const nextShift = { date: '2026-07-08', start: '08:00', end: '16:00', zone: 'America/Chicago', market: 'Dallas' }
    const truck = { uid: uidOf(400), name: 'T-4' }
    api.answer(listFacts.users, () => ({
      data: [
        { uid: uidOf(1), weekMinutes: 450, nextShift: { uid: uidOf(300), ...nextShift, truck, program: 'Summer' } },
      ],
    }))
    const { address } = openConsole('/users', { api })
    const row = (await screen.findByText('Person 1')).closest('tr') as HTMLElement
    expect(api.sentTo(users.list)[0]?.query.get('role')).toBe('driver')
    await within(row).findByText('7 h 30 min')
    expect(row.textContent).toContain('Wed, Jul 8, 8:00 AM–4:00 PM CDTT-4')
    await user.type(screen.getByRole('searchbox', { name: 'Search users' }), 'Pers')
    await waitFor(() => expect(address()).toBe('/users?search=Pers'))
    await waitFor(() => expect(api.sentTo(users.list).at(-1)?.query.toString()).toBe('search=Pers'))
    expect(screen.getByRole('link', { name: 'All users' }).getAttribute('aria-current')).toBe('page')
  })

  test('is closed to everybody but admins', async () => {
    const { address } = openConsole('/users', { api, user: someUser('sales', [...defaultModules.sales, 'users']) })
    await waitFor(() => expect(address()).not.toContain('/users'))
    expect(api.sentTo(users.list)).toHaveLength(0)
  })
})

describe('the form of a user', () => {
  test('starts with the role’s modules, asks a client user for the client, and sends a form with the photo', async () => {
    api.answer(users.create, () => ({ data: aUser(9, { name: 'Ada Ray' }) }))
    openConsole('/users?open=new', { api })
    const form = within(await findDialog('New user'))
    const ticked = () =>
      screen
        .getAllByRole<HTMLInputElement>('checkbox')
        .filter(({ checked }) => checked)
        .map(({ value }) => value)
    expect(ticked()).toEqual(defaultModules.driver)
    await user.type(screen.getByLabelText('Name'), 'Ada Ray')
    await user.type(screen.getByLabelText('Email'), 'ada@example.com')
    await user.click(form.getByRole('combobox', { name: 'Role' }))
    await user.click(await option('Client'))
    await waitFor(() => expect(ticked()).toEqual(defaultModules.client))
    await save()
    expect(await screen.findByText('Choose the client this user belongs to.')).toBeInTheDocument()
    expect(api.sentTo(users.create)).toHaveLength(0)
    await user.click(form.getByRole('combobox', { name: 'Client' }))
    await user.click(await option('Acme'))
    const photo = new File(['a picture'], 'me.png', { type: 'image/png' })
    await user.upload(screen.getByLabelText('Photo file'), photo)
    await save()
    await screen.findByText('Ada Ray saved.')
    const [sent] = api.sentTo(users.create)
    expect(sent?.body).toEqual({
      name: 'Ada Ray',
      email: 'ada@example.com',
      phone: '',
      role: 'client',
      modules: ['pop'],
      clientUid: acme.uid,
      payRates: [],
      payrollId: '',
      language: null,
      photoFileUid: null,
    })
    expect(sent?.form?.get('photo')).toMatchObject({ name: 'me.png', type: 'image/png' })
    expect(sent?.headers.get('Content-Type')).toBeNull()
  })

  test('takes pay in dollars and sends cents, with the user’s own uid and version', async () => {
    const payRates = [{ validFrom: '2026-01-01', payHalfDay: 12_000, payEightHours: 20_000, payTwelveHours: 28_050 }]
    people = [aUser(1, { payRates })]
    api.answer(users.update, () => ({ data: aUser(1) }))
    openConsole(`/users?open=${uidOf(1)}`, { api })
    await findDialog('Person 1')
    const half = screen.getByLabelText<HTMLInputElement>('Half day')
    expect([half.value, screen.getByLabelText<HTMLInputElement>('12-hour day').value]).toEqual(['120.00', '280.50'])
    await user.clear(half)
    await user.type(half, '125.35')
    await save()
    await screen.findByText('Person 1 saved.')
    expect(api.sentTo(users.update)[0]?.body).toMatchObject({
      userUid: uidOf(1),
      version: 3,
      payRates: [{ ...payRates[0], payHalfDay: 12_535 }],
    })
  })

  test('offers to restore the deleted user who has the email, with one click', async () => {
    const sentence = 'A deleted user has this email address. You can restore that user.'
    api.respond(users.create, () =>
      refusal('emailOfDeleted', { fields: { email: sentence }, conflict: { uid: uidOf(3), name: 'Person 3' } }),
    )
    api.answer(users.restore, () => {
      people = people.map((each) => ({ ...each, deletedAt: null }))
      return { data: aUser(3) }
    })
    const { address } = openConsole('/users?open=new', { api })
    await findDialog('New user')
    await user.type(screen.getByLabelText('Name'), 'Person 3')
    await user.type(screen.getByLabelText('Email'), 'person-3@example.com')
    await save()
    expect(await screen.findByText(sentence)).toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'Restore Person 3' }))
    await findDialog('Person 3')
    expect(address()).toContain(uidOf(3))
    expect(api.sentTo(users.restore)[0]?.params).toEqual({ uid: uidOf(3) })
    expect(screen.queryByText('Discard your changes?')).toBeNull()
  })

  test('of a deleted user can only be restored', async () => {
    api.answer(users.restore, () => ({ data: aUser(3) }))
    openConsole(`/users?open=${uidOf(3)}`, { api })
    const opened = await findDialog('Person 3')
    expect(within(opened).getByText('person-3@example.com')).toBeInTheDocument()
    expect(within(opened).queryByLabelText('Name')).toBeNull()
    expect(within(opened).queryByRole('button', { name: 'Save' })).toBeNull()
    expect(within(opened).queryByRole('button', { name: 'Delete' })).toBeNull()
    await user.click(within(opened).getByRole('button', { name: 'Restore Person 3' }))
    await screen.findByText('Person 3 is restored.')
  })

  test('says why the last admin stays', async () => {
    api.respond(users.remove, () => refusal('lastAdmin'))
    openConsole(`/users?open=${uidOf(2)}`, { api })
    await user.click(within(await findDialog('Person 2')).getByRole('button', { name: 'Delete' }))
    await user.click(within(await findDialog('Delete Person 2?')).getByRole('button', { name: 'Delete user' }))
    expect((await screen.findByRole('alert')).textContent).toContain('last active admin')
  })
})

const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const aCredential = (n: number, more: Partial<Credential> = {}): Credential => ({
  kind: 'session',
  uid: uidOf(n),
  name: CHROME,
  detail: 'Password',
  createdAt: '2026-07-01T12:00:00.000Z',
  lastUsedAt: '2026-07-01T13:00:00.000Z',
  expiresAt: null,
  address: `10.0.0.${n}`,
  isThisOne: false,
  canEnd: true,
  ...more,
})

describe('what lets a user in', () => {
  const calendarLink = aCredential(71, { kind: 'calendar', name: 'Own shifts', detail: '' })

  test('is listed in people’s words and ended, one or all, after asking where it matters', async () => {
    api.answer(credentials.ofUser, () => ({ data: [aCredential(7), calendarLink] }))
    api.answer(credentials.endOfUser, () => ({ data: { uid: uidOf(7) } }))
    api.answer(users.forceLogout, () => ({ data: { userUid: uidOf(1), ended: 1 } }))
    openConsole(`/users?open=${uidOf(1)}`, { api })
    await findDialog('Person 1')
    await user.click(screen.getByRole('tab', { name: 'Sign-in & access' }))
    await user.click(await screen.findByRole('button', { name: 'End: Sessions, Chrome on Windows, 10.0.0.7' }))
    await screen.findByText('Session ended.')
    const params = { uid: uidOf(1), kind: 'session', credentialUid: uidOf(7) }
    expect(api.sentTo(credentials.endOfUser)[0]?.params).toEqual(params)
    await user.click(screen.getByRole('button', { name: 'End: Calendar link, Own shifts, 10.0.0.71' }))
    expect(api.sentTo(credentials.endOfUser)).toHaveLength(1)
    await user.click(within(await findDialog('End this calendar link?')).getByRole('button', { name: 'End' }))
    await screen.findByText('Calendar link ended.')
    await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }))
    expect(api.sentTo(users.forceLogout)).toHaveLength(0)
    await user.click(
      within(await findDialog('Sign Person 1 out everywhere?')).getByRole('button', { name: 'Sign out' }),
    )
    await screen.findByText('Person 1 is signed out everywhere.')
  })
})

test('a user who has not signed in yet gets another invitation', async () => {
  people = [aUser(1, { isInvited: true }), aUser(2)]
  api.answer(users.resendInvitation, () => ({ data: { userUid: uidOf(1) } }))
  openConsole('/users?view=all', { api })
  await screen.findByText('Invited')
  await user.click((await screen.findByText('person-1@example.com')).closest('tr') as HTMLElement)
  const drawer = await findDialog('Person 1')
  await user.click(await within(drawer).findByRole('button', { name: 'Resend invitation' }))
  await screen.findByText('A new invitation is on its way to person-1@example.com.')
  expect(api.sentTo(users.resendInvitation)).toHaveLength(1)
})

describe('several users at once', () => {
  const box = (name: string) => screen.findByRole('checkbox', { name })

  test('are invited after one question; others among them are skipped', async () => {
    people = [aUser(1, { isInvited: true }), aUser(2), aUser(4, { isInvited: true })]
    const skipped = [{ userUid: uidOf(4), name: 'Person 4', reason: 'tooOften' as const }]
    api.answer(users.sendInvitations, () => ({ data: { sent: 1, skipped } }))
    openConsole('/users?view=all', { api })
    expect(screen.queryByRole('toolbar', { name: 'Selected users' })).toBeNull()
    await user.click(await box('Select Person 2'))
    const bar = await screen.findByRole('toolbar', { name: 'Selected users' })
    expect(within(bar).getByText('1 user selected')).toBeVisible()
    expect(within(bar).getByRole('button', { name: 'Send invitations' })).toBeDisabled()
    // Selecting opens nothing.
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(await box('Select all on this page'))
    expect(within(bar).getByText('3 users selected')).toBeVisible()
    await user.click(within(bar).getByRole('button', { name: 'Send 2 invitations' }))
    const dialog = await findDialog('Send 2 invitations?')
    expect(dialog.textContent).toContain('1 selected user who signed in already or is deleted will be skipped.')
    await user.click(within(dialog).getByRole('button', { name: 'Send' }))
    const words = '1 invitation on the way. Skipped: Person 4 (invited several times already; wait a few minutes).'
    expect(await screen.findByText(words)).toBeVisible()
    expect(api.sentTo(users.sendInvitations).map(({ body }) => body)).toEqual([{ userUids: [uidOf(1), uidOf(4)] }])
    await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Selected users' })).toBeNull())
  })

  test('are no longer selected after Clear selection', async () => {
    people = [aUser(1, { isInvited: true }), aUser(2)]
    openConsole('/users?view=all', { api })
    await user.click(await box('Select Person 1'))
    await user.click(await screen.findByRole('button', { name: 'Clear selection' }))
    expect(await box('Select Person 1')).not.toBeChecked()
  })
})

describe('the web log', () => {
  const entry = {
    uid: uidOf(60),
    at: '2026-07-01T12:00:00.000Z',
    errorOrigin: 'map',
    text: 'the map broke',
    user: { uid: uidOf(1), name: 'Person 1' },
    address: '10.0.0.7',
    userAgent: 'Firefox',
  }

  test('is a screen of its own, where links to its former tab lead, and opens each report whole', async () => {
    api.answer(errorLog.list, () => ({ data: [entry], page: 1, pageSize: 10, total: 1 }))
    api.answer(errorLog.get, () => ({ data: { ...entry, error: { stack: 'at Map' }, meta: { path: '/overview' } } }))
    const { address } = openConsole('/users?view=web-log&search=map', { api })
    await user.click((await screen.findByText('the map broke')).closest('tr') as HTMLElement)
    expect((await findDialog('map')).textContent).toContain('at Map')
    expect(address()).toContain('/system/web-log?search=map')
    expect(screen.queryByRole('button', { name: /^New/ })).toBeNull()
  })
})

describe('the audit log', () => {
  test('is a screen that is only read, filtered by what happened', async () => {
    const entry: AuditEntry = {
      uid: uidOf(50),
      at: '2026-07-01T12:00:00.000Z',
      kind: 'exported',
      by: {
        uid: uidOf(2),
        name: 'Person 2',
      },
      subject: 'trucks.csv',
      detail: '7 rows; state: Active',
      address: '10.0.0.7',
      userAgent: '',
      requestId: 'abc',
      record: null,
    }
    const moved: AuditEntry = {
      ...entry,
      uid: uidOf(51),
      kind: 'payPeriodMoved',
      subject: '2026-10-12 to 2026-10-25',
      detail: '',
    }
    api.answer(auditLog.list, () => ({ data: [entry, moved], page: 1, pageSize: 10, total: 2 }))
    openConsole('/users?view=audit-log&kind=exported', { api })
    const row = (await screen.findByText('7 rows; state: Active')).closest('tr')
    expect(row?.textContent).toContain('ExportedPerson 2trucks.csv')
    expect(screen.getByText('Oct 12, 2026 to Oct 25, 2026')).toBeInTheDocument()
    expect(api.sentTo(auditLog.list)[0]?.query.getAll('kind')).toEqual(['exported'])
    expect(screen.getByRole('heading', { name: 'Audit log' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^New/ })).toBeNull()
  })
})

describe('what lets oneself in', () => {
  test('is reached by everybody under their name; all but this session can be ended', async () => {
    const mine = [aCredential(7, { isThisOne: true, canEnd: false }), aCredential(8)]
    const ended = {
      uid: uidOf(9),
      address: '10.0.0.9',
      userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
      signedInAt: '2026-06-01T12:00:00.000Z',
      madeBy: 'password' as const,
      seenAt: '2026-06-01T13:00:00.000Z',
      endedAt: '2026-06-01T14:00:00.000Z',
      isThisOne: false,
    }
    api.answer(credentials.own, () => ({ data: mine }))
    api.answer(auth.sessions, () => ({ data: [ended] }))
    api.answer(credentials.endOwn, () => ({ data: { uid: uidOf(8) } }))
    api.answer(auth.endOtherSessions, () => ({ data: { ended: 1 } }))
    openConsole('/pixel', { api, user: someUser('client') })
    await user.click((await screen.findByText('Avery Stone')).closest('button') as HTMLElement)
    await user.click(await screen.findByText('Sign-in & access'))
    const drawer = within(await findDialog('Sign-in & access'))
    await drawer.findByText(/this session/)
    expect(drawer.getByText('Earlier sessions (1)').closest('details')?.textContent).toContain('Firefox on Linux')
    expect(drawer.queryByRole('button', { name: /10\.0\.0\.7/ })).toBeNull()
    await user.click(drawer.getByRole('button', { name: 'End: Sessions, Chrome on Windows, 10.0.0.8' }))
    await screen.findByText('Session ended.')
    expect(api.sentTo(credentials.endOwn)[0]?.params).toEqual({ kind: 'session', uid: uidOf(8) })
    await user.click(drawer.getByRole('button', { name: 'Sign out everywhere else' }))
    const asked = within(await findDialog('Sign out everywhere else?'))
    expect(api.sentTo(auth.endOtherSessions)).toHaveLength(0)
    await user.click(asked.getByRole('button', { name: 'Sign out' }))
    await screen.findByText('You are signed out everywhere else.')
  })
})

test('the header shows the photo of anyone who is signed in, and their initials without one', async () => {
  api.answer(auth.me, () => ({ data: someUser('admin') }))
  openConsole('/users', { api, user: { ...someUser('admin'), photoUrl: '/api/v1/files/x/thumbnail' } })
  const button = (await screen.findByText('Avery Stone')).closest('button')
  expect(button?.querySelector('img')?.getAttribute('src')).toBe('/api/v1/files/x/thumbnail')
  cleanup()
  openConsole('/users', { api })
  expect((await screen.findByText('Avery Stone')).closest('button')?.textContent).toBe('ASAvery Stone')
})
