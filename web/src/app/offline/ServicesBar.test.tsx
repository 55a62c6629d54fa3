import { services } from '@roadshow/contract/console/services'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WAITING_SAVES } from '../../api/drafts.ts'
import { fakeApi, openConsole, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import type { Screen } from '../screen.ts'

const table: Screen[] = [
  {
    path: '/trucks',
    title: 'Trucks',
    purpose: '',
    page: () => Promise.resolve({ default: () => <p>All trucks.</p> }),
  },
]

let api: FakeApi
beforeEach(() => {
  api = fakeApi()
  // The bar is loaded at once where saves wait, and some seconds later otherwise.
  sessionStorage.setItem(WAITING_SAVES, JSON.stringify({ userUid: someUser('admin').userUid, saves: [] }))
})
afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const since = new Date(2026, 10, 17, 14, 5).toISOString()
const away = [
  { service: 'storage', label: 'The file storage', since, effect: "Files can't be opened or uploaded." },
  { service: 'mail', label: 'The mail server', since, effect: 'Mails wait until it is back.' },
]

test('admins read which services are away, since when, and what it means', async () => {
  api.answer(services.away, () => ({ data: away }))
  openConsole('/trucks', { api, table })
  const bar = await screen.findByRole('region', { name: 'Services' })
  expect(bar.textContent).toContain(
    "The file storage can't be reached since 2:05 PM. Files can't be opened or uploaded.",
  )
  expect(bar.textContent).toContain("The mail server can't be reached since 2:05 PM. Mails wait until it is back.")
})

test('there is no bar where none is away', async () => {
  api.answer(services.away, () => ({ data: [] }))
  openConsole('/trucks', { api, table })
  await waitFor(() => expect(api.sentTo(services.away)).toHaveLength(1))
  expect(screen.queryByRole('region', { name: 'Services' })).toBeNull()
})

test('others do not ask', async () => {
  openConsole('/trucks', { api, table, user: someUser('sales') })
  // Its place is there, beside the one of the connection.
  await waitFor(() => expect(document.querySelectorAll('div[role="status"]').length).toBeGreaterThanOrEqual(2))
  expect(api.sentTo(services.away)).toHaveLength(0)
})
