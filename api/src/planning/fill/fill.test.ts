import {
  addDays,
  type BodyOf,
  type FillProposal,
  type FillResult,
  type InputOf,
  shiftFill,
  shifts,
  workweekOf,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fleetOf } from '../../live/players/test-fleet.ts'
import { openTestPlan } from '../shifts/test-plan.ts'

const world = await openWorld()
const { call, db, people } = world
const plan = await openTestPlan(world)

/** A Monday that stays ahead. */
const MONDAY = workweekOf('2090-03-08')
const dayOf = (offset: number) => addDays(MONDAY, offset)
const year = { startsOn: '2090-01-01', endsOn: '2090-12-31' }
const markets = [{ marketUid: plan.market }, { marketUid: plan.elsewhere }]
const program = (await world.addProgram({ name: 'Ahead', ...year, markets })).uid
const other = (await world.addProgram({ name: 'Beside', ...year, markets })).uid

type Request = InputOf<typeof shiftFill.start>['body']
const request = (given: Partial<Request> = {}): Request => ({
  programUid: program,
  markets: [
    { marketUid: plan.market, trucks: 2 },
    { marketUid: plan.elsewhere, trucks: 1 },
  ],
  from: MONDAY,
  to: dayOf(4),
  weekdays: [1, 2, 3, 4, 5],
  start: '08:00',
  end: '16:00',
  ...given,
})
const start = (given: Partial<Request> = {}, token = people.admin.token) =>
  call(shiftFill.start, { body: request(given) }, { token })
const current = async (token = people.admin.token) => (await call(shiftFill.current, {}, { token })).body.data

/** Waits until a fill proposal is no longer looked for. */
async function settled(token = people.admin.token): Promise<FillProposal | null> {
  for (;;) {
    const proposal = await current(token)
    if (proposal?.state !== 'solving') return proposal
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

async function fill(given: Partial<Request> = {}, token = people.admin.token) {
  const { status, error, body } = await start(given, token)
  expect([status, error]).toEqual([200, body])
  const proposal = await settled(token)
  expect(proposal).toMatchObject({ state: 'ready', failure: '' })
  if (!proposal?.result) throw new Error('There is no result.')
  return { uid: proposal.uid, ...proposal.result }
}

type Accepted = BodyOf<typeof shiftFill.accept>['shifts']
const asProposed = ({ shifts: proposed }: Pick<FillResult, 'shifts'>): Accepted =>
  proposed.map(({ key, truck, driver, start, end }) => ({
    key,
    truckUid: truck.uid,
    driverUid: driver.uid,
    start,
    end,
  }))
const accept = (uid: string, chosen: Accepted, token = people.admin.token, more: object = {}) =>
  call(shiftFill.accept, { body: { uid, shifts: chosen, ...more } }, { token })
const spareDriver = (proposed: FillResult['shifts']) =>
  drivers.find((uid) => proposed.every(({ driver }) => driver.uid !== uid)) ?? ''
const countShifts = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from shift`.execute(db)
  return rows[0]?.count
}

const at = (uids: readonly string[], index: number) => uids[index] ?? ''
const trucks: string[] = []
const drivers: string[] = []
beforeAll(async () => {
  // The users of the world are no drivers of the plan.
  await db.updateTable('user_account').set({ deleted_at: new Date() }).where('uid', '=', people.driver.uid).execute()
  for (let count = 0; count < 4; count++) {
    trucks.push(await plan.addTruck())
    drivers.push(await plan.addDriver())
  }
})

afterEach(() => sql`update shift set deleted_at = now() where local_date > '2089-12-31'`.execute(db))

describe('who may fill', () => {
  test('planners, and no one else', async () => {
    const clientUser = await world.addUser('client', ['pop'], (await world.addClient()).uid)
    const { token: driver } = await world.addUser('sales', ['overview', 'pop'])
    const key = await world.addKey({ access: 'write' })
    for (const token of [clientUser.token, driver, key.token]) {
      expect((await start({}, token)).status).toBe(403)
      expect((await call(shiftFill.current, {}, { token })).status).toBe(403)
      expect((await call(shiftFill.discard, { params: { uid: program } }, { token })).status).toBe(403)
      expect((await accept(program, [], token)).status).toBe(403)
    }
    expect((await start({}, '')).status).toBe(401)
  })

  test('everyone their own fill proposal, never another one’s', async () => {
    const { token } = await world.addUser('sales', ['clients'])
    const mine = await fill({ to: MONDAY })
    expect(await current(token)).toBeNull()
    expect((await call(shiftFill.discard, { params: { uid: mine.uid } }, { token })).status).toBe(404)
    const before = await countShifts()
    expect((await accept(mine.uid, asProposed(mine), token)).error).toMatchObject({
      error: 'Proposal not found. It may have expired.',
    })
    expect(await countShifts()).toBe(before)
    expect(await current()).toMatchObject({ uid: mine.uid, state: 'ready', request: { program: 'Ahead' } })
  })
})

describe('what is asked for', () => {
  test('is refused in a sentence', async () => {
    const refusal = async (given: Partial<Request>) => (await start(given)).error
    expect(await refusal({ end: '08:00' })).toMatchObject({ fields: { end: 'Must differ from the start.' } })
    expect(await refusal({ to: dayOf(-1) })).toMatchObject({ fields: { to: expect.stringContaining('not before it') } })
    expect(await refusal({ to: MONDAY, weekdays: [6] })).toMatchObject({
      fields: { weekdays: 'None of these weekdays is between the two days.' },
    })
    expect(await refusal({ markets: [{ marketUid: plan.market, trucks: 100 }] })).toMatchObject({
      fields: { markets: 'That is more than 300 shifts. Choose fewer days, markets or trucks.' },
    })
    const twice = { marketUid: plan.market, trucks: 1 }
    expect(await refusal({ markets: [twice, twice] })).toMatchObject({ fields: { markets: 'Name each market once.' } })
    expect(await refusal({ programUid: plan.market })).toMatchObject({ fields: { programUid: 'Program not found.' } })
    expect(await refusal({ programUid: plan.other })).toMatchObject({
      fields: { markets: 'Winter does not run in Austin.' },
    })
  })

  test('counts what is planned already', async () => {
    await plan.plan({
      programUid: program,
      date: dayOf(0),
      truckUid: at(trucks, 0),
      driverUid: at(drivers, 0),
    })
    const result = await fill({ to: MONDAY, markets: [{ marketUid: plan.market, trucks: 2 }] })
    expect(result).toMatchObject({ wanted: 2, alreadyPlanned: 1, unplaced: [], isOptimal: true })
    expect(result.shifts).toHaveLength(1)
    expect(result.shifts[0]?.truck.uid).not.toBe(trucks[0])
    expect(result.shifts[0]?.driver.uid).not.toBe(drivers[0])
  })
})

describe('a fill proposal', () => {
  test('is accepted by the rules of saving, once', async () => {
    const result = await fill()
    expect(result).toMatchObject({ wanted: 15, unplaced: [], truckMoves: 0 })
    expect(result.shifts).toHaveLength(15)
    const before = await countShifts()
    const chosen = asProposed(result)
    const { status, body } = await accept(result.uid, chosen)
    expect(status).toBe(200)
    expect(await countShifts()).toBe((before ?? 0) + 15)
    const { body: listed } = await call(shifts.list, {
      query: { program, from: MONDAY, to: dayOf(4), pageSize: '100' },
    })
    expect(new Set(listed.data.map(({ uid }) => uid))).toEqual(new Set(body.data.uids))
    const shiftKey = (truck: string, driver: string, date: string, market: string) =>
      [truck, driver, date, market].join()
    expect(
      new Set(listed.data.map((each) => shiftKey(each.truck.uid, each.driver?.uid ?? '', each.date, each.market.uid))),
    ).toEqual(
      new Set(result.shifts.map((each) => shiftKey(each.truck.uid, each.driver.uid, each.date, each.market.uid))),
    )
    expect(listed.data.every(({ shortRestHours }) => shortRestHours === null)).toBe(true)
    expect((await accept(result.uid, chosen)).error).toMatchObject({ code: 'fillState' })
    expect(await countShifts()).toBe((before ?? 0) + 15)
  })

  test('is refused as a whole when a truck was booked meanwhile, and the rest can be accepted', async () => {
    const result = await fill({ to: dayOf(1), markets: [{ marketUid: plan.market, trucks: 2 }] })
    const [first] = result.shifts
    if (!first) throw new Error('Nothing is proposed.')
    await plan.plan({
      programUid: other,
      date: first.date,
      truckUid: first.truck.uid,
      driverUid: spareDriver(result.shifts.filter(({ date }) => date === first.date)),
      start: '12:00',
      end: '20:00',
    })
    const before = await countShifts()
    const refused = await accept(result.uid, asProposed(result))
    expect(refused.status).toBe(409)
    expect(refused.error).toMatchObject({
      code: 'fillRefused',
      error: 'Some of these shifts can no longer be planned. Nothing was saved.',
      fields: {
        [first.key]: expect.stringMatching(
          /^The truck has another shift at that time\. Overlaps T-\d+ · The driver · .*12:00–8:00 PM · Beside\.$/,
        ),
      },
    })
    expect(Object.keys(refused.error.fields ?? {})).toEqual([first.key])
    expect(await countShifts()).toBe(before)
    const rest = asProposed(result).filter(({ key }) => key !== first.key)
    const accepted = await accept(result.uid, rest)
    expect(accepted.status).toBe(200)
    expect(await countShifts()).toBe((before ?? 0) + rest.length)
  })

  test('takes the changes of a person, by the same rules', async () => {
    const result = await fill({ to: MONDAY, markets: [{ marketUid: plan.market, trucks: 2 }] })
    const [one, two] = asProposed(result)
    if (!one || !two) throw new Error('Nothing is proposed.')
    const clash = await accept(result.uid, [one, { ...two, driverUid: one.driverUid }])
    expect(clash.error).toMatchObject({
      code: 'fillRefused',
      fields: { [two.key]: expect.stringContaining('Overlaps') },
    })
    expect((await accept(result.uid, [{ ...one, truckUid: program }])).error).toMatchObject({
      fields: { [one.key]: 'Truck not found.' },
    })
    expect((await accept(result.uid, [{ ...one, key: '99' }])).error).toMatchObject({
      fields: { shifts: 'A shift is not part of this proposal.' },
    })
    expect((await accept(result.uid, [one, one])).error).toMatchObject({ fields: { shifts: 'Name each shift once.' } })
    const spare = spareDriver(result.shifts)
    const changed = { ...one, driverUid: spare, start: '09:00', end: '17:00' }
    const { body } = await accept(result.uid, [changed])
    const { data } = (await call(shifts.get, { params: { uid: body.data.uids[0] ?? '' } })).body
    expect(data).toMatchObject({ driver: { uid: spare }, start: '09:00', end: '17:00', date: MONDAY })
  })

  test('of a draft program needs consent', async () => {
    const draft = (await world.addProgram({ name: 'Idea', status: 'draft', ...year, markets })).uid
    const result = await fill({ programUid: draft, to: MONDAY, markets: [{ marketUid: plan.market, trucks: 1 }] })
    const asked = await accept(result.uid, asProposed(result))
    expect(asked.error).toMatchObject({
      code: 'programInactive',
      error: 'Idea is a draft. Confirm to plan the shifts anyway.',
    })
    const { status } = await accept(result.uid, asProposed(result), people.admin.token, {
      allowInactiveProgram: true,
    })
    expect(status).toBe(200)
  })

  test('keeps every rule of the database among many other shifts', async () => {
    let seed = 11
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let round = 0; round < 2; round++) {
      for (let count = 0; count < 8; count++) {
        const start = `${String(random(20)).padStart(2, '0')}:00`
        const end = `${String(Number(start.slice(0, 2)) + 3).padStart(2, '0')}:30`
        await plan.create({
          programUid: other,
          marketUid: random(2) ? plan.market : plan.elsewhere,
          truckUid: at(trucks, random(4)),
          driverUid: at(drivers, random(4)),
          date: dayOf(round * 7 + random(7)),
          start,
          end,
        })
      }
      const hour = 4 + random(14)
      const hours = {
        start: `${String(hour).padStart(2, '0')}:00`,
        end: `${String((hour + 8) % 24).padStart(2, '0')}:00`,
      }
      const days = { from: dayOf(round * 7), to: dayOf(round * 7 + 6), weekdays: [1, 2, 3, 4, 5, 6, 7] }
      const result = await fill({ ...hours, ...days })
      const missing = result.unplaced.reduce((sum, each) => sum + each.missing, 0)
      expect(result.shifts.length + missing).toBe(21)
      expect(result.shifts.length).toBeGreaterThan(0)
      const answer = await accept(result.uid, asProposed(result))
      expect([answer.status, answer.error]).toEqual([200, answer.body])
      const { data } = (await call(shifts.list, { query: { program, from: days.from, to: days.to, pageSize: '100' } }))
        .body
      expect(data.every(({ shortRestHours }) => shortRestHours === null)).toBe(true)
    }
  }, 120_000)
})

describe('what could not be placed', () => {
  test('is explained by counts, by what would help, and by what saving would refuse', async () => {
    const long = { from: '2090-12-30', to: '2091-01-01', weekdays: [1, 2, 3, 4, 5, 6, 7] }
    const late = await fill({ ...long, markets: [{ marketUid: plan.market, trucks: 1 }] })
    expect(late.unplaced).toEqual([
      expect.objectContaining({
        date: '2091-01-01',
        missing: 1,
        refusal: 'Ahead runs from Jan 1, 2090 to Dec 31, 2090.',
      }),
    ])
    const many = await fill({ to: MONDAY, markets: [{ marketUid: plan.market, trucks: 6 }] })
    expect(many.shifts).toHaveLength(4)
    expect(many.unplaced).toEqual([
      expect.objectContaining({
        missing: 2,
        refusal: null,
        trucks: { proposed: 4 },
        drivers: { proposed: 4 },
        relief: [],
      }),
    ])
    expect(
      (
        await fill({
          from: '2026-02-02',
          to: '2026-02-02',
          programUid: plan.program,
          markets: [{ marketUid: plan.market, trucks: 1 }],
        })
      ).unplaced,
    ).toEqual([expect.objectContaining({ refusal: 'These hours have already begun.' })])
  })

  test('is never given to printed trucks where plays are booked, whatever is relaxed', async () => {
    const printed = trucks.slice(0, 2)
    await db.updateTable('truck').set({ kind: 'printed' }).where('uid', 'in', printed).execute()
    const wanted: Partial<Request> = {
      to: MONDAY,
      markets: [{ marketUid: plan.market, trucks: 4 }],
      relax: ['artwork'],
    }
    expect((await fill(wanted)).shifts).toHaveLength(4)
    const line = { program_uid: program, market_uid: plan.market, unit: 'plays', amount: 900 }
    await db
      .insertInto('booked_line')
      .values({ ...line, starts_on: MONDAY, ends_on: dayOf(4) })
      .execute()
    const result = await fill(wanted)
    expect(result.shifts.map(({ truck }) => truck.uid).toSorted()).toEqual(trucks.slice(2).toSorted())
    expect(result.unplaced).toMatchObject([{ missing: 2, trucks: { printed: 2, proposed: 2 } }])
    await db.deleteFrom('booked_line').where('program_uid', '=', program).execute()
    await db.updateTable('truck').set({ kind: 'led' }).where('uid', 'in', printed).execute()
  })

  test('shows the only approved artwork of the program, or its rotation', async () => {
    const art = await fleetOf(world).addArtwork(program)
    const artworkOf = async () => (await fill({ to: MONDAY })).artworkSet?.uid
    expect(await artworkOf()).toBe(art.uid)
    const line = { program_uid: program, artwork_set_uid: art.uid, share: 'weight', amount: 1, position: 0 }
    await db
      .insertInto('rotation_line')
      .values({ ...line, from_time: '16:00', to_time: '22:00', weekdays: [1, 2, 3, 4, 5] })
      .execute()
    expect(await artworkOf()).toBeUndefined()
    await db.deleteFrom('rotation_line').where('program_uid', '=', program).execute()
    await db.updateTable('artwork_set').set({ deleted_at: new Date() }).where('uid', '=', art.uid).execute()
  })

  test('can be placed once the rule that it names is relaxed', async () => {
    const long = { start: '06:00', end: '20:00', markets: [{ marketUid: plan.market, trucks: 4 }] }
    const strict = await fill(long)
    // Two shifts of 14 hours are 28; a third one would be more than 40.
    expect(strict.shifts).toHaveLength(8)
    const claimed = strict.unplaced.flatMap(({ relief }) => (relief ?? []).filter(({ by }) => by === 'weekHours'))
    expect(claimed.reduce((sum, { places }) => sum + places, 0)).toBe(12)
    const relaxed = await fill({ ...long, relax: ['weekHours'] })
    expect(relaxed.shifts).toHaveLength(20)
    expect(relaxed.unplaced).toEqual([])
  })

  test('leaves out drivers who declined these hours', async () => {
    const [driverUid = '', truckUid = ''] = [drivers[0], trucks[0]]
    const shift = await plan.plan({ programUid: other, date: dayOf(8), driverUid, truckUid })
    await db
      .insertInto('shift_answer')
      .values({
        shift_uid: shift.uid,
        driver_uid: driverUid,
        act_id: shift.uid,
        answer: 'declined',
        at: new Date(),
        truck_uid: truckUid,
        local_date: dayOf(8),
        start_time: '08:00',
        end_time: '16:00',
      })
      .execute()
    await call(shifts.move, {
      body: { uid: shift.uid, version: shift.version, status: 'cancelled', reason: 'Declined' },
    })
    const day = { from: dayOf(8), to: dayOf(8), markets: [{ marketUid: plan.market, trucks: 4 }] }
    const { shifts: proposed, unplaced } = await fill(day)
    expect(proposed.map(({ driver }) => driver.uid)).not.toContain(driverUid)
    expect(unplaced[0]).toMatchObject({
      drivers: { declined: 1 },
      relief: [
        { by: 'declined', places: 1 },
        { by: 'moreDrivers', places: 1 },
      ],
    })
  })
})

describe('the search', () => {
  test('ends when it is discarded, and a new one replaces it', async () => {
    const { body } = await start()
    expect(body.data).toMatchObject({ state: 'solving', step: 'placing', result: null })
    expect((await call(shiftFill.discard, { params: { uid: body.data.uid } })).status).toBe(200)
    expect(await current()).toBeNull()
    expect(
      (await accept(body.data.uid, [{ key: '1', truckUid: program, driverUid: program, start: '08:00', end: '09:00' }]))
        .status,
    ).toBe(404)
    const [first, second] = [await start(), await start({ to: MONDAY })]
    expect(first.body.data.uid).not.toBe(second.body.data.uid)
    expect(await settled()).toMatchObject({ uid: second.body.data.uid, state: 'ready' })
  })

  test('that its node left is said to be cut off', async () => {
    await fill({ to: MONDAY })
    const long = sql`now() - interval '1 minute'`
    await sql`update fill_proposal set state = 'solving', result = null, solving_at = ${long}`.execute(db)
    expect(await current()).toMatchObject({
      state: 'failed',
      failure: 'The search was cut off. Please start it again.',
    })
    await sql`update fill_proposal set expires_at = now()`.execute(db)
    expect(await current()).toBeNull()
  })
})
