import { addresses } from '@roadshow/contract/catalog/addresses'
import type { AddressSet, SdAddress } from '@roadshow/contract/catalog/addresses'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { clients } from '@roadshow/contract/catalog/clients'
import { programs } from '@roadshow/contract/catalog/programs'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const program = { uid: uidOf(700), name: 'Summer' }
const anAddress = (n: number, more: Partial<SdAddress> = {}): SdAddress => ({
  uid: uidOf(n),
  label: `Shop ${n}`,
  address: `${n} Main St, Austin, TX 78701`,
  latitude: 30 + n / 1000,
  longitude: -97,
  radiusM: 1609,
  artworkSet: null,
  locatedBy: 'given',
  ...more,
})
const aSet = (own: SdAddress[]): AddressSet => ({
  uid: uidOf(1),
  name: 'Austin shops',
  program,
  client: { uid: uidOf(800), name: 'Acme' },
  addressCount: own.length,
  approximateCount: 0,
  note: '',
  addresses: own,
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
  version: 4,
})

let api: FakeApi
let set: AddressSet
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  set = aSet([anAddress(1), anAddress(2, { locatedBy: 'zip' })])
  const { addresses: _own, ...row } = set
  api.answer(addresses.list, () => paged([row]))
  api.answer(addresses.get, () => ({ data: set }))
  api.answer(addresses.update, () => ({ data: set }))
  api.respond(artworkSets.list, () => Response.json(paged([])))
  api.respond(programs.list, () => Response.json(paged([{ ...program, client: { uid: uidOf(800), name: 'Acme' } }])))
  api.respond(clients.list, () => Response.json(paged([])))
})
afterEach(cleanup)

const openSet = async (role: 'admin' | 'client' = 'admin') => {
  openConsole(`/gps-addresses?open=${uidOf(1)}`, { api, user: someUser(role, ['clients']) })
  return screen.findByRole('table', { name: 'Addresses' })
}
const save = async () => {
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(api.sentTo(addresses.update)).toHaveLength(1))
  return api.sentTo(addresses.update)[0]?.body as { version: number; addresses: Partial<SdAddress>[] }
}

describe('an address set', () => {
  test('shows its addresses in the table and on the map, each choosing in the other', async () => {
    const table = await openSet()
    expect(within(table).getAllByRole('row')).toHaveLength(3)
    expect(within(table).getByText('Approximate (ZIP code)')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Pin Shop 2' }))
    expect(within(table).getByRole('button', { name: 'Shop 2' }).getAttribute('aria-pressed')).toBe('true')
    await user.click(within(table).getByRole('button', { name: 'Shop 1' }))
    expect(screen.getByRole('application').getAttribute('aria-label')).toBe('2 pins, 0 chosen')
    expect(screen.getByLabelText<HTMLInputElement>('Radius (miles)').value).toBe('1.0')
  })

  test('saves a dragged pin as set on the map', async () => {
    const table = await openSet()
    await user.click(within(table).getByRole('button', { name: 'Shop 2' }))
    await user.click(screen.getByRole('button', { name: 'Drag' }))
    const { version, addresses: saved } = await save()
    expect(version).toBe(4)
    expect(saved[0]).toMatchObject({ uid: uidOf(1), locatedBy: 'given' })
    expect(saved[1]).toMatchObject({ uid: uidOf(2), latitude: 31.123457, longitude: -98, locatedBy: 'pin' })
  })

  test('takes a new address by a click on the map, and not without its place', async () => {
    await openSet()
    await user.click(screen.getByRole('button', { name: 'Add address' }))
    await user.type(screen.getByLabelText('Label'), 'Shop 3')
    expect(screen.getByText('Not placed yet.')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(api.sentTo(addresses.update)).toHaveLength(0)
    await user.click(screen.getByRole('button', { name: 'Click the map' }))
    const { addresses: saved } = await save()
    expect(saved[2]).toMatchObject({ label: 'Shop 3', latitude: 33, longitude: -99, locatedBy: 'pin', radiusM: 8047 })
  })

  test('finds a place by its address, and says when there is none', async () => {
    const table = await openSet()
    await user.click(within(table).getByRole('button', { name: 'Shop 1' }))
    /** A button that is still at work takes no click. */
    const find = async () => {
      const button = await screen.findByRole('button', { name: /Find$/ })
      await waitFor(() => expect(button.className).not.toContain('loading'))
      await user.click(button)
    }
    api.answer(addresses.geocode, () => ({ data: [null] }))
    await find()
    expect(await screen.findByText('Address not found. Add the ZIP code, or place it on the map.')).toBeInTheDocument()
    api.answer(addresses.geocode, () => ({ data: [{ latitude: 40, longitude: -80, locatedBy: 'geocoder' as const }] }))
    await find()
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Latitude').value).toBe('40'))
    expect(api.sentTo(addresses.geocode)[0]?.body).toEqual({ addresses: ['1 Main St, Austin, TX 78701'] })
  })

  test('keeps what is typed while a place is looked up, and puts it to no other address', async () => {
    const table = await openSet()
    await user.click(within(table).getByRole('button', { name: 'Shop 1' }))
    const lookUp = async () => {
      let answer = () => {}
      api.respond(
        addresses.geocode,
        () =>
          new Promise((resolve) => {
            const data = [{ latitude: 40, longitude: -80, locatedBy: 'geocoder' }]
            answer = () => resolve(Response.json({ data }))
          }),
      )
      const asked = api.sentTo(addresses.geocode).length
      await user.click(await screen.findByRole('button', { name: /Find$/ }))
      await waitFor(() => expect(api.sentTo(addresses.geocode)).toHaveLength(asked + 1))
      return () => answer()
    }
    const latitude = () => screen.getByLabelText<HTMLInputElement>('Latitude').value
    const answerFirst = await lookUp()
    await user.type(screen.getByLabelText('Label'), 'b')
    answerFirst()
    await waitFor(() => expect(latitude()).toBe('40'))
    expect(screen.getByLabelText<HTMLInputElement>('Label').value).toBe('Shop 1b')
    await user.click(within(table).getByRole('button', { name: 'Shop 2' }))
    const before = latitude()
    const answerSecond = await lookUp()
    await user.type(screen.getByLabelText('Address'), ' East')
    answerSecond()
    await waitFor(() => expect(screen.getByRole('button', { name: /Find$/ }).className).not.toContain('loading'))
    expect(latitude()).toBe(before)
  })

  test('is for reading only to a client user', async () => {
    const table = await openSet('client')
    await user.click(within(table).getByRole('button', { name: 'Shop 1' }))
    expect(within(screen.getByRole('region', { name: 'Shop 1' })).getByText('30.001, -97')).toBeInTheDocument()
    expect(screen.queryByLabelText('Label')).toBeNull()
    for (const name of ['Add address', 'Drag', /Find$/, 'Remove this address'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })
})

describe('an import', () => {
  const csv = new File(['Label\nx'], 'shops.csv', { type: 'text/csv' })
  const value = (label: string) => ({
    label,
    address: '',
    latitude: 35,
    longitude: -90,
    radiusM: 800,
    locatedBy: 'given' as const,
    artworkSetUid: null,
  })
  const choose = async () => {
    await user.click(screen.getByRole('button', { name: 'Import CSV or Excel' }))
    await user.upload(await screen.findByLabelText('Choose a file'), csv)
  }

  test('names every wrong row, and takes the good ones: known labels are changed, others added', async () => {
    api.answer(addresses.checkImport, () => ({
      data: [
        { row: 2, cells: { label: 'shop 2' }, problems: {}, value: value('shop 2') },
        { row: 3, cells: { label: 'Shop 9' }, problems: {}, value: value('Shop 9') },
        { row: 4, cells: { address: 'nowhere' }, problems: { label: 'Required.' }, value: null },
      ],
    }))
    await openSet()
    await choose()
    expect(await screen.findByText('1 of 3 rows have errors.')).toBeInTheDocument()
    const wrong = screen.getByText('Required.').closest('tr')
    expect(wrong?.getAttribute('data-bad')).toBe('true')
    expect(api.sentTo(addresses.checkImport)[0]?.body).toEqual({ programUid: program.uid })
    await user.click(screen.getByRole('button', { name: 'Import 2 good rows' }))
    const { addresses: saved } = await save()
    expect(saved.map(({ uid, label, latitude }) => [uid, label, latitude])).toEqual([
      [uidOf(1), 'Shop 1', 30.001],
      [uidOf(2), 'shop 2', 35],
      [undefined, 'Shop 9', 35],
    ])
  })

  test('says how much has been sent, then that it is checked, and is given up by closing', async () => {
    let tell = (_name: string, _more?: object) => {}
    const abort = vi.fn<() => void>()
    class SlowRequest extends EventTarget {
      upload = new EventTarget()
      open() {}
      setRequestHeader() {}
      abort = abort
      send() {
        tell = (name, more) => void this.upload.dispatchEvent(Object.assign(new Event(name), more))
      }
    }
    vi.stubGlobal('XMLHttpRequest', SlowRequest)
    await openSet()
    await choose()
    expect(await screen.findByText('Sending shops.csv…')).toBeInTheDocument()
    act(() => tell('progress', { loaded: 30, total: 100 }))
    expect(screen.getByLabelText<HTMLProgressElement>('Sent').value).toBe(0.3)
    act(() => tell('progress', { loaded: 100, total: 100 }))
    expect(screen.getByText('Checking every row of shops.csv…')).toBeInTheDocument()
    expect(screen.getByLabelText('Checking').hasAttribute('value')).toBe(false)
    await user.click(within(await findDialog('Import addresses')).getByRole('button', { name: 'Cancel' }))
    expect(abort).toHaveBeenCalledOnce()
  })

  test('of a file that is none says so', async () => {
    api.respond(addresses.checkImport, () => refusal('unreadableTable'))
    await openSet()
    await choose()
    expect(await screen.findByText(/could not be read as a table/)).toBeInTheDocument()
  })
})
