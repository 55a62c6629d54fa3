import {
  addDays,
  type BookedLineInput,
  type BookedUnit,
  DAY_MS,
  delivery,
  localDay,
  settings,
  shifts,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { afterEach, describe, expect, test } from 'vitest'
import { fleetOf, zoneWhereItIs } from '../../live/players/test-fleet.ts'
import { deliveriesOf, deliveryWatch } from './index.ts'
import { findMakeUps } from './make-up.ts'

const world = await openWorld()
const { call, db, people } = world
const fleet = fleetOf(world)

const HOUR = 3_600_000
const NOON = zoneWhereItIs(12)
const now = Date.now()
const today = localDay(NOON.name, now)

async function addMarket(): Promise<string> {
  const uid = await fleet.addMarket()
  await db.updateTable('market').set({ zone: NOON.name }).where('uid', '=', uid).execute()
  return uid
}

/** Ten days, of which five are over. */
const tenDays = { startsOn: addDays(today, -5), endsOn: addDays(today, 4) }

async function addProgram(amounts: Partial<Record<BookedUnit, number>>, priceCents: number | null = null) {
  const marketUid = await addMarket()
  const bookedLines = Object.entries(amounts).map(([unit, amount]): BookedLineInput => ({
    marketUid,
    unit: unit as BookedUnit,
    amount,
    ...tenDays,
    priceCents,
  }))
  const program = await world.addProgram({
    startsOn: addDays(today, -30),
    endsOn: addDays(today, 30),
    markets: [{ marketUid }],
    bookedLines,
  })
  return { program, marketUid }
}

type Place = Awaited<ReturnType<typeof addProgram>>

interface Driven {
  miles?: number
  plays?: number
  truckUid?: string
  status?: string
  hour?: number
}

/** A shift of two hours some days ago, which began at ten unless said otherwise. */
async function addShift({ program, marketUid }: Place, daysAgo: number, given: Driven = {}) {
  const { miles, plays, status = 'completed', hour = 10 } = given
  const truckUid = given.truckUid ?? (await fleet.addTruck({ home_market_uid: marketUid }))
  const from = now - daysAgo * DAY_MS + (hour - 12) * HOUR
  const to = from + 2 * HOUR
  const actual = status === 'completed' ? { started_at: new Date(from), stopped_at: new Date(to) } : {}
  const place = { truckUid, programUid: program.uid, marketUid, from, to, fixedZone: NOON }
  const reason = status === 'cancelled' ? { reason: 'Rain' } : {}
  const shift = await fleet.addShift({ ...place, status, ...actual, ...reason })
  if (miles !== undefined) await addMiles(shift.uid, truckUid, miles)
  if (plays !== undefined) {
    const hours = { hour: new Date(from), day: localDay(NOON.name, from), side: 'rear', duration_ms: 8000 }
    const of = { truck_uid: truckUid, shift_uid: shift.uid, program_uid: program.uid, market_uid: marketUid }
    await db
      .insertInto('play_hour')
      .values({ ...hours, ...of, plays })
      .execute()
  }
  return { ...shift, truckUid }
}

const addMiles = (shift_uid: string, truck_uid: string, miles: number) => {
  const metres = miles * 1609.344
  const measured = { heard_ms: HOUR, gps_metres: metres, metres, source: 'gps', coverage: 1, algorithm: 1 }
  return db
    .insertInto('shift_track')
    .values({ shift_uid, truck_uid, starts_at: new Date(now), ends_at: new Date(now), ...measured })
    .execute()
}

const read = async ({ program }: Place, token = people.admin.token) =>
  call(delivery.program, { params: { uid: program.uid } }, { token })
const lineOf = async (place: Place) => (await read(place)).body.data.lines[0]

// Campaigns of other tests would be looked into as well.
afterEach(() => db.updateTable('client_program').set({ status: 'completed' }).execute())

describe('what is delivered', () => {
  test('counts truck-days, hours, miles and plays of the shifts that took place on the days of the line', async () => {
    const place = await addProgram({ truckDays: 10, hours: 100, miles: 1000, plays: 200 })
    const { truckUid } = await addShift(place, 5, { miles: 50, plays: 70, hour: 4 })
    // The same truck twice on a day is one truck-day.
    await addShift(place, 5, { miles: 30.5, truckUid, hour: 8 })
    await addShift(place, 1, { miles: 20, plays: 30 })
    // Before the line, and not driven.
    await addShift(place, 6, { miles: 99, plays: 99 })
    await addShift(place, 2, { status: 'cancelled' })
    await addShift(place, 3, { status: 'planned' })
    const { lines, pace, state } = (await read(place)).body.data
    const figures = lines.map(({ line, delivered, expected, through }) => [line.unit, delivered, expected, through])
    expect(figures).toEqual([
      ['truckDays', 2, 5, addDays(today, -1)],
      ['hours', 6, 50, addDays(today, -1)],
      ['miles', 100.5, 500, addDays(today, -1)],
      ['plays', 100, 100, addDays(today, -1)],
    ])
    expect([pace, state]).toEqual([0.12, 'behind'])
    expect(lines.map(({ forecast }) => forecast)).toEqual([4, 12, 201, 200])
    const rows = { program: place.program.uid, market: place.marketUid, tookPlace: 'yes', from: tenDays.startsOn }
    const listed = await call(shifts.list, { query: { ...rows, to: addDays(today, -1) } as never })
    expect(listed.body.total).toBe(3)
  })

  test('keeps what the day of today adds apart', async () => {
    const place = await addProgram({ truckDays: 10 })
    await addShift(place, 1)
    await addShift(place, 0, { hour: 9 })
    expect(await lineOf(place)).toMatchObject({ delivered: 1, deliveredSince: 1, pace: 0.2, state: 'behind' })
  })

  test('is not zero where nothing is known', async () => {
    const place = await addProgram({ miles: 100, plays: 100 })
    await addShift(place, 1)
    const [miles, plays] = (await read(place)).body.data.lines
    expect(miles).toMatchObject({ delivered: 0, shiftsWithoutData: 1, pace: null, forecast: null, state: 'early' })
    expect(plays).toMatchObject({ delivered: 0, shiftsWithoutData: 1, pace: null, forecast: null, state: 'early' })
    expect((await read(place)).body.data).toMatchObject({ pace: null, state: 'early' })
  })

  test('of a program without lines is nothing', async () => {
    expect((await read(await addProgram({}))).body.data).toMatchObject({ lines: [], pace: null, state: 'none' })
  })

  test('follows the share of the settings', async () => {
    const place = await addProgram({ truckDays: 10 })
    for (const daysAgo of [1, 2, 3, 4]) await addShift(place, daysAgo)
    expect(await lineOf(place)).toMatchObject({ pace: 0.8, state: 'behind' })
    const { values, version } = (await call(settings.get, {})).body.data
    const body = { ...values, behindPercent: 20, version }
    const changed = (await call(settings.update, { body })).body.data
    expect(await lineOf(place)).toMatchObject({ pace: 0.8, state: 'on' })
    await call(settings.update, { body: { ...values, version: changed.version } })
    expect((await call(settings.update, { body: { ...body, behindPercent: 0 } })).status).toBe(400)
  })
})

describe('who sees it', () => {
  test('staff, and the program’s own client with its price; a driver and others nothing', async () => {
    const place = await addProgram({ truckDays: 10 }, 5000)
    const priceFor = async (token: string) => {
      const { status, body } = await read(place, token)
      return status === 200 ? body.data.lines[0]?.line.priceCents : status
    }
    const own = await world.addUser('client', ['pop'], place.program.client.uid)
    const other = await world.addUser('client', ['pop'], (await world.addClient()).uid)
    const without = await world.addUser('sales', ['schedule'])
    const readers = [people.admin, people.sales, own, other, people.driver, without]
    expect(await Promise.all(readers.map(({ token }) => priceFor(token)))).toEqual([5000, 5000, 5000, 404, 403, 403])
    const unsigned = (await deliveriesOf(db, 'all', [place.program.uid], now)).get(place.program.uid)
    expect(unsigned?.lines[0]?.line.priceCents).toBeNull()
  })
})

describe('a campaign that is behind', () => {
  const behind = async (token = people.admin.token) => (await call(delivery.behind, {}, { token })).body.data
  const campaignOf = async ({ program }: Place) =>
    (await behind()).find((each) => each.delivery.program.uid === program.uid)
  async function watch(at = now): Promise<void> {
    await deliveryWatch.look({ db, env: {}, now: at })
    await findMakeUps(db, at, new AbortController().signal)
  }

  test('has one issue for each line, which resolves itself', async () => {
    const place = await addProgram({ truckDays: 10 })
    const shown = (await read(place)).body.data
    const look = () => deliveryWatch.look({ db, env: {}, now })
    await Promise.all([look(), look(), look()])
    await watch()
    const found = await campaignOf(place)
    expect(found?.client).toEqual(place.program.client)
    expect(found?.delivery.lines).toEqual(shown.lines)
    expect(found?.issues).toHaveLength(1)
    expect(found?.issues[0]).toMatchObject({ lineUid: shown.lines[0]?.line.uid, missing: 10, accepted: null })
    for (const daysAgo of [1, 2, 3, 4, 5]) await addShift(place, daysAgo)
    await watch()
    expect(await campaignOf(place)).toBeUndefined()
    const rows = await db
      .selectFrom('campaign_issue')
      .select('resolved_at')
      .where('line_uid', '=', shown.lines[0]?.line.uid ?? '')
      .execute()
    expect(rows.map(({ resolved_at }) => resolved_at !== null)).toEqual([true])
  })

  test('is none while the program is paused or only a draft', async () => {
    const place = await addProgram({ truckDays: 10 })
    await db.updateTable('client_program').set({ status: 'paused' }).where('uid', '=', place.program.uid).execute()
    await watch()
    expect(await campaignOf(place)).toBeUndefined()
  })

  test('names shifts that are free, and plans those that are accepted, all or none', async () => {
    const place = await addProgram({ truckDays: 3 })
    await addShift(place, 5)
    await world.addUser('driver')
    await watch()
    const issue = (await campaignOf(place))?.issues[0]
    expect(issue).toMatchObject({ missing: 2 })
    expect(issue?.shifts).toHaveLength(2)
    const keys = issue?.shifts.map(({ key }) => key) ?? []
    expect(issue?.shifts.every(({ date }) => date > today && date <= tenDays.endsOn)).toBe(true)
    const plan = (body: { uid: string; keys: string[] }, token = people.admin.token) =>
      call(delivery.planShifts, { body }, { token })
    const uid = issue?.uid ?? ''
    const own = await world.addUser('client', ['pop', 'clients'], place.program.client.uid)
    for (const { token } of [own, people.driver]) expect((await plan({ uid, keys }, token)).status).toBe(403)
    expect((await plan({ uid, keys: ['nothing'] })).status).toBe(400)
    expect((await plan({ uid: place.program.uid, keys })).status).toBe(404)

    // The truck of the first one is taken meanwhile: none is planned, and the reason stands at its key.
    const [first] = issue?.shifts ?? []
    if (!first) throw new Error('No shift is proposed.')
    const [from, to] = [Date.parse(first.startsAt), Date.parse(first.endsAt)]
    const elsewhere = { programUid: place.program.uid, marketUid: place.marketUid, fixedZone: NOON }
    const taken = await fleet.addShift({ ...elsewhere, truckUid: first.truck.uid, from, to })
    const refused = await plan({ uid, keys })
    expect([refused.status, Object.keys(refused.error.fields ?? {})]).toEqual([409, [first.key]])
    expect(refused.error.fields?.[first.key]).toContain(first.truck.name)
    await db.updateTable('shift').set({ deleted_at: new Date() }).where('uid', '=', taken.uid).execute()

    const planned = await plan({ uid, keys })
    expect([planned.status, planned.body.data.uids.length]).toEqual([200, 2])
    const after = (await campaignOf(place))?.issues[0]
    expect(after).toMatchObject({ missing: 0, shifts: [], accepted: { by: 'The admin', shifts: 2 } })
    const made = await call(shifts.list, { query: { program: place.program.uid, status: 'planned' } as never })
    expect(made.body.data.map(({ uid }) => uid).toSorted()).toEqual(planned.body.data.uids.toSorted())

    // A day later the line is still behind; what is planned makes it up.
    await watch(now + DAY_MS)
    expect((await campaignOf(place))?.issues).toMatchObject([{ uid, missing: 0 }])
  })

  test('is for staff with the Overview', async () => {
    const own = await world.addUser('client', ['overview'], (await world.addClient()).uid)
    for (const { token } of [own, people.driver]) expect((await call(delivery.behind, {}, { token })).status).toBe(403)
  })
})
