import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCookies, keepResetToken, readResetToken } from '../../api/session.ts'
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx'

const server = vi.fn<typeof fetch>()
const answer = (status: number, body: unknown) => server.mockResolvedValueOnce(Response.json(body, { status }))
const sent = () => JSON.parse(server.mock.calls.at(-1)?.[1]?.body as string) as unknown
const valid = { data: { state: 'valid', kind: 'reset', email: 'd•••@example.com' } }

beforeEach(() => {
  clearCookies()
  vi.stubGlobal('fetch', server)
  history.replaceState(null, '', '/forgot-password')
})
afterEach(() => {
  cleanup()
  server.mockReset()
})

/** Follows a good link and chooses a password, to which the server gives this answer. */
async function choose(password: string, reply?: [status: number, body: unknown]) {
  const user = userEvent.setup()
  answer(200, valid)
  if (reply) answer(...reply)
  keepResetToken('a-token')
  render(<ForgotPasswordPage />)
  await user.type(await screen.findByLabelText('New password'), password)
  await user.click(screen.getByRole('button', { name: 'Set password' }))
}

test('asking for a link says the same whether the address is known or not', async () => {
  const user = userEvent.setup()
  answer(200, { data: { done: true } })
  render(<ForgotPasswordPage />)
  await user.type(screen.getByLabelText('Email'), 'dana@example.com')
  await user.click(screen.getByRole('button', { name: 'Send the link' }))

  const heading = await screen.findByRole('heading', { name: 'Check your email' })
  expect(document.activeElement).toBe(heading)
  expect(document.body.textContent).toContain(
    'If an account exists for dana@example.com, an email with a link is on its way. The link works for 30 minutes.',
  )
  expect(sent()).toEqual({ email: 'dana@example.com' })
})

test('with the link’s token a new password is set, and the token is gone', async () => {
  await choose('a much longer password', [200, { data: { done: true } }])

  expect(await screen.findByRole('heading', { name: 'Your password is set' })).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login')
  expect(sent()).toEqual({ token: 'a-token', password: 'a much longer password' })
  expect(readResetToken()).toBeUndefined()
})

test('a password that is too short is refused by the contract’s own rule, before the server is asked', async () => {
  await choose('short')
  expect(screen.getByText('At least 10 characters.')).toBeInTheDocument()
  expect(server).toHaveBeenCalledTimes(1)
})

test('a password that the server refuses is said at the field', async () => {
  const fields = { password: 'Too many people use this one.' }
  await choose('password123456', [400, { error: 'Check the fields.', code: 'badInput', fields }])
  expect(await screen.findByText('Too many people use this one.')).toBeInTheDocument()
  expect(readResetToken()).toBe('a-token')
})

test('a link that is spent while the password is typed leads back to asking for a new one', async () => {
  const refusal = { error: 'This link has expired or was already used.', code: 'resetTokenUsed' }
  await choose('a much longer password', [400, refusal])
  expect((await screen.findByRole('alert')).textContent).toContain('expired or was already used')
  expect(screen.getByLabelText('Email')).toBeInTheDocument()
  expect(readResetToken()).toBeUndefined()
})

test.each([
  ['used', 'This link was used already.'],
  ['expired', 'This link has expired.'],
  ['unknown', 'This link no longer works.'],
])('a link that is %s says so before a password is typed, and offers a new one', async (state, sentence) => {
  answer(200, { data: { state } })
  keepResetToken('a-token')
  render(<ForgotPasswordPage />)
  expect((await screen.findByRole('alert')).textContent).toContain(sentence)
  expect(screen.queryByLabelText('New password')).toBeNull()
  expect(screen.getByRole('button', { name: 'Send the link' })).toBeInTheDocument()
  expect(readResetToken()).toBeUndefined()
})

test('an invitation asks for a first password and names its account', async () => {
  answer(200, { data: { ...valid.data, kind: 'invitation' } })
  keepResetToken('a-token')
  render(<ForgotPasswordPage />)
  expect(await screen.findByRole('heading', { name: 'Choose your password' })).toBeInTheDocument()
  expect(screen.getByText('d•••@example.com')).toBeInTheDocument()
})

test('a link that cannot be checked still takes a password', async () => {
  server.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  keepResetToken('a-token')
  render(<ForgotPasswordPage />)
  expect(await screen.findByLabelText('New password')).toBeInTheDocument()
})
