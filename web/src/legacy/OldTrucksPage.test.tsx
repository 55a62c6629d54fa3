import { clients } from '@roadshow/contract/catalog/clients'
import { markets } from '@roadshow/contract/catalog/markets'
import { pixel } from '@roadshow/contract/catalog/pixel-maps'
import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../test-console.tsx'
import type { FakeApi } from '../test-console.tsx'
import { testTruck } from '../test-truck.ts'
import { testUid } from '../test-uid.ts'

let api: FakeApi
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
  for (const list of [clients.list, markets.list, pixel.list]) api.respond(list, () => Response.json(paged([])))
})
afterEach(cleanup)

const cell = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
const bodies = (call: Parameters<FakeApi['sentTo']>[0]) => api.sentTo(call).map(({ body }) => body)

describe('old trucks', () => {
  const aTruck = testTruck(1, {
    plate: 'PLT-1',
    homeMarket: { uid: testUid(900), name: 'Dallas', zone: 'America/Chicago' },
    geotabDeviceId: 'b1',
    note: 'two\nlines',
  })
  let known: Truck
  beforeEach(() => {
    known = aTruck
    api.answer(trucks.list, () => paged([known]))
  })

  test('a refused field is told at its cell, in a red row, and can be corrected there', async () => {
    api.respond(trucks.update, () =>
      refusal('plateTaken', { fields: { plate: 'Another truck already has this plate.' } }),
    )
    openConsole('/old-trucks', { api })
    const plate = await cell('Plate, Truck T-1')
    await user.clear(plate)
    await user.type(plate, 'ABC{Enter}')
    expect(await screen.findByText('Another truck already has this plate.')).toBeInTheDocument()
    expect(plate.getAttribute('aria-invalid')).toBe('true')
    expect(plate.closest('tr')?.dataset.bad).toBe('true')
    api.answer(trucks.update, () => ({ data: (known = { ...known, plate: 'ABD', version: 4 }) }))
    await user.type(plate, '{Backspace}D{Enter}')
    await waitFor(() => expect(plate.closest('tr')?.dataset.edited).toBe('false'))
    expect(bodies(trucks.update).at(-1)).toEqual({
      uid: testUid(1),
      version: 3,
      number: 'T-1',
      plate: 'ABD',
      vin: '',
      kind: 'led',
      state: 'active',
      homeMarketUid: testUid(900),
      pixelMapUid: null,
      geotabDeviceId: 'b1',
      note: 'two\nlines',
    })
  })

  test('an old version offers the newest row and keeps what was typed', async () => {
    api.respond(trucks.update, ({ body }) =>
      (body as Truck).version === 3
        ? refusal('staleVersion')
        : Response.json({ data: (known = { ...known, version: 5 }) }),
    )
    openConsole('/old-trucks', { api })
    await user.selectOptions(await cell('State, Truck T-1'), 'In shop')
    known = { ...known, plate: 'THEIRS', version: 4 }
    await user.click(screen.getByRole('button', { name: 'Save Truck T-1' }))
    await user.click(await screen.findByRole('button', { name: 'Reload Truck T-1 and keep my edits' }))
    await waitFor(async () => expect((await cell('Plate, Truck T-1')).value).toBe('THEIRS'))
    await user.click(screen.getByRole('button', { name: 'Save Truck T-1' }))
    await waitFor(() => expect(bodies(trucks.update)).toHaveLength(2))
    expect(bodies(trucks.update)[1]).toMatchObject({ version: 4, plate: 'THEIRS', state: 'inShop' })
  })

  test('one is deleted, once asked, and leaves the table', async () => {
    api.answer(trucks.list, () => paged(api.sentTo(trucks.remove).length > 0 ? [] : [known]))
    api.answer(trucks.remove, () => ({ data: { uid: known.uid } }))
    openConsole('/old-trucks', { api })
    await user.click(await screen.findByRole('button', { name: 'Delete Truck T-1' }))
    await user.click(within(await findDialog('Delete Truck T-1?')).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Truck T-1 deleted.')
    expect(screen.queryByLabelText('Plate, Truck T-1')).toBeNull()
  })

  test('say that none matches, and offer to clear search and filters', async () => {
    api.answer(trucks.list, ({ query }) => paged(query.has('search') || query.has('state') ? [] : [known]))
    openConsole('/old-trucks?search=nothing&state=active', { api })
    expect(await screen.findByText('No truck matches.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Clear' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Clear search and filters' }))
    expect(await cell('Plate, Truck T-1')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
  })

  test('are only read by sales', async () => {
    openConsole('/old-trucks', { api, user: someUser('sales', ['trucks']) })
    expect(await screen.findByRole('rowheader', { name: 'T-1' })).toBeInTheDocument()
    expect(screen.queryByLabelText('Plate, Truck T-1')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add a truck' })).toBeNull()
  })
})
