import { jump } from '@roadshow/contract/console/jump'
import type { JumpTarget } from '@roadshow/contract/console/jump'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Screen } from '../../app/screen.ts'
import { fakeApi, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi, Sent } from '../../test-console.tsx'

const page = (path: Screen['path'], title: string): Screen => ({
  path,
  title,
  purpose: '',
  page: () => Promise.resolve({ default: () => <p>This is {title}.</p> }),
})
const table = [
  page('/clients', 'Clients'),
  page('/client-pop', 'POP'),
  page('/trucks', 'Trucks'),
  page('/pixel', 'Pixel Maps'),
]
const uid = '01900000-0000-7000-8000-000000000012'
const targets: JumpTarget[] = [
  { kind: 'truck', uid, name: 'T-12', detail: 'ABC-1' },
  { kind: 'client', uid: '01900000-0000-7000-8000-000000000013', name: 'T-Cola', detail: '' },
  // Its screen is not in the table.
  { kind: 'user', uid: '01900000-0000-7000-8000-000000000014', name: 'T. Stone', detail: 't@x.example' },
]

let api: FakeApi
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
  api.answer(jump.search, ({ query }: Sent) => ({
    data: targets.filter(({ name }) => name.toLowerCase().includes(query.get('search') ?? '')),
  }))
})
afterEach(cleanup)

const openPalette = async (options: Partial<Parameters<typeof openConsole>[1]> = {}) => {
  const opened = openConsole('/client-pop', { api, table, ...options })
  await screen.findByText('This is POP.')
  await user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox', { name: 'Jump to' })
  return opened
}
const offered = () => screen.getAllByRole('option').map((option) => option.textContent)
const chosen = () => screen.getByRole('option', { selected: true }).textContent

test('opens by the keyboard, goes to a screen by arrows and Enter, and asks the server nothing for that', async () => {
  const { address } = await openPalette()
  expect(document.activeElement).toBe(screen.getByRole('combobox'))
  expect(offered()).toEqual(['Clients', 'POP', 'Trucks', 'Pixel Maps'])
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(chosen()).toBe('Trucks')
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
  expect(chosen()).toBe('Pixel Maps')
  await user.keyboard('{Enter}')
  await screen.findByText('This is Pixel Maps.')
  expect(address()).toBe('/pixel')
  expect(api.sentTo(jump.search)).toHaveLength(0)
})

test('opens the record that was found, also when Enter comes before the answer', async () => {
  const { address } = await openPalette()
  await user.keyboard('t-12{Enter}')
  await screen.findByText('This is Trucks.')
  expect(address()).toBe(`/trucks?open=${uid}`)
  expect(api.sentTo(jump.search).map(({ query }) => query.get('search'))).toEqual(['t-12'])
})

test('groups what it found, and offers nothing that has no screen', async () => {
  await openPalette()
  await user.keyboard('t')
  await waitFor(() => expect(offered()).toEqual(['Trucks', 'Clients', 'New truck', 'T-12ABC-1', 'T-Cola']))
  expect(within(screen.getByRole('group', { name: 'Trucks' })).getByRole('option').textContent).toBe('T-12ABC-1')
})

test('begins actions of those who may, where their form opens', async () => {
  const { address } = await openPalette()
  await user.keyboard('new cl')
  await waitFor(() => expect(offered()).toEqual(['New client']))
  await user.keyboard('{Enter}')
  await screen.findByText('This is Clients.')
  expect(address()).toBe('/clients?open=new')
  cleanup()
  await openPalette({ user: someUser('client', ['clients', 'trucks', 'pop']) })
  await user.keyboard('new')
  expect(await screen.findByText('No matches.')).toBeInTheDocument()
})

test('offers only screens that the user may open', async () => {
  await openPalette({ user: someUser('client') })
  expect(offered()).toEqual(['POP', 'Pixel Maps'])
})

test('opens a day on the schedule, a shift by its day, and a market beside the screen', async () => {
  const market = '01900000-0000-7000-8000-000000000015'
  targets.push(
    { kind: 'shift', uid, name: 'T-12', detail: 'Dana', begins: { date: '2027-03-04', start: '20:00' } },
    { kind: 'market', uid: market, name: 'Twin Falls', detail: 'ID' },
  )
  const schedule = page('/schedule/program-schedule', 'Program schedule')
  const { address } = await openPalette({ table: [...table, schedule] })
  await user.keyboard('3/4/2027')
  await waitFor(() => expect(offered()).toEqual(['Mar 4, 2027Schedule']))
  await user.clear(screen.getByRole('combobox'))
  await user.keyboard('t-12')
  expect(await screen.findByRole('option', { name: /^T-12 · Mar 4, 2027, 8:00 PM/ })).toBeTruthy()
  await user.clear(screen.getByRole('combobox'))
  await user.keyboard('twin')
  await user.click(await screen.findByRole('option', { name: /Twin Falls/ }))
  await waitFor(() => expect(address()).toBe(`/client-pop?markets=${market}`))
  targets.splice(-2)
})

test('says when nothing matches and when the search failed', async () => {
  await openPalette()
  await user.keyboard('zzz')
  expect(await screen.findByText('No matches.')).toBeInTheDocument()
  api.respond(jump.search, () => refusal('tooMany'))
  await user.keyboard('z')
  expect(await screen.findByText('Too many attempts. Please wait a moment and try again.')).toBeInTheDocument()
})
