import type { AddressInfo } from 'node:net'
import { API_BASE, auth, credentials, endpoints, type Role, secondFactors, settings } from '@roadshow/contract'
import { io, type Socket } from 'socket.io-client'
import { afterAll, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { openSockets } from '../../platform/sockets/index.ts'
import { openSession } from '../sign-in/index.ts'
import { openFactors } from './test-factors.ts'

const world = await openWorld()
const { app, call, db } = world
const { signIn, addPerson, pending, finish, addCodeApp, addPasskey } = openFactors(world)

const sockets = await openSockets(app, world.url)
await app.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const opened: Socket[] = []
afterAll(async () => {
  for (const socket of opened) socket.disconnect()
  await sockets.close()
})

function openPage({ uid, token }: { uid: string; token: string }) {
  const handshake = { clientType: 'web', userUid: uid, token }
  const socket = io(url, { transports: ['websocket'], reconnection: false, forceNew: true, auth: handshake })
  opened.push(socket)
  const told: string[] = []
  socket.onAny((event: string) => told.push(event))
  const gone = new Promise((resolve) => socket.on('disconnect', resolve))
  const refusal = new Promise<unknown>((resolve) => {
    socket.on('connect', () => resolve(undefined))
    socket.on('connect_error', (error) => resolve((error as { data?: unknown }).data))
  })
  return { told, gone, refusal }
}

async function requireFor(...secondFactorRoles: Role[]) {
  const admin = {
    token: await openSession(db, world.people.admin.uid, {
      address: '',
      userAgent: '',
      madeBy: 'singleSignOn',
      hasProviderFactor: true,
    }),
  }
  const { version, values } = (await call(settings.get, {}, admin)).body.data
  return call(settings.update, { body: { ...values, secondFactorRoles, version } }, admin)
}

const stateOf = async (token: string) => {
  const { status, error } = await call(auth.me, {}, { token })
  return status === 200 ? 'open' : error.code
}

describe('a role that needs a second factor', () => {
  test('limits sessions that are open at once, pages included, and leaves those alone that have a factor', async () => {
    const [without, withApp, other] = [await addPerson(), await addPerson(), await addPerson('driver')]
    await addCodeApp(withApp)
    const page = openPage(without)
    await page.refusal
    expect((await requireFor('sales')).body.data.values.secondFactorRoles).toEqual(['sales'])
    expect(await stateOf(without.token)).toBe('secondFactorNeeded')
    expect([await stateOf(withApp.token), await stateOf(other.token)]).toEqual(['open', 'open'])
    await page.gone
    expect(page.told).toEqual(['session-limited'])
    expect(await openPage(without).refusal).toEqual({ code: 'secondFactorNeeded' })
    await requireFor()
    expect(await stateOf(without.token)).toBe('open')
  })

  test('gives a session that reaches the calls of the setup and nothing else of the contract', async () => {
    await requireFor('sales')
    const person = await addPerson()
    const { token, enrollmentNeeded } = (await signIn(person.email)).body.data
    expect(enrollmentNeeded).toBe(true)
    const reached: string[] = []
    for (const { method, path } of endpoints.filter((each) => each.access !== 'public')) {
      const answer = await app.inject({
        method,
        url: `${API_BASE}/${path.replace(/\{\w+\}/g, person.uid)}`,
        ...(method !== 'GET' && method !== 'DELETE' && { payload: {} }),
        headers: { authorization: `Bearer ${path.endsWith('logout') ? await limitedToken(person.uid) : token}` },
      })
      const { code } = answer.json<{ code?: string }>()
      if (code !== 'secondFactorNeeded') reached.push(`${method} ${path}`)
    }
    expect(reached.toSorted()).toEqual([
      'GET authentication/factors',
      'POST authentication/code-app',
      'POST authentication/code-app/setup',
      'POST authentication/logout',
      'POST authentication/passkeys',
      'POST authentication/passkeys/challenge',
      'POST authentication/proof',
    ])
    expect(await openPage({ uid: person.uid, token }).refusal).toEqual({ code: 'secondFactorNeeded' })
  })

  const limitedToken = (uid: string) => openSession(db, uid, { address: '', userAgent: '' })

  test('lets the session go on that sets up a factor, and ends the others that know the password only', async () => {
    await requireFor('sales')
    const person = await addPerson()
    const [mine, attacker] = [
      (await signIn(person.email)).body.data.token,
      (await signIn(person.email)).body.data.token,
    ]
    const { code } = await addCodeApp({ token: mine })
    expect(await stateOf(mine)).toBe('open')
    expect(await stateOf(attacker)).toBe('signedOut')
    const done = await finish((await pending(person.email)).token, { code: code() })
    expect(done.body.data.enrollmentNeeded).toBeUndefined()
    expect(await stateOf(done.body.data.token)).toBe('open')
  })

  test('keeps the last factor, and sessions by single sign-on are the identity provider’s matter', async () => {
    await requireFor()
    const person = await addPerson()
    await addCodeApp(person)
    const { passkey } = await addPasskey(person)
    await requireFor('sales')
    const remove = () => call(secondFactors.removeCodeApp, {}, person)
    expect((await remove()).status).toBe(200)
    const [left] = (await call(secondFactors.list, {}, person)).body.data.passkeys
    const last = await call(secondFactors.removePasskey, { params: { uid: left?.uid ?? '' } }, person)
    expect([last.status, last.error.code]).toEqual([409, 'lastFactor'])
    const challenge = (await call(secondFactors.challengeSignIn, {}, { token: '' })).body.data
    const alone = await call(
      secondFactors.signInWithPasskey,
      { body: { passkey: passkey.answer(challenge) } },
      { token: '' },
    )
    expect(await stateOf(alone.body.data.token)).toBe('open')
    const { uid } = await addPerson()
    expect(
      await stateOf(
        await openSession(db, uid, { address: '', userAgent: '', madeBy: 'singleSignOn', hasProviderFactor: true }),
      ),
    ).toBe('open')
  })

  test('applies to a session that begins while the setting changes', async () => {
    await requireFor()
    const people = await Promise.all(Array.from({ length: 4 }, () => addPerson('driver')))
    const [, ...tokens] = await Promise.all([requireFor('driver'), ...people.map(({ uid }) => limitedToken(uid))])
    for (const token of tokens) expect(await stateOf(token)).toBe('secondFactorNeeded')
  })
})

describe('in the list of open credentials', () => {
  test('factors stand beside sessions; an admin removes one, and its owner goes where they prove themselves', async () => {
    await requireFor()
    const person = await addPerson()
    await addCodeApp(person)
    await addPasskey(person, 'My phone')
    const kinds = (await call(credentials.own, {}, person)).body.data.map(({ kind, canEnd }) => [kind, canEnd])
    expect(kinds).toEqual([
      ['session', false],
      ['passkey', false],
      ['codeApp', false],
      ['recoveryCodes', false],
    ])
    const params = { uid: person.uid, kind: 'codeApp', credentialUid: person.uid } as const
    const owns = await call(credentials.endOwn, { params: { kind: 'codeApp', uid: person.uid } }, person)
    expect(owns.status).toBe(404)
    expect((await call(credentials.endOfUser, { params })).status).toBe(200)
    const [passkey] = (await call(secondFactors.list, {}, person)).body.data.passkeys
    const last = { ...params, kind: 'passkey', credentialUid: passkey?.uid ?? '' } as const
    expect((await call(credentials.endOfUser, { params: last })).status).toBe(200)
    expect((await call(credentials.ofUser, { params })).body.data.map(({ kind }) => kind)).toEqual(['session'])
  })
})
