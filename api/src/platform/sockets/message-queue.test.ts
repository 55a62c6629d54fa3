import type { AddressInfo } from 'node:net'
import { MAX_BATCH } from '@roadshow/contract'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { openTestSocket } from '@roadshow/test-kit/client'
import { openWorld } from '@roadshow/test-kit/world'
import { openSockets } from './index.ts'

const { app, url, people } = await openWorld()

/** What was handed over, and a gate that everything waits at. */
let handled: unknown[] = []
let letThrough = () => {}
let gate: Promise<void>
const hold = async (payload: unknown) => {
  handled.push(payload)
  await gate
  return { isDone: true }
}

const fail = async (message: unknown) => {
  throw new Error(String(message))
}

const sockets = await openSockets(app, url, { modules: [() => ({ events: { web: { hold, fail } } })] })
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => sockets.close())

async function open() {
  const { port } = app.server.address() as AddressInfo
  const { uid, token } = people.admin
  const socket = openTestSocket(`http://127.0.0.1:${port}`, { clientType: 'web', userUid: uid, token })
  onTestFinished(() => void socket.disconnect())
  await new Promise<void>((resolve) => socket.on('connect', resolve))
  handled = []
  gate = new Promise((resolve) => (letThrough = resolve))
  return socket
}

const openConnections = () =>
  new Promise<number>((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

test('a node takes as much as it can hold, tells the others at once, and goes on when there is room', async () => {
  const socket = await open()
  const batch = Array.from({ length: MAX_BATCH }, () => 0)
  const taken = Array.from({ length: 50 }, () => socket.emitWithAck('hold', batch))
  expect(await socket.emitWithAck('hold', batch)).toMatchObject({ code: 'unavailable' })
  expect(await socket.emitWithAck('hold')).toMatchObject({ code: 'unavailable' })
  letThrough()
  expect(await Promise.all(taken)).toEqual(taken.map(() => ({ isDone: true })))
  expect(handled).toHaveLength(50)
  expect(await socket.emitWithAck('hold', batch)).toEqual({ isDone: true })
})

test('what no one waits for any more is not done; what no one asked an answer for is', async () => {
  const socket = await open()
  void socket.emitWithAck('hold', 1).catch(() => {})
  void socket.emitWithAck('hold', 2).catch(() => {})
  socket.emit('hold', 3)
  await vi.waitFor(() => expect(handled).toEqual([1]), { timeout: 10_000 })
  socket.disconnect()
  await vi.waitFor(async () => expect(await openConnections()).toBe(0), { timeout: 10_000 })
  letThrough()
  await vi.waitFor(() => expect(handled).toEqual([1, 3]), { timeout: 10_000 })
})

test('while the database is away the answer says to try again, and when', async () => {
  const socket = await open()
  expect(await socket.emitWithAck('fail', 'Connection terminated unexpectedly')).toEqual({
    error: 'The service is unavailable right now. Please try again in a moment.',
    code: 'unavailable',
    retryAfter: 5,
  })
  expect(await socket.emitWithAck('fail', 'a defect')).toEqual({ error: 'Something went wrong', code: 'internal' })
})
