import type { AddressInfo } from 'node:net'
import { auth, credentials, users } from '@roadshow/contract'
import { io, type Socket } from 'socket.io-client'
import { afterAll, describe, expect, test } from 'vitest'
import { openSession } from '../../accounts/sign-in/index.ts'
import { openSockets } from '../../platform/sockets/index.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call, db, people } = world

const sockets = await openSockets(world.app, world.url)
await world.app.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
const opened: Socket[] = []
afterAll(async () => {
  for (const socket of opened) socket.disconnect()
  await sockets.close()
})

/** A page of the console: told when it is connected, and when it is gone. */
async function openPage(userUid: string, token: string) {
  const socket = io(url, {
    transports: ['websocket'],
    reconnection: false,
    auth: { clientType: 'web', userUid, token },
  })
  opened.push(socket)
  const told: string[] = []
  socket.onAny((event: string) => told.push(event))
  const gone = new Promise<number>((resolve) => socket.on('disconnect', () => resolve(performance.now())))
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve)
    socket.on('connect_error', reject)
  })
  return { socket, told, gone }
}

const isSignedIn = async (token: string) => (await call(auth.me, {}, { token })).status === 200
const signInAgain = (uid: string, userAgent: string) => openSession(db, uid, { address: '10.0.0.7', userAgent })

describe('force-logout', () => {
  test('ends every session at once: calls answer 401, open pages are told and disconnected within a second', async () => {
    const [user, other] = [await world.addUser('driver'), await world.addUser('driver')]
    const second = await signInAgain(user.uid, 'Firefox')
    const pages = [await openPage(user.uid, user.token), await openPage(user.uid, second)]
    const bystander = await openPage(other.uid, other.token)
    const since = performance.now()
    const { body } = await call(users.forceLogout, { params: { uid: user.uid } })
    expect(body.data).toEqual({ userUid: user.uid, ended: 2 })
    expect([await isSignedIn(user.token), await isSignedIn(second)]).toEqual([false, false])
    for (const page of pages) {
      expect((await page.gone) - since).toBeLessThan(1000)
      expect(page.told).toEqual(['session-ended'])
    }
    expect([bystander.socket.connected, await isSignedIn(other.token)]).toEqual([true, true])
  })

  test('of someone who is not signed in changes nothing, and of no one answers 404', async () => {
    const { uid } = await world.addUser('driver')
    await call(users.forceLogout, { params: { uid } })
    expect((await call(users.forceLogout, { params: { uid } })).body.data.ended).toBe(0)
    expect((await call(users.forceLogout, { params: { uid: '01900000-0000-7000-8000-000000000000' } })).status).toBe(
      404,
    )
  })

  test('deleting and another role close the pages too', async () => {
    const { uid, token } = await world.addUser('sales')
    const page = await openPage(uid, token)
    await call(users.remove, { params: { uid } })
    await page.gone
    expect(page.told).toEqual(['session-ended'])
  })
})

describe('the sessions of a user', () => {
  test('are listed with when, where from and which browser, open ones first, without their tokens', async () => {
    const { uid, token } = await world.addUser('sales')
    const ended = await signInAgain(uid, 'Safari')
    await call(auth.logout, {}, { token: ended })
    const answer = await call(users.sessions, { params: { uid } })
    expect(answer.body.data).toMatchObject([
      { userAgent: 'test', address: '127.0.0.1', endedAt: null, isThisOne: false },
      { userAgent: 'Safari', address: '10.0.0.7', endedAt: expect.any(String) },
    ])
    expect(answer.text).not.toContain(token)
    const own = await call(users.sessions, { params: { uid: people.admin.uid } })
    expect(own.body.data.filter(({ isThisOne }) => isThisOne)).toHaveLength(1)
  })

  test('end one at a time, and only under the user they belong to', async () => {
    const [user, other] = [await world.addUser('sales'), await world.addUser('sales')]
    const second = await signInAgain(user.uid, 'Firefox')
    const page = await openPage(user.uid, second)
    const listed = (await call(users.sessions, { params: { uid: user.uid } })).body.data
    const credentialUid = listed.find(({ userAgent }) => userAgent === 'Firefox')?.uid ?? ''
    const end = async (uid: string) =>
      (await call(credentials.endOfUser, { params: { uid, kind: 'session', credentialUid } })).status
    expect(await end(other.uid)).toBe(404)
    expect(await isSignedIn(second)).toBe(true)
    expect(await end(user.uid)).toBe(200)
    await page.gone
    expect([await isSignedIn(second), await isSignedIn(user.token)]).toEqual([false, true])
    expect(await end(user.uid)).toBe(404)
  })
})
