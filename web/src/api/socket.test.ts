import { auth } from '@roadshow/contract/accounts/sign-in'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, refusal, someUser } from '../test-console.tsx'
import { keepSession, readToken, signOutReason } from './session.ts'
import { openSocket } from './socket.ts'

type Handler = (given?: unknown) => void
const handlers: Record<string, Handler> = {}
const socket = {
  active: false,
  connect: vi.fn<() => void>(),
  on: (event: string, handler: Handler) => (handlers[event] = handler),
}
interface Options {
  transports: string[]
  auth: (give: (data: object) => void) => void
}
const io = vi.fn<(options: Options) => typeof socket>(() => socket)
vi.doMock('socket.io-client', () => ({ io }))

const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
const { userUid } = someUser('admin')
const PATIENCE = { timeout: 8_000 }

beforeEach(async () => {
  assign.mockClear()
  socket.connect.mockClear()
  keepSession('a-token', userUid)
  await openSocket(userUid)
})

test('the socket names the user and the session, by websocket only', () => {
  const options = io.mock.lastCall?.[0]
  expect(options?.transports).toEqual(['websocket'])
  const given = vi.fn<(data: object) => void>()
  options?.auth(given)
  expect(given).toHaveBeenCalledWith({ clientType: 'web', userUid, token: 'a-token' })
})

const endings: [what: string, happen: () => void][] = [
  ['says that the session has ended', () => handlers['session-ended']?.()],
  [
    'refuses the session',
    () => handlers.connect_error?.(Object.assign(new Error('refused'), { data: { code: 'signedOut' } })),
  ],
]

test.each(endings)('the page leaves as soon as the server %s, and takes the reason along', async (_, happen) => {
  const api = fakeApi()
  const error = 'Your role was changed. Please sign in again.'
  api.respond(auth.me, () => Response.json({ code: 'signedOut', error }, { status: 401 }))
  happen()
  await vi.waitFor(() => expect(assign).toHaveBeenCalledTimes(1), PATIENCE)
  expect(assign).toHaveBeenCalledWith('/login')
  expect([readToken(), signOutReason()]).toEqual([undefined, error])
})

test('the page leaves without a reason when the server does not answer', async () => {
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new TypeError('Failed to fetch')))
  handlers['session-ended']?.()
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('/login'), PATIENCE)
  expect(readToken()).toBeUndefined()
})

test('a lost connection does not end anything', () => {
  socket.active = true
  handlers.connect_error?.(new Error('websocket error'))
  handlers.disconnect?.('transport close')
  expect(assign).not.toHaveBeenCalled()
})

test('when the server lets go, the session is checked before connecting again', async () => {
  const api = fakeApi()
  api.answer(auth.me, () => ({ data: someUser('admin') }))
  handlers.disconnect?.('io server disconnect')
  await vi.waitFor(() => expect(socket.connect).toHaveBeenCalledTimes(1), PATIENCE)

  api.respond(auth.me, () => refusal('signedOut'))
  handlers.disconnect?.('io server disconnect')
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('/login'), PATIENCE)
  expect(socket.connect).toHaveBeenCalledTimes(1)
})
