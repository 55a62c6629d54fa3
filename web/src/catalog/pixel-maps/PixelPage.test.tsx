import { pixel } from '@roadshow/contract/catalog/pixel-maps'
import type { PixelMap } from '@roadshow/contract/catalog/pixel-maps'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeApi, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { moveSide, resizeSide } from './moveSide.ts'
import { testPatterns } from '@roadshow/contract/catalog/test-patterns'

const map: PixelMap = {
  uid: '01900000-0000-7000-8000-000000000007',
  name: 'Ten-foot body',
  width: 1664,
  height: 768,
  pitchUm: 4810,
  // In the order in which the database gives them.
  sides: {
    rear: { x: 1280, y: 0, width: 384, height: 384 },
    driverSide: { x: 0, y: 0, width: 1280, height: 384 },
    passengerSide: { x: 0, y: 384, width: 1280, height: 384 },
  },
  note: '',
  trucks: 2,
  retiredTrucks: 1,
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
  version: 3,
}

let api: FakeApi
const user = userEvent.setup({ delay: null })
const save = () => user.click(screen.getByRole('button', { name: 'Save' }))
const number = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name })
async function type(name: string, value: string) {
  await user.clear(number(name))
  await user.type(number(name), value)
}

beforeEach(() => {
  api = fakeApi()
  api.answer(pixel.list, () => ({ data: [map], page: 1, pageSize: 10, total: 1 }))
  api.answer(pixel.get, () => ({ data: map }))
})
afterEach(cleanup)

describe('the drawer of a pixel map', () => {
  test('draws it to scale, says how large each side is on the truck, and asks nothing when it is closed', async () => {
    const { address } = openConsole(`/pixel?open=${map.uid}`, { api })
    const opened = (await screen.findByRole('button', { name: 'Test patterns' })).closest('form') as HTMLElement
    expect(
      within(opened)
        .getByRole('img', { name: /^Canvas of/ })
        .getAttribute('viewBox'),
    ).toBe('0 0 1664 768')
    expect(screen.getAllByText('20.2 × 6.1 ft')).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(address()).toBe('/pixel'))
  })

  test('refuses a side over another and one beyond the canvas, as the server would', async () => {
    openConsole(`/pixel?open=${map.uid}`, { api })
    await screen.findByRole('button', { name: 'Test patterns' })
    await type('Rear: X', '1200')
    expect(await screen.findByText('The rear overlaps the driver side.')).toBeInTheDocument()
    await save()
    await waitFor(() => expect(screen.getAllByText('The rear overlaps the driver side.')).toHaveLength(2))
    await type('Rear: X', '1300')
    expect((await screen.findAllByText('The rear reaches beyond the canvas of 1664 × 768.')).length).toBeGreaterThan(0)
    expect(api.sentTo(pixel.update)).toHaveLength(0)
    // A larger canvas makes room for it.
    await user.clear(screen.getByLabelText('Canvas width'))
    await user.type(screen.getByLabelText('Canvas width'), '1684')
    api.answer(pixel.update, () => ({ data: map }))
    await save()
    await screen.findByText('Ten-foot body saved.')
    expect(api.sentTo(pixel.update)[0]?.body).toMatchObject({
      version: 3,
      width: 1684,
      sides: { rear: { x: 1300, y: 0, width: 384, height: 384 } },
    })
  })

  test('takes the pitch in millimeters', async () => {
    api.answer(pixel.update, () => ({ data: map }))
    openConsole(`/pixel?open=${map.uid}`, { api })
    await screen.findByRole('button', { name: 'Test patterns' })
    const pitch = screen.getByLabelText<HTMLInputElement>('Pixel pitch')
    expect(pitch.value).toBe('4.81')
    await user.clear(pitch)
    await user.type(pitch, '5.95')
    await save()
    await screen.findByText('Ten-foot body saved.')
    expect(api.sentTo(pixel.update)[0]?.body).toMatchObject({ pitchUm: 5950 })
  })

  test('says which trucks still use a map that is to be deleted', async () => {
    const error = 'This pixel map is still used by trucks T-1 and T-2. Choose another one for them first.'
    api.respond(pixel.remove, () => refusal('pixelMapUsed', { error }))
    openConsole(`/pixel?open=${map.uid}`, { api })
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Delete pixel map' }))
    expect(await screen.findByText(error)).toBeInTheDocument()
  })

  test('is for reading to everybody but admins, without its history and with the test patterns', async () => {
    openConsole(`/pixel?open=${map.uid}`, { api, user: someUser('driver') })
    const patternsButton = await screen.findByRole<HTMLButtonElement>('button', { name: 'Test patterns' })
    expect(patternsButton.disabled).toBe(false)
    expect(screen.queryByRole('spinbutton', { name: 'Rear: X' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    expect(screen.queryByRole('tab', { name: 'History' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'New pixel map' })).toBeNull()
  })
})

describe('the test patterns', () => {
  test('go through one another by the arrow keys and leave by Escape, with the drawer still there', async () => {
    openConsole(`/pixel?open=${map.uid}`, { api })
    await user.click(await screen.findByRole('button', { name: 'Test patterns' }))
    await screen.findByRole('dialog', { name: 'Test pattern: Grid' })
    await user.keyboard('{ArrowRight}')
    await screen.findByRole('dialog', { name: 'Test pattern: Red' })
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    await screen.findByRole('dialog', { name: `Test pattern: ${testPatterns.at(-1)?.name}` })
    await user.keyboard('h')
    expect(screen.queryByText('Leave')).toBeNull()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /Test pattern/ })).toBeNull())
    expect(screen.getByRole('button', { name: 'Save' })).toBeInTheDocument()
  })
})

describe('a side moved by hand', () => {
  const canvas = { width: 100, height: 60 }
  const side = { x: 8, y: 8, width: 40, height: 24 }
  test.each([
    [moveSide, 5, -3, undefined, { ...side, x: 16, y: 8 }],
    [moveSide, 5, -3, 1, { ...side, x: 13, y: 5 }],
    [moveSide, 500, 500, undefined, { ...side, x: 60, y: 36 }],
    [moveSide, -500, -500, undefined, { ...side, x: 0, y: 0 }],
    [resizeSide, 9, -9, undefined, { ...side, width: 48, height: 16 }],
    [resizeSide, 500, 500, undefined, { ...side, width: 92, height: 52 }],
    [resizeSide, -500, -500, 1, { ...side, width: 1, height: 1 }],
  ])('%o by %d, %d stays on whole steps and inside the canvas', (act, dx, dy, step, expected) => {
    expect(act(canvas, side, { dx, dy, step })).toEqual(expected)
  })
})
