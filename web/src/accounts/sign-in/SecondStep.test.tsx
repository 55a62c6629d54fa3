import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCookies, readToken } from '../../api/session.ts'
import { LoginPage } from './LoginPage.tsx'

vi.mock('@simplewebauthn/browser', () => ({
  startAuthentication: async ({ optionsJSON }: { optionsJSON: { challenge: string } }) => {
    if (optionsJSON.challenge === 'canceled') throw Object.assign(new Error(), { name: 'NotAllowedError' })
    return { id: 'a-passkey', response: {} }
  },
}))

const server = vi.fn<typeof fetch>()
const answer = (status: number, body: unknown) => server.mockResolvedValueOnce(Response.json(body, { status }))
const sent = (n: number) => ({
  path: server.mock.calls[n]?.[0],
  body: JSON.parse((server.mock.calls[n]?.[1]?.body as string | undefined) ?? '{}') as object,
})
const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
const user = userEvent.setup()

beforeEach(() => {
  clearCookies()
  vi.stubGlobal('fetch', server)
  vi.stubGlobal('PublicKeyCredential', {})
  history.replaceState(null, '', '/login?next=/trucks')
})
afterEach(() => {
  cleanup()
  server.mockReset()
  assign.mockClear()
})

const dana = { userUid: '0190a1f2-0000-7000-8000-000000000001', name: 'Dana', role: 'admin', roleAccess: [] }
const signedIn = { data: { token: 'a-token', user: dana } }
const asked = (...factors: string[]) => ({
  error: 'Almost there. Now enter your second factor.',
  code: 'secondFactorAsked',
  secondFactor: { token: 'pending', expiresAt: '2026-11-16T12:00:00.000Z', factors },
})

async function enterPassword() {
  render(<LoginPage />)
  await user.type(screen.getByLabelText('Email'), 'dana@example.com')
  await user.type(screen.getByLabelText('Password'), 'a long password')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByRole('heading', { name: 'One more step' })
}

test('the code of an authenticator app is asked for after the password, and a wrong one is said', async () => {
  answer(401, asked('code', 'recoveryCode'))
  await enterPassword()
  expect(readToken()).toBeUndefined()
  expect(document.activeElement).toBe(screen.getByLabelText('6-digit code'))
  answer(401, { error: 'This code is wrong or was already used.', code: 'secondFactorWrong' })
  await user.type(screen.getByLabelText('6-digit code'), '123 456')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect((await screen.findByRole('alert')).textContent).toContain('wrong or was already used')
  answer(200, signedIn)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/trucks'))
  expect(sent(2)).toEqual({
    path: '/api/v1/authentication/second-factor',
    body: { token: 'pending', code: '123 456' },
  })
  expect(readToken()).toBe('a-token')
})

test('a passkey is used by one press, and a canceled one can be tried again', async () => {
  answer(401, asked('passkey'))
  await enterPassword()
  answer(200, { data: { challenge: 'canceled' } })
  await user.click(screen.getByRole('button', { name: 'Use your passkey' }))
  expect((await screen.findByRole('alert')).textContent).toContain('No passkey was used')
  answer(200, { data: { challenge: 'ok' } })
  answer(200, signedIn)
  await user.click(screen.getByRole('button', { name: 'Use your passkey' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/trucks'))
  expect(sent(3).body).toEqual({ token: 'pending', passkey: { id: 'a-passkey', response: {} } })
})

test('a recovery code stands in for a lost factor', async () => {
  answer(401, asked('passkey', 'recoveryCode'))
  await enterPassword()
  await user.click(screen.getByRole('button', { name: 'Use a recovery code instead' }))
  answer(200, signedIn)
  await user.type(screen.getByLabelText('Recovery code'), 'abcd-efgh-jkmn-pqrs')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/trucks'))
  expect(sent(1).body).toEqual({ token: 'pending', recoveryCode: 'abcd-efgh-jkmn-pqrs' })
})

test('who takes too long enters the password again and is told why', async () => {
  answer(401, asked('code'))
  await enterPassword()
  answer(401, { error: 'Your sign-in took too long. Please enter your password again.', code: 'signInExpired' })
  await user.type(screen.getByLabelText('6-digit code'), '123456')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect((await screen.findByRole('alert')).textContent).toContain('took too long')
  expect(screen.getByLabelText('Password')).toBeInTheDocument()
})

test('a passkey signs in without a password', async () => {
  render(<LoginPage />)
  answer(200, { data: { challenge: 'ok' } })
  answer(200, signedIn)
  await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/trucks'))
  expect(sent(1).path).toBe('/api/v1/authentication/passkey')
})

test('a user whose role needs a factor goes to its setup first, and then where they wanted to go', async () => {
  render(<LoginPage />)
  answer(200, { data: { ...signedIn.data, enrollmentNeeded: true } })
  await user.type(screen.getByLabelText('Email'), 'dana@example.com')
  await user.type(screen.getByLabelText('Password'), 'a long password')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/second-factor?next=%2Ftrucks'))
})
