import { auth } from '@roadshow/contract/accounts/sign-in'
import { errorLog } from '@roadshow/contract/console/error-log'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clearCookies, keepSession, readToken } from '../api/session.ts'
import type { Screen } from './screen.ts'
import { fakeApi, openConsole, openSignedOut, refusal, someUser } from '../test-console.tsx'
import type { FakeApi } from '../test-console.tsx'

const Broken = () => {
  throw new Error('a page that breaks')
}

const page = (path: Screen['path'], title: string, more: Partial<Screen> = {}): Screen => ({
  path,
  title,
  purpose: `All about ${title}.`,
  page: () => Promise.resolve({ default: () => <p>This is {title}.</p> }),
  ...more,
})
const table: Screen[] = [
  page('/clients', 'Clients'),
  page('/client-pop', 'POP'),
  page('/trucks', 'Trucks', { page: () => Promise.resolve({ default: Broken }) }),
  page('/users/payroll', 'Payroll', { group: 'Users' }),
  page('/programs/pop', 'Old POP', { group: 'OLD' }),
]

let api: FakeApi
const user = userEvent.setup({ delay: null })
const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)

beforeEach(() => {
  api = fakeApi()
  api.answer(errorLog.report, () => ({ data: { uid: '01900000-0000-7000-8000-000000000009' } }))
  clearCookies()
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  assign.mockClear()
})

describe('getting in', () => {
  test('someone who is not signed in goes to the login page, and is to come back', async () => {
    openSignedOut('/trucks?search=12')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/login?next=%2Ftrucks%3Fsearch%3D12'))
  })

  test('when the user cannot be fetched, that is reported, the cookies are cleared, and the login page opens', async () => {
    keepSession('a-token', someUser('admin').userUid)
    api.respond(auth.me, () => refusal('internal'))
    openSignedOut('/trucks')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/login'))
    expect(readToken()).toBeUndefined()
    expect(api.sentTo(errorLog.report)[0]?.body).toMatchObject({
      errorOrigin: 'user-with-permissions',
      meta: { userUid: someUser('admin').userUid },
    })
  })

  test('an ended session leads to the login page without a report', async () => {
    keepSession('a-token', someUser('admin').userUid)
    api.respond(auth.me, () => refusal('signedOut'))
    openSignedOut('/trucks')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/login'))
    expect(api.sentTo(errorLog.report)).toHaveLength(0)
  })

  test.each([
    ['/', '/clients'],
    ['/users', '/clients'],
  ])('sales at %s are led to their first screen', async (asked, first) => {
    const { address } = openConsole(asked, { api, table, user: someUser('sales') })
    await screen.findByText('This is Clients.')
    expect(address()).toBe(first)
  })

  test('a driver lands on the drivers’ app, and screens that they ask for stay open to them', async () => {
    openConsole('/', { api, table, user: someUser('driver', ['schedule', 'pop']) })
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/driver'))
    cleanup()
    const { address } = openConsole('/client-pop', { api, table, user: someUser('driver', ['schedule', 'pop']) })
    expect(await screen.findByRole('link', { name: 'Open the driver app' })).toHaveAttribute('href', '/driver')
    await screen.findByText('This is POP.')
    expect(address()).toBe('/client-pop')
  })

  test('a link to the drivers’ app leaves the console', async () => {
    openConsole('/driver/shifts/1', { api, table, user: someUser('driver', ['schedule']) })
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/driver/shifts/1'))
  })

  test('a user who may open nothing reads that', async () => {
    openConsole('/', { api, table, user: someUser('client', []) })
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/unauthorized'))
  })

  test('an allowed path without a screen says so inside the shell', async () => {
    openConsole('/pixel', { api, table })
    expect(await screen.findByText('Page not found')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'MENU' })).toBeInTheDocument()
  })

  test('an address that no module knows says so, also to those who may open little', async () => {
    const { address } = openConsole('/truks', { api, table, user: someUser('client', ['pop']) })
    expect(await screen.findByText('Page not found')).toBeInTheDocument()
    expect(address()).toBe('/truks')
  })

  test('a public address without a page has neither header nor menu', async () => {
    openSignedOut('/programs/Some Name-1', table)
    expect(await screen.findByText('Page not found')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'MENU' })).toBeNull()
  })
})

describe('the shell', () => {
  test('shows the screen with its title, purpose and the user’s name', async () => {
    openConsole('/clients', { api, table })
    await screen.findByText('This is Clients.')
    expect(screen.getByRole('heading', { name: 'Clients', level: 1 })).toBeInTheDocument()
    expect(screen.getByText('All about Clients.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Avery Stone' })).toBeInTheDocument()
    expect(document.title).toBe('Clients · Roadshow')
  })

  test('its menu marks the current screen, folds the old ones away, and closes on a choice', async () => {
    const { address } = openConsole('/clients', { api, table })
    await screen.findByText('This is Clients.')
    const named = Object.assign(document.createElement('meta'), { name: 'application-name', content: 'Roadshow' })
    named.dataset['version'] = '1.2.3'
    document.head.append(named)
    await user.click(screen.getByRole('button', { name: 'MENU' }))
    const menu = within(await screen.findByRole('navigation', { name: 'Menu' }))
    expect(screen.getByText('Version 1.2.3')).toBeInTheDocument()
    expect(menu.getByRole('link', { name: 'Clients' }).getAttribute('aria-current')).toBe('page')
    expect(menu.getByText('OLD').closest('details')?.open).toBe(false)
    await user.click(menu.getByRole('link', { name: 'POP' }))
    await screen.findByText('This is POP.')
    expect(address()).toBe('/client-pop')
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'MENU' }).getAttribute('aria-expanded')).toBe('false'),
    )
  })

  test('logging out ends the session and keeps nothing, even if the server does not answer', async () => {
    api.respond(auth.logout, () => Promise.reject(new TypeError('no network')))
    openConsole('/clients', { api, table })
    await screen.findByText('This is Clients.')
    localStorage.setItem('theme', 'dark')
    await user.click(screen.getByRole('button', { name: 'LOGOUT' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/login'))
    expect(api.sentTo(auth.logout)).toHaveLength(1)
    expect(readToken()).toBeUndefined()
    expect(localStorage).toHaveLength(0)
  })

  test('a screen that breaks says so, offers a reload, and reports itself', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    openConsole('/trucks', { api, table })
    expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Reload' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'MENU' })).toBeInTheDocument()
    await waitFor(() =>
      expect(api.sentTo(errorLog.report)[0]?.body).toMatchObject({
        errorOrigin: 'screen',
        error: { message: 'a page that breaks' },
      }),
    )
  })
})
