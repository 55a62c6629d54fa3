import { devices, screenPairings } from '@roadshow/contract/catalog/devices'
import type { Device } from '@roadshow/contract/catalog/devices'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { screens } from '@roadshow/contract/live/screens'
import { adLog } from '@roadshow/contract/proof/ad-log'
import type { DeviceAccount } from '@roadshow/contract/proof/ad-log'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { fakeApi, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testTruck } from '../../test-truck.ts'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'

const at = '2026-07-01T12:00:00.000Z'
const truck = testTruck(1)
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

const noNumbers: DeviceAccount = {
  used: 0,
  stored: 0,
  missing: 0,
  rejected: 0,
  duplicates: 0,
  gaps: [],
  jumps: [],
  skipped: [],
  lost: [],
  rejections: [],
}

let api: FakeApi
let own: Device[]
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
  own = [player]
  api.answer(trucks.list, () => ({ data: [truck], page: 1, pageSize: 10, total: 1 }))
  api.answer(trucks.get, () => ({ data: truck }))
  api.answer(adLog.device, () => ({ data: noNumbers }))
  api.answer(screens.list, () => ({ data: [] }))
  api.answer(devices.list, () => ({ data: own, page: 1, pageSize: 200, total: own.length }))
})
afterEach(cleanup)

const openDevices = async (as = someUser('admin')) => {
  openConsole(`/trucks?open=${truck.uid}`, { api, user: as })
  await user.click(await screen.findByRole('tab', { name: 'Devices' }))
  return within(await screen.findByRole('region', { name: `Player ${own[0]?.macAddress}` }))
}

test('a code is shown once, and goes when the device has paired', async () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
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
  // The list is asked for again while a code waits.
  vi.advanceTimersByTime(3_000)
  expect(await card.findByText('Paired')).toBeInTheDocument()
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

test('is for reading only to someone who may not change trucks', async () => {
  const card = await openDevices(someUser('sales', ['trucks']))
  expect(card.getAllByRole('button').map((button) => button.textContent)).toEqual(['History'])
  expect(screen.queryByRole('button', { name: 'Add device' })).toBeNull()
})

test('a player accounts for every number it has used, with the gaps and the reasons of rejections', async () => {
  const at = '2026-07-02T20:00:00.000Z'
  const rejection = { sequence: 12_000, at, reason: 'Artwork set not found.', isDuplicate: false }
  api.answer(adLog.device, () => ({
    data: {
      ...noNumbers,
      used: 12_345,
      stored: 12_300,
      missing: 43,
      rejected: 2,
      gaps: [
        { from: 11_001, to: 11_010 },
        { from: 7, to: 7 },
      ],
      rejections: [rejection, { ...rejection, sequence: 4 }],
    },
  }))
  const card = await openDevices()
  await card.findByText('12,345 numbers used: 12,300 stored, 43 missing, 2 rejected.')
  const details = card.getByRole('button', { name: 'Show details' })
  expect(details.getAttribute('aria-expanded')).toBe('false')
  await user.click(details)
  const gaps = within(card.getByRole('region', { name: 'Missing numbers' }))
  expect(gaps.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['11,001–11,010 (10)', '7'])
  expect(gaps.getByText('The newest 11 of 43 are listed.')).toBeInTheDocument()
  const rows = within(card.getByRole('table', { name: 'Rejected plays' })).getAllByRole('row')
  expect(rows[1]?.textContent).toBe(`12,000${formatMoment(rejection.at, localZone())}Artwork set not found.`)
  expect(rows).toHaveLength(3)
  await user.click(card.getByRole('button', { name: 'Hide details' }))
  expect(card.queryByRole('table', { name: 'Rejected plays' })).toBeNull()
})

test('a jump of the counter is asked about, and a decision can be changed', async () => {
  const jump = { from: 813, to: 100_011 }
  let account = { ...noNumbers, used: 813, stored: 813, jumps: [jump] }
  api.answer(adLog.device, () => ({ data: account }))
  const card = await openDevices()
  await card.findByText('The counter jumped from 812 to 100,012. Are these numbers missing?')
  api.respond(adLog.answerJump, () => refusal('staleVersion', { error: 'This jump is no longer open.' }))
  await user.click(card.getByRole('button', { name: 'These are missing' }))
  await card.findByText('This jump is no longer open.')
  api.answer(adLog.answerJump, ({ body }) => {
    const { answer, ...range } = body as typeof jump & { answer: string }
    account = { ...account, jumps: [], skipped: answer === 'set' ? [range] : [], lost: answer === 'set' ? [] : [range] }
    return { data: { uid: player.uid } }
  })
  await user.click(card.getByRole('button', { name: 'The counter was set' }))
  await user.click(await card.findByRole('button', { name: 'Show details' }))
  expect(card.getByText(/^813–100,011 \(99,199\): the counter was set/)).toBeInTheDocument()
  await user.click(card.getByRole('button', { name: 'These are missing' }))
  await card.findByText(/^813–100,011 \(99,199\): counted as missing/)
})

test('numbers are shown for players only, and a player without plays says so', async () => {
  own = [{ ...player, kind: 'driver', macAddress: 'AA:BB:CC:01:02:09' }, player]
  openConsole(`/trucks?open=${truck.uid}`, { api })
  await user.click(await screen.findByRole('tab', { name: 'Devices' }))
  const ofPlayer = within(await screen.findByRole('region', { name: `Player ${player.macAddress}` }))
  await ofPlayer.findByText('No plays reported yet.')
  expect(screen.getAllByText('No plays reported yet.')).toHaveLength(1)
  expect(api.sentTo(adLog.device).map(({ params }) => params.uid)).toEqual([player.uid])
})

test('a screen is paired by the code it shows; a wrong code is refused at the field', async () => {
  await openDevices()
  const code = screen.getByLabelText('Code on the screen')
  const pair = screen.getByRole('button', { name: 'Pair a screen' })
  await user.click(pair)
  expect(await screen.findByText('Type the code that the screen shows.')).toBeInTheDocument()
  const wrong = 'This code is wrong, expired or already used. Check the code on the screen.'
  api.respond(screenPairings.claim, () => refusal('badInput', { fields: { code: wrong } }))
  await user.type(code, 'acde-fghj')
  await user.click(pair)
  expect(await screen.findByText(wrong)).toBeInTheDocument()
  api.answer(screenPairings.claim, () => {
    const added: Device = { ...player, uid: '01900000-0000-7000-8000-000000000004', macAddress: '02:BB:CC:01:02:04' }
    own = [...own, added]
    return { data: added }
  })
  await user.click(pair)
  expect(await screen.findByText('02:BB:CC:01:02:04')).toBeInTheDocument()
  expect(code).toHaveValue('')
  expect(api.sentTo(screenPairings.claim)[0]?.body).toEqual({ truckUid: truck.uid, code: 'acde-fghj' })
})

test('the link of a screen asks for the truck and brings the code to its devices', async () => {
  const { address } = openConsole('/trucks?pair=ACDEFGHJ', { api })
  expect(await screen.findByText('Choose the truck that the screen ACDEFGHJ is on.')).toBeInTheDocument()
  await user.click(screen.getByRole('combobox', { name: 'Truck' }))
  await user.click(await screen.findByTitle('T-1'))
  expect(await screen.findByLabelText('Code on the screen')).toHaveValue('ACDEFGHJ')
  expect(address()).toBe(`/trucks?open=${truck.uid}&tab=devices&pair=ACDEFGHJ`)
})
