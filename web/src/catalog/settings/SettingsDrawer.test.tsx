import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { settings, defaultSettings } from '@roadshow/contract/catalog/settings'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, openConsole, refusal, someUser } from '../../test-console.tsx'
import { settingText } from './settingText.ts'
import type { FakeApi } from '../../test-console.tsx'

let api: FakeApi
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  api.answer(trucks.list, () => ({ data: [], page: 1, pageSize: 10, total: 0 }))
  api.answer(settings.get, () => ({ data: { version: 3, values: defaultSettings } }))
})
afterEach(cleanup)

const rest = () => screen.findByLabelText<HTMLInputElement>('Rest between shifts')
const type = async (text: string) => {
  await user.clear(await rest())
  await user.type(await rest(), text)
  await user.click(screen.getByRole('button', { name: 'Save' }))
}

test('an admin opens the settings under their name, and each says what it changes', async () => {
  const { address } = openConsole('/trucks', { api })
  await user.click(await screen.findByRole('button', { name: /Avery Stone/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Settings' }))
  expect((await rest()).value).toBe('10')
  expect(screen.getByText(/Planning a driver sooner than this/)).toBeInTheDocument()
  expect(address()).toBe('/trucks?settings=open')
})

test('no one else sees them, not by a link either', async () => {
  openConsole('/trucks?settings=open', { api, user: someUser('sales', ['trucks']) })
  await user.click(await screen.findByRole('button', { name: /Avery Stone/ }))
  await screen.findByRole('menuitem', { name: 'Dark' })
  expect(screen.queryByRole('menuitem', { name: 'Settings' })).toBeNull()
  expect(api.sentTo(settings.get)).toHaveLength(0)
})

test('are saved all together with their version', async () => {
  api.answer(settings.update, () => ({ data: { version: 4, values: defaultSettings } }))
  openConsole('/trucks?settings=open', { api })
  await type('8.5')
  expect(await screen.findByText('The settings are saved.')).toBeInTheDocument()
  expect(api.sentTo(settings.update)[0]?.body).toEqual({ ...defaultSettings, restGapHours: 8.5, version: 3 })
})

test('refuse what the server would refuse, and say when someone was faster', async () => {
  openConsole('/trucks?settings=open', { api })
  await type('99')
  expect(await screen.findByText(/Must be a number from 0 to 24/)).toBeInTheDocument()
  api.respond(settings.update, () => refusal('staleVersion'))
  await type('9')
  expect(await screen.findByText(/Someone else changed this record/)).toBeInTheDocument()
  api.answer(settings.get, () => ({ data: { version: 4, values: { ...defaultSettings, restGapHours: 7 } } }))
  await user.click(screen.getByRole('button', { name: 'Reload and keep my edits' }))
  expect(await screen.findByText('Rest between shifts was changed to: 7 hours')).toBeInTheDocument()
  api.answer(settings.update, () => ({ data: { version: 5, values: defaultSettings } }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('The settings are saved.')
  expect(api.sentTo(settings.update).at(-1)?.body).toEqual({ ...defaultSettings, restGapHours: 9, version: 4 })
})

test('a distance is typed and read in miles, and stored in meters', async () => {
  api.answer(settings.update, () => ({ data: { version: 4, values: defaultSettings } }))
  openConsole('/trucks?settings=open', { api })
  const outside = await screen.findByLabelText<HTMLInputElement>('Outside market by more than')
  expect(outside.value).toBe('0.62')
  expect(screen.getByText(/farther from the border than this. Usually 0.62 mi/)).toBeInTheDocument()
  await user.clear(outside)
  await user.type(outside, '70')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Must be from 0 mi to 62.14 mi.')).toBeInTheDocument()
  await user.clear(outside)
  await user.type(outside, '2')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('The settings are saved.')).toBeInTheDocument()
  expect(api.sentTo(settings.update)[0]?.body).toEqual({ ...defaultSettings, outsideMarketByMetres: 3219, version: 3 })
})

test('the house artwork is chosen among approved sets, and one that was withdrawn says so', async () => {
  const [chosen, other] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
  const program = { uid: chosen, name: 'House' }
  const values = { ...defaultSettings, fallbackArtworkUid: chosen }
  api.answer(settings.get, () => ({ data: { version: 3, values } }))
  api.answer(settings.update, () => ({ data: { version: 4, values } }))
  api.respond(artworkSets.get, () =>
    Response.json({ data: { uid: chosen, name: 'Old logo', program, status: 'draft' } }),
  )
  const found = { data: [{ uid: other, name: 'New logo', program }], page: 1, pageSize: 10, total: 1 }
  api.respond(artworkSets.list, () => Response.json(found))
  openConsole('/trucks?settings=open', { api })
  expect(await screen.findByText('Old logo · House (draft)')).toBeInTheDocument()
  await user.click(screen.getByLabelText('House artwork'))
  await user.click(await screen.findByText('New logo · House'))
  expect(api.sentTo(artworkSets.list)[0]?.query.get('status')).toBe('approved')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('The settings are saved.')).toBeInTheDocument()
  expect(api.sentTo(settings.update)[0]?.body).toMatchObject({ fallbackArtworkUid: other })
})

test('the history of a distance is in miles', () => {
  expect(settingText('outsideMarketByMetres', 3219)).toBe('2 mi')
  expect(settingText('outsideMarketByMetres', 100)).toBe('328 ft')
  expect(settingText('restGapHours', 8.5)).toBe('8.5 hours')
})
