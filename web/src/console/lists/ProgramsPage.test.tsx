import { clients } from '@roadshow/contract/catalog/clients'
import type { Client } from '@roadshow/contract/catalog/clients'
import { listFacts } from '@roadshow/contract/console/list-facts'
import type { ProgramFacts } from '@roadshow/contract/console/list-facts'
import { markets } from '@roadshow/contract/catalog/markets'
import { programs } from '@roadshow/contract/catalog/programs'
import type { Program } from '@roadshow/contract/catalog/programs'
import type { RecordChange } from '@roadshow/contract/platform/history'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const dallas = { uid: uidOf(900), name: 'Dallas', zone: 'America/Chicago', startsOn: null, endsOn: null }

const aProgram = (n: number, more: Partial<Program> = {}): Program => ({
  uid: uidOf(n),
  client: { uid: uidOf(500), name: 'Acme' },
  name: `Program ${n}`,
  status: 'active',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  popUrl: `program-${n}`,
  markets: [dallas],
  bookedLines: [],
  spotSeconds: null,
  note: '',
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
  version: 3,
  ...more,
})

const facts = (n: number): ProgramFacts => ({
  uid: uidOf(n),
  pace: 0.88,
  state: 'behind',
  bookedCents: 1_500_000,
  deliveredCents: 440_000,
  nextShift: {
    uid: uidOf(300),
    date: '2026-07-08',
    start: '20:00',
    end: '04:00',
    zone: 'America/Chicago',
    market: 'Dallas',
  },
  shiftsPlanned: 4,
  trucksOut: 1,
})

let api: FakeApi
let known: Program[]
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  known = [aProgram(1), aProgram(2, { status: 'draft' })]
  api.answer(programs.list, () => paged(known))
  api.answer(programs.get, ({ params }) => ({ data: known.find(({ uid }) => uid === params.uid) ?? aProgram(1) }))
  api.answer(listFacts.programs, () => ({ data: [facts(1)] }))
  const acme: Partial<Client> = { uid: uidOf(500), name: 'Acme' }
  api.respond(clients.list, ({ query }) =>
    Response.json(paged(query.getAll('uid').length > 0 ? [{ uid: uidOf(777), name: 'Faraway' }] : [acme])),
  )
  api.respond(markets.list, () => Response.json(paged([{ uid: dallas.uid, name: 'Dallas', state: 'TX' }])))
})
afterEach(cleanup)

// Looked for inside the drawer: the list behind it is large, and roles are slow to find.
let opened: HTMLElement
const drawer = async (title: string) => {
  opened = await findDialog(title)
}
const field = (label: string) => within(opened).getByLabelText<HTMLInputElement>(label, { selector: 'input, textarea' })
const button = (name: string) => within(opened).getByText(name, { selector: 'button span' })
const tab = (name: string) => within(opened).getByText(name, { selector: '[role="tab"]' })
const isShown = (name: string) => tab(name).getAttribute('aria-selected') === 'true'
const save = async () => user.click(within(opened).getByRole('button', { name: 'Save' }))
const popUrl = () => field('POP address').value

describe('the list of programs', () => {
  test('shows how they are doing, what comes next and what they are worth, then whose they are', async () => {
    openConsole('/client-programs', { api })
    const row = (await screen.findByRole('link', { name: 'Program 1' })).closest('tr') as HTMLElement
    const cells = within(row).getAllByRole('cell')
    await within(row).findByText('Behind, 88%')
    expect(cells.slice(0, 7).map((cell) => cell.textContent)).toEqual([
      'Program 1',
      'Behind, 88%',
      'Wed, Jul 8, 8:00 PM–4:00 AM CDT',
      '$15,000.00',
      '$4,400.00',
      'Acme',
      'Active',
    ])
    expect(api.sentTo(listFacts.programs)[0]?.query.getAll('program')).toEqual([uidOf(1), uidOf(2)])
  })

  test('begins with those that run; completed ones come when they are asked for', async () => {
    openConsole('/client-programs', { api })
    const asked = () => api.sentTo(programs.list).at(-1)?.query.toString()
    await screen.findByRole('link', { name: 'Program 1' })
    expect(asked()).toBe('sort=progress&completed=hidden')
    await user.click(screen.getByRole('button', { name: 'Completed' }))
    await waitFor(() => expect(asked()).toBe('sort=progress&status=completed'))
    cleanup()
    openConsole('/client-programs?search=Summer', { api })
    await screen.findByRole('link', { name: 'Program 1' })
    expect(asked()).toBe('sort=progress&search=Summer')
  })

  test('asks for what a link filters by, and names a client that is not among the first', async () => {
    openConsole(`/client-programs?client=${uidOf(777)}&runningOn=2026-07-04&status=active`, { api })
    await waitFor(() => expect(api.sentTo(clients.list).at(-1)?.query.get('uid')).toBe(uidOf(777)))
    expect(api.sentTo(programs.list)[0]?.query.toString()).toBe(
      `sort=progress&client=${uidOf(777)}&runningOn=2026-07-04&status=active`,
    )
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Running on').value).toBe('Jul 4, 2026'))
  })
})

describe('the drawer of a program', () => {
  test('shows the addresses of its feeds to those who may read them, and where keys are made', async () => {
    openConsole(`/client-programs?open=${uidOf(1)}`, { api })
    await drawer('Program 1')
    await user.click(await within(opened).findByText('Feeds', { selector: '[role="tab"]' }))
    const address = await within(opened).findByLabelText<HTMLInputElement>('Address: Plays as CSV')
    expect(address.value).toBe(`${location.origin}/api/v1/feeds/${uidOf(1)}/plays.csv`)
    await user.click(within(opened).getAllByRole('button', { name: 'Copy' })[0] as HTMLElement)
    expect(await navigator.clipboard.readText()).toBe(address.value)
    expect(within(opened).getByRole('link', { name: 'API keys' })).toHaveAttribute('href', '/system/api-keys')
    cleanup()
    openConsole(`/client-programs?open=${uidOf(1)}`, { api, user: someUser('sales') })
    await drawer('Program 1')
    await user.click(await within(opened).findByText('Feeds', { selector: '[role="tab"]' }))
    await within(opened).findByLabelText('Address: Positions as GeoJSON')
    expect(within(opened).queryByRole('link', { name: 'API keys' })).toBeNull()
  })

  test('proposes the POP address from the name until another is typed', async () => {
    openConsole('/client-programs?open=new', { api })
    await drawer('New program')
    await user.type(field('Name'), 'Café & Bar 2026')
    await waitFor(() => expect(popUrl()).toBe('cafe-and-bar-2026'))
    await user.clear(field('POP address'))
    await user.type(field('POP address'), 'bar')
    await user.type(field('Name'), ' again')
    expect(popUrl()).toBe('bar')
  })

  test('leaves the POP address of a saved program alone', async () => {
    openConsole(`/client-programs?open=${uidOf(1)}`, { api })
    await drawer('Program 1')
    await user.type(field('Name'), ' renamed')
    expect(popUrl()).toBe('program-1')
  })

  test('offers only the statuses that the program may take', async () => {
    openConsole(`/client-programs?open=${uidOf(2)}`, { api })
    await drawer('Program 2')
    await user.click(field('Status'))
    const options = await screen.findAllByRole('option', { hidden: true })
    expect(options.map((option) => option.textContent)).toEqual(['draft', 'active'])
  })

  test('saves program and markets together', async () => {
    api.answer(programs.update, () => ({ data: aProgram(1) }))
    openConsole(`/client-programs?open=${uidOf(1)}`, { api })
    await drawer('Program 1')
    await user.type(field('Note'), 'louder')
    await user.click(tab('Markets'))
    await user.click(within(opened).getByLabelText('Remove market 1'))
    await save()
    await screen.findByText('Program 1 saved.')
    expect(api.sentTo(programs.update)[0]?.body).toEqual({
      uid: uidOf(1),
      version: 3,
      clientUid: uidOf(500),
      name: 'Program 1',
      status: 'active',
      startsOn: '2026-07-01',
      endsOn: '2026-07-31',
      popUrl: 'program-1',
      spotSeconds: null,
      note: 'louder',
      markets: [],
      bookedLines: [],
    })
  })

  test('saves how long a spot lasts', async () => {
    api.answer(programs.update, () => ({ data: aProgram(1) }))
    openConsole(`/client-programs?open=${uidOf(1)}`, { api })
    await drawer('Program 1')
    await user.type(field('Spot length in seconds'), '20')
    await save()
    await screen.findByText('Program 1 saved.')
    expect(api.sentTo(programs.update)[0]?.body).toMatchObject({ spotSeconds: 20 })
  })

  test('goes to the tab of the field that is wrong', async () => {
    openConsole(`/client-programs?open=${uidOf(1)}`, { api })
    await drawer('Program 1')
    await user.click(tab('Markets'))
    await user.click(button('Add market'))
    await user.click(tab('Program'))
    await save()
    expect(await screen.findByText('Choose a market.')).toBeInTheDocument()
    await waitFor(() => expect(isShown('Markets')).toBe(true))
    expect(api.sentTo(programs.update)).toHaveLength(0)
  })

  test('shows at a market’s field what only the server can know', async () => {
    api.respond(programs.update, () =>
      refusal('badInput', { fields: { 'markets.0.marketUid': 'There is no such market.' } }),
    )
    openConsole(`/client-programs?open=${uidOf(1)}`, { api })
    await drawer('Program 1')
    await user.type(field('Note'), '.')
    await save()
    expect(await screen.findByText('There is no such market.')).toBeInTheDocument()
    expect(isShown('Markets')).toBe(true)
  })

  test('tells in its history why plays fell, and opens the shift to correct it', async () => {
    const figures = {
      localDate: '2026-07-07',
      market: 'Dallas',
      truck: 'T-4',
      shift: uidOf(70),
      cause: 'start',
      plays: 207,
      verified: 190,
    }
    const change: RecordChange = {
      at: '2026-07-08T12:00:00.000Z',
      action: 'changed',
      by: 'Dana Brooks',
      address: null,
      fields: [{ field: 'figures', old: { plays: 225, verified: 190 }, new: figures }],
    }
    api.answer(programs.history, () => ({ data: [change], page: 1, pageSize: 50, total: 1 }))
    openConsole(`/client-programs?open=${uidOf(1)}&tab=history`, { api })
    await drawer('Program 1')
    const sentence =
      'Plays of Tue, Jul 7, 2026 in Dallas fell from 225 to 207 because Dana Brooks changed the start of T-4’s shift.'
    expect(await screen.findByText(sentence)).toBeInTheDocument()
    expect(screen.getByText('Open shift').getAttribute('href')).toBe(`/schedule/program-schedule?open=${uidOf(70)}`)
  })

  test('is only read by a user of role client', async () => {
    openConsole(`/client-programs?open=${uidOf(1)}`, { api, user: someUser('client', ['clients']) })
    await drawer('Program 1')
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'New program' })).toBeNull()
    expect(screen.queryByLabelText('Name')).toBeNull()
    await user.click(tab('Markets'))
    expect(screen.queryByRole('button', { name: 'Add market' })).toBeNull()
  })
})

test('booked lines beyond new dates are shortened and removed by a click each, and then it is saved', async () => {
  const line = { market: dallas, unit: 'hours' as const, amount: 40, priceCents: null }
  const lines = [
    { ...line, uid: uidOf(31), startsOn: '2026-07-01', endsOn: '2026-07-24' },
    { ...line, uid: uidOf(32), startsOn: '2026-07-25', endsOn: '2026-07-31' },
  ]
  known = [aProgram(1, { bookedLines: lines })]
  api.answer(programs.update, () => ({ data: aProgram(1) }))
  openConsole(`/client-programs?open=${uidOf(1)}`, { api })
  await drawer('Program 1')
  // Markets have dates of their own, on another tab.
  const ofProgram = within(await within(opened).findByRole('tabpanel', { name: 'Program' }))
  const ends = ofProgram.getByLabelText<HTMLInputElement>('Ends on', { selector: 'input' })
  expect(screen.queryByRole('region', { name: 'In the way' })).toBeNull()
  await user.clear(ends)
  await user.type(ends, '7/20/2026{Tab}')
  const [way] = await screen.findAllByRole('region', { name: 'In the way' })
  const inWay = within(way as HTMLElement)
  inWay.getByText('2 booked lines beyond these dates:')
  await user.click(inWay.getByRole('button', { name: 'End on Jul 20, 2026 (1)' }))
  await user.click(inWay.getByRole('button', { name: 'Remove 1 line' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'In the way' })).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(api.sentTo(programs.update)).toHaveLength(1))
  expect(api.sentTo(programs.update)[0]?.body).toMatchObject({
    endsOn: '2026-07-20',
    bookedLines: [{ startsOn: '2026-07-01', endsOn: '2026-07-20', amount: 40 }],
  })
})
