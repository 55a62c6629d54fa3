import {
  addresses,
  artworkSets,
  auth,
  clients,
  devices,
  type Endpoint,
  fitOfSet,
  isInsideMarket,
  type InputOf,
  markets,
  pixel,
  programs,
  type ReplyOf,
  shiftFill,
  shifts,
  trucks,
  users,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { letDriversAct } from './driver-phones.ts'
import { demoLogins, isDemo, loadDemo } from './index.ts'
import { deliveriesOf } from '../proof/delivery/index.ts'
import { addFillProposal } from './add-fill-proposal.ts'

const world = await openWorld()
const { app, db, call } = world

const load = () => loadDemo(db, app.blobs)

async function tokenOf(role: string): Promise<string> {
  const { email = '', password = '' } = demoLogins.find((login) => login.role === role) ?? {}
  const answer = await call(auth.authenticate, { body: { email, password, clientType: 'web' } }, { token: '' })
  expect(answer.status).toBe(200)
  return answer.body.data.token
}

let admin = ''

/** Every row of a list, as the admin sees it unless a token is given. */
async function all<E extends Endpoint>(list: E, token = admin) {
  const answer = await call(list, { query: { pageSize: '200' } } as unknown as InputOf<E>, { token })
  expect(answer.status).toBe(200)
  return answer.body as ReplyOf<E>
}

const answers: boolean[] = []

beforeAll(async () => {
  answers.push(await load(), await isDemo(db))
  await db.deleteFrom('session').execute()
  await db.deleteFrom('user_account').execute()
  answers.push(await load(), await isDemo(db))
  admin = await tokenOf('Admin')
})

test('it is loaded into a database without users, and into no other', () =>
  expect(answers).toEqual([false, false, true, true]))

test('there is as much as a business of this size has', async () => {
  const totals = {
    markets: (await all(markets.list)).total,
    pixelMaps: (await all(pixel.list)).total,
    trucks: (await all(trucks.list)).total,
    players: (await all(devices.list)).data.filter(({ kind }) => kind === 'player').length,
    clients: (await all(clients.list)).total,
    programs: (await all(programs.list)).total,
    drivers: (await all(users.list)).data.filter(({ role }) => role === 'driver').length,
  }
  expect(totals).toEqual({ markets: 12, pixelMaps: 3, trucks: 40, players: 35, clients: 15, programs: 40, drivers: 26 })
  for (const client of (await all(clients.list)).data) {
    expect(client.contacts.length).toBeGreaterThan(1)
    expect(client.logo?.thumbnailUrl).toBeTruthy()
    expect(client.programsCount).toBeGreaterThan(1)
  }
})

test('programs stand where their dates say', async () => {
  const today = new Date().toISOString().slice(0, 10)
  for (const { name, status, startsOn, endsOn, markets: where } of (await all(programs.list)).data) {
    const phase = endsOn < today ? 'over' : startsOn > today ? 'to come' : 'running'
    expect([name, phase]).toEqual([
      name,
      { draft: 'to come', active: 'running', paused: 'running', completed: 'over' }[status],
    ])
    expect(where.length).toBeGreaterThan(0)
  }
})

test('every program has its artwork, approved unless it is a draft', async () => {
  const sets = (await all(artworkSets.list)).data
  const maps = (await all(pixel.list)).data
  for (const program of (await all(programs.list)).data) {
    const set = sets.find((each) => each.program.uid === program.uid)
    if (!set) throw new Error(`${program.name} has no artwork.`)
    expect(set.status).toBe(program.status === 'draft' ? 'draft' : 'approved')
    expect(set.approvedHash).toBe(program.status === 'draft' ? null : set.filesHash)
    const { driverSideArtwork: driverSide, passengerSideArtwork: passengerSide, rearArtwork: rear } = set
    const fits = maps.map(({ sides }) => fitOfSet({ driverSide, passengerSide, rear }, sides).fit)
    expect(fits).toContain('exact')
  }
})

test('a picture can be fetched, and its small one too', async () => {
  const [set] = (await all(artworkSets.list)).data
  for (const url of [set?.driverSideArtwork?.url, set?.driverSideArtwork?.thumbnailUrl]) {
    const answer = await app.inject({ method: 'GET', url: url ?? '' })
    expect([answer.statusCode, String(answer.headers['content-type']).startsWith('image/')]).toEqual([200, true])
  }
  const loose = db.selectFrom('stored_file').select('uid').where('claimed_at', 'is', null)
  expect(await loose.execute(), 'no file waits for the sweep').toEqual([])
})

test('addresses lie in the markets of their program', async () => {
  const known = (await all(markets.list)).data
  const running = new Map((await all(programs.list)).data.map((program) => [program.uid, program]))
  const sets = (await all(addresses.list)).data
  expect(sets.length).toBeGreaterThan(15)
  for (const { uid, program } of sets) {
    const names = new Set(running.get(program.uid)?.markets.map(({ name }) => name))
    const where = known.filter(({ name }) => names.has(name))
    const { data } = (await call(addresses.get, { params: { uid } }, { token: admin })).body
    expect(data.addresses.length).toBe(where.length * 5)
    const outside = data.addresses.filter((place) => !where.some((market) => isInsideMarket(market, place)))
    expect(outside).toEqual([])
  }
})

test('every driver has a rate of pay from two years ago on, and two raises', async () => {
  const drivers = (await all(users.list)).data.filter(({ role }) => role === 'driver')
  const year = new Date().getUTCFullYear()
  for (const { payRates } of drivers) {
    const since = payRates.map(({ validFrom }) => validFrom).toSorted()
    expect(since).toEqual([year - 2, year - 1, year].map((each) => `${each}-01-01`))
  }
})

describe('the logins', () => {
  test.each(demoLogins)('$role signs in', async ({ role }) => expect(await tokenOf(role)).not.toBe(''))

  test('the client sees several programs, all of one client', async () => {
    const own = (await all(programs.list, await tokenOf('Client'))).data
    expect(own.length).toBeGreaterThan(3)
    expect(new Set(own.map(({ client }) => client.name))).toEqual(new Set(['Northwind Coffee']))
    expect((await all(clients.list, await tokenOf('Client'))).total).toBe(1)
  })
})

describe('drivers on their phones', () => {
  const HOUR = 3_600_000
  const countOf = async (table: 'driver_act' | 'shift_message' | 'inspection_result') =>
    (await db.selectFrom(table).select(db.fn.countAll<number>().as('rows')).executeTakeFirstOrThrow()).rows
  const writtenRows = async () => [
    await countOf('driver_act'),
    await countOf('shift_message'),
    await countOf('inspection_result'),
  ]

  test('answer most of the next shifts, write, and inspect their trucks, once', async () => {
    await letDriversAct(db, Date.now())
    const soon = { from: new Date().toISOString(), to: new Date(Date.now() + 38 * HOUR).toISOString() }
    const query = { status: 'planned', pageSize: '200' } as const
    const next = (await call(shifts.list, { query }, { token: admin })).body.data.filter(
      ({ startsAt }) => startsAt > soon.from && startsAt < soon.to,
    )
    const said = (answer: 'confirmed' | 'declined' | null) => next.filter((shift) => shift.driverAnswer === answer)
    expect(said('confirmed').length).toBeGreaterThan(next.length / 2)
    expect(said('declined').length).toBeGreaterThan(0)
    for (const { declineReason } of said('declined')) expect(declineReason).not.toBe('')
    // The driver whom newcomers sign in as has the choice.
    expect(said(null).map(({ driver }) => driver?.name)).toContain('Dana Brooks')
    expect(new Set(said(null).map(({ driver }) => driver?.name)).size).toBeGreaterThan(1)
    expect(next.some(({ requestedTruck }) => requestedTruck !== null)).toBe(true)
    const messages = await db.selectFrom('shift_message').select('act_id').execute()
    const ofDrivers = messages.filter(({ act_id }) => act_id !== null).length
    expect([ofDrivers > 0, messages.length]).toEqual([true, 2 * ofDrivers])
    const before = await writtenRows()
    await letDriversAct(db, Date.now())
    expect(await writtenRows()).toEqual(before)
  })

  test('find a defect now and then, which is repaired the day after', async () => {
    await letDriversAct(db, Date.now())
    const found = await db.selectFrom('inspection_result').select('repair').where('result', '=', 'defect').execute()
    expect(found.filter(({ repair }) => repair === 'repaired').length).toBeGreaterThan(0)
    const { rows } = await sql<{ inspections: number; drivers: number }>`
      select count(*) as inspections, count(distinct driver_uid) as drivers from inspection`.execute(db)
    expect(rows[0]?.inspections).toBeGreaterThan(20)
    expect(rows[0]?.drivers).toBeGreaterThan(10)
  })
})

test('a second start changes nothing', async () => {
  const count = async () => {
    const [row] = await db.selectFrom('history').select(db.fn.countAll<number>().as('rows')).execute()
    const [files] = await db.selectFrom('stored_file').select(db.fn.countAll<number>().as('rows')).execute()
    return [row?.rows, files?.rows]
  }
  const before = await count()
  expect(await load()).toBe(false)
  expect(await count()).toEqual(before)
  expect(await isDemo(db)).toBe(true)
})

test('eight weeks of shifts lie behind today and three ahead, what is past has happened, and the driver has some', async () => {
  const { total } = await all(shifts.list)
  expect(total).toBeGreaterThan(1000)
  const counts = await db
    .selectFrom('shift')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  const of = new Map(counts.map(({ status, count }) => [status, count]))
  for (const status of ['planned', 'completed', 'cancelled', 'noShow']) expect(of.get(status)).toBeGreaterThan(0)
  expect((await all(shifts.list, await tokenOf('Driver'))).total).toBeGreaterThan(10)
})

test('every program that began had LED trucks on the road in the last eight weeks', async () => {
  const { rows } = await sql<{ name: string; shifts: number }>`
    select p.name, count(s.uid)::int as shifts
      from client_program p
      left join (shift s join truck t on t.uid = s.truck_uid and t.kind = 'led')
             on s.program_uid = p.uid and s.status = 'completed' and s.local_date >= current_date - 57
     where p.status <> 'draft' group by p.uid`.execute(db)
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter(({ shifts }) => shifts < 3)).toEqual([])
})

test('the client whom newcomers sign in as has trucks on the road around today, in several markets', async () => {
  const { rows } = await sql<{ markets: number; days: number }>`
    select count(distinct s.market_uid)::int as markets, count(distinct s.local_date)::int as days
      from shift s join client_program p on p.uid = s.program_uid join client c on c.uid = p.client_uid
     where c.name = 'Northwind Coffee' and abs(s.local_date - current_date) <= 1`.execute(db)
  expect(rows[0]?.markets).toBeGreaterThan(2)
  expect(rows[0]?.days).toBe(3)
})

test('drivers started and stopped nearly every completed shift; those they forgot are recent', async () => {
  const { rows } = await sql<{ completed: number; forgotten: number; old: number }>`
    select count(*)::int as completed, (count(*) filter (where started_at is null or stopped_at is null))::int as forgotten,
           (count(*) filter (where started_at is null and local_date < current_date - 15))::int as old
      from shift where status = 'completed'`.execute(db)
  const [{ completed, forgotten, old } = { completed: 0, forgotten: 0, old: 0 }] = rows
  expect(forgotten).toBeGreaterThan(1)
  expect(forgotten).toBeLessThan(0.03 * completed)
  expect(old).toBe(0)
})

test('there are night shifts, printed trucks, a truck that went into the shop, and open and resolved issues', async () => {
  const { rows } = await sql<{
    night: number
    printed: number
    shop: number
    newest: number
    open: number
    resolved: number
  }>`
    select (select count(*) from shift where end_time < start_time and status = 'completed')::int as night,
           (select count(*) from shift s join truck t on t.uid = s.truck_uid where t.kind = 'printed')::int as printed,
           (select count(*) from shift s join truck t on t.uid = s.truck_uid where t.state = 'inShop')::int as shop,
           (select count(*) from shift s join truck t on t.uid = s.truck_uid
             where t.state = 'inShop' and s.local_date > current_date - 10)::int as newest,
           (select count(*) from truck_issue where status <> 'resolved')::int as open,
           (select count(*) from truck_issue where status = 'resolved')::int as resolved`.execute(db)
  const { newest, ...found } = rows[0] ?? { newest: -1 }
  for (const [what, count] of Object.entries(found)) expect(count, what).toBeGreaterThan(1)
  expect(newest, 'shifts of a truck in the shop').toBe(0)
})

test('campaigns are ahead, on pace and behind', async () => {
  const running = await db.selectFrom('client_program').select('uid').where('status', '=', 'active').execute()
  const uids = running.map(({ uid }) => uid)
  const deliveries = await deliveriesOf(db, 'all', uids, Date.now())
  const states = [...deliveries.values()].flatMap(({ lines }) => lines.map(({ state }) => state))
  expect(states.length).toBeGreaterThan(10)
  expect(new Set(states)).toEqual(new Set(['ahead', 'on', 'behind']))
  expect(states.filter((state) => state === 'behind').length).toBeLessThan(states.length / 3)
})

test('a fill proposal waits for the admin, who can accept it', async () => {
  const { uid } = await db
    .selectFrom('user_account')
    .select('uid')
    .where('email', '=', demoLogins.find(({ role }) => role === 'Admin')?.email ?? '')
    .executeTakeFirstOrThrow()
  const { signal } = new AbortController()
  await addFillProposal(db, uid, signal)
  const read = async () => (await call(shiftFill.current, {}, { token: admin })).body.data
  const proposal = await read()
  expect(proposal?.state).toBe('ready')
  const proposed = proposal?.result?.shifts ?? []
  expect(proposed.length).toBeGreaterThan(5)
  await addFillProposal(db, uid, signal)
  expect(await read()).toEqual(proposal)

  const kept = proposed.map(({ key, truck, driver, start, end }) => ({
    key,
    truckUid: truck.uid,
    driverUid: driver.uid,
    start,
    end,
  }))
  const accept = { body: { uid: proposal?.uid ?? '', shifts: kept } }
  expect((await call(shiftFill.accept, accept, { token: admin })).body.data.uids).toHaveLength(proposed.length)
})
