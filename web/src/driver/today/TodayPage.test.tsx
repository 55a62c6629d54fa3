import type { DriverDay } from '@roadshow/contract/live/driver-app'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppContext } from '../context.ts'
import * as places from '../place.ts'
import { mayOf } from '../queue/wait-rules.ts'
import { NOW, someAct, someDay, somePhoto, someShift } from '../test-driver-day.ts'
import { memoryPhone, memoryServer, openApp } from '../test-phone.ts'
import { TodayPage } from './TodayPage.tsx'

const user = userEvent.setup({ delay: null })
const iso = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString()
const running = someShift({ status: 'out', startedAt: iso(0) })
const next = someShift({ uid: 'next', date: '2026-11-18', opensAt: iso(22), startsAt: iso(24), endsAt: iso(32) })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW + 7.5 * 3_600_000 })
  vi.spyOn(places, 'currentPlace').mockResolvedValue(null)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function openToday(day: DriverDay) {
  const { transport } = memoryServer(new Map(), () => undefined)
  const app = openApp(memoryPhone().store, transport)
  app.holder.change({ day, userUid: 'dana', isLoading: false, session: 'open' })
  render(
    <AppContext value={app}>
      <TodayPage />
    </AppContext>,
  )
  return app
}

test('after a stop the page shows what the shift came to until the driver has seen it, then the next one', async () => {
  const app = openToday(someDay([{ ...running, metres: 103_000, photos: 3 }, next]))
  await user.click(screen.getByRole('button', { name: 'Stop shift' }))
  await user.click(screen.getAllByRole('button', { name: 'Stop shift' })[1]!)
  expect(await screen.findByRole('heading', { name: 'Shift ended' })).toBeInTheDocument()
  const facts = [...document.querySelectorAll('dt')].map((dt) => `${dt.textContent}: ${dt.nextSibling?.textContent}`)
  expect(facts).toEqual([
    'Worked: 7 h 30 min11:00 AM–6:30 PM MST',
    'Miles: 64.0 mi',
    'Photos: 3',
    'Still to send: 1 item waiting for the server',
    'Next shift: Wed, Nov 18, 11:00 AM–7:00 PM MSTTruck T-5 · Denver',
  ])
  // A newer day takes nothing away.
  app.holder.change({ day: someDay([next]) })
  expect(screen.getByRole('heading', { name: 'Shift ended' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await expect.poll(() => screen.queryByText('Shift ended')).toBeNull()
  expect(screen.getByText('You can start from Wed, Nov 18, 9:00 AM MST.')).toBeInTheDocument()
})

test('an account that may only read is offered nothing to send, and told whom to call', () => {
  const may = { act: false, photos: false, pictures: false, pay: false, calendar: false }
  openToday({ ...someDay([{ ...running, timeQuestions: [] }, next]), may })
  expect(screen.getByText(/can’t report anything/)).toBeInTheDocument()
  expect(screen.queryAllByRole('button')).toEqual([])
  const links = screen.getAllByRole('link').map((link) => link.textContent)
  expect(links.filter((text) => /photo|problem|inspection/i.test(text ?? ''))).toEqual([])
  expect(screen.getAllByRole('link', { name: /Call Riley Okafor/ })[0]).toHaveAttribute('href', 'tel:3035550198')
})

test('without the right to send photos a running shift is stopped first, and what waits says so', () => {
  const may = { ...mayOf(undefined), photos: false }
  const app = openToday({ ...someDay([running]), may })
  expect(screen.queryByRole('link', { name: /photo/i })).toBeNull()
  expect(screen.getByRole('button', { name: 'Stop shift' })).toBeInTheDocument()
  app.holder.change({ queue: [somePhoto('a'), someAct('b', { kind: 'message', text: 'Hi' })], isOnline: false })
  return expect.poll(() => screen.queryByText('Your account can’t send 1 photo. Call dispatch.')).not.toBeNull()
})
