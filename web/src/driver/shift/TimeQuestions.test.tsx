import { formatWeekday } from '@roadshow/contract/platform/dates'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { AppContext } from '../context.ts'
import { NOW, someDay, someShift } from '../test-driver-day.ts'
import * as places from '../place.ts'
import { memoryPhone, memoryServer, openApp } from '../test-phone.ts'
import { TodayPage } from '../today/TodayPage.tsx'

const user = userEvent.setup({ delay: null })
const iso = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()

test('a driver corrects the start and keeps the stop with one tap each, also offline', async () => {
  vi.spyOn(places, 'currentPlace').mockResolvedValue(null)
  const { transport } = memoryServer(new Map(), () => undefined)
  const { store, items } = memoryPhone()
  const app = openApp(store, transport)
  const timeQuestions = [
    { kind: 'start' as const, about: iso(50), at: iso(10), seenBy: 'wheels' as const },
    { kind: 'stop' as const, about: iso(400), at: iso(430), seenBy: 'plays' as const },
  ]
  const shift = someShift({ status: 'completed', startedAt: iso(50), stoppedAt: iso(400), timeQuestions })
  app.holder.change({ day: someDay([shift]), userUid: 'dana', isOnline: false })
  render(
    <AppContext value={app}>
      <TodayPage />
    </AppContext>,
  )
  expect(screen.getByText('T-5 played until 6:10 PM. Correct the stop?')).toBeInTheDocument()
  expect(screen.getByText('T-5 drove from 11:10 AM. Correct the start?')).toBeInTheDocument()
  for (const question of screen.getAllByText(/^Correct the (start|stop)$/)) {
    expect(question.closest('section')).toHaveTextContent(formatWeekday(shift.date))
  }
  await user.click(screen.getByText('Correct the start'))
  await expect.poll(() => screen.queryByText(/Correct the start/)).toBeNull()
  await user.click(screen.getByText('Keep'))
  await expect.poll(() => screen.queryByText(/Correct the stop/)).toBeNull()
  const acts = [...items.values()].map((item) => item.kind === 'act' && item.act)
  expect(acts).toMatchObject([
    { kind: 'timeAnswer', time: 'start', about: iso(50), seenAt: iso(10), isCorrected: true },
    { kind: 'timeAnswer', time: 'stop', about: iso(400), seenAt: iso(430), isCorrected: false },
  ])
})
