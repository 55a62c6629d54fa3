import {
  DAY_MS,
  type ErrorBody,
  type QueryOf,
  type ShiftInput,
  shifts,
  shiftSuggestions,
  type ShiftSuggestions,
  type SuggestionReason,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { fleetOf } from '../../live/players/test-fleet.ts'
import { payOffice } from '../../pay/payroll/test-pay.ts'
import { addStretch } from '../shifts/out-of-service/test-stretch.ts'

const world = await openWorld()
const { call, db, people } = world
const office = await payOffice(world)
const { market: dallas, elsewhere: denver, program } = office

type Question = QueryOf<typeof shiftSuggestions.list>
const question = (given: Partial<Question> = {}): Question => ({
  program,
  market: dallas,
  date: '2026-07-01',
  start: '08:00',
  end: '16:00',
  ...given,
})
const ask = (given: Partial<Question> = {}, token = people.admin.token) =>
  call(shiftSuggestions.list, { query: question(given) }, { token })
const suggest = async (given: Partial<Question> = {}): Promise<ShiftSuggestions> => {
  const { status, body, error } = await ask(given)
  expect([status, error]).toEqual([200, body])
  return body.data
}
const find = <T extends { uid: string }>(rows: T[], uid: string): T => {
  const row = rows.find((each) => each.uid === uid)
  if (!row) throw new Error(`${uid} is not suggested.`)
  return row
}
const reason = <K extends SuggestionReason['kind']>(row: { reasons: SuggestionReason[] }, kind: K) =>
  row.reasons.find((each): each is Extract<SuggestionReason, { kind: K }> => each.kind === kind)

beforeAll(async () => {
  const place = (uid: string, latitude: number, longitude: number) =>
    db.updateTable('market').set({ latitude, longitude, radius_m: 40_000 }).where('uid', '=', uid).execute()
  await place(dallas, 32.78, -96.8)
  await place(denver, 39.74, -104.99)
})

describe('who may ask', () => {
  test('planners, and no one else', async () => {
    const clientUser = await world.addUser('client', ['pop'], (await world.addClient()).uid)
    const statusOf = async (token: string) => (await ask({}, token)).status
    expect(await statusOf(people.admin.token)).toBe(200)
    expect(await statusOf(people.sales.token)).toBe(200)
    expect(await statusOf((await world.addUser('sales', ['clients'])).token)).toBe(200)
    expect(await statusOf((await world.addUser('sales', ['overview', 'pop'])).token)).toBe(403)
    expect(await statusOf(people.driver.token)).toBe(403)
    expect(await statusOf(clientUser.token)).toBe(403)
    expect(await statusOf('')).toBe(401)
  })
})

describe('what is asked', () => {
  test('needs a market, which may be the home of the truck', async () => {
    const truckUid = await office.addTruck()
    const { program: _program, market: _market, ...hours } = question()
    const without = (more: object) => call(shiftSuggestions.list, { query: { ...hours, ...more } })
    const nothing = { market: null, zone: null, trucks: [], drivers: [] }
    expect((await without({})).body.data).toMatchObject(nothing)
    expect((await without({ truck: truckUid })).body.data).toMatchObject(nothing)
    await db.updateTable('truck').set({ home_market_uid: denver }).where('uid', '=', truckUid).execute()
    const { data } = (await without({ truck: truckUid })).body
    expect(data).toMatchObject({ market: { uid: denver }, problems: {}, artworkSet: null })
    expect(find(data.trucks, truckUid)).toMatchObject({ refusal: null, homeMarket: { uid: denver } })
    expect((await ask({ market: program })).error).toMatchObject({ fields: { market: 'Market not found.' } })
    expect((await ask({ end: '08:00' })).error).toMatchObject({ fields: { end: 'Must differ from the start.' } })
    expect((await ask({ uid: program })).status).toBe(404)
  })

  test('says what saving would refuse whatever is chosen', async () => {
    expect((await suggest({ market: denver })).problems).toEqual({ marketUid: 'Long does not run in Austin.' })
    expect((await suggest({ program: dallas })).problems).toEqual({ programUid: 'Program not found.' })
    // In the night to Mar 8, 2026, clocks go from 2 to 3.
    const skipped = await suggest({ date: '2026-03-08', start: '02:30' })
    expect(skipped.problems).toEqual({ start: 'Clocks in America/Chicago skip 2:30 AM on that day.' })
    expect(skipped.trucks.every(({ refusal }) => refusal === null)).toBe(true)
  })
})

describe('what is answered', () => {
  test('names where a truck ends the evening before, and that the way is too long', async () => {
    const [near, far] = [await office.addTruck(), await office.addTruck()]
    const evening = { date: '2026-06-14', start: '14:00', end: '22:00', programUid: office.other }
    await office.plan({ ...evening, truckUid: near })
    await office.plan({ ...evening, truckUid: far, programUid: await denverProgram(), marketUid: denver })
    const { trucks } = await suggest({ date: '2026-06-15' })
    expect(reason(find(trucks, near), 'endsIn')).toMatchObject({
      market: 'Dallas',
      at: '2026-06-15T03:00:00.000Z',
      isHere: true,
    })
    expect(reason(find(trucks, far), 'endsIn')).toMatchObject({ market: 'Austin', isHere: false })
    expect(reason(find(trucks, far), 'travel')).toEqual({
      kind: 'travel',
      market: 'Austin',
      miles: 662,
      minutes: 883,
      isEnough: false,
    })
    const places = [near, far].map((uid) => trucks.findIndex((truck) => truck.uid === uid))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    // After a day there is time enough, and later shifts in Austin are no matter of today.
    expect(reason(find((await suggest({ date: '2026-06-16' })).trucks, far), 'travel')).toMatchObject({
      isEnough: true,
    })
    const before = await suggest({ date: '2026-06-14', start: '00:00', end: '08:00' })
    expect(reason(find(before.trucks, far), 'travelAfter')).toMatchObject({ market: 'Austin', isEnough: false })
  })

  test('takes the position of a truck that has nothing to do before', async () => {
    const truckUid = await office.addTruck()
    const fix = { truck_uid: truckUid, at: sql<string>`now()`, latitude: 32.9, longitude: -96.9 }
    await db.insertInto('truck_now').values(fix).execute()
    const ahead = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
    const { trucks } = await suggest({ date: ahead })
    expect(reason(find(trucks, truckUid), 'position')).toEqual({ kind: 'position', market: 'Dallas', miles: 0 })
  })

  test('compares the only approved artwork of the program with the screens', async () => {
    const { addArtwork } = fleetOf(world)
    const own = (await world.addProgram({ name: 'Autumn', markets: [{ marketUid: dallas }] })).uid
    const [truckUid, printed] = [await office.addTruck(), await office.addTruck()]
    await db.updateTable('truck').set({ kind: 'printed' }).where('uid', '=', printed).execute()
    const side = (x: number) => ({ x, y: 0, width: 100, height: 50 })
    const sides = JSON.stringify({ driverSide: side(0), passengerSide: side(100), rear: side(200) })
    const map = { name: 'Small', width: 300, height: 50, pitch_um: 4000, sides }
    const { uid: mapUid } = await db.insertInto('pixel_map').values(map).returning('uid').executeTakeFirstOrThrow()
    await db.updateTable('truck').set({ pixel_map_uid: mapUid }).where('uid', '=', truckUid).execute()

    expect((await suggest({ program: own })).artworkSet).toBeNull()
    const art = await addArtwork(own)
    await addArtwork(own, 'draft')
    const fileUids = art.files.map(({ uid }) => uid)
    await db.updateTable('stored_file').set({ width: 200, height: 100 }).where('uid', 'in', fileUids).execute()
    const first = await suggest({ program: own })
    expect(first.artworkSet?.uid).toBe(art.uid)
    expect(reason(find(first.trucks, truckUid), 'artwork')).toEqual({ kind: 'artwork', fit: 'scales' })
    expect(find(first.trucks, printed)).toMatchObject({ refusal: null, isSuitable: false })
    expect(reason(find(first.trucks, printed), 'printed')).toEqual({ kind: 'printed', need: 'artwork' })
    await db
      .updateTable('stored_file')
      .set({ width: 200, height: 10 })
      .where('uid', '=', fileUids[0] ?? '')
      .execute()
    expect(reason(find((await suggest({ program: own })).trucks, truckUid), 'artwork')?.fit).toBe('wrongRatio')

    const second = await addArtwork(own)
    const both = await suggest({ program: own })
    expect(both.artworkSet).toBeNull()
    expect(reason(find(both.trucks, truckUid), 'artwork')).toBeUndefined()
    // Whichever of the two it will be, printed boards can't show it.
    expect(find(both.trucks, printed).isSuitable).toBe(false)
    expect((await suggest({ program: own, artworkSet: second.uid })).artworkSet?.uid).toBe(second.uid)
    const foreign = await suggest({ artworkSet: second.uid })
    expect(foreign.problems).toEqual({ artworkSetUid: 'This artwork set belongs to another program.' })
  })

  test('proposes no printed truck where plays are booked, and says why', async () => {
    const own = (await world.addProgram({ name: 'Booked', markets: [{ marketUid: dallas }] })).uid
    const [led, printed] = [await office.addTruck(), await office.addTruck()]
    await db.updateTable('truck').set({ kind: 'printed' }).where('uid', '=', printed).execute()
    const isSuitable = async (date: string) => find((await suggest({ program: own, date })).trucks, printed).isSuitable
    expect(await isSuitable('2026-07-01')).toBe(true)
    const line = { program_uid: own, market_uid: dallas, unit: 'plays', amount: 900 }
    await db
      .insertInto('booked_line')
      .values({ ...line, starts_on: '2026-07-01', ends_on: '2026-07-31' })
      .execute()
    expect([await isSuitable('2026-07-31'), await isSuitable('2026-08-01')]).toEqual([false, true])
    const { trucks } = await suggest({ program: own })
    expect(reason(find(trucks, printed), 'printed')).toEqual({ kind: 'printed', need: 'plays' })
    const open = trucks.filter(({ refusal }) => refusal === null)
    expect(open.findIndex(({ uid }) => uid === printed)).toBeGreaterThan(open.findIndex(({ uid }) => uid === led))
    expect(open.map((truck) => truck.isSuitable)).toEqual(
      open.map((truck) => truck.isSuitable).toSorted((one, other) => Number(other) - Number(one)),
    )
  })

  test('counts the hours of the week as payroll does, planned ones included', async () => {
    const driver = await office.addDriver('Wanda Week', ['2020-01-01', 10_000, 20_000, 30_000])
    const on = (date: string): Partial<ShiftInput> => ({ driverUid: driver.uid, date, start: '00:00', end: '12:00' })
    // A Sunday belongs to the week before.
    await office.drive(on('2026-03-01'), 600)
    for (const day of ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']) await office.drive(on(day), 660)
    const [week] = (await office.statement('2026-03-02', '2026-03-08', driver.uid)).weeks
    expect(week?.minutes).toBe(4 * 660)
    const planned = await office.planned(on('2026-03-06'))
    const hours = async (more: Partial<Question>) =>
      reason(find((await suggest({ date: '2026-03-07', ...more })).drivers, driver.uid), 'weekHours')
    expect(await hours({})).toEqual({ kind: 'weekHours', minutes: 4 * 660 + 720 + 480, limitMinutes: 2400 })
    // A shift that is changed is not counted twice.
    expect(await hours({ uid: planned.uid })).toMatchObject({ minutes: 4 * 660 + 480 })
    await call(shifts.move, {
      body: { uid: planned.uid, version: planned.version, status: 'cancelled', reason: 'Rain' },
    })
    expect(await hours({})).toMatchObject({ minutes: 4 * 660 + 480 })
  })

  test('ranks a driver who declined this very shift behind, until its hours change', async () => {
    const shift = await office.planned({ date: '2026-08-04' })
    const driverUid = shift.driver?.uid ?? ''
    const plan = { shift_uid: shift.uid, driver_uid: driverUid, truck_uid: shift.truck.uid, local_date: shift.date }
    const answer = {
      ...plan,
      start_time: '08:00',
      end_time: '16:00',
      answer: 'declined',
      act_id: sql<string>`new_uid()`,
    }
    await db
      .insertInto('shift_answer')
      .values({ ...answer, at: sql<string>`now()` })
      .execute()
    const asked = async (more: Partial<Question>) =>
      find((await suggest({ date: '2026-08-04', uid: shift.uid, ...more })).drivers, driverUid)
    expect(await asked({})).toMatchObject({ refusal: null, reasons: [{ kind: 'free' }, { kind: 'declined' }, {}] })
    expect(reason(await asked({ start: '10:00', end: '18:00' }), 'declined')).toBeUndefined()
  })

  async function denverProgram(): Promise<string> {
    return (await world.addProgram({ name: 'Mile high', markets: [{ marketUid: denver }] })).uid
  }
})

describe('a suggestion and saving', () => {
  const refusedOf = ({ fields }: ErrorBody) => fields ?? {}

  test('agree on every truck and driver, at any hour', async () => {
    const trucks = [await office.addTruck(), await office.addTruck(), await office.addTruck()]
    await addStretch(db, { truckUid: trucks[2] ?? '', from: '2026-09-02', to: '2026-09-02' })
    const drivers = await Promise.all(Array.from({ length: 3 }, () => world.addUser('driver')))
    await addStretch(db, { driverUid: drivers[2]?.uid ?? '', from: '2026-09-01', to: '2026-09-01' })
    const [t1 = '', t2 = ''] = trucks
    const [d1 = '', d2 = ''] = drivers.map(({ uid }) => uid)
    await office.planned({ truckUid: t1, driverUid: d2, date: '2026-09-01', start: '08:00', end: '16:00' })
    await office.planned({ truckUid: t2, driverUid: d1, date: '2026-09-01', start: '20:00', end: '04:00' })
    await office.planned({ truckUid: t1, driverUid: d1, date: '2026-09-02', start: '06:00', end: '10:00' })
    const clock = fc
      .integer({ min: 0, max: 47 })
      .map((half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 ? '30' : '00'}`)
    const asked = fc
      .record({ date: fc.constantFrom('2026-08-31', '2026-09-01', '2026-09-02'), start: clock, end: clock })
      .filter(({ start, end }) => start !== end)
    // A truck and a driver that are always free: what is refused is refused because of the other one.
    const [freeTruck, freeDriver] = [await office.addTruck(), (await world.addUser('driver')).uid]
    const save = async (body: ShiftInput) => {
      const saved = await call(shifts.create, { body })
      if (saved.status === 200) await call(shifts.remove, { params: { uid: saved.body.data.uid } })
      return saved.status === 200 ? {} : refusedOf(saved.error)
    }
    await fc.assert(
      fc.asyncProperty(asked, async (hours) => {
        const answer = await suggest(hours)
        const base = { ...hours, programUid: program, marketUid: dallas, truckUid: freeTruck, driverUid: freeDriver }
        for (const truckUid of trucks) {
          const { refusal } = find(answer.trucks, truckUid)
          expect(await save({ ...base, truckUid })).toEqual(refusal === null ? {} : { truckUid: refusal })
        }
        for (const { uid: driverUid } of drivers) {
          const { refusal } = find(answer.drivers, driverUid)
          expect(await save({ ...base, driverUid })).toEqual(refusal === null ? {} : { driverUid: refusal })
        }
        expect(find(answer.trucks, freeTruck).refusal).toBeNull()
      }),
      { numRuns: 12 },
    )
  })

  test('agree when a shift is changed: it is not in its own way, and its deleted driver stays', async () => {
    const shift = await office.planned({ date: '2026-09-08' })
    const other = await office.planned({ date: '2026-09-08', start: '12:00', end: '18:00' })
    const answer = await suggest({ date: '2026-09-08', uid: shift.uid, start: '09:00', end: '17:00' })
    expect(find(answer.trucks, shift.truck.uid).refusal).toBeNull()
    expect(find(answer.drivers, shift.driver?.uid ?? '').refusal).toBeNull()
    const busy = find(answer.trucks, other.truck.uid)
    expect(busy).toMatchObject({ bookedUntil: '2026-09-08T23:00:00.000Z' })
    const saved = await office.update(shift, { truckUid: other.truck.uid, start: '09:00', end: '17:00' })
    expect(refusedOf(saved.error)).toEqual({ truckUid: busy.refusal })
    await addStretch(db, { truckUid: shift.truck.uid, from: '2026-09-07' })
    expect(find((await suggest({ date: '2026-09-08', uid: shift.uid })).trucks, shift.truck.uid).refusal).toBeNull()
    expect(find((await suggest({ date: '2026-09-08' })).trucks, shift.truck.uid).refusal).toMatch(
      /in the shop from Sep 7, 2026 until further notice\.$/,
    )
  })

  test('agree on days with locked pay: only the truck and driver that the shift has stay possible', async () => {
    const driver = await office.addDriver('Lou Locked', ['2020-01-01', 10_000, 20_000, 30_000])
    const shift = await office.drive({ driverUid: driver.uid, date: '2026-01-07' }, 480)
    const { body } = await office.approve('2026-01-05', '2026-01-11')
    expect((await office.move(body.data, 'locked')).status).toBe(200)
    const locked = "Pay for Jan 5, 2026 – Jan 11, 2026 is locked, so shifts on these days can't be changed."
    expect((await suggest({ date: '2026-01-08' })).problems).toEqual({ date: locked })
    const changed = await suggest({ date: '2026-01-07', uid: shift.uid })
    expect(changed.problems).toEqual({})
    expect(find(changed.trucks, shift.truck.uid).refusal).toBeNull()
    expect(find(changed.drivers, driver.uid).refusal).toBeNull()
    const another = await office.addTruck()
    expect(find((await suggest({ date: '2026-01-07', uid: shift.uid })).trucks, another).refusal).toBe(locked)
    expect(refusedOf((await office.update(shift, { truckUid: another })).error)).toEqual({ date: locked })
  })
})
