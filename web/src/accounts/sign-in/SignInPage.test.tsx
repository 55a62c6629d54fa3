import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCookies, readToken } from '../../api/session.ts'
import { takeArrivalFromAddress } from './sign-on-address.ts'
import { SignInPage } from './SignInPage.tsx'

const server = vi.fn<typeof fetch>()
const answer = (status: number, body: unknown) => server.mockResolvedValueOnce(Response.json(body, { status }))
const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined)

function show(name: string, content: string) {
  const meta = document.createElement('meta')
  Object.assign(meta, { name, content })
  document.head.append(meta)
}

beforeEach(() => {
  clearCookies()
  vi.stubGlobal('fetch', server)
  history.replaceState(null, '', '/login')
})
afterEach(() => {
  cleanup()
  document.head.replaceChildren()
  server.mockReset()
  assign.mockClear()
  replace.mockClear()
})

const sentTo = (index: number) => {
  const [address, request] = server.mock.calls[index] ?? []
  return [address, request?.body === undefined ? undefined : (JSON.parse(request.body as string) as unknown)]
}
const session = {
  step: 'signedIn',
  token: 'a-token',
  user: { userUid: '0190a1f2-0000-7000-8000-000000000001' },
  next: '/trucks',
}
const pending = {
  step: 'confirm',
  email: 'dana@example.com',
  accountName: 'Dana Brooks',
  ways: ['password', 'mail'],
}

/** The page as it opens at an address. */
function open(address: string) {
  history.replaceState(null, '', address)
  render(<SignInPage arrival={takeArrivalFromAddress()} />)
  return userEvent.setup()
}

test('without an identity provider there is the password alone', () => {
  open('/login')
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Show', 'Sign in'])
})

test('the button leads to the identity provider, which leads back to the page that was asked for', async () => {
  show('single-sign-on', 'Acme')
  const user = open('/login?next=/trucks')
  answer(200, { data: { url: 'https://login.example.com/authorize' } })
  await user.click(screen.getByRole('button', { name: 'Sign in with Acme' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://login.example.com/authorize'))
  expect(sentTo(0)).toEqual(['/api/v1/authentication/single-sign-on/begin', { next: '/trucks' }])
})

test('an identity provider that is away is named, and the password is still asked for', async () => {
  show('single-sign-on', 'Acme')
  const user = open('/login')
  answer(503, { error: "The company sign-in can't be reached right now.", code: 'singleSignOnAway' })
  await user.click(screen.getByRole('button', { name: 'Sign in with Acme' }))
  expect((await screen.findByRole('alert')).textContent).toContain("can't be reached")
  expect(screen.getByLabelText('Password')).toBeInTheDocument()
})

test('where passwords are switched off, none is asked for', () => {
  show('single-sign-on', 'Acme')
  show('password-sign-in', 'off')
  open('/login')
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Sign in with Acme'])
  expect(screen.queryByLabelText('Password')).toBeNull()
})

test('the provider’s answer leaves the address, is sent once, and opens the console', async () => {
  answer(200, { data: session })
  open('/login?code=abc&state=xyz&iss=https%3A%2F%2Flogin.example.com')
  expect(location.search).toBe('')
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/trucks'))
  expect(readToken()).toBe('a-token')
  expect(server).toHaveBeenCalledTimes(1)
  expect(sentTo(0)[1]).toEqual({ callback: 'code=abc&state=xyz&iss=https%3A%2F%2Flogin.example.com' })
})

test('a refusal is said on the login page', async () => {
  show('single-sign-on', 'Acme')
  answer(403, { error: 'There is no account for you here yet.', code: 'singleSignOnUnknown' })
  open('/login?error=access_denied&state=xyz')
  expect((await screen.findByRole('alert')).textContent).toBe('There is no account for you here yet.')
  expect(screen.getByRole('button', { name: 'Sign in with Acme' })).toBeInTheDocument()
})

test('an account that has an owner is shown before its password links it', async () => {
  show('single-sign-on', 'Acme')
  answer(200, { data: pending })
  const user = open('/login?code=abc&state=xyz')
  expect(await screen.findByRole('heading', { name: 'Is this your account?' })).toBeInTheDocument()
  expect(document.body.textContent).toContain('You signed in with Acme as dana@example.com.')
  expect(document.body.textContent).toContain('account of Dana Brooks')
  answer(401, { error: 'Wrong email or password.', code: 'wrongPassword' })
  await user.type(screen.getByLabelText('Your Roadshow password'), 'wrong')
  await user.click(screen.getByRole('button', { name: 'Link and sign in' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Wrong')
  answer(200, { data: session })
  await user.click(screen.getByRole('button', { name: 'Link and sign in' }))
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/trucks'))
})

test('a mailed link shows what it confirms and does nothing until it is confirmed', async () => {
  show('single-sign-on', 'Acme')
  answer(200, { data: pending })
  const user = open('/login?confirm=mail-token')
  expect(location.search).toBe('')
  await screen.findByRole('heading', { name: 'Is this your account?' })
  expect(server).toHaveBeenCalledTimes(1)
  answer(200, { data: session })
  await user.click(screen.getByRole('button', { name: 'Link and sign in' }))
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/trucks'))
  expect(sentTo(1)).toEqual(['/api/v1/authentication/single-sign-on/confirm-by-mail', { token: 'mail-token' }])
})

test('a link can be asked for instead of a password', async () => {
  show('single-sign-on', 'Acme')
  answer(200, { data: pending })
  const user = open('/login?code=abc&state=xyz')
  await screen.findByRole('heading', { name: 'Is this your account?' })
  answer(200, { data: { done: true } })
  await user.click(screen.getByRole('button', { name: 'Email me a link instead' }))
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeInTheDocument()
})

test('a confirmation that is over leads back to signing in', async () => {
  show('single-sign-on', 'Acme')
  answer(401, { error: 'This sign-in has expired.', code: 'singleSignOnExpired' })
  open('/login?confirm=mail-token')
  expect((await screen.findByRole('alert')).textContent).toBe('This sign-in has expired.')
})

test('a next page outside of the console is not followed, even if the server said so', async () => {
  answer(200, { data: { ...session, next: '//elsewhere.com' } })
  open('/login?code=abc&state=xyz')
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/'))
})

test('a second factor that the provider has not seen is asked for, and the page that was asked for is kept', async () => {
  show('single-sign-on', 'Acme')
  const secondFactor = { token: 't', expiresAt: '2026-11-16T12:00:00Z', factors: ['code'], next: '/trucks' }
  answer(401, { error: 'Almost there.', code: 'secondFactorAsked', secondFactor })
  const user = open('/login?code=abc&state=xyz')
  expect(await screen.findByRole('heading', { name: 'One more step' })).toBeInTheDocument()
  expect(location.search).toBe('?next=%2Ftrucks')
  answer(200, { data: { token: 'a-token', user: session.user } })
  await user.type(screen.getByRole('textbox'), '123456')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/trucks'))
})

test('a role that needs a second factor leads to its setup first', async () => {
  answer(200, { data: { ...session, enrollmentNeeded: true } })
  open('/login?code=abc&state=xyz')
  await waitFor(() => expect(replace).toHaveBeenCalledWith(expect.stringMatching(/\?next=%2Ftrucks$/)))
})
