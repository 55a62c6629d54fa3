import { notifications } from '@roadshow/contract/outreach/notifications'
import type { Notification, NotificationSettings } from '@roadshow/contract/outreach/notifications'
import { push } from '@roadshow/contract/outreach/push'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const aNotification = (n: number, more: Partial<Notification> = {}): Notification => ({
  uid: uidOf(n),
  kind: 'truckDark',
  subject: `T-${n} is dark`,
  text: 'No plays for 10 min.',
  path: `/pixel?issue=${n}`,
  at: `2026-11-16T18:00:0${n}.000Z`,
  readAt: null,
  needsYou: true,
  ...more,
})

let api: FakeApi
let rows: Notification[]
beforeEach(() => {
  api = fakeApi()
  rows = [aNotification(2), aNotification(1), aNotification(0, { needsYou: false, subject: 'T-0 is back' })]
  api.answer(notifications.unread, () => ({ data: { unread: rows.filter(({ needsYou }) => needsYou).length } }))
  api.answer(notifications.list, ({ query }) =>
    paged(query.get('unread') === 'only' ? rows.filter(({ needsYou }) => needsYou) : rows),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the bell says how many need the user, by groups, and one click opens the thing and marks it as read', async () => {
  api.answer(notifications.markRead, ({ body }) => {
    const { uids } = body as { uids: string[] }
    rows = rows.map((row) => (uids.includes(row.uid) ? { ...row, needsYou: false } : row))
    return { data: { unread: 1 } }
  })
  const { address } = openConsole('/pixel', { api })
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 2 need you' }))
  const panel = await findDialog('Notifications')
  const group = await within(panel).findByRole('region', { name: 'Trucks on shift' })
  expect(within(group).getAllByRole('link')).toHaveLength(2)
  const others = within(panel).getByRole('region', { name: 'For your information' })
  expect(
    within(others)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining('T-0 is back')])
  await userEvent.click(within(group).getByRole('link', { name: /T-2 is dark/ }))
  expect(address()).toBe('/pixel?issue=2')
  expect(await screen.findByRole('button', { name: 'Notifications, 1 needs you' })).toBeTruthy()
  expect(api.sentTo(notifications.markRead).map(({ body }) => body)).toEqual([{ uids: [uidOf(2)] }])
})

test('marking all as read spares what came after the newest on the screen', async () => {
  api.answer(notifications.markAllRead, () => {
    rows = []
    return { data: { unread: 0 } }
  })
  openConsole('/notifications', { api })
  await userEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
  expect(api.sentTo(notifications.markAllRead).map(({ body }) => body)).toEqual([{ until: '2026-11-16T18:00:02.000Z' }])
})

test('the list is narrowed to unread ones and to kinds, in the address', async () => {
  openConsole('/notifications?unread=only&kind=truckDark', { api })
  await screen.findByRole('link', { name: /T-2 is dark/ })
  const asked = api.sentTo(notifications.list).at(-1)?.query
  expect([asked?.get('unread'), asked?.getAll('kind')]).toEqual(['only', ['truckDark']])
})

describe('the settings', () => {
  let saved: NotificationSettings
  beforeEach(() => {
    saved = {
      zone: 'America/Chicago',
      quietHours: null,
      urgentPasses: false,
      digestAt: null,
      choices: [{ kind: 'shiftGiven', mail: true, push: true }],
    }
    api.answer(notifications.settings, () => ({ data: saved }))
    api.answer(notifications.saveSettings, ({ body }) => ({ data: (saved = body as NotificationSettings) }))
    api.answer(push.browsers, () => ({ data: { publicKey: 'BA', browsers: [] } }))
  })

  test('are changed one by one, and say what the role’s default is', async () => {
    openConsole('/notifications/settings', { api, user: someUser('driver') })
    await userEvent.click(await screen.findByRole('switch', { name: 'New shift: Email' }))
    await waitFor(() => expect(saved.choices).toEqual([{ kind: 'shiftGiven', mail: false, push: true }]))
    expect(screen.getByText('Default: email and push')).toBeTruthy()
    await userEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }))
    await waitFor(() => expect(saved.quietHours).toEqual({ from: '22:00', to: '06:00' }))
    expect(saved.choices).toEqual([{ kind: 'shiftGiven', mail: false, push: true }])
  })

  test('say why a browser can’t show notifications', async () => {
    openConsole('/notifications/settings', { api, user: someUser('client') })
    expect(await screen.findByText(/This browser can’t show notifications while the console is closed/)).toBeTruthy()
  })

  test('list the browsers, each with a test and a way to turn it off', async () => {
    const browser = {
      uid: uidOf(7),
      name: 'Chrome on Windows',
      createdAt: '2026-11-16T18:00:00.000Z',
      acceptedAt: null,
      isThisOne: false,
    }
    api.answer(push.browsers, () => ({ data: { publicKey: 'BA', browsers: [browser] } }))
    api.answer(push.test, () => ({ data: { uid: browser.uid } }))
    openConsole('/notifications/settings', { api })
    await userEvent.click(await screen.findByRole('button', { name: 'Send a test: Chrome on Windows' }))
    expect(await screen.findByText('Test notification sent.')).toBeTruthy()
  })
})
