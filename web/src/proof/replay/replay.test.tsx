import { replays } from '@roadshow/contract/proof/replay'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, openConsole, refusal } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { answerReplay, FIVE, MINUTE, SHIFT, TRUCK } from './test-replay.ts'

let api: FakeApi
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
  answerReplay(api)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const SIX = '2026-11-18T00:00:00Z'
const time = () => screen.getByRole('region', { name: 'This minute' }).querySelector('h2')?.textContent
const sideOf = (name: string) => screen.getByText(name, { selector: 'figcaption strong' }).closest('figure')

describe('a replay', () => {
  test('opens at the minute of its address: time, speed, place and the picture of each side', async () => {
    openConsole(`/replay?truck=${TRUCK}&at=${SIX}`, { api })
    const now = await screen.findByRole('region', { name: 'This minute' })
    expect(time()).toBe('6:00 PM CST')
    expect(now).toHaveTextContent('T-15, Tue, Nov 17')
    expect(now).toHaveTextContent('25 mph')
    expect(now).toHaveTextContent('41.9300, -87.6300')
    expect(now).toHaveTextContent('Winter Bikes, Chicago')
    expect(within(sideOf('Rear') as HTMLElement).getByRole('img', { name: 'Bikes, main' })).toBeInTheDocument()
    expect(sideOf('Rear')).toHaveTextContent('Verified')
    expect(sideOf('Driver side')).toHaveTextContent('No play')
    expect(screen.getByRole('application', { name: 'Track of 81 points, heard at 41.930' })).toBeInTheDocument()
    expect(Object.fromEntries(api.sentTo(replays.get).at(-1)?.query ?? [])).toEqual({ truck: TRUCK, at: SIX })
  })

  test('is stepped by keys, and the address follows without another call', async () => {
    const { address } = openConsole(`/replay?shift=${SHIFT}&at=${SIX}`, { api })
    const slider = await screen.findByRole('slider', { name: 'Time of T-15' })
    slider.focus()
    await user.keyboard('{ArrowRight}')
    expect(time()).toBe('6:01 PM CST')
    expect(slider).toHaveAttribute('aria-valuetext', '6:01 PM, 25 mph')
    await user.keyboard('{ArrowLeft}{ArrowLeft}{Shift>}{ArrowLeft}{/Shift}')
    expect(time()).toBe('5:49 PM CST')
    await waitFor(() => expect(address()).toBe(`/replay?shift=${SHIFT}&at=2026-11-17T23%3A49%3A00Z`))
    await user.keyboard('{Home}')
    expect(time()).toBe('5:00 PM CST')
    expect(screen.getByText('No GPS data yet')).toBeInTheDocument()
    await user.keyboard('{End}')
    expect(time()).toBe('8:00 PM CST')
    expect(screen.getByText('No GPS data since 6:30 PM')).toBeInTheDocument()
    // Keys work without the slider, too; a field keeps its own.
    slider.blur()
    await user.keyboard('{ArrowLeft}')
    expect(time()).toBe('7:59 PM CST')
    await user.click(screen.getByRole('combobox', { name: 'Truck' }))
    await user.keyboard('{ArrowLeft}')
    expect(time()).toBe('7:59 PM CST')
    expect(api.sentTo(replays.get)).toHaveLength(1)
  })

  test('is played and paused by the space bar', async () => {
    openConsole(`/replay?shift=${SHIFT}&at=${SIX}`, { api })
    const slider = await screen.findByRole('slider')
    slider.focus()
    await user.keyboard(' ')
    expect(screen.getByRole('button', { name: 'Pause' })).toBeInTheDocument()
    await waitFor(() => expect(time()).not.toBe('6:00 PM CST'))
    await user.keyboard(' ')
    expect(screen.getByRole('button', { name: 'Play' })).toBeInTheDocument()
  })

  test('goes to a time that is typed, and says when it has none', async () => {
    openConsole(`/replay?shift=${SHIFT}`, { api })
    const field = await screen.findByRole('textbox', { name: 'Go to time' })
    await user.type(field, '6p{Enter}')
    expect(time()).toBe('6:00 PM CST')
    await user.clear(field)
    await user.type(field, '9p')
    expect(screen.getByText('Not within 5:00–8:00 PM.')).toBeInTheDocument()
    await user.type(field, '{Escape}')
    expect(time()).toBe('6:00 PM CST')
  })

  test('goes to another day and truck, and back to the whole day', async () => {
    const { address } = openConsole(`/replay?shift=${SHIFT}`, { api })
    await user.click(await screen.findByRole('button', { name: 'Whole day' }))
    await waitFor(() => expect(address()).toContain(`/replay?truck=${TRUCK}&day=2026-11-17`))
    await user.click(await screen.findByRole('button', { name: 'Day before' }))
    await waitFor(() =>
      expect(Object.fromEntries(api.sentTo(replays.get).at(-1)?.query ?? [])).toEqual({
        truck: TRUCK,
        day: '2026-11-16',
      }),
    )
  })

  test('leads to the minute of a photo and of a stop', async () => {
    const photo = { latitude: null, longitude: null, small: '/s', large: '/l', side: null, grade: 'verified' } as const
    const stop = { name: 'Stadium', latitude: 41.9, longitude: -87.6, radiusM: 400, leftAt: null } as const
    answerReplay(api, {
      photos: [{ ...photo, uid: SHIFT, at: FIVE + 72 * MINUTE, caption: 'On Main Street' }],
      stops: [
        {
          ...stop,
          opensAt: '2026-11-17T23:30:00Z',
          closesAt: SIX,
          state: 'onTime',
          arrivedAt: '2026-11-17T23:41:00Z',
        },
      ],
    })
    openConsole(`/replay?shift=${SHIFT}`, { api })
    await user.click(await screen.findByRole('button', { name: /On Main Street/ }))
    expect(time()).toBe('6:12 PM CST')
    const now = within(screen.getByRole('region', { name: 'This minute' }))
    expect(now.getByRole('img', { name: 'On Main Street' })).toHaveAttribute('src', '/l')
    await user.click(screen.getByRole('button', { name: /Stadium/ }))
    expect(time()).toBe('5:41 PM CST')
    expect(now.queryByRole('img', { name: 'On Main Street' })).toBeNull()
  })

  test('says what is not there', async () => {
    const none = { at: [], latitude: [], longitude: [], speedKmh: [] }
    answerReplay(api, { track: none, plays: [], playLog: 'old', shifts: [] })
    openConsole(`/replay?truck=${TRUCK}&day=2026-11-17`, { api })
    expect(await screen.findByText('No GPS data from this truck')).toBeInTheDocument()
    expect(screen.getByText('No shift')).toBeInTheDocument()
    expect(screen.getByText('Single plays of this day are no longer kept.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Export track' })).toBeDisabled()
    cleanup()
    answerReplay(api, { playLog: 'printed' })
    // The hours of a client end before the minute that was asked for.
    openConsole(`/replay?truck=${TRUCK}&at=2026-11-18T03:00:00Z`, { api })
    expect(await screen.findByText('Printed truck: no play log.')).toBeInTheDocument()
    expect(
      screen.getByText('Tue, Nov 17, 9:00 PM CST is outside the hours that you can see of T-15.'),
    ).toBeInTheDocument()
    cleanup()
    api.respond(replays.get, () => refusal('notFound'))
    openConsole(`/replay?truck=${TRUCK}`, { api })
    expect(await screen.findByText('Not found. It may have been deleted.')).toBeInTheDocument()
  })

  test('of a day that is not over says that the newest plays have not been reported', async () => {
    answerReplay(api, { isRunning: true, to: FIVE + 90 * MINUTE })
    openConsole(`/replay?shift=${SHIFT}`, { api })
    await screen.findByRole('slider')
    expect(time()).toBe('6:30 PM CST')
    expect(sideOf('Rear')).toHaveTextContent('Not reported yet')
    await user.keyboard('{Home}')
    expect(sideOf('Rear')).toHaveTextContent('No play')
  })

  test('without a truck asks for one', async () => {
    const { address } = openConsole('/replay?truck=nonsense&day=2026-02-30', { api })
    expect(await screen.findByText('Choose a truck to see where it drove and what it showed.')).toBeInTheDocument()
    await user.click(screen.getByRole('combobox', { name: 'Truck' }))
    await user.click(await screen.findByText('T-15', { selector: '.ant-select-item-option-content' }))
    await waitFor(() => expect(address()).toContain(`truck=${TRUCK}`))
  })
})
