import { clients } from '@roadshow/contract/catalog/clients'
import { markets } from '@roadshow/contract/catalog/markets'
import { users } from '@roadshow/contract/catalog/users'
import type { User } from '@roadshow/contract/catalog/users'
import { defaultModules } from '@roadshow/contract/platform/permissions'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged } from '../test-console.tsx'
import type { FakeApi } from '../test-console.tsx'
import { testUid } from '../test-uid.ts'

const stamps = { createdAt: '2026-07-01T12:00:00.000Z', updatedAt: '2026-07-01T12:00:00.000Z', version: 3 }

let api: FakeApi
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
  for (const list of [clients.list, markets.list]) api.respond(list, () => Response.json(paged([])))
})
afterEach(cleanup)

const cell = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
const bodies = (call: Parameters<FakeApi['sentTo']>[0]) => api.sentTo(call).map(({ body }) => body)

const person: User = {
  userUid: testUid(7),
  name: 'Dana Reyes',
  email: 'dana@example.com',
  phone: '',
  photo: null,
  role: 'driver',
  modules: ['schedule'],
  client: null,
  language: null,
  payrollId: '42',
  isInvited: false,
  lastSeen: null,
  deletedAt: null,
  ...stamps,
  payRates: [
    {
      validFrom: '2026-01-01',
      payHalfDay: 9e3,
      payEightHours: 18050,
      payTwelveHours: 25e3,
    },
  ],
}
const gone: User = { ...person, userUid: testUid(8), name: 'Gone Guy', deletedAt: stamps.updatedAt }

test('old users: plain fields are typed over, rights and rates stay, and a deleted one is only read', async () => {
  api.answer(users.list, () => paged([person, gone]))
  api.answer(users.update, () => ({ data: person }))
  openConsole('/old-users', { api })
  const row = (await cell('Phone, Dana Reyes')).closest('tr')
  expect(row?.textContent).toContain('$180.50')
  expect(screen.queryByLabelText('Phone, Gone Guy')).toBeNull()
  await user.type(await cell('Phone, Dana Reyes'), '555-0100{Enter}')
  await waitFor(() => expect(api.sentTo(users.update)).toHaveLength(1))
  expect(bodies(users.update)[0]).toEqual({
    userUid: person.userUid,
    version: 3,
    name: person.name,
    email: person.email,
    phone: '555-0100',
    role: 'driver',
    modules: ['schedule'],
    payRates: person.payRates,
    language: null,
    payrollId: '42',
    clientUid: null,
    photoFileUid: null,
  })
})

test('old users: one is added with the modules of the role, signed out, and restored', async () => {
  api.answer(users.list, () => paged([person, gone]))
  api.answer(users.create, () => ({ data: person }))
  api.answer(users.forceLogout, () => ({ data: { userUid: person.userUid, ended: 2 } }))
  api.answer(users.restore, () => ({ data: person }))
  openConsole('/old-users', { api })
  await user.click(await screen.findByRole('button', { name: 'Add a user' }))
  await user.type(await cell('Name, new row'), 'Lee Fox')
  await user.type(await cell('Email, new row'), 'lee@example.com')
  await user.selectOptions(await cell('Role, new row'), 'Sales')
  await user.type(await cell('Email, new row'), '{Enter}')
  await waitFor(() => expect(api.sentTo(users.create)).toHaveLength(1))
  expect(bodies(users.create)[0]).toMatchObject({
    name: 'Lee Fox',
    email: 'lee@example.com',
    role: 'sales',
    modules: [...defaultModules.sales],
  })
  await user.click(screen.getByRole('button', { name: 'Sign out Dana Reyes' }))
  await user.click(within(await findDialog('Sign out Dana Reyes?')).getByRole('button', { name: 'Sign out' }))
  expect(await screen.findByText('Dana Reyes is signed out everywhere.')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Restore Gone Guy' }))
  await user.click(within(await findDialog('Restore Gone Guy?')).getByRole('button', { name: 'Restore' }))
  expect(await screen.findByText('Gone Guy is restored.')).toBeInTheDocument()
  expect(api.sentTo(users.restore)[0]?.params).toEqual({ uid: testUid(8) })
})
