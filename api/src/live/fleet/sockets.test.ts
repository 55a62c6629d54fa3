import type { AddressInfo } from 'node:net'
import type { LiveTruck, ServerToWeb, WebToServer } from '@roadshow/contract'
import { type KyselyPlugin, sql } from 'kysely'
import { io, type Socket } from 'socket.io-client'
import { afterAll, describe, expect, test } from 'vitest'
import type { App } from '../../platform/http/app.ts'
import { saveShifts } from '../../planning/shifts/index.ts'
import { openSockets } from '../../platform/sockets/index.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { fleetSockets } from './index.ts'

const world = await openWorld()
const { db } = world

/** Counts readings of the whole fleet, and lets the next one wait with what it has read. */
let readings = 0
let holdNext: Promise<void> | undefined
const slowly: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    if (!result.rows[0] || !('trucks' in result.rows[0])) return result
    readings++
    const held = holdNext
    holdNext = undefined
    await held
    return result
  },
}
const app = Object.assign(Object.create(world.app) as App, {
  kernel: { ...world.app.kernel, db: db.withPlugin(slowly) },
})
const sockets = await openSockets(world.app, world.url, { modules: [fleetSockets(app)] })
await world.app.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
const pages: Socket[] = []
afterAll(async () => {
  for (const page of pages) page.disconnect()
  await sockets.close()
})

async function openPage({ uid, token }: { uid: string; token: string }) {
  const auth = { clientType: 'web', userUid: uid, token }
  const page: Socket<ServerToWeb, WebToServer> = io(url, { transports: ['websocket'], forceNew: true, auth })
  pages.push(page)
  const fed: LiveTruck[][] = []
  page.on('geotab-feed', (trucks) => fed.push(trucks))
  await new Promise<void>((resolve) => page.on('connect', resolve))
  const snapshot = await page.emitWithAck('get-all-geotab-stats')
  return { page, fed, snapshot }
}

async function addTruck(number: string): Promise<string> {
  const truck = { number, kind: 'led', state: 'active' }
  return (await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()).uid
}
const moveTruck = async (uid: string, latitude: number) => {
  const row = { at: new Date(), latitude, longitude: -96.8, speed_kmh: 40 }
  await db
    .insertInto('truck_now')
    .values({ truck_uid: uid, ...row })
    .onConflict((conflict) => conflict.column('truck_uid').doUpdateSet(row))
    .execute()
  await sql`select pg_notify('trucks_moved', '')`.execute(db)
}
async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 20_000, interval: 50 }).toBe(true)
}

describe('the live fleet', () => {
  test('is asked for once, and what changes is then told', async () => {
    const [one, two] = [await addTruck('T-1'), await addTruck('T-2')]
    await moveTruck(one, 32)
    const { fed, snapshot } = await openPage(await world.addUser('admin'))
    expect('trucks' in snapshot && snapshot.trucks.map(({ number, latitude }) => [number, latitude])).toEqual([
      ['T-1', 32],
      ['T-2', null],
    ])
    await until(() => fed.length > 0)
    fed.length = 0
    await moveTruck(two, 33)
    await until(() => fed.length > 0)
    expect(fed[0]?.map(({ number, latitude }) => [number, latitude])).toEqual([['T-2', 33]])
    // Between two readings of everything only what moves is read; all else follows soon.
    fed.length = 0
    await db.updateTable('truck').set({ number: 'T-2b' }).where('uid', '=', two).execute()
    await moveTruck(two, 34)
    await until(() => fed.flat().some(({ number, latitude }) => number === 'T-2b' && latitude === 34))
    expect(fed.flat().every(({ uid }) => uid === two)).toBe(true)
    await db.updateTable('truck').set({ number: 'T-2' }).where('uid', '=', two).execute()
  })

  test('is whole to a page that opens while something is told', async () => {
    const uid = await addTruck('T-3')
    await moveTruck(uid, 31)
    const first = await openPage(await world.addUser('admin'))
    const places = ({ fed }: typeof first) => fed.flat().map(({ number, latitude }) => `${number} ${latitude}`)
    await until(() => places(first).includes('T-3 31'))
    // Anyone who tells reads everything now and then; right after that, the next to do so is the page.
    const before = readings
    await until(() => readings > before)
    let release = () => {}
    holdNext = new Promise((resolve) => (release = resolve))
    const opening = openPage(await world.addUser('admin'))
    await until(() => holdNext === undefined)
    await moveTruck(uid, 35)
    await until(() => places(first).includes('T-3 35'))
    release()
    const second = await opening
    const seen = 'trucks' in second.snapshot ? second.snapshot.trucks : []
    expect(seen.find(({ number }) => number === 'T-3')?.latitude).toBe(35)
  })

  test('of a client is what is on a shift of theirs, and nothing of others’', async () => {
    const [own, foreign] = [await addTruck('T-own'), await addTruck('T-foreign')]
    const market = await world.addMarket('Dallas')
    const program = await world.addProgram({
      startsOn: '2020-01-01',
      endsOn: '2099-12-31',
      markets: [{ marketUid: market.uid }],
    })
    await sql`update market set zone = 'UTC' where uid = ${market.uid}`.execute(db)
    const from = new Date(Date.now() - 3_600_000).toISOString()
    await saveShifts(db, await world.adminScope(), [
      {
        truckUid: own,
        driverUid: (await world.addUser('driver')).uid,
        programUid: program.uid,
        marketUid: market.uid,
        date: from.slice(0, 10),
        start: from.slice(11, 16),
        end: new Date(Date.now() + 72e5).toISOString().slice(11, 16),
        artworkSetUid: null,
        addressSetUid: null,
        payOption: null,
        note: '',
      },
    ])
    const client = await openPage(await world.addUser('client', ['overview'], program.client.uid))
    const admin = await openPage(await world.addUser('admin'))
    expect('trucks' in client.snapshot && client.snapshot.trucks.map(({ number }) => number)).toEqual(['T-own'])
    await moveTruck(own, 32.1)
    await moveTruck(foreign, 32.2)
    const told = (page: typeof admin) =>
      new Set(
        page.fed
          .flat()
          .filter(({ latitude }) => latitude !== null && latitude > 32)
          .map(({ number }) => number),
      )
    await until(() => told(admin).has('T-foreign') && told(client).has('T-own'))
    expect([...told(client)]).toEqual(['T-own'])
  })

  test('is refused to who may not see it', async () => {
    expect((await openPage(await world.addUser('driver'))).snapshot).toMatchObject({
      error: "You don't have permission to do this.",
    })
  })

  /** How often a page is told of a kind of news while rows are added, changed, and not changed by what finds none. */
  async function tells(kind: 'issues' | 'photos', table: string, add: () => Promise<unknown>): Promise<number> {
    const { page } = await openPage(await world.addUser('sales'))
    let told = 0
    page.on(`${kind}-changed`, () => void told++)
    const last = new Promise<void>((resolve) =>
      page.on(kind === 'issues' ? 'photos-changed' : 'issues-changed', resolve),
    )
    await sql`update ${sql.table(table)} set changed_by = null where false`.execute(db)
    await add()
    await sql`update ${sql.table(table)} set changed_by = null`.execute(db)
    // News come in the order of the commits, so all of these are heard before another.
    await sql`select pg_notify(${kind === 'issues' ? 'photos_changed' : 'issues_changed'}, '')`.execute(db)
    await last
    return told
  }

  test('says when issues change, and only then', async () => {
    const truckUid = await addTruck('T-9')
    const issue = { truck_uid: truckUid, kind: 'other', raised_by: 'driver' }
    expect(await tells('issues', 'truck_issue', () => db.insertInto('truck_issue').values(issue).execute())).toBe(2)
  })

  test('says when photos change, and only then', async () => {
    const { uid } = await world.addProgram()
    const file = { key: 'a'.repeat(32), original_name: 'a.jpg', original_sha256: 'a'.repeat(64), sizes: '{}', blur: '' }
    const photo = { program_uid: uid, position: 1, ...file }
    expect(await tells('photos', 'pop_photo', () => db.insertInto('pop_photo').values(photo).execute())).toBe(2)
  })
})
