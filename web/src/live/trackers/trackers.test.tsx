import { defaultSettings, settings } from '@roadshow/contract/catalog/settings'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { sources, trackFiles, truckTrackers } from '@roadshow/contract/live/position-sources'
import type {
  PositionSource,
  TrackFileResult,
  TruckTracker,
  UnknownTracker,
} from '@roadshow/contract/live/position-sources'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testTruck } from '../../test-truck.ts'
import { testUid } from '../../test-uid.ts'

const at = '2026-11-16T18:00:00.000Z'
const truck = testTruck(1)
const phones = { uid: testUid(50), name: 'Phones', kind: 'osmand' as const }

const aSource = (given: Partial<PositionSource>): PositionSource => ({
  uid: phones.uid,
  name: phones.name,
  kind: 'osmand',
  state: 'active',
  isBuiltIn: false,
  keyStart: 'rt_abc',
  account: null,
  trucks: 3,
  unknownIds: 1,
  createdAt: at,
  createdBy: null,
  lastSeenAt: at,
  lastAddress: '203.0.113.9',
  lastFixAt: at,
  lastError: null,
  lastErrorAt: null,
  ...given,
})
const geotab = aSource({
  uid: testUid(51),
  name: 'MyGeotab',
  kind: 'geotab',
  isBuiltIn: true,
  keyStart: '',
  account: {
    server: 'https://my.geotab.com',
    database: 'acme',
    user: 'ops@acme.example',
    isSetByServer: true,
    savedAt: null,
    savedBy: null,
  },
})
const unknown: UnknownTracker = {
  source: { uid: phones.uid, name: phones.name },
  kind: 'osmand',
  externalId: 'VAN-9',
  fixes: 12,
  firstAt: at,
  lastAt: at,
}

let api: FakeApi
let all: PositionSource[]
let own: TruckTracker[]
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
  all = [geotab, aSource({})]
  own = []
  api.answer(trucks.list, () => paged([truck]))
  api.answer(trucks.get, () => ({ data: truck }))
  api.answer(settings.get, () => ({ data: { version: 1, values: defaultSettings } }))
  api.answer(sources.list, () => ({ data: all }))
  api.answer(truckTrackers.unknown, () => ({ data: [unknown] }))
  api.answer(truckTrackers.get, () => ({ data: { trackers: own, sources: [phones] } }))
})
afterEach(cleanup)

const openSources = async () => {
  openConsole('/trucks?settings=open', { api })
  await user.click(await screen.findByRole('tab', { name: 'Position sources' }))
  return within(await screen.findByRole('list', { name: 'Position sources' }))
}

test('sources say what they sent last, and the ones that are always there can’t be changed', async () => {
  all = [geotab, aSource({ lastError: 'The time is missing or cannot be read.', lastErrorAt: at })]
  const list = await openSources()
  const card = within(list.getByRole('region', { name: 'Phones' }))
  expect(card.getByText(/^3 trucks, last seen .* from 203\.0\.113\.9, newest position/)).toBeInTheDocument()
  expect(card.getByText('The time is missing or cannot be read.')).toBeInTheDocument()
  const ofServer = within(list.getByRole('region', { name: 'MyGeotab' }))
  expect(
    ofServer.getByText('The settings of the server name its account: ops@acme.example in acme.'),
  ).toBeInTheDocument()
  expect(ofServer.queryByRole('button')).toBeNull()
})

test('an address leads to them', async () => {
  openConsole('/trucks?settings=sources', { api })
  const tab = await screen.findByRole('tab', { name: 'Position sources' })
  expect(tab).toHaveAttribute('aria-selected', 'true')
  expect(await screen.findByRole('list', { name: 'Position sources' })).toBeVisible()
})

test('a new source shows its key once, with the address to enter', async () => {
  await openSources()
  const created = aSource({ uid: testUid(52), name: 'Crew phones' })
  api.answer(sources.create, () => {
    all = [...all, created]
    return { data: { source: created, key: 'rt_secret' } }
  })
  await user.type(screen.getByLabelText('Name'), 'Crew phones')
  await user.click(screen.getByRole('button', { name: 'Add source' }))
  const dialog = within(await findDialog('Crew phones'))
  expect(dialog.getByText(`${location.origin}/track/rt_secret`)).toBeInTheDocument()
  expect(api.sentTo(sources.create)).toMatchObject([{ body: { name: 'Crew phones', kind: 'osmand' } }])
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  expect(await screen.findByRole('region', { name: 'Crew phones' })).toBeInTheDocument()
})

test('a key is revoked after one question', async () => {
  const list = await openSources()
  api.answer(sources.revoke, () => {
    all = [geotab, aSource({ state: 'revoked' })]
    return { data: aSource({ state: 'revoked' }) }
  })
  await user.click(list.getByRole('button', { name: 'Revoke' }))
  expect(api.sentTo(sources.revoke)).toHaveLength(0)
  const dialog = within(await findDialog('Revoke the key of Phones?'))
  await user.click(dialog.getByRole('button', { name: 'Revoke' }))
  expect(await list.findByText('Key revoked')).toBeInTheDocument()
})

test('an id that no truck has is given to one', async () => {
  await openSources()
  const row = within(await screen.findByRole('list', { name: 'Unknown ids' }))
  expect(row.getByText('VAN-9')).toBeInTheDocument()
  api.answer(truckTrackers.add, () => ({ data: { trackers: [], sources: [] } }))
  await user.click(row.getByRole('combobox', { name: 'Truck for VAN-9' }))
  await user.click(await screen.findByText(truck.number, { selector: '.ant-select-item-option-content' }))
  await user.click(row.getByRole('button', { name: 'Give to truck' }))
  expect(api.sentTo(truckTrackers.add)).toMatchObject([
    { params: { uid: truck.uid }, body: { sourceUid: phones.uid, externalId: 'VAN-9' } },
  ])
})

test('a truck gets an id at a source, and a taken one is refused at the field', async () => {
  openConsole(`/trucks?open=${truck.uid}`, { api })
  await user.click(await screen.findByRole('tab', { name: 'Trackers' }))
  expect(await screen.findByText(/^No tracker yet\./)).toBeInTheDocument()
  api.respond(truckTrackers.add, () =>
    refusal('badInput', { fields: { externalId: 'T-2 has this id. Remove it there first.' } }),
  )
  await user.type(screen.getByLabelText('Id there'), 'VAN-1')
  await user.click(screen.getByRole('button', { name: 'Add tracker' }))
  expect(await screen.findByText('T-2 has this id. Remove it there first.')).toBeInTheDocument()
  api.answer(truckTrackers.add, () => {
    own = [{ source: phones, kind: 'osmand', externalId: 'VAN-1', lastFixAt: null, isRemovable: true }].map(
      ({ source: { uid, name }, ...tracker }) => ({ ...tracker, source: { uid, name }, kind: 'osmand' as const }),
    )
    return { data: { trackers: own, sources: [phones] } }
  })
  await user.click(screen.getByRole('button', { name: 'Add tracker' }))
  expect(await screen.findByText(/No position yet$/)).toBeInTheDocument()
})

test('a Samsara account is entered with its token', async () => {
  await openSources()
  await user.click(screen.getByRole('button', { name: 'Connect Samsara' }))
  const dialog = within(await findDialog('Connect Samsara'))
  await user.click(dialog.getByRole('button', { name: 'Connect' }))
  expect(await dialog.findByText('Enter the API token.')).toBeInTheDocument()
  api.answer(sources.addPolled, () => ({ data: aSource({ uid: testUid(53), name: 'Samsara', kind: 'samsara' }) }))
  await user.type(dialog.getByLabelText('API token'), 'samsara_api_x')
  await user.click(dialog.getByRole('button', { name: 'Connect' }))
  await expect
    .poll(() => api.sentTo(sources.addPolled).map(({ body }) => body))
    .toEqual([{ name: 'Samsara', kind: 'samsara', server: 'https://api.samsara.com', secret: 'samsara_api_x' }])
})

test('a file of a day says what it brings before its positions are added', async () => {
  openConsole(`/trucks?open=${truck.uid}`, { api })
  await user.click(await screen.findByRole('tab', { name: 'Trackers' }))
  const checked: TrackFileResult = {
    saved: false,
    digest: 'abc',
    format: 'GPX',
    fixes: 120,
    from: '2026-11-16T15:00:00.000Z',
    to: '2026-11-16T16:00:00.000Z',
    miles: 12.34,
    known: 20,
    leftOut: [{ reason: 'The tracker had no GPS fix at this time.', count: 3 }],
    notes: [],
  }
  api.answer(trackFiles.upload, () => ({ data: checked }))
  const part = within(await screen.findByRole('region', { name: 'Upload a track' }))
  await user.upload(
    part.getByLabelText('Choose a file'),
    new File(['<gpx/>'], 'day.gpx', { type: 'application/gpx+xml' }),
  )
  expect(await part.findByText(/^GPX: 120 positions, .*12\.3 mi\. 20 are there already\.$/)).toBeInTheDocument()
  expect(part.getByText('3 left out: The tracker had no GPS fix at this time.')).toBeInTheDocument()
  expect(api.sentTo(trackFiles.upload).map(({ body }) => body)).toEqual([{ save: false, zone: 'UTC' }])
  api.answer(trackFiles.upload, () => ({ data: { ...checked, saved: true } }))
  await user.click(part.getByRole('button', { name: 'Add these positions' }))
  expect(await part.findByText('100 positions added.')).toBeInTheDocument()
  expect(api.sentTo(trackFiles.upload).at(-1)?.body).toEqual({ save: true, zone: 'UTC', digest: 'abc' })
})
