import {
  type LiveTruck,
  type ModuleKey,
  type ServerToWeb,
  type SessionEndReason,
  type WebToServer,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { io, type Socket } from 'socket.io-client'
import { afterAll, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { endDueSessions } from '../../accounts/sign-in/sessions.ts'
import type { App } from '../../platform/http/app.ts'
import { runJob } from '../../platform/jobs/runner.ts'
import { shiftSockets } from '../../planning/shifts/sockets.ts'
import { fleetOf } from '../players/test-fleet.ts'
import { fleetSockets } from './index.ts'

const world = await openWorld()
const { db } = world
const fleet = fleetOf(world)
const HOUR = 3_600_000

const socketsOf = (app: App) => [fleetSockets(app), shiftSockets()]
const nodes = [await world.openNode(socketsOf), await world.openSecondNode(socketsOf)]

interface Signed {
  uid: string
  token: string
}

/** An open page, and everything that it is told. */
async function openPage(url: string, { uid, token }: Signed) {
  const auth = { clientType: 'web', userUid: uid, token }
  const socket: Socket<ServerToWeb, WebToServer> = io(url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth,
  })
  afterAll(() => void socket.disconnect())
  const fed: LiveTruck[] = []
  const left: string[] = []
  socket.on('geotab-feed', (trucks) => void fed.push(...trucks))
  socket.on('trucks-left', (uids) => void left.push(...uids))
  const ended = new Promise<SessionEndReason | undefined>((resolve) => socket.on('session-ended', resolve))
  const gone = new Promise<string>((resolve) => socket.on('disconnect', resolve))
  const changes = { count: 0 }
  socket.on('access-changed', () => void changes.count++)
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve)
    socket.on('connect_error', reject)
  })
  const ask = () => socket.emitWithAck('get-all-geotab-stats')
  return { socket, fed, left, ended, gone, changes, ask, first: await ask() }
}
type Page = Awaited<ReturnType<typeof openPage>>

const onBoth = (user: Signed) => Promise.all(nodes.map((url) => openPage(url, user)))
async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 20_000, interval: 20 }).toBe(true)
}
const uidsOf = (answer: Page['first']) => ('trucks' in answer ? answer.trucks.map(({ uid }) => uid) : answer.error)

/** A truck on a shift of a client of its own that runs from three hours ago until in three hours. */
async function addRunning() {
  const running = await fleet.addRunning()
  const program = await db
    .selectFrom('client_program')
    .select('client_uid')
    .where('uid', '=', running.programUid)
    .executeTakeFirstOrThrow()
  return { ...running, clientUid: program.client_uid }
}

let latitude = 30
const moveTruck = async (uid: string) => {
  latitude += 0.01
  const row = { at: new Date(), latitude, longitude: -96.8, speed_kmh: 40, odometer_m: 77_777 }
  await db
    .insertInto('truck_now')
    .values({ truck_uid: uid, ...row })
    .onConflict((conflict) => conflict.column('truck_uid').doUpdateSet(row))
    .execute()
  await sql`select pg_notify('trucks_moved', '')`.execute(db)
  return latitude
}

const admins = await onBoth(world.people.admin)
/** Waits until both nodes have published that a truck moved: by then every page has been told what it is told. */
async function moveAndWait(truckUid: string): Promise<number> {
  const place = await moveTruck(truckUid)
  await until(() => admins.every(({ fed }) => fed.some(({ uid, latitude: at }) => uid === truckUid && at === place)))
  return place
}
const hears = ({ fed }: Page, truckUid: string, place: number) =>
  fed.some(({ uid, latitude: at }) => uid === truckUid && at === place)

const setUser = (
  uid: string,
  given: { modules?: ModuleKey[]; client_uid?: string; role?: string; deleted_at?: Date },
) => db.updateTable('user_account').set(given).where('uid', '=', uid).execute()

describe('an open page of a client', () => {
  test('shows the client’s trucks on both nodes, without driver and odometer', async () => {
    const { truckUid, clientUid } = await addRunning()
    const other = await addRunning()
    const pages = await onBoth(await world.addUser('client', ['overview'], clientUid))
    for (const { first } of pages) expect(uidsOf(first)).toEqual([truckUid])
    await moveAndWait(other.truckUid)
    const place = await moveAndWait(truckUid)
    await until(() => pages.every((page) => hears(page, truckUid, place)))
    for (const { fed } of pages) {
      expect(new Set(fed.map(({ uid }) => uid))).toEqual(new Set([truckUid]))
      for (const { shift, odometerM } of fed) expect([shift?.driver, odometerM]).toEqual([null, null])
    }
  })

  test('loses them with the module, and has them back with it', async () => {
    const { truckUid, clientUid } = await addRunning()
    const user = await world.addUser('client', ['overview', 'pop'], clientUid)
    const pages = await onBoth(user)
    await setUser(user.uid, { modules: ['pop'] })
    await until(() => pages.every(({ changes }) => changes.count === 1))
    const place = await moveAndWait(truckUid)
    for (const page of pages) {
      expect([hears(page, truckUid, place), page.socket.connected]).toEqual([false, true])
      expect(uidsOf(await page.ask())).toBe("You don't have permission to do this.")
    }
    await setUser(user.uid, { modules: ['overview'] })
    await until(() => pages.every(({ changes }) => changes.count === 2))
    for (const page of pages) expect(uidsOf(await page.ask())).toEqual([truckUid])
  })

  test('shows another client’s trucks once its user is another client’s', async () => {
    const [before, after] = [await addRunning(), await addRunning()]
    const user = await world.addUser('client', ['overview'], before.clientUid)
    const pages = await onBoth(user)
    await setUser(user.uid, { client_uid: after.clientUid })
    await until(() => pages.every(({ changes }) => changes.count === 1))
    for (const page of pages) expect(uidsOf(await page.ask())).toEqual([after.truckUid])
    const old = await moveAndWait(before.truckUid)
    const place = await moveAndWait(after.truckUid)
    await until(() => pages.every((page) => hears(page, after.truckUid, place)))
    for (const page of pages) expect(hears(page, before.truckUid, old)).toBe(false)
  })

  test('loses a truck when the shift ends, and another client gets it without a place of before', async () => {
    const { truckUid, clientUid, programUid, marketUid, shift } = await addRunning()
    const next = await addRunning()
    // The first runs over into the hours of the second.
    const ended = Math.floor(Date.now() / 60_000) * 60_000
    const began = new Date(ended - 3 * HOUR).toISOString()
    await sql`delete from shift where uid = ${shift.uid}`.execute(db)
    const out = { status: 'out', started_at: began }
    const first = await fleet.addShift({
      truckUid,
      programUid,
      marketUid,
      from: ended - 3 * HOUR,
      to: ended - HOUR,
      ...out,
    })
    const later = { programUid: next.programUid, marketUid, from: ended - HOUR, to: ended + 3 * HOUR }
    await fleet.addShift({ truckUid, ...later })
    await moveAndWait(truckUid)
    const losing = await onBoth(await world.addUser('client', ['overview'], clientUid))
    const getting = await onBoth(await world.addUser('client', ['overview'], next.clientUid))
    for (const page of losing) expect(uidsOf(page.first)).toEqual([truckUid])
    for (const page of getting) expect(uidsOf(page.first)).toEqual([next.truckUid])
    await sql`update shift set status = 'completed', stopped_at = now() where uid = ${first.uid}`.execute(db)
    await until(() => losing.every(({ left }) => left.includes(truckUid)))
    await until(() => getting.every(({ fed }) => fed.some(({ uid }) => uid === truckUid)))
    for (const { fed } of getting)
      for (const { latitude: at, positionAt } of fed.filter(({ uid }) => uid === truckUid))
        expect([at, positionAt]).toEqual([null, null])
    const place = await moveAndWait(truckUid)
    await until(() => getting.every((page) => hears(page, truckUid, place)))
    for (const page of losing) expect(hears(page, truckUid, place)).toBe(false)
  })
})

describe('an open page is disconnected on both nodes and told why', () => {
  const end = (reason: SessionEndReason) => (uid: string) =>
    sql`update session set ended_at = now(), end_reason = ${reason} where user_uid = ${uid}`.execute(db)
  const ways: [SessionEndReason, (uid: string) => Promise<unknown>][] = [
    ['logout', end('logout')],
    ['forced', end('forced')],
    ['passwordReset', end('passwordReset')],
    ['emailChanged', end('emailChanged')],
    ['factorReset', end('factorReset')],
    ['singleSignOnEnded', end('singleSignOnEnded')],
    ['roleChanged', (uid) => setUser(uid, { role: 'driver' })],
    ['deleted', (uid) => setUser(uid, { deleted_at: new Date() })],
    [
      'expired',
      async (uid) => {
        await sql`update session set expires_at = now() - interval '1 second' where user_uid = ${uid}`.execute(db)
        const resources = { db, blobs: world.app.blobs, env: { brandName: '', publicUrl: '' }, log: () => {} }
        await runJob(endDueSessions, resources, { signal: new AbortController().signal })
      },
    ],
  ]
  test.each(ways)('when the session ends: %s', async (reason, endIt) => {
    const user = await world.addUser('sales')
    const pages = await onBoth(user)
    await endIt(user.uid)
    for (const { ended, gone } of pages) {
      expect(await ended).toBe(reason)
      expect(await gone).toBe('io server disconnect')
    }
  })

  test('an open page alone does not keep a session', async () => {
    const user = await world.addUser('sales')
    await sql`update session set seen_at = now() - interval '5 hours', expires_at = now() + interval '7 hours'
               where user_uid = ${user.uid}`.execute(db)
    const expiry = () =>
      db
        .selectFrom('session')
        .select(['seen_at', 'expires_at'])
        .where('user_uid', '=', user.uid)
        .executeTakeFirstOrThrow()
    const before = await expiry()
    const pages = await onBoth(user)
    for (const page of pages) await page.ask()
    expect(await expiry()).toEqual(before)
  })
})
