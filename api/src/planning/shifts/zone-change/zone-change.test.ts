import { addDays, localDay, markets, type Shift, shiftPlanChanges, shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { openTestPlan } from '../test-plan.ts'

const world = await openWorld()
const { call, db, people } = world
const plan = await openTestPlan(world)
await db.updateTable('client_program').set({ starts_on: '2000-01-01', ends_on: '2099-12-31' }).execute()
await db.updateTable('program_market').set({ starts_on: null, ends_on: null }).execute()

const [CHICAGO, DENVER] = ['America/Chicago', 'America/Denver']
const HOUR = 3_600_000
const today = localDay(CHICAGO)
const inDays = (days: number) => addDays(today, days)

const marketOf = async (uid = plan.market) => (await call(markets.get, { params: { uid } })).body.data
const preview = (zone: string, from?: string, uid = plan.market) =>
  call(markets.zoneChange, { params: { uid }, query: { zone, ...(from && { from }) } })
const change = async (zone: string, from: string, uid = plan.market, token = people.admin.token) =>
  call(markets.changeZone, { params: { uid }, body: { zone, from, version: (await marketOf(uid)).version } }, { token })
const shiftOf = async ({ uid }: Shift) => (await call(shifts.get, { params: { uid } })).body.data
const hoursMoved = (before: Shift, after: Shift) => (Date.parse(after.startsAt) - Date.parse(before.startsAt)) / HOUR

describe('another time zone of a market', () => {
  test('holds from a day on: planned shifts from then keep their clock times, and earlier ones their instants', async () => {
    const before = await plan.plan({ date: inDays(20) })
    const night = await plan.plan({ date: inDays(29), start: '22:00', end: '04:00' })
    const after = await plan.plan({ date: inDays(30) })
    const canceled = (await plan.move(await plan.plan({ date: inDays(31) }), 'cancelled', 'Rain')).body.data
    const { body } = await preview(DENVER, inDays(30))
    expect(body.data).toEqual({ earliest: today, from: inDays(30), before: CHICAGO, shifts: 1, problem: null })
    const { status, body: changed } = await change(DENVER, inDays(30))
    expect(status).toBe(200)
    expect(changed.data).toMatchObject({ zone: DENVER, earlierZones: [{ zone: CHICAGO, until: inDays(30) }] })

    for (const kept of [before, night]) expect(await shiftOf(kept)).toEqual(kept)
    for (const moved of [after, canceled]) {
      const now = await shiftOf(moved)
      expect(now).toMatchObject({ zone: DENVER, date: moved.date, start: moved.start, end: moved.end })
      expect(hoursMoved(moved, now)).toBe(1)
    }
    const [newest] = (await call(shifts.history, { params: { uid: after.uid }, query: {} })).body.data
    expect(newest?.fields).toEqual([{ field: 'zone', old: CHICAGO, new: DENVER }])
  })

  test('is that of new shifts and of shifts that go to such a day, and the other that of those before', async () => {
    expect((await plan.plan({ date: inDays(25) })).zone).toBe(CHICAGO)
    const shift = await plan.plan({ date: inDays(40) })
    expect(shift.zone).toBe(DENVER)
    const earlier = (await plan.update(shift, { date: inDays(26) })).body.data
    expect(earlier.zone).toBe(CHICAGO)
    expect((await plan.update(earlier, { note: 'Bring water.' })).body.data.startsAt).toBe(earlier.startsAt)
  })

  test('can be taken back before it holds', async () => {
    const shift = await plan.plan({ date: inDays(45) })
    const { body } = await change(CHICAGO, inDays(29))
    expect(body.data).toMatchObject({ zone: CHICAGO, earlierZones: [] })
    expect(hoursMoved(shift, await shiftOf(shift))).toBe(-1)
  })

  test('ends the undo of its shifts, and tells those who follow them', async () => {
    const shift = await plan.plan({ date: inDays(47) })
    expect((await change(DENVER, inDays(46))).status).toBe(200)
    const told = await db
      .selectFrom('outbound_event')
      .select(['type', 'data'])
      .where('object', '=', `shift ${shift.uid}`)
      .execute()
    expect(told.at(-1)).toMatchObject({ type: 'shift.changed', data: { after: { zone: DENVER, start: shift.start } } })
    const { error } = await call(shiftPlanChanges.undo, { body: { shiftUid: shift.uid } })
    expect(error.error).toContain('it was changed since')
    expect((await change(CHICAGO, inDays(46))).status).toBe(200)
  })

  test('holds at the earliest after the last shift whose time has come', async () => {
    const shift = await plan.plan({ date: today, start: '00:00', end: '23:00' })
    const { body } = await preview(DENVER)
    expect(body.data).toMatchObject({ earliest: inDays(1), from: inDays(1), problem: null })
    const { status, error } = await change(DENVER, today)
    expect([status, error.fields?.from]).toEqual([400, expect.stringContaining('past shifts keep their times.')])
    expect((await preview(DENVER, today)).body.data).toMatchObject({ shifts: 0, problem: error.fields?.from })
    expect(await shiftOf(shift)).toEqual(shift)
    await plan.move(shift, 'cancelled', 'Rain')
    expect((await preview(DENVER)).body.data.earliest).toBe(today)
  })

  test('is refused while a moved shift would overlap one in another market', async () => {
    const truckUid = await plan.addTruck()
    await plan.plan({ truckUid, date: inDays(50), start: '08:00', end: '16:00' })
    // At 16:00 in Chicago, which would be 15:00 in the old market.
    const next = await plan.plan({
      truckUid,
      date: inDays(50),
      start: '16:00',
      end: '20:00',
      marketUid: plan.elsewhere,
    })
    const { status, error } = await change(DENVER, inDays(48))
    expect([status, error.fields?.from]).toEqual([
      400,
      expect.stringContaining('The truck has another shift at that time:'),
    ])
    expect(await marketOf()).toMatchObject({ zone: CHICAGO, earlierZones: [] })
    await plan.move(next, 'cancelled', 'Rain')
    expect((await preview(DENVER, inDays(48))).body.data.problem).toBeNull()
  })

  test('names a shift whose time its clocks skip, and keeps the times of shifts over a change of the clocks', async () => {
    const { uid } = await world.addMarket('Phoenix')
    await db.updateTable('market').set({ zone: 'America/Phoenix' }).where('uid', '=', uid).execute()
    const program = (
      await world.addProgram({
        name: 'Desert',
        markets: [{ marketUid: uid }],
        startsOn: '2026-01-01',
        endsOn: '2099-12-31',
      })
    ).uid
    const year = Number(today.slice(0, 4)) + 1
    // The second Sunday of March, on which clocks of Denver go forward at 2:00.
    const march = Array.from({ length: 7 }, (_, n) => `${year}-03-${String(8 + n).padStart(2, '0')}`)
    const sunday = march.find((day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 0) ?? ''
    const where = { programUid: program, marketUid: uid }
    const skipped = await plan.plan({ ...where, date: sunday, start: '02:30', end: '10:00' })
    const night = await plan.plan({ ...where, date: addDays(sunday, -1), start: '22:00', end: '06:00' })
    const from = addDays(sunday, -30)
    const { error } = await change(DENVER, from, uid)
    expect(error.fields?.from).toMatch(
      /^Clocks in America\/Denver skip a time of the shift of T-\d+ on .*, 2:30 AM\. Change/,
    )
    await plan.move(skipped, 'cancelled', 'Rain')
    expect((await change(DENVER, from, uid)).status).toBe(200)
    const now = await shiftOf(night)
    expect([now.start, now.end, now.zone]).toEqual(['22:00', '06:00', DENVER])
    expect((Date.parse(now.endsAt) - Date.parse(now.startsAt)) / HOUR).toBe(7)
  })

  test('is asked for with the newest version, by who may edit markets', async () => {
    const { uid, version } = await marketOf()
    const body = { zone: DENVER, from: inDays(60), version: version - 1 }
    expect((await call(markets.changeZone, { params: { uid }, body })).status).toBe(409)
    for (const { token } of [people.driver, people.client]) {
      expect((await change(DENVER, inDays(60), uid, token)).status).toBe(403)
      expect((await call(markets.zoneChange, { params: { uid }, query: { zone: DENVER } }, { token })).status).toBe(403)
    }
    const missing = { params: { uid: plan.program } }
    expect((await call(markets.zoneChange, { ...missing, query: { zone: DENVER } })).status).toBe(404)
    expect((await preview('Nowhere/City')).error.fields).toHaveProperty('zone')
    expect((await change(DENVER, '2026-13-01')).error.fields).toHaveProperty('from')
  })

  test('is not one of the other fields of a market with shifts', async () => {
    const { updatedAt: _updatedAt, earlierZones: _earlierZones, ...market } = await marketOf()
    const { status, error } = await call(markets.update, { body: { ...market, zone: DENVER } })
    expect([status, error.fields]).toEqual([
      400,
      { zone: 'This market has shifts. Choose the day from which another time zone holds.' },
    ])
    expect((await call(markets.update, { body: { ...market, name: 'Dallas and Plano' } })).status).toBe(200)
  })

  test('a shift that is saved at the same moment has the zone of its day', async () => {
    const input = await plan.input({ date: inDays(70) })
    const [changed, ...created] = await Promise.all([
      change(DENVER, inDays(65)),
      ...[1, 2, 3].map(async (hour) => plan.plan({ ...input, start: `0${2 * hour}:00`, end: `0${2 * hour + 1}:00` })),
    ])
    expect(changed.status).toBe(200)
    for (const shift of created) expect((await shiftOf(shift)).zone).toBe(DENVER)
  })
})
