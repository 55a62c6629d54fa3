import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { contact } from '../../api/call.ts'
import { clearCookies, readToken, savedUserUid } from '../../api/session.ts'
import { LoginPage } from './LoginPage.tsx'

const server = vi.fn<typeof fetch>()
const answer = (status: number, body: unknown) => server.mockResolvedValueOnce(Response.json(body, { status }))
const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)

beforeEach(() => {
  // The console asks for a sign of life after a lost call. It is not part of this page, but test files share modules.
  vi.spyOn(contact, 'missed').mockImplementation(() => undefined)
  clearCookies()
  localStorage.clear()
  vi.stubGlobal('fetch', server)
  history.replaceState(null, '', '/login')
})
afterEach(() => {
  vi.mocked(contact.missed).mockRestore()
  cleanup()
  server.mockReset()
  assign.mockClear()
})

async function signIn(email: string, password: string) {
  const user = userEvent.setup()
  render(<LoginPage />)
  if (email) await user.type(screen.getByLabelText('Email'), email)
  if (password) await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  return user
}

const dana = { userUid: '0190a1f2-0000-7000-8000-000000000001', name: 'Dana', role: 'admin', roleAccess: [] }

test('signing in keeps the token in its cookie and the user in savedCredentials, and goes on', async () => {
  history.replaceState(null, '', '/login?next=/trucks')
  answer(200, { data: { token: 'a-token', user: dana } })
  await signIn('dana@example.com', 'a long password')

  await waitFor(() => expect(assign).toHaveBeenCalledWith('/trucks'))
  expect(readToken()).toBe('a-token')
  expect(savedUserUid()).toBe(dana.userUid)
  expect(localStorage.getItem('savedCredentials')).toBe(JSON.stringify({ userUid: dana.userUid }))
  const [address, request] = server.mock.calls[0] ?? []
  expect(address).toBe('/api/v1/authentication/authenticate')
  expect(JSON.parse(request?.body as string)).toEqual({
    email: 'dana@example.com',
    password: 'a long password',
    clientType: 'web',
  })
})

test('what the server refuses about a field is said at the field', async () => {
  answer(400, { error: 'Check the marked fields.', code: 'badInput', fields: { email: 'Not a valid email address.' } })
  await signIn('dana', 'a long password')

  const email = screen.getByLabelText('Email')
  await waitFor(() => expect(email.getAttribute('aria-invalid')).toBe('true'))
  expect(document.getElementById(email.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Not a valid email address.',
  )
  expect(document.activeElement).toBe(email)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('an empty field is not sent', async () => {
  await signIn('dana@example.com', '')
  expect(screen.getByText('Required.')).toBeInTheDocument()
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  expect(server).not.toHaveBeenCalled()
})

test.each([
  [401, 'Wrong email or password.', 'wrongPassword'],
  [429, 'Too many attempts. Please wait 40 seconds and try again.', 'tooMany'],
])('a %d is announced with its sentence, and one can try again', async (status, error, code) => {
  answer(status, { error, code })
  const user = await signIn('dana@example.com', 'a wrong password')
  expect((await screen.findByRole('alert')).textContent).toBe(error)
  expect(readToken()).toBeUndefined()

  answer(200, { data: { token: 'a-token', user: dana } })
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
})

test('a server that cannot be reached is said so', async () => {
  server.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await signIn('dana@example.com', 'a long password')
  expect((await screen.findByRole('alert')).textContent).toContain('can’t reach the server')
})

test('a second press while signing in sends nothing more', async () => {
  server.mockReturnValueOnce(new Promise(() => undefined))
  const user = await signIn('dana@example.com', 'a long password')
  await user.click(screen.getByRole('button', { name: 'Signing in…' }))
  expect(server).toHaveBeenCalledTimes(1)
})

test('the password can be shown and hidden again', async () => {
  const user = userEvent.setup()
  render(<LoginPage />)
  const password = screen.getByLabelText<HTMLInputElement>('Password')
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password.type).toBe('text')
  await user.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(password.type).toBe('password')
})

test('after a forced sign-out the page says why, and leads back', async () => {
  sessionStorage.setItem('signOutReason', 'Your role was changed. Please sign in again.')
  history.replaceState(null, '', '/login?next=%2Ftrucks%3Fopen%3D1')
  answer(200, { data: { token: 'a-token', user: dana } })
  render(<LoginPage />)
  expect(screen.getByRole('status').textContent).toBe('Your role was changed. Please sign in again.')
  cleanup()
  await signIn('dana@example.com', 'a long password')
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/trucks?open=1'))
  expect(sessionStorage.getItem('signOutReason')).toBeNull()
})
