import { settings } from '@roadshow/contract/catalog/settings'
import { auth } from '@roadshow/contract/accounts/sign-in'
import { errorLog } from '@roadshow/contract/console/error-log'
import { errors } from '@roadshow/contract/platform/errors'
import type { Role } from '@roadshow/contract/platform/permissions'
import { photoQueue } from '@roadshow/contract/proof/photo-queue'
import { pops } from '@roadshow/contract/proof/pop'
import { replays } from '@roadshow/contract/proof/replay'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aPopPhoto, dallasMarket } from '../proof/pop/test-pop.ts'
import { answerReplay, SHIFT } from '../proof/replay/test-replay.ts'
import { fakeApi, openConsole, paged, refusal, someUser } from '../test-console.tsx'
import type { FakeApi } from '../test-console.tsx'
import { testUid } from '../test-uid.ts'

// The server's end of the channel.
type Handler = (given?: unknown) => void
const handlers: Record<string, Handler> = {}
const socket = { on: (event: string, handler: Handler) => (handlers[event] = handler), disconnect: () => undefined }
vi.doMock('socket.io-client', () => ({ io: () => socket }))

/** The server says that the user's rights have changed. */
async function changeRights(modules: Parameters<typeof someUser>[1], role: Role = 'sales') {
  await waitFor(() => expect(handlers).toHaveProperty('access-changed'))
  api.answer(auth.me, () => ({ data: someUser(role, modules) }))
  act(() => handlers['access-changed']?.())
}

let api: FakeApi
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
  api.answer(errorLog.report, () => ({ data: { uid: testUid(9) } }))
})
afterEach(cleanup)

const openReplay = async (role: Role = 'sales') => {
  answerReplay(api)
  const opened = openConsole(`/replay?shift=${SHIFT}&at=2026-11-18T00:00:00Z`, { api, user: someUser(role) })
  await screen.findByRole('region', { name: 'This minute' })
  return opened
}

describe('a right that ends while a replay is open', () => {
  test.each(['forbidden', 'notFound'] as const)('takes everything from the page, which says why: %s', async (code) => {
    await openReplay()
    api.respond(replays.get, () => refusal(code))
    await changeRights(['overview'])
    expect(await screen.findByRole('alert')).toHaveTextContent(errors[code][1])
    expect(screen.queryByRole('region', { name: 'This minute' })).toBeNull()
    expect(screen.queryByRole('application', { name: /^Track of/ })).toBeNull()
    expect(document.body.textContent).not.toContain('Winter Bikes')
  })

  test('leads to a screen that is open, and says so', async () => {
    // Sales have no right to the module Users: an admin keeps it and loses the others.
    const { address } = await openReplay('admin')
    await changeRights(['users'], 'admin')
    expect(await screen.findByText('You no longer have access to Replay.')).toBeInTheDocument()
    expect(address()).toBe('/users')
    expect(document.body.textContent).not.toContain('Winter Bikes')
  })
})

describe('a right that ends while the photo queue is open', () => {
  const photo = { ...aPopPhoto(1), client: { uid: testUid(90), name: 'Acme' }, markets: [dallasMarket], artwork: null }

  beforeEach(async () => {
    api.answer(photoQueue.list, () => paged([photo]))
    openConsole('/client-pop?queue=photos', { api, user: someUser('sales') })
    await screen.findByRole('button', { name: /^Approve/ })
    api.respond(photoQueue.list, () => refusal('forbidden'))
    api.respond(pops.updatePhoto, () => refusal('forbidden'))
    api.respond(pops.photo, () => refusal('forbidden'))
  })
  const expectNothing = async () => {
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(errors.forbidden[1]))
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull()
    expect([...document.querySelectorAll('img')].map((image) => image.getAttribute('src'))).not.toContain(
      photo.urls.large,
    )
  }

  test('takes the photos from the page, which says why', async () => {
    await changeRights(['pop'])
    await expectNothing()
  })

  test('refuses the next decision, and nothing is said to be decided', async () => {
    await user.click(screen.getByRole('button', { name: /^Approve/ }))
    await expectNothing()
    expect(document.body.textContent).not.toMatch(/left the queue|deleted/)
  })
})

describe('an address that is no screen', () => {
  test('says so, and what the header opens opens beside it', async () => {
    api.respond(settings.get, () => refusal('internal'))
    const { address } = openConsole('/nowhere/at-all?x=1', { api, user: someUser('admin') })
    await screen.findByText('Page not found')
    await user.click(screen.getByRole('button', { name: someUser('admin').name }))
    await user.click(await screen.findByRole('menuitem', { name: 'Settings' }))
    expect(await screen.findByRole('dialog')).toBeInTheDocument()
    expect(address()).toBe('/nowhere/at-all?x=1&settings=open')
    expect(screen.getByText('Page not found')).toBeInTheDocument()
  })
})
