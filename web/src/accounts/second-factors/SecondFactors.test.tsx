import { credentials } from '@roadshow/contract/accounts/credentials'
import { secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { FactorList } from '@roadshow/contract/accounts/second-factors'
import { auth } from '@roadshow/contract/accounts/sign-in'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

vi.mock('@simplewebauthn/browser', () => ({
  startRegistration: async () => ({ id: 'new-passkey', response: {} }),
}))

const user = userEvent.setup({ delay: null })
const none: FactorList = {
  passkeys: [],
  codeApp: null,
  recoveryCodesLeft: 0,
  isNeeded: false,
  provedUntil: null,
  hasPassword: true,
}
const some: FactorList = {
  ...none,
  passkeys: [{ uid: testUid(1), name: 'My phone', isSynced: true, addedAt: '2026-11-01T12:00:00.000Z', usedAt: null }],
  codeApp: { addedAt: '2026-11-02T12:00:00.000Z', usedAt: '2026-11-03T12:00:00.000Z' },
  recoveryCodesLeft: 8,
}
const codes = Array.from({ length: 10 }, (_, n) => `code-${n}`)

let api: FakeApi
beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', {})
  api = fakeApi()
  api.answer(trucks.list, () => paged([]))
  api.answer(credentials.own, () => ({ data: [] }))
  api.answer(auth.sessions, () => ({ data: [] }))
})
afterEach(cleanup)

const open = async (factors: FactorList) => {
  api.answer(secondFactors.list, () => ({ data: factors }))
  openConsole('/trucks?credentials=open', { api })
  return within(await screen.findByRole('region', { name: 'Second factor' }))
}

test('the first passkey asks for the password, then for a name, and shows recovery codes once', async () => {
  const section = await open(none)
  expect(section.getByText(/a stolen password is not enough/)).toBeInTheDocument()
  api.respond(secondFactors.challengePasskey, () => refusal('proofNeeded'))
  await user.click(section.getByRole('button', { name: 'Add a passkey' }))
  const naming = within(await findDialog('Add a passkey'))
  await user.clear(naming.getByLabelText('Name'))
  await user.type(naming.getByLabelText('Name'), 'My key')
  await user.click(naming.getByRole('button', { name: 'Add passkey' }))
  const proof = within(await findDialog('Confirm that it’s you'))
  api.answer(secondFactors.prove, () => ({ data: { provedUntil: '2026-11-16T12:00:00.000Z' } }))
  api.answer(secondFactors.challengePasskey, () => ({ data: { challenge: 'c' } as never }))
  api.answer(secondFactors.addPasskey, () => ({ data: { recoveryCodes: codes } }))
  await user.type(proof.getByLabelText('Password'), 'my password')
  await user.click(proof.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('code-9')).toBeInTheDocument()
  expect(api.sentTo(secondFactors.prove)[0]?.body).toEqual({ password: 'my password' })
  expect(api.sentTo(secondFactors.addPasskey)[0]?.body).toMatchObject({ name: 'My key' })
  await user.click(screen.getByRole('button', { name: 'I have kept them' }))
})

test('factors are listed with what is left of recovery codes, and removed after asking', async () => {
  const section = await open(some)
  expect(section.getByText('8 of 10 left')).toBeInTheDocument()
  expect(section.getByText('Passkey, synced')).toBeInTheDocument()
  api.answer(secondFactors.removePasskey, () => ({ data: { uid: testUid(1) } }))
  await user.click(section.getByRole('button', { name: 'Remove My phone' }))
  const asked = within(await findDialog('Remove My phone?'))
  expect(api.sentTo(secondFactors.removePasskey)).toHaveLength(0)
  await user.click(asked.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Passkey removed.')).toBeInTheDocument()
})

test('a last factor that the role needs stays, with the reason', async () => {
  const section = await open({ ...some, isNeeded: true })
  api.respond(secondFactors.removeCodeApp, () => refusal('lastFactor'))
  await user.click(section.getByRole('button', { name: 'Remove Authenticator app' }))
  await user.click(within(await findDialog('Remove Authenticator app?')).getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText(/this is your last one/)).toBeInTheDocument()
})

test('a wrong first code is said at its field, and a proof that is needed by then is asked for before the app counts', async () => {
  const section = await open(none)
  const setup = { key: 'ABCDEFGH', address: 'otpauth://totp/x', picture: 'data:,' }
  api.answer(secondFactors.startCodeApp, () => ({ data: setup }))
  await user.click(section.getByRole('button', { name: 'Add an authenticator app' }))
  const app = within(await findDialog('Add an authenticator app'))
  api.respond(secondFactors.addCodeApp, () => refusal('badInput', { fields: { code: 'Wrong code.' } }))
  await user.type(app.getByLabelText('6-digit code'), '111111')
  await user.click(app.getByRole('button', { name: 'Confirm' }))
  expect(await app.findByText('Wrong code.')).toBeInTheDocument()

  api.respond(secondFactors.addCodeApp, () => refusal('proofNeeded'))
  await user.click(app.getByRole('button', { name: 'Confirm' }))
  const proof = within(await findDialog('Confirm that it’s you'))
  api.answer(secondFactors.prove, () => ({ data: { provedUntil: '2026-11-16T12:00:00.000Z' } }))
  api.answer(secondFactors.addCodeApp, () => ({ data: { recoveryCodes: codes } }))
  await user.type(proof.getByLabelText('Password'), 'my password')
  await user.click(proof.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('code-9')).toBeInTheDocument()
  const codesSent = api.sentTo(secondFactors.addCodeApp).map(({ body }) => (body as { code: string }).code)
  expect(codesSent).toEqual(['111111', '111111', '111111'])
})
