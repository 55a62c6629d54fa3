import {
  addresses,
  artworkSets,
  clients,
  localDay,
  type Endpoint,
  endpoints,
  fleet,
  issueWork,
  modules,
  pixel,
  programs,
  rowAccessFor,
  shifts,
  trucks,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { fleetOf } from '../../live/players/test-fleet.ts'

/** Stands in everything that staff writes for each other. */
const WORD = 'whispered'
const STAFF_ADDRESS = '10.9.9.9'
const ZONE = 'America/Chicago'

const world = await openWorld()
const { db, people } = world
const call: typeof world.call = (endpoint, input, options) =>
  world.call(endpoint, input, { address: STAFF_ADDRESS, ...options })

const client = (await call(clients.create, { body: { name: 'Acme', note: WORD } })).body.data
const market = await world.addMarket('Dallas')
const dates = { startsOn: '2020-01-01', endsOn: '2099-12-31', status: 'active', popUrl: 'summer' } as const
const program = (
  await call(programs.create, {
    body: { clientUid: client.uid, name: 'Summer', ...dates, markets: [{ marketUid: market.uid }], note: WORD },
  })
).body.data
const ofProgram = { programUid: program.uid, note: WORD }
const art = (await call(artworkSets.create, { body: { ...ofProgram, name: 'Art' } })).body.data
const places = (await call(addresses.create, { body: { ...ofProgram, name: 'Places' } })).body.data
const truck = (
  await call(trucks.create, { body: { number: 'T-1', plate: WORD, kind: 'led', state: 'active', note: WORD } })
).body.data
const side = (x: number) => ({ x, y: 0, width: 10, height: 10 })
const sides = { driverSide: side(0), passengerSide: side(10), rear: side(20) }
const map = (
  await call(pixel.create, { body: { name: 'Map', width: 30, height: 10, pitchUm: 4000, sides, note: WORD } })
).body.data
await db
  .updateTable('user_account')
  .set({ phone: `+1 ${WORD}` })
  .where('uid', '=', people.driver.uid)
  .execute()

const plan = async (date: string) =>
  (
    await call(shifts.create, {
      body: {
        truckUid: truck.uid,
        driverUid: people.driver.uid,
        programUid: program.uid,
        marketUid: market.uid,
        date,
        start: '00:00',
        end: '23:59',
        payOption: 'halfDay',
        note: WORD,
      },
    })
  ).body.data
const today = localDay(ZONE)
const shift = await plan(today)
// In the hours of the shift, also in the first and the last minute of the day.
const heardAt = Math.max(Date.parse(shift.startsAt), Date.now() - 120_000)
await fleetOf(world).addPosition(truck.uid, new Date(heardAt).toISOString(), { latitude: 41.88, longitude: -87.63 })
const { uid, version } = await plan('2030-01-02')
await call(shifts.move, { body: { uid, version, status: 'cancelled', reason: WORD } })
const issue = await db
  .insertInto('truck_issue')
  .values({ truck_uid: truck.uid, kind: 'other', raised_by: 'driver', text: 'A flat tyre' })
  .returning(['uid', 'version'])
  .executeTakeFirstOrThrow()
await call(fleet.resolve, { body: { ...issue, status: 'inProgress', note: WORD } })
await call(issueWork.comment, { params: { uid: issue.uid }, body: { text: `${WORD} once more` } })
const FIGURES = JSON.stringify({ figures: { metres: 0, plays: 0 }, photos: 0 })
await sql`insert into pop_version (program_uid, number, published_at, published_by, note, changes, document, sha256, opening)
  values (${program.uid}, 1, now(), ${people.sales.uid}, ${WORD}, '', ${FIGURES}, ${'a'.repeat(64)}, '{}')`.execute(db)
await sql`update pop set shown_version = 1 where uid = ${program.uid}`.execute(db)
await call(clients.update, { body: { uid: client.uid, version: 1, name: 'Acme', note: `${WORD} again` } })

const outsider = await world.addUser('client', modules, client.uid)
const theirs = endpoints.filter(
  ({ method, access }) => method === 'GET' && access !== 'public' && rowAccessFor({ role: 'client', modules }, access),
)

const uids: [prefix: string, uid: string][] = [
  ['gps-address-sets/', places.uid],
  ['artwork-sets/', art.uid],
  ['clients/', client.uid],
  ['client-programs/', program.uid],
  ['client-pop/', program.uid],
  ['campaigns/', program.uid],
  ['impressions/shifts/', shift.uid],
  ['impressions/programs/', program.uid],
  ['feeds/', program.uid],
  ['markets/', market.uid],
  ['program-schedule/', shift.uid],
  ['overview/truck-issues/', issue.uid],
  ['issues/', issue.uid],
  ['overview/trucks/', truck.uid],
  ['pixel/', map.uid],
]

/** A call that answers with what there is. */
function inputOf({ path, params, query }: Endpoint) {
  const shown = {
    search: 'acme',
    program: program.uid,
    programUid: program.uid,
    client: client.uid,
    market: market.uid,
    address: places.uid,
    seller: '123',
    impressionsPerPlay: '12',
  }
  const days = { from: today, to: today, date: today }
  const needed = Object.entries({ ...shown, ...days }).filter(
    ([name]) => query?.shape[name] && !query.shape[name].safeParse(undefined).success,
  )
  return {
    ...(params && {
      params: {
        uid: uids.find(([prefix]) => path.startsWith(prefix))?.[1] ?? '',
        programUid: program.uid,
        number: '1',
        version: '1',
        format: 'json',
      },
    }),
    query: {
      ...Object.fromEntries(needed),
      ...(/^replay\/(run|track)$/.test(path) && {
        shift: shift.uid,
        ...(path === 'replay/track' && { as: 'geojson' }),
      }),
    },
  }
}

const ask = (endpoint: Endpoint, more: Record<string, string> = {}, token = outsider.token) => {
  const { query, ...input } = inputOf(endpoint)
  return call(endpoint, { ...input, query: { ...query, ...more } } as never, { token })
}
const has = ({ query }: Endpoint, name: string) => query?.shape[name] !== undefined

test('a client reads nothing that staff writes for each other, in no answer, file or history', async () => {
  const [unreached, whispering]: string[][] = [[], []]
  for (const endpoint of theirs) {
    const seen = [await ask(endpoint), ...(has(endpoint, 'format') ? [await ask(endpoint, { format: 'csv' })] : [])]
    if (seen[0]?.status !== 200) unreached?.push(endpoint.path)
    for (const { text } of seen) {
      for (const secret of [WORD, STAFF_ADDRESS, 'halfDay', 'Half day'])
        expect(text, endpoint.path).not.toContain(secret)
    }
    if ((await ask(endpoint, {}, people.admin.token)).text.includes(WORD)) whispering?.push(endpoint.path)
  }
  expect(unreached).toEqual(['client-pop/photos/{uid}'])
  // What staff gets of the same calls: otherwise nothing was looked at.
  expect(whispering).toEqual(
    expect.arrayContaining([
      'clients/run',
      'clients/{uid}',
      'clients/{uid}/history',
      'client-programs/run',
      'artwork-sets/run',
      'gps-address-sets/run',
      'program-schedule/run',
      'program-schedule/details/run',
      'program-user-schedule/run',
      'overview/truck-issues',
      'issues/{uid}/history',
      'pixel/',
      'programs/run',
      'client-pop/{uid}/versions',
    ]),
  )
})

test('a client finds nothing by words that they may not read, and everything by those that they may', async () => {
  const found = async (endpoint: Endpoint, search: string, token?: string) => {
    const { status, body } = await ask(endpoint, { search }, token)
    expect(status, endpoint.path).toBe(200)
    return (body as { data: unknown[] }).data.length
  }
  const searched = theirs.filter((endpoint) => has(endpoint, 'search'))
  const byStaff: string[] = []
  for (const endpoint of searched) {
    expect(await found(endpoint, WORD), endpoint.path).toBe(0)
    if ((await found(endpoint, WORD, people.admin.token)) > 0) byStaff.push(endpoint.path)
  }
  expect(byStaff).toEqual(
    expect.arrayContaining([
      'clients/run',
      'client-programs/run',
      'program-schedule/run',
      'overview/shifts',
      'jump/run',
    ]),
  )
  // Neither by the name of a driver: who drives is for staff.
  expect(await found(shifts.list, 'the driver')).toBe(0)
  expect(await found(shifts.list, 'the driver', people.admin.token)).toBeGreaterThan(0)
  const open: [Endpoint, string][] = [
    [clients.list, 'acme'],
    [programs.list, 'SUMMER'],
    [artworkSets.list, 'art'],
    [addresses.list, 'places'],
    [pixel.list, 'map'],
    [fleet.issues, 'tyre'],
    ...['t-1', 'summer', 'acme'].map((word): [Endpoint, string] => [shifts.list, word]),
  ]
  for (const [endpoint, word] of open)
    expect(await found(endpoint, word), `${endpoint.path} ${word}`).toBeGreaterThan(0)
})

test('a change of nothing but the note is no change to a client', async () => {
  const { body } = await ask(clients.history)
  expect(body).toMatchObject({ total: 1, data: [{ action: 'created', address: null }] })
  expect((await ask(clients.history, {}, people.sales.token)).body).toMatchObject({ total: 2 })
})
