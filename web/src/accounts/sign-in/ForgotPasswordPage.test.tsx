import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCookies, keepResetToken, readResetToken } from '../../api/session.ts'
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx'

const server = vi.fn<typeof fetch>()
const answer = (status: number, body: unknown) => server.mockResolvedValueOnce(Response.json(body, { status }))
const sent = () => JSON.parse(server.mock.calls[0]?.[1]?.body as string) as unknown

beforeEach(() => {
  clearCookies()
  vi.stubGlobal('fetch', server)
  history.replaceState(null, '', '/forgot-password')
})
afterEach(() => {
  cleanup()
  server.mockReset()
})

async function choose(password: string) {
  const user = userEvent.setup()
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
    'If an account exists for dana@example.com, a mail with a link is on its way. The link works for 30 minutes.',
  )
  expect(sent()).toEqual({ email: 'dana@example.com' })
})

test('with the link’s token a new password is set, and the token is gone', async () => {
  answer(200, { data: { done: true } })
  await choose('a much longer password')

  expect(await screen.findByRole('heading', { name: 'Your password is set' })).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login')
  expect(sent()).toEqual({ token: 'a-token', password: 'a much longer password' })
  expect(readResetToken()).toBeUndefined()
})

test('a password that is too short is refused by the contract’s own rule, before the server is asked', async () => {
  await choose('short')
  expect(screen.getByText('At least 10 characters.')).toBeInTheDocument()
  expect(server).not.toHaveBeenCalled()
})

test('a password that the server refuses is said at the field', async () => {
  answer(400, { error: 'Check the fields.', code: 'badInput', fields: { password: 'Too many people use this one.' } })
  await choose('password123456')
  expect(await screen.findByText('Too many people use this one.')).toBeInTheDocument()
  expect(readResetToken()).toBe('a-token')
})

test('a spent link leads back to asking for a new one', async () => {
  answer(400, { error: 'This link has expired or was already used.', code: 'resetTokenUsed' })
  await choose('a much longer password')
  expect((await screen.findByRole('alert')).textContent).toContain('expired or was already used')
  expect(screen.getByLabelText('Email')).toBeInTheDocument()
  expect(readResetToken()).toBeUndefined()
})
