import type { Language } from '@roadshow/contract/live/driver-app'
import type { PayStatement } from '@roadshow/contract/pay/payroll'
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import * as calls from '../../api/call.ts'
import { AppContext } from '../context.ts'
import { someDay } from '../test-driver-day.ts'
import { memoryPhone, memoryServer, openApp } from '../test-phone.ts'
import PayPage from './PayPage.tsx'
import { useLoaded } from './useLoaded.ts'

const user = userEvent.setup({ delay: null })

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** A hook whose attempts end in the order that the test chooses. */
function openLoaded() {
  const attempts: { resolve: (data: string) => void; reject: (error: Error) => void }[] = []
  const load = () => new Promise<string>((resolve, reject) => void attempts.push({ resolve, reject }))
  const { result, rerender } = renderHook(({ key }) => useLoaded(load, key), { initialProps: { key: 'this week' } })
  return {
    read: () => ({ data: result.current.data, hasFailed: result.current.hasFailed }),
    reload: () => act(async () => void result.current.reload()),
    show: (key: string) => rerender({ key }),
    succeed: (index: number, data: string) => act(async () => attempts[index]?.resolve(data)),
    fail: (index: number) => act(async () => attempts[index]?.reject(new Error('away'))),
  }
}

test('a failed load shows nothing of another key', async () => {
  const loaded = openLoaded()
  await loaded.succeed(0, '$100')
  loaded.show('last week')
  expect(loaded.read()).toEqual({ data: undefined, hasFailed: false })
  await loaded.fail(1)
  expect(loaded.read()).toEqual({ data: undefined, hasFailed: true })
  await loaded.reload()
  await loaded.succeed(2, '$200')
  expect(loaded.read()).toEqual({ data: '$200', hasFailed: false })
})

test('a reload that ends late replaces neither a newer one nor another key', async () => {
  const loaded = openLoaded()
  await loaded.succeed(0, 'first')
  await loaded.reload()
  await loaded.reload()
  await loaded.succeed(2, 'newest')
  await loaded.succeed(1, 'late')
  expect(loaded.read()).toEqual({ data: 'newest', hasFailed: false })
  await loaded.reload()
  loaded.show('last week')
  await loaded.succeed(4, 'of last week')
  await loaded.succeed(3, 'of this week')
  expect(loaded.read()).toEqual({ data: 'of last week', hasFailed: false })
  await loaded.reload()
  await loaded.fail(5)
  expect(loaded.read()).toEqual({ data: 'of last week', hasFailed: true })
})

const statement = {
  period: null,
  periods: [],
  lines: [],
  adjustments: [],
  weeks: [],
  figures: { cents: 123_400, actualMinutes: 60, plannedMinutes: 60 },
} as unknown as PayStatement

test.each<[Language, { before: string; failed: string; again: string }]>([
  ['en', { before: 'Week before', failed: 'This could not be loaded.', again: 'Try again' }],
  ['es', { before: 'Semana anterior', failed: 'No se pudo cargar.', again: 'Intentar de nuevo' }],
])('no dollars stand under a week that could not be loaded, in %s', async (language, words) => {
  const app = openApp(memoryPhone().store, memoryServer(new Map(), () => undefined).transport)
  const day = someDay()
  app.holder.change({ day: { ...day, driver: { ...day.driver, language } }, userUid: 'dana', isOnline: true })
  const call = vi.spyOn(calls, 'call').mockResolvedValue({ data: statement })
  render(
    <AppContext value={app}>
      <PayPage />
    </AppContext>,
  )
  await screen.findByText('$1,234.00')
  const heading = screen.getAllByRole('heading', { level: 2 })[0]?.textContent
  call.mockRejectedValue(new Error('away'))
  await user.click(screen.getByRole('button', { name: words.before }))
  await screen.findByText(words.failed)
  expect(screen.queryByText('$1,234.00')).not.toBeInTheDocument()
  expect(screen.getAllByRole('heading', { level: 2 })[0]?.textContent).not.toBe(heading)

  call.mockResolvedValue({ data: { ...statement, figures: { ...statement.figures, cents: 0 } } })
  await user.click(screen.getByRole('button', { name: words.again }))
  await screen.findByText('$0.00')
  expect(screen.queryByText(words.failed)).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: words.before })).toBeInTheDocument()
})
