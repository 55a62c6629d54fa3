import { devices } from '@roadshow/contract/catalog/devices'
import type { Device } from '@roadshow/contract/catalog/devices'
import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const at = '2026-07-01T12:00:00.000Z'
const truck: Truck = {
  uid: '01900000-0000-7000-8000-000000000001',
  number: 'T-1',
  plate: '',
  vin: '',
  kind: 'led',
  state: 'active',
  homeMarket: null,
  pixelMap: null,
  geotabDeviceId: '',
  player: 'missing',
  note: '',
  createdAt: at,
  updatedAt: at,
  version: 1,
}
const player: Device = {
  uid: '01900000-0000-7000-8000-000000000002',
  truckUid: truck.uid,
  kind: 'player',
  macAddress: 'AA:BB:CC:01:02:03',
  state: 'unpaired',
  codeExpiresAt: null,
  pairedAt: null,
  revokedAt: null,
  seenAt: null,
  createdAt: at,
  updatedAt: at,
  version: 1,
}

let api: FakeApi
let own: Device[]
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
  own = [player]
  api.answer(trucks.list, () => ({ data: [truck], page: 1, pageSize: 10, total: 1 }))
  api.answer(trucks.get, () => ({ data: truck }))
  api.answer(devices.list, () => ({ data: own, page: 1, pageSize: 200, total: own.length }))
})
afterEach(cleanup)

const openDevices = async (as = someUser('admin')) => {
  openConsole(`/trucks?open=${truck.uid}`, { api, user: as })
  await user.click(await screen.findByRole('tab', { name: 'Devices' }))
  return within(await screen.findByRole('region', { name: `Player ${own[0]?.macAddress}` }))
}

test('a code is shown once, and goes when the device has paired', async () => {
  const card = await openDevices()
  expect(card.getByText('Not paired')).toBeInTheDocument()
  const expiresAt = '2026-07-01T12:15:00.000Z'
  api.answer(devices.code, () => {
    own = [{ ...player, state: 'waiting', codeExpiresAt: expiresAt }]
    return { data: { code: 'ACDEFGHJ', expiresAt } }
  })
  await user.click(card.getByRole('button', { name: 'Get pairing code' }))
  expect(await card.findByText('ACDE-FGHJ')).toBeInTheDocument()
  expect(await card.findByText('Waiting')).toBeInTheDocument()
  own = [{ ...player, state: 'paired', pairedAt: '2026-07-01T12:05:00.000Z' }]
  await waitFor(() => expect(card.getByText('Paired')).toBeInTheDocument(), { timeout: 8_000 })
  expect(card.queryByText('ACDE-FGHJ')).toBeNull()
})

test('revoking and removing ask once and say what they do', async () => {
  own = [{ ...player, state: 'paired', pairedAt: at }]
  api.answer(devices.revoke, () => {
    own = [{ ...player, state: 'revoked', revokedAt: at }]
    return { data: own[0] ?? player }
  })
  const card = await openDevices()
  await user.click(card.getByRole('button', { name: 'Revoke' }))
  expect(await screen.findByText(/Its key stops working at once. You can pair it again/)).toBeInTheDocument()
  expect(api.sentTo(devices.revoke)).toHaveLength(0)
  const asked = screen.getByText('Revoke Player AA:BB:CC:01:02:03?').closest<HTMLElement>('[role="dialog"]')
  await user.click(within(asked as HTMLElement).getByRole('button', { name: 'Revoke' }))
  expect(await card.findByText('Revoked')).toBeInTheDocument()
  expect(card.queryByRole('button', { name: 'Revoke' })).toBeNull()
})

test('a device is added with its MAC address checked, and a taken one is refused at the field', async () => {
  await openDevices()
  const mac = screen.getByLabelText('MAC address')
  const add = screen.getByRole('button', { name: 'Add device' })
  await user.type(mac, 'not a mac')
  await user.click(add)
  expect(await screen.findByText(/^A MAC address has twelve/)).toBeInTheDocument()
  expect(api.sentTo(devices.create)).toHaveLength(0)
  api.respond(devices.create, () =>
    refusal('macTaken', { fields: { macAddress: 'Another device already has this MAC address.' } }),
  )
  await user.clear(mac)
  await user.type(mac, 'aa-bb-cc-01-02-04')
  await user.click(add)
  expect(await screen.findByText('Another device already has this MAC address.')).toBeInTheDocument()
  api.answer(devices.create, () => {
    const added: Device = { ...player, uid: '01900000-0000-7000-8000-000000000003', macAddress: 'AA:BB:CC:01:02:04' }
    own = [...own, added]
    return { data: added }
  })
  await user.click(add)
  expect(await screen.findByText('AA:BB:CC:01:02:04')).toBeInTheDocument()
  // The truck itself was not saved by it.
  expect(api.sentTo(trucks.update)).toHaveLength(0)
})

test('is for reading only to somebody who may not change trucks', async () => {
  const card = await openDevices(someUser('sales', ['trucks']))
  expect(card.getAllByRole('button').map((button) => button.textContent)).toEqual(['History'])
  expect(screen.queryByRole('button', { name: 'Add device' })).toBeNull()
})
