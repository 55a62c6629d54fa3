import { randomUUID } from 'node:crypto'
import {
  addDays,
  type BookedUnit,
  campaigns,
  DAY_MS,
  delivery,
  fleet as fleetCalls,
  listFacts,
  localDay,
  payroll,
  pops,
  programs,
  shifts,
  workweekOf,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { fleetOf, zoneWhereItIs } from '../../live/players/test-fleet.ts'

// What lists say beside their records is what the screens behind them say.

const world = await openWorld()
const { call, db, people } = world
const fleet = fleetOf(world)

const HOUR = 3_600_000
const NOON = zoneWhereItIs(12)
const now = Date.now()
const today = localDay(NOON.name, now)

const marketUid = await fleet.addMarket()
await db.updateTable('market').set({ zone: NOON.name }).where('uid', '=', marketUid).execute()

async function addProgram(values: object = {}, prices: Partial<Record<BookedUnit, number | null>> = {}) {
  return world.addProgram({
    startsOn: addDays(today, -30),
    endsOn: addDays(today, 30),
    markets: [{ marketUid }],
    bookedLines: Object.entries(prices).map(([unit, priceCents]) => ({
      marketUid,
      unit: unit as BookedUnit,
      amount: 10,
      startsOn: addDays(today, -5),
      endsOn: addDays(today, 4),
      priceCents,
    })),
    ...values,
  })
}

/** A shift of two hours that begins so many hours from now. */
async function addShift(programUid: string, hours: number, given: object = {}) {
  const from = now + hours * HOUR
  const to = from + 2 * HOUR
  const done = hours < -1 ? { status: 'completed', started_at: new Date(from), stopped_at: new Date(to) } : {}
  const out = hours < 0 && hours >= -1 ? { status: 'out', started_at: new Date(from) } : {}
  const place = { programUid, marketUid, from, to, fixedZone: NOON }
  const truckUid = await fleet.addTruck({ home_market_uid: marketUid })
  return { truckUid, ...(await fleet.addShift({ truckUid, ...place, ...done, ...out, ...given })) }
}

const one = async <Data>(reply: Promise<{ status: number; body: { data: Data[] } }>): Promise<Data | undefined> => {
  const { status, body } = await reply
  expect([status, body]).toEqual([200, body])
  return body.data[0]
}

describe('a truck', () => {
  const factsOf = (truck: string) => one(call(listFacts.trucks, { query: { truck } }))

  test('says what it does, for whom and with whom, and what comes next', async () => {
    const program = await addProgram()
    const shift = await addShift(program.uid, -1)
    const next = await addShift(program.uid, 5, { truckUid: shift.truckUid })
    await addShift(program.uid, 30, { truckUid: shift.truckUid })
    const listed = (await call(shifts.list, { query: { truck: shift.truckUid, sort: 'startsAt' } })).body.data
    const [current, following] = listed
    const live = (await call(fleetCalls.shifts, { query: {} })).body.data.find(({ uid }) => uid === shift.uid)
    expect(await factsOf(shift.truckUid)).toMatchObject({
      uid: shift.truckUid,
      state: live?.state,
      shift: { uid: shift.uid, program: program.name, driver: current?.driver?.name },
      nextShift: { uid: next.uid, program: program.name, driver: following?.driver?.name, date: following?.date },
      shiftsPlanned: 2,
      openIssues: 0,
    })
  })

  test('counts issues as the list of issues does, and miles as its own days do', async () => {
    const program = await addProgram()
    const { truckUid, uid } = await addShift(program.uid, -3)
    const issue = { truck_uid: truckUid, kind: 'other', raised_by: 'driver', text: 'Flat tire', opened_at: new Date() }
    const later = { snoozed_until: new Date(now + DAY_MS) }
    await db
      .insertInto('truck_issue')
      .values([issue, { ...issue, status: 'resolved', resolved_at: new Date() }, { ...issue, ...later }] as never)
      .execute()
    const measured = { heard_ms: HOUR, gps_metres: 5000, metres: 5000, source: 'gps', coverage: 1, algorithm: 1 }
    await db
      .insertInto('shift_track')
      .values({ shift_uid: uid, truck_uid: truckUid, starts_at: new Date(), ends_at: new Date(), ...measured })
      .execute()
    const issues = await call(fleetCalls.issues, {
      query: { truck: truckUid, snoozed: 'no', status: ['open', 'inProgress'] } as never,
    })
    const days = (await call(fleetCalls.truckDays, { query: { truck: truckUid, from: workweekOf(today), to: today } }))
      .body.data
    const metres = days.reduce((sum, day) => sum + (day.metres ?? 0), 0)
    expect(metres).toBe(5000)
    const facts = await factsOf(truckUid)
    expect(facts).toMatchObject({ openIssues: 1, weekMetres: metres })
    expect(issues.body.total).toBe(1)
  })

  test('that is retired does nothing, and one without data has no miles', async () => {
    const truck = await fleet.addTruck({ state: 'retired' })
    expect(await factsOf(truck)).toEqual({
      uid: truck,
      state: null,
      shift: null,
      nextShift: null,
      shiftsPlanned: 0,
      openIssues: 0,
      weekMetres: null,
    })
  })

  test('is asked for by those who see trucks, at most a hundred at once', async () => {
    const query = { truck: await fleet.addTruck() }
    for (const [who, status] of [
      [people.sales, 403],
      [await world.addUser('sales', ['trucks']), 200],
      [people.driver, 403],
      [people.client, 403],
    ] as const)
      expect((await call(listFacts.trucks, { query }, { token: who.token })).status).toBe(status)
    const many = Array.from({ length: 101 }, () => randomUUID())
    expect((await call(listFacts.trucks, { query: { truck: many } })).status).toBe(400)
    expect((await call(listFacts.trucks, { query: { truck: 'T-1' } })).status).toBe(400)
  })
})

describe('a program', () => {
  const factsOf = (program: string[], token = people.admin.token) =>
    call(listFacts.programs, { query: { program } }, { token })

  test('has the pace of its delivery, the value of its lines, and the shifts and trucks of its campaign', async () => {
    const program = await addProgram({}, { truckDays: 1000_00, hours: null })
    await addShift(program.uid, -2 * 24)
    await addShift(program.uid, -1)
    const next = await addShift(program.uid, 6)
    await addShift(program.uid, 40)
    const facts = await one(factsOf([program.uid]))
    const delivered = (await call(delivery.program, { params: { uid: program.uid } })).body.data
    const campaign = (await call(campaigns.list, { query: { uid: program.uid } })).body.data[0]
    const [line] = delivered.lines
    expect(facts).toMatchObject({
      pace: delivered.pace,
      state: delivered.state,
      bookedCents: 1000_00,
      deliveredCents: Math.round(100_00 * ((line?.delivered ?? 0) + (line?.deliveredSince ?? 0))),
      nextShift: campaign?.upcoming[0],
      shiftsPlanned: campaign?.upcomingTotal,
      trucksOut: campaign?.trucksOut,
    })
    expect(facts).toMatchObject({
      deliveredCents: 200_00,
      shiftsPlanned: 2,
      trucksOut: 1,
      nextShift: { uid: next.uid },
    })
  })

  test('of another client is left out for a client', async () => {
    const [own, other] = [await addProgram({}, { miles: 100_00 }), await addProgram()]
    const client = await world.addUser('client', ['clients'], own.client.uid)
    const { status, body } = await factsOf([own.uid, other.uid], client.token)
    expect([status, body.data.map(({ uid }) => uid)]).toEqual([200, [own.uid]])
    expect(body.data[0]).toMatchObject({ bookedCents: 100_00 })
    expect((await factsOf([own.uid], people.driver.token)).status).toBe(403)
  })

  test('that runs is listed first, and completed ones are left out where they are hidden', async () => {
    const client = (await world.addClient()).uid
    const add = (status: string, days: number) =>
      addProgram({ clientUid: client, status, startsOn: addDays(today, days), name: `${status} ${days}` })
    const added = [await add('draft', -3), await add('active', -1), await add('active', -9)]
    const paused = await add('active', -20)
    const completed = await add('active', -30)
    const set = (uid: string, status: string) => db.updateTable('client_program').set({ status }).where('uid', '=', uid)
    await set(paused.uid, 'paused').execute()
    await set(completed.uid, 'completed').execute()
    const [draft, second, first] = added.map(({ uid }) => uid)
    const listed = async (more: object = {}) =>
      (await call(programs.list, { query: { client, sort: 'progress', ...more } })).body.data.map(({ uid }) => uid)
    expect(await listed()).toEqual([first, second, paused.uid, draft, completed.uid])
    expect(await listed({ completed: 'hidden' })).toEqual([first, second, paused.uid, draft])
    expect(await listed({ completed: 'shown', sort: '-progress' })).toHaveLength(5)
  })
})

describe('a client', () => {
  const factsOf = (client: string, token = people.admin.token) =>
    call(listFacts.clients, { query: { client } }, { token })

  test('has as many running programs as campaigns that run, and what is booked for this month', async () => {
    const client = (await world.addClient()).uid
    await addProgram({ clientUid: client }, { miles: 500_00 })
    await addProgram({ clientUid: client, startsOn: addDays(today, 10), endsOn: addDays(today, 20) })
    await addProgram({ clientUid: client, status: 'draft' }, { miles: 700_00 })
    const running = await call(campaigns.list, { query: { client, phase: 'running' } })
    const days = Array.from({ length: 10 }, (_, day) => addDays(today, day - 5))
    const inMonth = days.filter((day) => day.slice(0, 7) === today.slice(0, 7)).length
    expect(await one(factsOf(client))).toEqual({
      uid: client,
      running: running.body.total,
      monthCents: inMonth * 50_00,
    })
    expect(running.body.total).toBe(1)
  })

  test('reads only itself', async () => {
    const [own, other] = [(await world.addClient()).uid, (await world.addClient()).uid]
    const { token } = await world.addUser('client', ['clients'], own)
    expect((await factsOf(own, token)).body.data).toEqual([{ uid: own, running: 0, monthCents: null }])
    expect((await factsOf(other, token)).body.data).toEqual([])
    expect((await factsOf(own, people.driver.token)).status).toBe(403)
  })
})

describe('a driver', () => {
  test('has the hours that Payroll counts this week, and the next shift', async () => {
    const program = await addProgram()
    const done = await addShift(program.uid, -3)
    const { driver_uid: driver } = await db
      .selectFrom('shift')
      .select('driver_uid')
      .where('uid', '=', done.uid)
      .executeTakeFirstOrThrow()
    const next = await addShift(program.uid, 8, { driver_uid: driver })
    const { token } = people.admin
    const week = (await call(payroll.list, { query: { driver } as never }, { token })).body.data[0]
    const facts = await one(call(listFacts.users, { query: { user: driver } }))
    expect(facts).toMatchObject({
      uid: driver,
      weekMinutes: week?.actualMinutes ?? null,
      nextShift: { uid: next.uid, truck: { uid: next.truckUid } },
    })
    const office = await one(call(listFacts.users, { query: { user: people.sales.uid } }))
    expect(office).toEqual({ uid: people.sales.uid, weekMinutes: null, nextShift: null })
    expect((await call(listFacts.users, { query: { user: driver } }, people.sales)).status).toBe(403)
  })
})

test('POPs with photos that wait are first, except for clients', async () => {
  const client = (await world.addClient()).uid
  const add = (name: string) => addProgram({ clientUid: client, name: `${name} ${randomUUID()}` })
  const [first, last] = [await add('A'), await add('B')]
  const size = { width: 4, height: 3 }
  await db
    .insertInto('pop_photo')
    .values({
      program_uid: last.uid,
      market_uid: marketUid,
      status: 'waiting',
      original_name: 'a.jpg',
      original_sha256: 'a'.repeat(64),
      key: randomUUID().replaceAll('-', ''),
      sizes: JSON.stringify({ small: size, medium: size, large: size }),
      blur: 'data:image/png;base64,AAAA',
      position: 0,
    })
    .execute()
  const listed = async (token = people.admin.token, more: object = {}) => {
    const { body } = await call(pops.list, { query: { client, sort: 'waiting', ...more } }, { token })
    return body.data.map(({ uid }) => uid)
  }
  expect(await listed()).toEqual([last.uid, first.uid])
  const more = [await add('C'), await add('D'), await add('E')].map(({ uid }) => uid)
  const inOrder = [last.uid, first.uid, ...more]
  for (const size of [1, 2, 3, 5]) {
    const pages: string[] = []
    for (let page = 1; page <= Math.ceil(5 / size); page++)
      pages.push(...(await listed(people.admin.token, { page: String(page), pageSize: String(size) })))
    expect(pages).toEqual(inOrder)
  }
  const paged = await call(pops.list, { query: { client, sort: 'waiting', pageSize: '2' } as never })
  expect(paged.body.total).toBe(5)
  expect(await listed(people.admin.token, { waiting: 'yes' })).toEqual([last.uid])
  expect(await listed((await world.addUser('client', ['pop'], client)).token)).toEqual([first.uid, last.uid, ...more])
})

test('a list of shifts in several zones is ordered by the times that it shows', async () => {
  const program = await addProgram()
  const east = await fleet.addMarket()
  await db.updateTable('market').set({ zone: 'Pacific/Auckland' }).where('uid', '=', east).execute()
  const local = { local_date: '2027-03-10', start_time: '08:00', end_time: '10:00' }
  const at = (zone: string, hour: string) => Date.parse(`2027-03-10T${hour}:00${zone}`)
  const early = await addShift(program.uid, 0, {
    ...local,
    zone: 'Pacific/Honolulu',
    from: at('-10:00', '08:00'),
    to: at('-10:00', '10:00'),
    status: 'planned',
    started_at: null,
  })
  const late = await addShift(program.uid, 0, {
    ...local,
    start_time: '09:00',
    end_time: '11:00',
    zone: 'Pacific/Auckland',
    marketUid: east,
    from: at('+13:00', '09:00'),
    to: at('+13:00', '11:00'),
    status: 'planned',
    started_at: null,
  })
  const listed = async (sort: 'localStart' | 'startsAt') =>
    (await call(shifts.list, { query: { program: program.uid, sort } })).body.data.map(({ uid }) => uid)
  expect(await listed('localStart')).toEqual([early.uid, late.uid])
  expect(await listed('startsAt')).toEqual([late.uid, early.uid])
})
