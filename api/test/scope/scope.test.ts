import { type Endpoint, endpoints, modules } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { nameOf, type Read, readerOf, readsOf } from './test-reads.ts'
import { openSharedTruck } from './test-shared-truck.ts'

const world = await openWorld()
const { people } = world
const shared = await openSharedTruck(world)
const { acme, zyx, days } = shared
const read = readerOf(world, shared)

// The words that were asked with stand in files as their filters.
const withoutFilters = (text: string) => text.replaceAll(/search: (Zyx|Dorothea)/g, 'search')
const leaksIn = (reads: readonly Read[], secrets: readonly string[]) =>
  reads.flatMap(({ name, text }) =>
    secrets.filter((secret) => withoutFilters(text).includes(secret)).map((secret) => `${name}: ${secret}`),
  )

/** Everything that Acme reads with every module, by call. */
const ofClient = new Map<Endpoint, Read[]>()

test('a client reads nothing of a truck’s other hours, of drivers, depots, notes and competitors, by no call and in no file', async () => {
  const client = await world.addUser('client', modules, acme.clientUid)
  const leaks: string[] = []
  const failed: string[] = []
  const unread: string[] = []
  for (const endpoint of readsOf('client', modules)) {
    const reads = await read(endpoint, client.token)
    ofClient.set(endpoint, reads)
    leaks.push(...leaksIn(reads, shared.secrets))
    failed.push(...reads.filter(({ status }) => status >= 500).map(({ name }) => name))
    if (!reads.some(({ status }) => status === 200)) unread.push(nameOf(endpoint))
  }
  expect(leaks).toEqual([])
  expect(failed).toEqual([])
  // Nothing is published, there is no pixel map, and clients have no credentials of these kinds.
  expect(unread.filter((name) => !name.startsWith('GET pixel/'))).toEqual([
    'GET client-pop/{uid}/versions/{number}/{format}',
  ])
})

test('a client with a single module reads no more', async () => {
  for (const held of ['overview', 'clients', 'pop', 'programByClient'] as const) {
    const client = await world.addUser('client', [held], acme.clientUid)
    for (const endpoint of readsOf('client', [held]).filter(({ ownRows }) => ownRows === 'hours'))
      expect(leaksIn(await read(endpoint, client.token), shared.secrets), held).toEqual([])
  }
})

test('what is hidden is there: staff reads it by the same calls, and the client reads its own', async () => {
  // Figures, ids and names of markets and trucks have no words to find, and nothing is published. Times out of service are
  // for the office and the driver alone.
  const wordless = [
    'GET artwork-sets/{uid}/fit',
    'GET program-schedule/details/totals',
    'GET overview/figures',
    'GET client-pop/miles-driven',
    'GET campaigns/trucks',
    'GET impressions/shifts/{uid}',
    'GET impressions/programs/{uid}',
    'GET client-pop/{uid}/versions',
    'GET client-programs/{uid}/report-mails',
    'GET clients/{uid}/report-mails',
    'GET client-pop/{uid}/versions/{number}/{format}',
    'GET smart-directional-report/client-program-market-lookup',
    'GET ad-log-report/client-program-market-lookup',
    'GET ad-log-report/summary',
    'GET feeds/{uid}/google-ad-plays.json',
    'GET pop/miles-driven',
    'GET replay/trucks',
    'GET out-of-service/run',
  ]
  const bounded = [...ofClient].filter(
    ([{ ownRows, ...endpoint }]) =>
      (ownRows === 'hours' || ownRows === 'records') && !wordless.includes(nameOf(endpoint)),
  )
  // Facts of lists name records by their ids.
  const isOwn = (text: string) =>
    /Acme|32\.512345/.test(text) || text.includes(acme.clientUid) || text.includes(acme.programUid)
  const [unseenByStaff, unseenByClient]: [string[], string[]] = [[], []]
  for (const [endpoint, own] of bounded) {
    const reads = await read(endpoint, people.admin.token)
    if (leaksIn(reads, shared.secrets).length === 0) unseenByStaff.push(nameOf(endpoint))
    const isSeen = own.some(({ status, text }) => status === 200 && isOwn(text))
    if (!isSeen) unseenByClient.push(nameOf(endpoint))
  }
  expect(bounded.length).toBeGreaterThan(30)
  expect(unseenByStaff).toEqual([])
  expect(unseenByClient).toEqual([])
})

test('a client sees its truck’s way of the day in its own hours only, also across midnight', async () => {
  const client = await world.addUser('client', ['overview'], acme.clientUid)
  const track = endpoints.find(({ path }) => path === 'overview/trucks/{uid}/track') as Endpoint
  const pointsOn = async (query: object, token: string) => {
    const { body } = await world.call(track, { params: { uid: shared.truckUid }, query } as never, { token })
    return (body as { data: { points: [number, number, string][] } }).data.points.map(([, , at]) => Date.parse(at))
  }
  const night = await pointsOn({ day: days.first }, client.token)
  expect(night).toEqual([shared.handover - 4 * 3_600_000, shared.handover - 190 * 60_000, shared.handover - 1000])
  expect(await pointsOn({ day: days.second }, client.token)).toEqual([])
  expect(await pointsOn({ day: days.second }, people.admin.token)).toContain(shared.handover)
  const today = await pointsOn({}, client.token)
  expect(Math.min(...today)).toBe(shared.now - 4.5 * 3_600_000)
})

test('the count of photos in shift details is that of approved ones for a client', async () => {
  const client = await world.addUser('client', modules, acme.clientUid)
  const details = endpoints.find(({ path }) => path === 'program-schedule/details/run') as Endpoint
  const photosFor = async (token: string) => {
    const { body } = await world.call(details, { query: { uid: shared.shifts.own[0] } } as never, { token })
    return (body as { data: { photos: number }[] }).data.map(({ photos }) => photos)
  }
  expect([await photosFor(client.token), await photosFor(people.admin.token)]).toEqual([[1], [2]])
})

test('a driver reads nothing of another driver’s shifts of the same truck, pay and phone', async () => {
  const { token } = acme.driver
  await world.db
    .updateTable('user_account')
    .set({ modules: [...modules] })
    .where('uid', '=', acme.driver.uid)
    .execute()
  const { uid, email, phone, name } = zyx.driver
  const secrets = [
    uid,
    email,
    phone,
    name,
    'Zyxcorp',
    zyx.programUid,
    zyx.clientUid,
    ...shared.shifts.other,
    ...shared.issues.other.slice(0, 1),
    ...shared.photos.other.slice(0, 1),
  ]
  const leaks: string[] = []
  for (const endpoint of readsOf('driver', modules)) leaks.push(...leaksIn(await read(endpoint, token), secrets))
  expect(leaks).toEqual([])
})
