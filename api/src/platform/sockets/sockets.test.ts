import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { auth, type ServerToWeb } from '@roadshow/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { io, type Socket } from 'socket.io-client'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { openSession } from '../../accounts/sign-in/index.ts'
import { saveShifts } from '../../planning/shifts/index.ts'
import { shiftSockets } from '../../planning/shifts/sockets.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { db } = world

const first = await world.openNode(() => [shiftSockets()])
const second = await world.openSecondNode(() => [shiftSockets()])

type Page = Socket<ServerToWeb>

function open(url: string, handshake: object): Page {
  const socket: Page = io(url, { transports: ['websocket'], reconnection: false, forceNew: true, auth: handshake })
  afterAll(() => void socket.disconnect())
  return socket
}

interface Signed {
  uid: string
  token: string
}

/** A page that is open, and everything the server tells it of its session. */
async function openPage({ uid, token }: Signed, url = first) {
  const socket = open(url, { clientType: 'web', userUid: uid, token })
  const told: string[] = []
  socket.onAny((event: string) => event !== 'shifts-changed' && told.push(event))
  const gone = new Promise<number>((resolve) => socket.on('disconnect', () => resolve(performance.now())))
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve)
    socket.on('connect_error', reject)
  })
  return { socket, told, gone }
}

const refusal = (handshake: object) =>
  new Promise<unknown>((resolve) => {
    const socket = open(first, handshake)
    socket.on('connect_error', (error: Error & { data?: unknown }) => resolve(error.data))
    socket.on('connect', () => resolve('let in'))
  })

const force = (uid: string) =>
  db
    .updateTable('session')
    .set({ ended_at: sql`now()`, end_reason: 'forced' })
    .where('user_uid', '=', uid)
    .where('ended_at', 'is', null)
    .execute()

/** Ended as promised: told once, then gone, within a second. */
async function expectTold(page: Awaited<ReturnType<typeof openPage>>, since: number) {
  expect((await page.gone) - since).toBeLessThan(1000)
  expect(page.told).toEqual(['session-ended'])
}

/** Still open, after a whole handshake has passed behind whatever was on its way. */
async function expectOpen(page: Awaited<ReturnType<typeof openPage>>) {
  await Promise.all([first, second].map((url) => openPage(world.people.admin, url)))
  expect([page.socket.connected, page.told]).toEqual([true, []])
}

describe('an open page whose session ends is told and disconnected within a second', () => {
  test('by a change in the database, while other sessions stay', async () => {
    const [one, other] = [await world.addUser('admin'), await world.addUser('admin')]
    const token = await openSession(db, one.uid, { address: '', userAgent: '' })
    const [page, otherPage] = [await openPage(one), await openPage(other)]
    const sameSession = await openPage(one)
    await db
      .updateTable('session')
      .set({ ended_at: sql`now()`, end_reason: 'forced' })
      .where('user_uid', '=', one.uid)
      .where('user_agent', '=', 'test')
      .execute()
    const since = performance.now()
    await expectTold(page, since)
    await expectTold(sameSession, since)
    const otherSession = await openPage({ uid: one.uid, token })
    await expectOpen(otherPage)
    await expectOpen(otherSession)
  })

  test('by logging out in one of two windows with sessions of their own', async () => {
    const user = await world.addUser('sales')
    const window = { uid: user.uid, token: await openSession(db, user.uid, { address: '', userAgent: '' }) }
    const [page, other] = [await openPage(user), await openPage(window)]
    const since = performance.now()
    await world.call(auth.logout, {}, { token: user.token })
    await expectTold(page, since)
    await expectOpen(other)
  })

  test('by a new password, in every window', async () => {
    const user = await world.addUser('driver')
    const window = { uid: user.uid, token: await openSession(db, user.uid, { address: '', userAgent: '' }) }
    const pages = [await openPage(user), await openPage(window)]
    const token = await world.resetToken(user.uid)
    const answer = await world.call(
      auth.passwordReset,
      { body: { token, password: 'a fresh password' } },
      { token: '' },
    )
    expect(answer.status).toBe(200)
    const since = performance.now()
    for (const page of pages) await expectTold(page, since)
  })

  test('by deletion and by a change of role', async () => {
    const [deleted, demoted] = [await world.addUser('admin'), await world.addUser('admin')]
    const [deletedPage, demotedPage] = [await openPage(deleted), await openPage(demoted)]
    const since = performance.now()
    await db.updateTable('user_account').set({ deleted_at: new Date() }).where('uid', '=', deleted.uid).execute()
    await db.updateTable('user_account').set({ role: 'sales' }).where('uid', '=', demoted.uid).execute()
    await expectTold(deletedPage, since)
    await expectTold(demotedPage, since)
  })

  test('on whichever node it is open', async () => {
    const [user, other] = [await world.addUser('admin'), await world.addUser('admin')]
    const [here, there] = [await openPage(user, first), await openPage(user, second)]
    const otherThere = await openPage(other, second)
    const since = performance.now()
    await world.call(auth.logout, {}, { token: user.token })
    await expectTold(here, since)
    await expectTold(there, since)
    await expectOpen(otherThere)
  })

  test('also when it ends while the page is being let in', async () => {
    const user = await world.addUser('admin')
    const { kernel } = world.app
    const { peekSession } = kernel
    const reading = vi.spyOn(kernel, 'peekSession').mockImplementationOnce(async (token) => {
      const found = await peekSession(token)
      await force(user.uid)
      return found
    })
    try {
      const page = await openPage(user)
      await expectTold(page, performance.now())
    } finally {
      reading.mockRestore()
    }
  })

  test('not when a transaction that would end it is rolled back', async () => {
    const [user, other] = [await world.addUser('admin'), await world.addUser('admin')]
    const [page, otherPage] = [await openPage(user), await openPage(other)]
    const undone = db.transaction().execute(async (db) => {
      await db.updateTable('user_account').set({ role: 'client' }).where('uid', '=', user.uid).execute()
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    // Told after it, so whatever the first would have caused has arrived.
    const since = performance.now()
    await force(other.uid)
    await expectTold(otherPage, since)
    await expectOpen(page)
  })
})

describe('a page is let in only with its own live session', () => {
  const signedOut = { code: 'signedOut' }

  test('not without one, nor with a wrong token', async () => {
    const { uid, token } = world.people.admin
    expect(await refusal({})).toEqual(signedOut)
    expect(await refusal({ clientType: 'web', userUid: uid })).toEqual(signedOut)
    expect(await refusal({ clientType: 'web', userUid: uid, token: 'x'.repeat(43) })).toEqual(signedOut)
    expect(await refusal({ clientType: 'web', userUid: uid, token: '' })).toEqual(signedOut)
    for (const odd of [null, 1, true, [token], { toString: token }]) {
      expect(await refusal({ clientType: 'web', userUid: uid, token: odd }), JSON.stringify(odd)).toEqual(signedOut)
    }
  })

  test('not in another’s name', async () => {
    const { admin, sales } = world.people
    expect(await refusal({ clientType: 'web', userUid: sales.uid, token: admin.token })).toEqual(signedOut)
    expect(await refusal({ clientType: 'web', token: admin.token })).toEqual(signedOut)
  })

  test('not as another kind of client', async () => {
    const { uid, token } = world.people.admin
    expect(await refusal({ clientType: 'player', userUid: uid, token })).toEqual(signedOut)
    expect(await refusal({ userUid: uid, token })).toEqual(signedOut)
  })

  test('not with a session that has ended or expired, nor a deleted user’s', async () => {
    const [ended, expired, deleted] = [
      await world.addUser('admin'),
      await world.addUser('admin'),
      await world.addUser('admin'),
    ]
    await force(ended.uid)
    await db
      .updateTable('session')
      .set({ expires_at: new Date(0) })
      .where('user_uid', '=', expired.uid)
      .execute()
    await db.updateTable('user_account').set({ deleted_at: new Date() }).where('uid', '=', deleted.uid).execute()
    for (const { uid, token } of [ended, expired, deleted]) {
      expect(await refusal({ clientType: 'web', userUid: uid, token })).toEqual(signedOut)
    }
  })
})

describe('a node whose line to the database broke', () => {
  const endListeners = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query ilike 'listen %' and pid <> pg_backend_pid()`.execute(db)
  const listening = async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and query ilike 'listen %' and state = 'idle'`.execute(db)
    return rows.length
  }

  /** Lets no one connect again while the work is done. */
  async function withoutNewConnections(work: () => Promise<unknown>) {
    const client = new pg.Client({
      connectionString: Object.assign(new URL(inject('serverUrl')), { pathname: 'postgres' }).href,
    })
    await client.connect()
    const name = new URL(world.url).pathname.slice(1)
    try {
      await client.query(`alter database ${name} allow_connections false`)
      await work()
    } finally {
      await client.query(`alter database ${name} allow_connections true`)
      await client.end()
    }
  }

  test('listens again and tells what ends afterwards', async () => {
    const user = await world.addUser('admin')
    const pages = [await openPage(user, first), await openPage(user, second)]
    await endListeners()
    await vi.waitFor(async () => expect(await listening()).toBe(2), { timeout: 10_000 })
    const since = performance.now()
    await force(user.uid)
    for (const page of pages) await expectTold(page, since)
  })

  test('tells what ended meanwhile, and only that', async () => {
    const [user, other] = [await world.addUser('admin'), await world.addUser('admin')]
    const [page, otherPage] = [await openPage(user), await openPage(other)]
    await withoutNewConnections(async () => {
      await endListeners()
      await vi.waitFor(async () => expect(await listening()).toBe(0), { timeout: 10_000 })
      await force(user.uid)
    })
    await page.gone
    expect(page.told).toEqual(['session-ended'])
    await expectOpen(otherPage)
  })
})

describe('a schedule that someone else changes', () => {
  const move = (date: string) => sql`update shift set note = note || '!' where local_date = ${date}`.execute(db)

  async function addShift(date: string): Promise<void> {
    const market = await world.addMarket(`Market ${date}`)
    const program = await world.addProgram({ markets: [{ marketUid: market.uid }] })
    const driver = await world.addUser('driver')
    const truck = { number: `T ${date}`, kind: 'led', state: 'active' }
    const { uid } = await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()
    await saveShifts(db, await world.adminScope(), [
      {
        truckUid: uid,
        driverUid: driver.uid,
        programUid: program.uid,
        marketUid: market.uid,
        date,
        start: '08:00',
        end: '16:00',
        artworkSetUid: null,
        addressSetUid: null,
        payOption: null,
        note: '',
      },
    ])
  }

  test('is told to open pages on every node, with its days and nothing else', async () => {
    await addShift('2026-05-04')
    const pages = [await openPage(await world.addUser('admin')), await openPage(await world.addUser('driver'), second)]
    const heard = pages.map(
      ({ socket }) => new Promise((resolve) => socket.on('shifts-changed', (days) => resolve(days))),
    )
    await move('2026-05-04')
    expect(await Promise.all(heard)).toEqual([
      { from: '2026-05-04', to: '2026-05-04' },
      { from: '2026-05-04', to: '2026-05-04' },
    ])
  })

  test('is not told to who may not see shifts', async () => {
    await addShift('2026-05-05')
    const [client, admin] = [
      await openPage(await world.addUser('client')),
      await openPage(await world.addUser('admin')),
    ]
    let isTold = false
    client.socket.on('shifts-changed', () => (isTold = true))
    const heard = new Promise((resolve) => admin.socket.on('shifts-changed', resolve))
    await move('2026-05-05')
    await heard
    expect(isTold).toBe(false)
  })
})

describe('a client that does not start with WebSocket gets an answer that names it', () => {
  const sentence = /accepts WebSocket connections only/

  test.each([
    '/socket.io/?EIO=4&transport=polling',
    '/socket.io/?EIO=4&transport=websocket',
    '/socket.io/',
    '/socket.io/?EIO=4&transport=polling&sid=x&t=y',
  ])('over HTTP, as JSON: %s', async (path) => {
    const answer = await fetch(first + path)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error: expect.stringMatching(sentence) as string, code: 'webSocketOnly' })
  })

  test('by the error of its library, which then stops trying', async () => {
    const { uid: userUid, token } = world.people.admin
    const socket: Page = io(first, { forceNew: true, auth: { clientType: 'web', userUid, token } })
    afterAll(() => void socket.disconnect())
    const error = await new Promise<Error & { data?: unknown }>((resolve) => socket.on('connect_error', resolve))
    expect(error.message).toMatch(sentence)
    expect(error.data).toEqual({ code: 'webSocketOnly' })
    expect(socket.active).toBe(false)
  })

  test('by a WebSocket that does not name its transport', async () => {
    const { hostname, port } = new URL(first)
    const asked = request({
      hostname,
      port,
      path: '/socket.io/?EIO=4',
      headers: {
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.from('0123456789abcdef').toString('base64'),
      },
    })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(400)
    expect(await text(answer)).toMatch(sentence)
  })
})
