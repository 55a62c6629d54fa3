import { DEFAULT_ERROR } from '@roadshow/contract/platform/constants'
import type { RecordChange } from '@roadshow/contract/platform/history'
import { markets } from '@roadshow/contract/catalog/markets'
import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import { preferences } from '@roadshow/contract/accounts/preferences'
import { listFacts } from '@roadshow/contract/console/list-facts'
import type { TruckFacts } from '@roadshow/contract/console/list-facts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, refusal, someUser } from '../../test-console.tsx'
import { testTruck } from '../../test-truck.ts'
import { testUid } from '../../test-uid.ts'
import { localZone } from '@roadshow/contract/platform/dates'
import type { FakeApi, Sent } from '../../test-console.tsx'

const dallas = { uid: testUid(900), name: 'Dallas', zone: 'America/Chicago' }

const aTruck = (n: number, more: Partial<Truck> = {}) =>
  testTruck(n, { plate: `PLT-${n}`, homeMarket: dallas, ...more })

const facts: TruckFacts = {
  uid: testUid(1),
  state: 'driving',
  shift: { uid: testUid(300), program: 'Summer', driver: 'Dana Brooks' },
  nextShift: {
    uid: testUid(301),
    date: '2026-07-08',
    start: '08:00',
    end: '16:00',
    zone: 'America/Chicago',
    market: 'Dallas',
    program: 'Summer',
    driver: 'Dana Brooks',
  },
  shiftsPlanned: 5,
  openIssues: 2,
  weekMetres: 160_934,
}

let api: FakeApi
let fleet: Truck[]
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  fleet = Array.from({ length: 12 }, (_, index) => aTruck(index + 1))
  api.answer(trucks.list, ({ query }: Sent) => {
    const page = Number(query.get('page') ?? 1)
    const found = fleet.filter(({ number, state }) => {
      const states = query.getAll('state')
      return number.includes(query.get('search') ?? '') && (states.length === 0 || states.includes(state))
    })
    return { data: found.slice((page - 1) * 10, page * 10), page, pageSize: 10, total: found.length }
  })
  api.answer(listFacts.trucks, () => ({ data: [{ ...facts, uid: fleet[0]?.uid ?? '' }] }))
  api.answer(trucks.get, ({ params }) => ({ data: fleet.find(({ uid }) => uid === params.uid) ?? aTruck(1) }))
  const place = { earlierZones: [], latitude: null, longitude: null, radiusM: null, outline: null, depots: [] }
  const market = { ...dallas, ...place, state: 'TX', updatedAt: '2026-07-01T12:00:00.000Z', version: 1 }
  api.answer(markets.list, () => ({ data: [market], page: 1, pageSize: 200, total: 1 }))
})
afterEach(cleanup)

const row = (number: string) => screen.findByRole('link', { name: number })
const lastAsked = () => api.sentTo(trucks.list).at(-1)?.query.toString()

describe('the list of trucks', () => {
  test('shows ten trucks and says exactly how many there are', async () => {
    openConsole('/trucks', { api })
    await row('T-1')
    expect(screen.getAllByRole('row')).toHaveLength(1 + 10)
    expect(screen.getByText('12 trucks')).toBeInTheDocument()
  })

  test('keeps search, filter and sorting in the address, and Back undoes the last of them', async () => {
    const { address, history } = openConsole('/trucks', { api })
    await row('T-1')
    await user.type(screen.getByRole('searchbox', { name: 'Search trucks' }), 'T-1')
    await waitFor(() => expect(address()).toBe('/trucks?search=T-1'))
    await user.click(screen.getByRole('button', { name: 'Active' }))
    await user.click(screen.getByRole('button', { name: 'Number' }))
    await waitFor(() => expect(address()).toBe('/trucks?search=T-1&state=active&sort=number'))
    await waitFor(() => expect(lastAsked()).toBe('search=T-1&state=active&sort=number'))
    history.back()
    await waitFor(() => expect(address()).toBe('/trucks?search=T-1&state=active'))
  })

  test('opens as a link says, and ignores what the link has wrong', async () => {
    openConsole('/trucks?page=2&sort=evil&state=flying&color=red', { api })
    await row('T-11')
    expect(lastAsked()).toBe('page=2')
  })

  test('goes to the last page when a link names one that is no more', async () => {
    const { address } = openConsole('/trucks?page=99', { api })
    await row('T-12')
    expect(address()).toBe('/trucks?page=2')
  })

  test('sorts only by what the call can sort by', async () => {
    openConsole('/trucks', { api })
    await row('T-1')
    const table = screen.getByRole('table', { name: 'trucks' })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((head) => within(head).queryByRole('button') !== null),
    ).toEqual([true, false, false, false, false, false])
  })

  test('says what a truck does, who drives it, what comes next and what is wrong', async () => {
    openConsole('/trucks', { api })
    const first = (await row('T-1')).closest('tr') as HTMLElement
    await within(first).findByText('Driving')
    expect(
      within(first)
        .getAllByRole('cell')
        .slice(0, 6)
        .map((cell) => cell.textContent),
    ).toEqual(['T-1', 'Driving', 'Dana Brooks', 'Wed, Jul 8, 8:00 AM–4:00 PM CDT', '2', '100'])
    // Those who may not see what trucks do see the records.
    expect(api.sentTo(listFacts.trucks)[0]?.query.getAll('truck')).toHaveLength(10)
  })

  test('shows the columns that a person chose, and keeps the choice', async () => {
    const { preferences: own } = someUser('admin')
    api.answer(preferences.save, ({ body }) => ({
      data: { ...own, columns: { [trucks.list.path]: ['number', 'plate'], ...(body as { columns: object }).columns } },
    }))
    openConsole('/trucks', { api })
    await row('T-1')
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    const drawer = within(await findDialog('Columns'))
    await user.click(drawer.getByRole('checkbox', { name: 'VIN' }))
    const sent = api.sentTo(preferences.save)[0]?.body
    const shown = ['number', 'now', 'driver', 'nextShift', 'issues', 'weekMiles', 'homeMarket', 'program', 'vin']
    expect((sent as { columns: object }).columns).toEqual({ [trucks.list.path]: shown })
    await waitFor(() => expect(drawer.getByRole<HTMLInputElement>('checkbox', { name: 'VIN' }).checked).toBe(true))
    await user.click(await drawer.findByRole('button', { name: 'Reset' }))
    expect(api.sentTo(preferences.save)[1]?.body).toMatchObject({ columns: { [trucks.list.path]: null } })
    cleanup()
    const chosen = { ...someUser('admin'), preferences: { ...own, columns: { [trucks.list.path]: ['number', 'vin'] } } }
    openConsole('/trucks', { api, user: chosen })
    await row('T-1')
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Number', 'VIN'])
  })

  test('says that nothing matches, and offers to clear the search', async () => {
    openConsole('/trucks?search=nowhere&state=retired', { api })
    expect(await screen.findByText('No truck matches.')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Clear search and filters' }))
    await row('T-1')
  })

  test('says what to do when there are no trucks yet', async () => {
    fleet = []
    openConsole('/trucks', { api })
    expect(await screen.findByText(/No trucks yet/)).toBeInTheDocument()
    expect(screen.getAllByRole('button', { name: 'New truck' })).toHaveLength(1)
  })

  test('shows what went wrong and tries again', async () => {
    api.respond(trucks.list, () => refusal('tooMany'))
    openConsole('/trucks', { api })
    expect(await screen.findByText('Too many attempts. Please wait a moment and try again.')).toBeInTheDocument()
    api.answer(trucks.list, () => ({ data: fleet.slice(0, 1), page: 1, pageSize: 10, total: 1 }))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await row('T-1')
    expect(screen.getByText('1 truck')).toBeInTheDocument()
  })

  test('exports everything that the search and the filters leave, under the server’s filename', async () => {
    const kept: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      kept.push(this.download)
    })
    openConsole('/trucks?state=active&page=2', { api })
    await row('T-11')
    api.respond(
      trucks.list,
      () =>
        new Response('number', { headers: { 'content-disposition': 'attachment; filename="trucks_2026-07-01.csv"' } }),
    )
    await user.click(screen.getByRole('button', { name: 'Export' }))
    await user.click(await screen.findByRole('menuitem', { name: 'CSV' }))
    await waitFor(() => expect(kept).toEqual(['trucks_2026-07-01.csv']))
    expect(lastAsked()).toBe(`state=active&format=csv&${new URLSearchParams({ timeZone: localZone() })}`)
    vi.restoreAllMocks()
  })
})

describe('the drawer of a truck', () => {
  test('opens from its row and from a link', async () => {
    const { address } = openConsole('/trucks', { api })
    await user.click(await row('T-2'))
    await findDialog('Truck T-2')
    expect(address()).toBe(`/trucks?open=${testUid(2)}`)
    cleanup()
    openConsole(`/trucks?open=${testUid(3)}`, { api })
    await findDialog('Truck T-3')
    expect(screen.getByLabelText<HTMLInputElement>('Number').value).toBe('T-3')
  })

  test('refuses what the server would refuse, at the field, before asking it', async () => {
    openConsole('/trucks?open=new', { api })
    await findDialog('New truck')
    await user.type(screen.getByLabelText('VIN'), 'TOO-SHORT')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('A VIN has 17 letters and digits, without I, O and Q.')).toBeInTheDocument()
    expect(await screen.findByText('Required.')).toBeInTheDocument()
    expect(api.sentTo(trucks.create)).toHaveLength(0)
  })

  test('adds a truck once, however often Save is pressed until it succeeds, and refreshes the list', async () => {
    const { address } = openConsole('/trucks?open=new', { api })
    await findDialog('New truck')
    await user.type(screen.getByLabelText('Number'), 'T-13')
    api.respond(trucks.create, () => refusal('internal'))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(DEFAULT_ERROR)
    api.answer(trucks.create, () => {
      fleet = [aTruck(13), ...fleet]
      return { data: aTruck(13) }
    })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await row('T-13')
    expect(address()).toBe('/trucks')
    expect(screen.getByText('13 trucks')).toBeInTheDocument()
    const keys = api.sentTo(trucks.create).map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    expect(api.sentTo(trucks.create)[0]?.body).toEqual({
      number: 'T-13',
      plate: '',
      vin: '',
      kind: 'led',
      state: 'active',
      homeMarketUid: null,
      pixelMapUid: null,
      geotabDeviceId: '',
      note: '',
    })
  })

  test('shows at its field what only the server can know', async () => {
    api.respond(trucks.update, () =>
      refusal('numberTaken', { fields: { number: 'Another truck already has this number.' } }),
    )
    openConsole(`/trucks?open=${testUid(2)}`, { api })
    await findDialog('Truck T-2')
    await user.type(screen.getByLabelText('Number'), '1')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Another truck already has this number.')).toBeInTheDocument()
  })

  test('saves with the version that was opened', async () => {
    api.answer(trucks.update, () => ({ data: aTruck(2) }))
    openConsole(`/trucks?open=${testUid(2)}`, { api })
    await findDialog('Truck T-2')
    await user.type(screen.getByLabelText('Note'), 'new tyres')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Truck T-2 saved.')).toBeInTheDocument()
    expect(api.sentTo(trucks.update)[0]?.body).toMatchObject({ uid: testUid(2), version: 3, note: 'new tyres' })
  })

  test('says who changed what meanwhile, and goes on from there without losing what was typed', async () => {
    const change: RecordChange = {
      at: '2026-07-02T12:00:00.000Z',
      action: 'changed',
      by: 'Mara Lee',
      address: null,
      fields: [
        { field: 'state', old: 'active', new: 'inShop' },
        { field: 'homeMarket', old: 'Dallas', new: null },
      ],
    }
    api.answer(trucks.history, () => ({ data: [change], page: 1, pageSize: 1, total: 1 }))
    api.respond(trucks.update, () => refusal('staleVersion'))
    openConsole(`/trucks?open=${testUid(2)}`, { api })
    await findDialog('Truck T-2')
    await user.type(screen.getByLabelText('Note'), 'mine')
    await user.click(screen.getByRole('button', { name: 'Save' }))

    const alert = await screen.findByRole('alert')
    await waitFor(() => expect(alert.textContent).toContain('Mara Lee changed it'))
    expect(alert.textContent).toContain('StateActive → In shop')
    expect(alert.textContent).toContain('Home marketDallas → –')

    fleet = [aTruck(2, { state: 'inShop', homeMarket: null, version: 4 })]
    api.answer(trucks.update, () => ({ data: aTruck(2) }))
    await user.click(screen.getByRole('button', { name: 'Reload and keep my edits' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Truck T-2 saved.')
    expect(api.sentTo(trucks.update).at(-1)?.body).toMatchObject({
      version: 4,
      state: 'inShop',
      homeMarketUid: null,
      note: 'mine',
    })
  })

  test('asks before edits are lost', async () => {
    const { address } = openConsole(`/trucks?open=${testUid(2)}`, { api })
    const opened = await findDialog('Truck T-2')
    await user.type(screen.getByLabelText('Note'), 'half a thought')
    const cancel = within(opened).getByRole('button', { name: 'Cancel' })
    await user.click(cancel)
    await user.click(within(await findDialog('Discard your changes?')).getByRole('button', { name: 'Cancel' }))
    expect(address()).toContain('open=')
    expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('half a thought')
    await user.click(cancel)
    await user.click(within(await findDialog('Discard your changes?')).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(address()).toBe('/trucks'))
  })

  test('asks once before deleting, and says what stays', async () => {
    api.answer(trucks.remove, ({ params }) => {
      fleet = fleet.filter(({ uid }) => uid !== params.uid)
      return { data: { uid: String(params.uid) } }
    })
    openConsole(`/trucks?open=${testUid(2)}`, { api })
    await user.click(within(await findDialog('Truck T-2')).getByRole('button', { name: 'Delete' }))
    const question = await findDialog('Delete Truck T-2?')
    expect(question.textContent).toContain('Its shifts, plays and photos so far are kept.')
    expect(api.sentTo(trucks.remove)).toHaveLength(0)
    await user.click(within(question).getByRole('button', { name: 'Delete truck' }))
    await screen.findByText('11 trucks')
  })

  test('shows its history: who, when, and what each field was and became', async () => {
    const changes: RecordChange[] = [
      {
        at: '2026-07-02T12:00:00.000Z',
        action: 'changed',
        by: 'Mara Lee',
        address: '10.0.0.1',
        fields: [{ field: 'kind', old: 'led', new: 'printed' }],
      },
      {
        at: '2026-07-01T12:00:00.000Z',
        action: 'created',
        by: null,
        address: null,
        fields: [
          { field: 'plate', old: null, new: '' },
          { field: 'number', old: null, new: 'T-2' },
        ],
      },
    ]
    api.answer(trucks.history, () => ({ data: changes, page: 1, pageSize: 50, total: 2 }))
    openConsole(`/trucks?open=${testUid(2)}`, { api })
    await findDialog('Truck T-2')
    await user.click(screen.getByRole('tab', { name: 'History' }))
    expect((await screen.findByText('Mara Lee')).closest('li')?.textContent).toContain(
      'TypeLED screens → Printed boards',
    )
    const creation = screen.getByText('The system').closest('li')?.textContent
    expect(creation).toContain('NumberT-2')
    expect(creation).not.toContain('Plate')
    expect(screen.queryByText(/no longer kept/)).toBeNull()
  })

  test('says from when on its history is kept, where older changes are gone', async () => {
    const keptSince = '2016-11-16T18:00:00.000000Z'
    api.answer(trucks.history, () => ({ data: [], page: 1, pageSize: 50, total: 0, keptSince }))
    openConsole(`/trucks?open=${testUid(2)}`, { api })
    await findDialog('Truck T-2')
    await user.click(screen.getByRole('tab', { name: 'History' }))
    expect(await screen.findByText(/^Changes before Nov 16, 2016, .+ are no longer kept\.$/)).toBeTruthy()
  })

  test('is for reading only to someone who may not change trucks', async () => {
    openConsole('/trucks', { api, user: someUser('sales', ['trucks']) })
    await user.click(await row('T-2'))
    const opened = await findDialog('Truck T-2')
    expect(await within(opened).findByText('PLT-2')).toBeInTheDocument()
    expect(within(opened).queryByLabelText('Number')).toBeNull()
    expect(within(opened).queryByRole('button', { name: 'Save' })).toBeNull()
    expect(within(opened).queryByRole('button', { name: 'Delete' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'New truck' })).toBeNull()
  })
})
