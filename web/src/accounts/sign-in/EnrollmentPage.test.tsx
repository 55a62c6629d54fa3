import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepSession } from '../../api/session.ts'
import { EnrollmentPage } from './EnrollmentPage.tsx'

vi.mock('@simplewebauthn/browser', () => ({
  startRegistration: async () => ({ id: 'new-passkey', response: {} }),
}))

const server = vi.fn<typeof fetch>()
const answer = (status: number, body: unknown) => server.mockResolvedValueOnce(Response.json(body, { status }))
const bodyOf = (n: number) => JSON.parse((server.mock.calls[n]?.[1]?.body as string | undefined) ?? '{}') as object
const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
const user = userEvent.setup()
const codes = ['abcd-efgh-jkmn-pqrs', 'bcde-fghi-jkmn-pqrs']

beforeEach(() => {
  keepSession('a-token', '0190a1f2-0000-7000-8000-000000000001')
  vi.stubGlobal('fetch', server)
  vi.stubGlobal('PublicKeyCredential', {})
  history.replaceState(null, '', '/second-factor?next=/trucks')
})
afterEach(() => {
  cleanup()
  server.mockReset()
  assign.mockClear()
})

test('a passkey gets a name, its recovery codes are shown once, and the way leads on', async () => {
  render(<EnrollmentPage />)
  await user.click(screen.getByRole('button', { name: /^Passkey/ }))
  const name = screen.getByLabelText('Name of the passkey')
  await user.clear(name)
  await user.type(name, 'My key')
  answer(200, { data: { challenge: 'c' } })
  answer(200, { data: { recoveryCodes: codes } })
  await user.click(screen.getByRole('button', { name: 'Add passkey' }))
  expect(await screen.findByText(codes[0] ?? '')).toBeInTheDocument()
  expect(bodyOf(1)).toEqual({ name: 'My key', passkey: { id: 'new-passkey', response: {} } })
  await user.click(screen.getByRole('button', { name: 'I have kept them' }))
  expect(assign).toHaveBeenCalledWith('/trucks')
})

test('an authenticator app shows its key and asks for the first code', async () => {
  const setup = { key: 'ABCDEFGH', address: 'otpauth://totp/x', picture: 'data:image/svg+xml;base64,PHN2Zy8+' }
  answer(200, { data: setup })
  render(<EnrollmentPage />)
  await user.click(screen.getByRole('button', { name: /^Authenticator app/ }))
  expect(await screen.findByText('ABCD EFGH')).toBeInTheDocument()
  answer(400, { error: 'Please fix it.', code: 'badInput', fields: { code: 'Wrong code.' } })
  await user.type(screen.getByLabelText('6-digit code'), '111111')
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('Wrong code.')).toBeInTheDocument()
  answer(200, { data: { recoveryCodes: codes } })
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  await screen.findByText(codes[1] ?? '')
})

test('who comes back later confirms the password, and goes on where they were', async () => {
  answer(403, { error: 'Please confirm.', code: 'proofNeeded' })
  render(<EnrollmentPage />)
  await user.click(screen.getByRole('button', { name: /^Authenticator app/ }))
  await user.type(await screen.findByLabelText('Password'), 'a long password')
  answer(200, { data: { provedUntil: '2026-11-16T12:00:00.000Z' } })
  answer(200, { data: { key: 'ABCD', address: 'otpauth://totp/x', picture: 'data:,' } })
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('ABCD')).toBeInTheDocument()
  await waitFor(() => expect(bodyOf(1)).toEqual({ password: 'a long password' }))
})
