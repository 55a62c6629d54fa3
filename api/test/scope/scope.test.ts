import {
  API_BASE,
  type Endpoint,
  endpoints,
  issueStatuses,
  type ModuleKey,
  modules,
  rowAccessFor,
  type Role,
} from '@roadshow/contract'
import { expect, test } from 'vitest'
import { readWorkbook } from '@roadshow/test-kit/workbook'
import { openWorld } from '@roadshow/test-kit/world'
import { openSharedTruck } from './test-shared-truck.ts'

const world = await openWorld()
const { people } = world
const shared = await openSharedTruck(world)
const { acme, zyx, days } = shared
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** The reads that a role may make with some modules. */
const readsOf = (role: Role, held: readonly ModuleKey[]) =>
  endpoints.filter(
    ({ method, access }) => method === 'GET' && access !== 'public' && rowAccessFor({ role, modules: held }, access),
  )

const parties = [acme, zyx]
/** What stands for a record in a path: everything of the kind, no matter whose it is. */
const uidsFor: [start: string, uids: string[]][] = [
  ['gps-address-sets/', parties.map(({ setUid }) => setUid)],
  ['artwork-sets/', parties.map(({ art }) => art.uid)],
  ['clients/', parties.map(({ clientUid }) => clientUid)],
  ['client-programs/', parties.map(({ programUid }) => programUid)],
  ['client-pop/photos/', [...shared.photos.own, ...shared.photos.other]],
  ['client-pop/', parties.map(({ programUid }) => programUid)],
  ['campaigns/', parties.map(({ programUid }) => programUid)],
  ['feeds/', parties.map(({ programUid }) => programUid)],
  ['markets/', [shared.market.uid]],
  ['program-schedule/', [...shared.shifts.own, ...shared.shifts.other]],
  ['overview/truck-issues/', [...shared.issues.own, ...shared.issues.other]],
  ['issues/', [...shared.issues.own, ...shared.issues.other]],
  ['overview/trucks/', [shared.truckUid]],
  ['impressions/shifts/', [...shared.shifts.own, ...shared.shifts.other]],
  ['impressions/', parties.map(({ programUid }) => programUid)],
  ['user/', parties.map(({ driver }) => driver.uid)],
  ['pixel/', [shared.truckUid]],
  ['trucks/', [shared.truckUid]],
]

const paramsOf = ({ path }: Endpoint): Record<string, string>[] => {
  if (!path.includes('{')) return [{}]
  if (path.includes('{programUid}')) return parties.map(({ programUid }) => ({ programUid }))
  const uids = uidsFor.find(([start]) => path.startsWith(start))?.[1] ?? []
  return uids.map((uid) => ({ uid, number: '1', version: '1', format: 'json' }))
}

/** Values to ask with, of both clients. */
const asked: Record<string, string[]> = {
  program: parties.map(({ programUid }) => programUid),
  programUid: parties.map(({ programUid }) => programUid),
  client: parties.map(({ clientUid }) => clientUid),
  market: [shared.market.uid],
  address: parties.map(({ addressUid }) => addressUid),
  truck: [shared.truckUid],
  shift: [...shared.shifts.own, ...shared.shifts.other].slice(1, 4),
  driver: parties.map(({ driver }) => driver.uid),
  day: [days.first, days.second],
  search: ['Zyx', 'Dorothea', 'Acme'],
  seller: ['1'],
  impressionsPerPlay: ['1'],
}
const wide: Record<string, string> = { from: days.first, to: days.last, pageSize: '200' }

/** Each query that is worth a try: as wide as can be, narrowed by each filter, and as each kind of file. */
function queriesOf(endpoint: Endpoint): Record<string, string | string[]>[] {
  const shape = endpoint.query?.shape ?? {}
  const has = (name: string) => name in shape
  const isRequired = (name: string) => has(name) && !shape[name].safeParse(undefined).success
  const base = Object.fromEntries([
    ...Object.entries(wide).filter(([name]) => has(name)),
    ...(has('status') && endpoint.path.includes('issues') ? [['status', [...issueStatuses]]] : []),
  ]) as Record<string, string | string[]>
  const required = Object.keys(asked).filter(isRequired)
  const bases = required.reduce<Record<string, string | string[]>[]>(
    (all, name) => all.flatMap((query) => (asked[name] ?? []).map((value) => ({ ...query, [name]: value }))),
    [base],
  )
  const narrowed = Object.keys(asked)
    .filter((name) => has(name) && !required.includes(name))
    .flatMap((name) => (asked[name] ?? []).map((value) => ({ ...bases[0], [name]: value })))
  const files = has('format') ? bases.flatMap((query) => ['csv', 'xlsx'].map((format) => ({ ...query, format }))) : []
  return [...bases, ...narrowed, ...files]
}

interface Read {
  name: string
  status: number
  text: string
}

async function read(endpoint: Endpoint, token: string): Promise<Read[]> {
  const reads: Read[] = []
  for (const params of paramsOf(endpoint)) {
    for (const query of queriesOf(endpoint)) {
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
      const answer = await world.app.inject({
        url: `${API_BASE}/${path}`,
        query,
        headers: { authorization: `Bearer ${token}` },
      })
      const isBook = String(answer.headers['content-type']).includes('spreadsheetml')
      const text = isBook ? JSON.stringify(readWorkbook(answer.rawPayload)) : answer.body
      const names = answer.headers['content-disposition'] ?? ''
      reads.push({
        name: `${endpoint.path} ${JSON.stringify({ ...params, ...query })}`,
        status: answer.statusCode,
        text: `${names}\n${text}`,
      })
    }
  }
  return reads
}

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
  // Figures, ids and names of markets and trucks have no words to find, and nothing is published.
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
    'GET client-pop/{uid}/versions/{number}/{format}',
    'GET smart-directional-report/client-program-market-lookup',
    'GET ad-log-report/client-program-market-lookup',
    'GET ad-log-report/summary',
    'GET feeds/{uid}/google-ad-plays.json',
    'GET pop/miles-driven',
  ]
  const bounded = [...ofClient].filter(
    ([{ ownRows, ...endpoint }]) =>
      (ownRows === 'hours' || ownRows === 'records') && !wordless.includes(nameOf(endpoint)),
  )
  const [unseenByStaff, unseenByClient]: [string[], string[]] = [[], []]
  for (const [endpoint, own] of bounded) {
    const reads = await read(endpoint, people.admin.token)
    if (leaksIn(reads, shared.secrets).length === 0) unseenByStaff.push(nameOf(endpoint))
    const isSeen = own.some(({ status, text }) => status === 200 && /Acme|32\.512345/.test(text))
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
