import { markets } from '@roadshow/contract/catalog/markets'
import type { Market, MarketInput } from '@roadshow/contract/catalog/markets'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const dallas: Market = {
  uid: '01900000-0000-7000-8000-000000000042',
  name: 'Dallas',
  state: 'TX',
  zone: 'America/Chicago',
  earlierZones: [],
  latitude: 32.7767,
  longitude: -96.797,
  radiusM: 40_234,
  outline: null,
  depots: [{ name: 'North yard', latitude: 32.9, longitude: -96.8, radiusM: 805 }],
  updatedAt: '2026-07-01T12:00:00.000Z',
  version: 3,
}
const austin: Market = { ...dallas, uid: dallas.uid.replace('42', '43'), name: 'Austin', radiusM: null, depots: [] }

let api: FakeApi
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  api.answer(trucks.list, () => paged([]))
  api.answer(markets.list, ({ query }) =>
    paged([austin, dallas].filter(({ name }) => name.toLowerCase().includes(query.get('search') ?? ''))),
  )
  api.answer(markets.get, () => ({ data: dallas }))
  api.answer(markets.update, () => ({ data: { ...dallas, version: 4 } }))
  api.answer(markets.create, () => ({ data: dallas }))
})
afterEach(cleanup)

// Looked for inside the form: the screen behind it is large, and roles are slow to find.
let opened: HTMLElement
// The market's own fields stand before those of its depots, some of which have the same names.
const field = (label: string) =>
  within(opened).getAllByLabelText<HTMLInputElement>(label, { selector: 'input' })[0] as HTMLInputElement
const ofCenter = { latitude: 'Latitude of the center', longitude: 'Longitude of the center' }
const click = (name: string) =>
  user.click(within(opened).getByText(name, { selector: 'button, button span' }).closest('button') as HTMLElement)
const clicksSet = (what: 'Center' | 'Outline' | 'Depots') =>
  user.click(within(opened).getByText(what, { selector: '.ant-segmented-item-label' }))
const clickMap = () => click('Click the map')

const openForm = async (what: string, title: string, by = someUser('admin')) => {
  openConsole(`/trucks?markets=${what}`, { api, user: by })
  opened = await findDialog(title)
  await within(opened).findByRole('application')
}
const saved = async (endpoint: typeof markets.update | typeof markets.create = markets.update) => {
  await click('Save')
  await waitFor(() => expect(api.sentTo(endpoint)).toHaveLength(1))
  return api.sentTo(endpoint)[0]?.body as MarketInput & { version: number }
}

describe('the list of markets', () => {
  test('opens beside the screen that needs it, says how far each reaches, and is searched', async () => {
    const { address } = openConsole('/trucks', { api })
    await user.click(await screen.findByRole('button', { name: 'Markets' }))
    const list = within(await findDialog('Markets'))
    expect(address()).toBe('/trucks?markets=list')
    expect((await list.findByRole('button', { name: /^Dallas, TX/ })).textContent).toContain(
      'America/Chicago · 25 mi around its center · 1 depot',
    )
    expect(list.getByRole('button', { name: /^Austin/ }).textContent).toContain('no area yet')
    await user.type(list.getByLabelText('Search markets'), 'dal')
    await waitFor(() => expect(list.queryByRole('button', { name: /^Austin/ })).toBeNull())
    await user.click(list.getByRole('button', { name: /^Dallas/ }))
    await findDialog('Dallas, TX')
    expect(address()).toBe(`/trucks?markets=${dallas.uid}`)
  })

  test('says what to do while there are none, and offers nothing to anyone who only looks', async () => {
    api.answer(markets.list, () => paged([]))
    openConsole('/trucks?markets=list', { api, user: someUser('sales', ['trucks']) })
    const list = within(await findDialog('Markets'))
    expect(await list.findByText(/No markets yet/)).toBeInTheDocument()
    expect(list.queryByRole('button', { name: 'New market' })).toBeNull()
  })

  test('that cannot be read says so, and is asked for again', async () => {
    api.respond(markets.list, () => refusal('internal'))
    openConsole('/trucks?markets=list', { api })
    const list = within(await findDialog('Markets'))
    const again = await list.findByRole('button', { name: 'Retry' })
    api.answer(markets.list, () => paged([dallas]))
    await user.click(again)
    expect(await list.findByRole('button', { name: /^Dallas/ })).toBeInTheDocument()
  })
})

describe('a market', () => {
  test('gets its center by a click, with a radius, and the zone of the place', async () => {
    api.answer(markets.zone, () => ({ data: { zone: 'America/Denver' } }))
    await openForm('new', 'New market')
    await user.type(field('Name'), 'Denver')
    await user.type(field('State'), 'co')
    await clickMap()
    await waitFor(() => expect(screen.getByText('America/Denver')).toBeInTheDocument())
    expect([field(ofCenter.latitude).value, field(ofCenter.longitude).value]).toEqual(['33', '-99'])
    expect(await saved(markets.create)).toMatchObject({
      name: 'Denver',
      zone: 'America/Denver',
      latitude: 33,
      longitude: -99,
      radiusM: 40_234,
      outline: null,
    })
  })

  test('keeps the zone that it has when its center is dragged', async () => {
    await openForm(dallas.uid, 'Dallas, TX')
    await click('Drag')
    expect(await saved()).toMatchObject({
      latitude: 31.123457,
      longitude: -98,
      zone: 'America/Chicago',
      radiusM: 40_234,
      version: 3,
    })
    expect(api.sentTo(markets.zone)).toHaveLength(0)
  })

  test('gets an outline corner by corner, of three at least', async () => {
    await openForm(dallas.uid, 'Dallas, TX')
    await clicksSet('Outline')
    await clickMap()
    await clickMap()
    await click('Save')
    expect(await screen.findByText('An area has at least three corners.')).toBeInTheDocument()
    expect(api.sentTo(markets.update)).toHaveLength(0)
    await clickMap()
    await clickMap()
    expect(screen.getByText('4 corners')).toBeInTheDocument()
    await click('Undo the last corner')
    const corner = [-99, 33]
    expect(await saved()).toMatchObject({ outline: [corner, corner, corner], radiusM: 40_234 })
  })

  test('loses its outline again', async () => {
    const outline: Market['outline'] = [
      [-97, 32],
      [-96, 32],
      [-96, 33],
    ]
    api.answer(markets.get, () => ({ data: { ...dallas, outline } }))
    await openForm(dallas.uid, 'Dallas, TX')
    await clicksSet('Outline')
    await click('Remove the outline')
    expect(await saved()).toMatchObject({ outline: null })
  })

  test('gets depots by clicks, which are dragged once chosen', async () => {
    await openForm(dallas.uid, 'Dallas, TX')
    await clicksSet('Depots')
    await clickMap()
    await click('Pin North yard')
    await click('Drag')
    expect((await saved()).depots).toEqual([
      { name: 'North yard', latitude: 31.123457, longitude: -98, radiusM: 805 },
      { name: 'Depot 2', latitude: 33, longitude: -99, radiusM: 805 },
    ])
  })

  test('says at its fields what is wrong, before saving and after', async () => {
    await openForm(dallas.uid, 'Dallas, TX')
    await user.clear(field('Name'))
    await user.clear(field('State'))
    await user.type(field('State'), 'T1')
    await user.clear(field(ofCenter.latitude))
    await click('Save')
    expect(await screen.findByText('Required.')).toBeInTheDocument()
    // Each field says it when it has been checked.
    expect(await screen.findByText('Give latitude, longitude and radius, or none of them.')).toBeInTheDocument()
    await waitFor(() => expect(screen.getAllByText('Two letters, such as TX.')).toHaveLength(2))
    expect(api.sentTo(markets.update)).toHaveLength(0)

    await user.type(field('Name'), 'Austin')
    await user.clear(field('State'))
    await user.type(field(ofCenter.latitude), '32')
    const taken = 'Another market has this name.'
    api.respond(markets.update, () => refusal('marketTaken', { error: taken, fields: { name: taken } }))
    await click('Save')
    const item = (await screen.findAllByText(taken)).find((each) => each.closest('.ant-form-item'))
    expect(item?.closest('.ant-form-item')?.contains(field('Name'))).toBe(true)
  })

  test('that is still needed is not deleted, and says by what', async () => {
    const error = 'This market is still needed by truck M-7.'
    api.respond(markets.remove, () => refusal('marketNeeded', { error }))
    await openForm(dallas.uid, 'Dallas, TX')
    await click('Delete')
    await user.click(within(await findDialog('Delete Dallas, TX?')).getByRole('button', { name: 'Delete market' }))
    expect(await screen.findByText(error)).toBeInTheDocument()
  })

  test('is for reading only to anyone who only looks', async () => {
    await openForm(dallas.uid, 'Dallas, TX', someUser('sales', ['trucks']))
    expect(within(opened).queryByLabelText('Name')).toBeNull()
    expect(within(opened).queryByText('Click the map')).toBeNull()
    expect(within(opened).queryByText('Save')).toBeNull()
  })
})

describe('the time zone of a market', () => {
  const openTab = async (by = someUser('admin')) => {
    await openForm(dallas.uid, 'Dallas, TX', by)
    await user.click(within(opened).getByRole('tab', { name: 'Time zone' }))
  }
  const chooseZone = async (name: string) => {
    const dialog = await findDialog('Change the time zone of Dallas?')
    await user.type(within(dialog).getByLabelText('New time zone'), name)
    await user.click(await screen.findByText(name, { selector: '.ant-select-item-option-content' }))
    return dialog
  }

  test('says until when it had others, to anyone who looks', async () => {
    api.answer(markets.get, () => ({
      data: { ...dallas, zone: 'America/Denver', earlierZones: [{ zone: 'America/Chicago', until: '2026-12-01' }] },
    }))
    await openTab(someUser('sales', ['trucks']))
    const list = within(opened).getByRole('list', { name: 'Time zones' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['America/Denver from Dec 1, 2026', 'America/Chicago before Dec 1, 2026'])
    expect(within(opened).queryByRole('button', { name: 'Change time zone' })).toBeNull()
  })

  test('is changed from a day on, after a sentence about the shifts that it changes', async () => {
    const changed = {
      ...dallas,
      zone: 'America/Denver',
      earlierZones: [{ zone: 'America/Chicago', until: '2026-12-01' }],
      version: 4,
    }
    api.answer(markets.zoneChange, ({ query }) => ({
      data: {
        earliest: '2026-11-20',
        from: query.get('from') ?? '2026-11-20',
        before: 'America/Chicago',
        shifts: query.get('from') === null ? 1 : 14,
        problem: null,
      },
    }))
    api.answer(markets.changeZone, () => ({ data: changed }))
    await openTab()
    await click('Change time zone')
    const dialog = await chooseZone('America/Denver')
    expect(
      await within(dialog).findByText(
        'Dallas is in America/Chicago until Nov 20, 2026, and in America/Denver from that day on. 1 planned shift from that day on keeps its clock times. Earlier shifts stay as they are.',
      ),
    ).toBeInTheDocument()
    const from = within(dialog).getByLabelText('From')
    await user.clear(from)
    await user.type(from, '12/1/2026{Enter}')
    expect(
      await within(dialog).findByText(/14 planned shifts from that day on keep their clock times/),
    ).toBeInTheDocument()
    api.answer(markets.get, () => ({ data: changed }))
    await user.click(within(dialog).getByRole('button', { name: 'Change time zone' }))
    await waitFor(() => expect(api.sentTo(markets.changeZone)).toHaveLength(1))
    expect(api.sentTo(markets.changeZone)[0]?.body).toEqual({ version: 3, zone: 'America/Denver', from: '2026-12-01' })
    expect(await within(opened).findByText('America/Denver from Dec 1, 2026')).toBeInTheDocument()
  })

  test('is not changed while the server says why not', async () => {
    api.answer(markets.zoneChange, () => ({
      data: {
        earliest: '2026-11-20',
        from: '2026-11-20',
        before: 'America/Chicago',
        shifts: 2,
        problem: 'The truck has another shift at that time: T-1.',
      },
    }))
    await openTab()
    await click('Change time zone')
    const dialog = await chooseZone('America/Denver')
    expect(await within(dialog).findByText('The truck has another shift at that time: T-1.')).toBeInTheDocument()
    expect(within(dialog).getByRole('button', { name: 'Change time zone' })).toBeDisabled()
  })
})
