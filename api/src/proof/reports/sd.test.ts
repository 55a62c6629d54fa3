import { DAY_MS, metersBetween, type Play, type Point, sdReport, sdRules } from '@roadshow/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { storePlays } from '../../live/plays/index.ts'
import { DALLAS, fleetOf, northOf, type TestDevice } from '../../live/players/test-fleet.ts'
import { findApproaches } from '../../live/telemetry/find-approaches.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { db, call } = world
const fleet = fleetOf(world)

const HOUR = 3_600_000
const FIX_MS = 10_000
/** The first hour of drives: so lately that their visits are still looked for. */
const START = Math.floor((Date.now() - 30 * HOUR) / HOUR) * HOUR
const DAY = new Date(START).toLocaleDateString('sv-SE', { timeZone: 'America/Chicago' })
const dayAfter = (day: string, days = 1) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
const localTime = (at: number) =>
  new Date(at).toLocaleTimeString('sv-SE', { timeZone: 'America/Chicago', timeStyle: 'short' })

interface Place {
  uid: string
  latitude: number
  longitude: number
  radiusM: number
}

interface Drive {
  /** Kilometers north of Dallas at the end of each leg, driven in a straight line. */
  legs: number[]
  /** From when to when of the drive its player shows something for an address, in shares of it. */
  shown: { place: number; from: number; to: number }[]
}

async function addPlaces(programUid: string): Promise<{ setUid: string; places: Place[] }> {
  const { uid: setUid } = await db
    .insertInto('address_set')
    .values({ program_uid: programUid, name: 'Shops' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const places = [3, 5, 12].map((km, position) => ({
    set_uid: setUid,
    label: `Shop ${position}`,
    located_by: 'given',
    position,
    radius_m: 1500,
    ...northOf(DALLAS, km * 1e3),
  }))
  const rows = await db
    .insertInto('sd_address')
    .values(places)
    .returning(['uid', 'latitude', 'longitude', 'radius_m as radiusM', 'position'])
    .execute()
  return { setUid, places: rows.toSorted((a, b) => a.position - b.position) }
}

/** Drives a truck on a shift that carries the places, and plays on the way. */
async function drive(of: { programUid: string; marketUid: string; setUid: string; places: Place[] }, given: Drive) {
  const truckUid = await fleet.addTruck()
  const player = await fleet.addDevice(truckUid)
  const art = await fleet.addArtwork(of.programUid)
  const hours = { from: START, to: START + 8 * HOUR }
  const shift = await fleet.addShift({
    truckUid,
    programUid: of.programUid,
    marketUid: of.marketUid,
    address_set_uid: of.setUid,
    ...hours,
    zone: 'America/Chicago',
    local_date: DAY,
    start_time: localTime(hours.from),
    end_time: localTime(hours.to),
  })
  const meters: number[] = [0]
  for (const leg of given.legs) {
    const last = meters.at(-1) ?? 0
    const steps = Math.max(1, Math.ceil(Math.abs(leg * 1000 - last) / 150))
    for (let n = 1; n <= steps; n++) meters.push(last + ((leg * 1000 - last) * n) / steps)
  }
  for (const day of [0, 1, 2])
    await sql`call ensure_week('position', ${dayAfter(new Date(START).toISOString().slice(0, 10), day - 1)}::date)`.execute(
      db,
    )
  await db
    .insertInto('position')
    .values(
      meters.map((north, n) => ({
        truck_uid: truckUid,
        at: new Date(START + n * FIX_MS),
        speed_kmh: 54,
        ...northOf(DALLAS, north),
      })),
    )
    .execute()
  const track = {
    gps_metres: 0,
    metres: 0,
    source: 'gps',
    coverage: 1,
    algorithm: 1,
    heard_ms: meters.length,
  }
  await db
    .insertInto('shift_track')
    .values({
      shift_uid: shift.uid,
      truck_uid: truckUid,
      starts_at: shift.startsAt,
      ends_at: shift.endsAt,
      ...track,
    })
    .execute()
  await play(player, art, of.places, meters.length * FIX_MS, given.shown)
  return truckUid
}

async function play(
  player: TestDevice,
  art: { uid: string; sha256: string },
  places: Place[],
  lastsMs: number,
  shown: Drive['shown'],
) {
  const plays = Array.from({ length: Math.min(900, Math.floor(lastsMs / 8000)) }, (_, n): Play => {
    const share = (n * 8000) / lastsMs
    const at = shown.find(({ from, to }) => from <= share && share < to)
    return fleet.aPlay(art, {
      sequence: n + 1,
      startedAt: new Date(START + n * 8e3).toISOString(),
      durationMs: 7900,
      addressUid: at ? (places[at.place]?.uid ?? null) : null,
    })
  })
  if (plays.length > 0) await storePlays(db, { uid: player.uid, truckUid: player.truckUid }, plays)
}

interface Recount {
  approaches: number
  missed: number
  plays: number
  ms: number
  trucks: Set<string>
  nearestM: number
}

/** Which address a screen should show at each of a truck's positions: the nearest, a little longer, and not by turns. */
function dueAt(fixes: readonly (Point & { at: number })[], places: readonly Place[]): (string | undefined)[] {
  let shown: string | undefined
  let since = -Infinity
  return fixes.map((fix) => {
    const near = places.flatMap((place) => {
      const credit = place.uid === shown ? sdRules.marginM : 0
      const metres = metersBetween(fix, place) - credit
      return metres <= place.radiusM ? [{ uid: place.uid, metres }] : []
    })
    const [nearest] = near.toSorted((one, other) => one.metres - other.metres)
    if (nearest?.uid !== shown && fix.at - since >= sdRules.holdMs) [shown, since] = [nearest?.uid, fix.at]
    return shown
  })
}

/** The same from every single position and play, and nothing else. */
async function recount(programUid: string, places: Place[], days: { from: string; to: string }) {
  const { rows: fixes } = await sql<{ truck: string; shift: string; at: number; latitude: number; longitude: number }>`
    select o.truck_uid as truck, s.uid as shift, (extract(epoch from o.at) * 1000)::float8 as at, o.latitude, o.longitude
      from position o join shift s on s.truck_uid = o.truck_uid and s.program_uid = ${programUid}
     order by o.truck_uid, o.at`.execute(db)
  const { rows: plays } = await sql<{ truck: string; address: string; at: number; ms: number }>`
    select truck_uid as truck, address_uid as address, (extract(epoch from started_at) * 1000)::float8 as at, duration_ms as ms
      from play where program_uid = ${programUid} and address_uid is not null`.execute(db)
  // All of a shift belongs to the day on which it started.
  const isAsked = days.from <= DAY && DAY <= days.to
  return places.map((place) => {
    const own = plays.filter(({ address }) => address === place.uid)
    const found: Recount = { approaches: 0, missed: 0, plays: 0, ms: 0, trucks: new Set(), nearestM: Infinity }
    for (const { ms, truck } of isAsked ? own : []) {
      found.plays += 1
      found.ms += ms
      found.trucks.add(truck)
    }
    for (const truck of new Set(fixes.map((fix) => fix.truck))) {
      let visit: { from: number; to: number; nearest: number; isDue: boolean } | undefined
      const close = () => {
        if (visit && isAsked) {
          const { from, to, nearest, isDue } = visit
          found.approaches += 1
          found.trucks.add(truck)
          found.nearestM = Math.min(found.nearestM, nearest)
          if (isDue && !own.some((each) => each.truck === truck && each.at >= from - 60_000 && each.at <= to + 60_000))
            found.missed += 1
        }
        visit = undefined
      }
      const driven = fixes.filter((each) => each.truck === truck)
      const due = dueAt(driven, places)
      for (const [n, fix] of driven.entries()) {
        const meters = metersBetween(fix, place)
        if (meters > place.radiusM + (visit ? sdRules.marginM : 0)) close()
        else {
          const isDue = visit?.isDue === true || due[n] === place.uid
          const nearest = Math.min(visit?.nearest ?? Infinity, meters)
          visit = { from: visit?.from ?? fix.at, to: fix.at, nearest, isDue }
        }
      }
      close()
    }
    return found
  })
}

async function addCampaign() {
  const marketUid = await fleet.addMarket()
  const program = await world.addProgram({ startsOn: '2020-01-01', endsOn: '2099-12-31' })
  const { setUid, places } = await addPlaces(program.uid)
  return { programUid: program.uid, clientUid: program.client.uid, marketUid, setUid, places }
}

const leg = fc.integer({ min: -2, max: 16 })
const share = fc.double({ min: 0, max: 1, noNaN: true })
const aDrive: fc.Arbitrary<Drive> = fc.record({
  legs: fc.array(leg, { minLength: 1, maxLength: 6 }),
  shown: fc.array(fc.record({ place: fc.nat(2), from: share, to: share }), { maxLength: 3 }),
})

describe('the SD report', () => {
  test('agrees with a recount of every position and play, whatever trucks drive and show', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aDrive, { minLength: 1, maxLength: 2 }), fc.boolean(), async (drives, isOneDay) => {
        const campaign = await addCampaign()
        for (const each of drives) await drive(campaign, each)
        while (await findApproaches(db));
        const days = isOneDay ? { from: DAY, to: DAY } : { from: dayAfter(DAY, -3), to: dayAfter(DAY, 3) }
        const query = { program: campaign.programUid, market: campaign.marketUid, ...days }
        const { data } = (await call(sdReport.list, { query: { ...query, sort: 'label' } })).body
        const counted = await recount(campaign.programUid, campaign.places, days)
        expect(data.map((row) => [row.approaches, row.missed, row.plays, row.seconds, row.trucks])).toEqual(
          counted.map((row) => [row.approaches, row.missed, row.plays, Math.floor(row.ms / 1000), row.trucks.size]),
        )
        for (const [index, row] of data.entries()) {
          expect(row.nearestM ?? Infinity).toBeCloseTo(counted[index]?.nearestM ?? 0, 3)
          const visits = await call(sdReport.approaches, { query: { ...query, address: row.uid, pageSize: '200' } })
          expect(visits.body.total).toBe(row.approaches)
          expect(visits.body.data.filter(({ isMissed }) => isMissed)).toHaveLength(row.missed)
          expect(visits.body.data.every((each) => (each.plays === 0 && each.isDue) === each.isMissed)).toBe(true)
        }
        const { totals, places } = (await call(sdReport.summary, { query })).body.data
        const sum = (give: (row: Recount) => number) => counted.reduce((all, row) => all + give(row), 0)
        expect(totals).toMatchObject({
          approaches: sum((row) => row.approaches),
          missed: sum((row) => row.missed),
          addresses: 3,
          plays: sum((row) => row.plays),
          seconds: Math.floor(sum((row) => row.ms) / 1e3),
        })
        expect(places).toHaveLength(3)
      }),
      { numRuns: 6 },
    )
  }, 120_000)

  test('counts no approach as missed while a nearer address was due', async () => {
    const campaign = await addCampaign()
    // Half a mile beside the first one: in its reach, and never the nearer one.
    const beside = { latitude: campaign.places[0]?.latitude ?? 0, longitude: DALLAS.longitude - 0.008 }
    await db
      .insertInto('sd_address')
      .values({
        set_uid: campaign.setUid,
        label: 'Shop beside',
        located_by: 'given',
        position: 3,
        radius_m: 1500,
        ...beside,
      })
      .execute()
    const missed = async () => {
      while (await findApproaches(db));
      const query = { program: campaign.programUid, market: campaign.marketUid, from: DAY, to: dayAfter(DAY) }
      const { data } = (await call(sdReport.list, { query: { ...query, sort: 'label' } })).body
      return Object.fromEntries(data.map(({ label, approaches, missed: of }) => [label, [approaches, of]]))
    }
    // Up to the middle between the first and the second: both are in reach, the first is the nearer one.
    await drive(campaign, { legs: [3.6], shown: [{ place: 0, from: 0, to: 1 }] })
    expect(await missed()).toMatchObject({ 'Shop 0': [1, 0], 'Shop 1': [1, 0], 'Shop beside': [1, 0] })
    // The player shows none of them: missed is the one that was due.
    await drive(campaign, { legs: [3.6], shown: [] })
    expect(await missed()).toMatchObject({ 'Shop 0': [2, 1], 'Shop 1': [2, 0], 'Shop beside': [2, 0] })
    // It stays on the first one although the second is due by now.
    await drive(campaign, { legs: [6], shown: [{ place: 0, from: 0, to: 1 }] })
    expect(await missed()).toMatchObject({ 'Shop 0': [3, 1], 'Shop 1': [3, 1], 'Shop beside': [3, 0] })
  })

  test('is searched, sorted and paged, and keeps addresses that were taken out of their set', async () => {
    const campaign = await addCampaign()
    await drive(campaign, { legs: [6, 0], shown: [{ place: 0, from: 0, to: 1 }] })
    await findApproaches(db)
    const query = {
      program: campaign.programUid,
      market: campaign.marketUid,
      from: dayAfter(DAY, -1),
      to: dayAfter(DAY, 2),
    }
    const list = async (more: object) => (await call(sdReport.list, { query: { ...query, ...more } })).body
    const whole = await list({})
    expect(whole.data.map(({ label }) => label)).toEqual(['Shop 0', 'Shop 1', 'Shop 2'])
    expect(whole.data.map(({ approaches, missed }) => [approaches, missed])).toEqual([
      [2, 0],
      [1, 1],
      [0, 0],
    ])
    expect((await list({ sort: '-nearestM' })).data.at(-1)?.label).toBe('Shop 2')
    expect(await list({ page: '2', pageSize: '2' })).toMatchObject({ total: 3, data: [{ label: 'Shop 2' }] })
    expect(await list({ page: '9' })).toMatchObject({ total: 3, data: [] })
    expect(await list({ search: 'shop 1' })).toMatchObject({ total: 1 })
    const visits = await call(sdReport.approaches, { query: { ...query, address: whole.data[0]?.uid ?? '' } })
    expect(visits.body.data[0]?.track.length).toBeGreaterThan(5)
    expect(Date.parse(visits.body.data[0]?.enteredAt ?? '')).toBeGreaterThan(
      Date.parse(visits.body.data[1]?.enteredAt ?? ''),
    )
    await db.deleteFrom('sd_address').where('set_uid', '=', campaign.setUid).execute()
    expect((await list({})).data).toEqual(whole.data.slice(0, 2))
    const file = await call(sdReport.list, { query: { ...query, format: 'csv' } })
    expect(file.headers['content-disposition']).toContain(`"sd-report_program-`)
    expect(file.text).toContain('times in America/Chicago')
    expect(file.text.split('\r\n').filter((line) => line.startsWith('Shop'))).toHaveLength(2)
  })

  test('counts the addresses of its market, not those of the other cities in the set', async () => {
    const campaign = await addCampaign()
    const area = (place: Point) => ({ ...place, radius_m: 40_000 })
    const elsewhere = { latitude: 29.76, longitude: -95.37 }
    const other = await fleet.addMarket()
    for (const [uid, place] of [
      [campaign.marketUid, DALLAS],
      [other, elsewhere],
    ] as const) {
      await db.updateTable('market').set(area(place)).where('uid', '=', uid).execute()
      await db.insertInto('program_market').values({ program_uid: campaign.programUid, market_uid: uid }).execute()
    }
    const shop = { set_uid: campaign.setUid, label: 'Shop elsewhere', located_by: 'given', position: 9, radius_m: 1500 }
    await db
      .insertInto('sd_address')
      .values({ ...shop, ...elsewhere })
      .execute()
    await drive(campaign, { legs: [6], shown: [] })
    while (await findApproaches(db));
    const query = { program: campaign.programUid, market: campaign.marketUid, from: DAY, to: dayAfter(DAY) }
    const { totals, places } = (await call(sdReport.summary, { query })).body.data
    expect(totals).toMatchObject({ addresses: 3, reached: 2 })
    expect(places.map(({ label }) => label).toSorted()).toEqual(['Shop 0', 'Shop 1', 'Shop 2'])
    expect((await call(sdReport.list, { query })).body.total).toBe(totals.addresses)
    const file = await call(sdReport.list, { query: { ...query, format: 'csv' } })
    expect(file.text).toContain('Radius (feet),')
    expect(file.text).toContain('Closest (feet),')
    expect(file.text).toMatch(/,4921,1,/)
  })

  test('without a market covers all markets of the program, each visit and play once', async () => {
    const campaign = await addCampaign()
    const other = await fleet.addMarket()
    for (const market_uid of [campaign.marketUid, other])
      await db.insertInto('program_market').values({ program_uid: campaign.programUid, market_uid }).execute()
    await drive(campaign, { legs: [6], shown: [{ place: 0, from: 0, to: 1 }] })
    await drive({ ...campaign, marketUid: other }, { legs: [6, 1, 6], shown: [{ place: 1, from: 0, to: 0.3 }] })
    while (await findApproaches(db));
    const days = { program: campaign.programUid, from: DAY, to: dayAfter(DAY) }
    const of = async (more: object) => {
      const query = { ...days, ...more }
      const { data, total } = (await call(sdReport.list, { query })).body
      const { totals } = (await call(sdReport.summary, { query })).body.data
      return { data, total, totals }
    }
    const [one, two, all] = [await of({ market: campaign.marketUid }), await of({ market: other }), await of({})]
    // Seconds are rounded down once for each line.
    const sums = ['approaches', 'missed', 'plays', 'trucks'] as const
    for (const each of sums) expect(all.totals[each]).toBe(one.totals[each] + two.totals[each])
    expect([one.totals.approaches > 0, two.totals.approaches > 0, all.totals.missed > 0]).toEqual([true, true, true])
    expect([all.total, all.totals.addresses]).toEqual([3, 3])
    for (const place of all.data) {
      const parts = [one, two].flatMap(({ data }) => data.filter(({ uid }) => uid === place.uid))
      for (const each of sums) expect(place[each]).toBe(parts.reduce((sum, part) => sum + part[each], 0))
    }
    const query = { ...days, address: campaign.places[1]?.uid ?? '' }
    const visits = (await call(sdReport.approaches, { query })).body
    expect(visits.total).toBe(all.data.find(({ uid }) => uid === query.address)?.approaches)
    const file = await call(sdReport.list, { query: { ...days, format: 'csv' } })
    expect(file.text).toContain('; all markets; from: ')
    await db.updateTable('market').set({ zone: 'America/Denver' }).where('uid', '=', other).execute()
    expect((await call(sdReport.summary, { query: days })).body.data.zone).toBe('UTC')
  })

  test('opens with all programs by their plays for addresses, each with the totals of its own report', async () => {
    const [best, other, none] = [await addCampaign(), await addCampaign(), await addCampaign()]
    await drive(best, { legs: [6, 0], shown: [{ place: 0, from: 0, to: 1 }] })
    await drive(other, { legs: [6], shown: [{ place: 1, from: 0.5, to: 0.6 }] })
    while (await findApproaches(db));
    const client = [best, other, none].map(({ clientUid }) => clientUid)
    const days = { from: DAY, to: dayAfter(DAY) }
    const rank = async (more: object = {}) =>
      (await call(sdReport.ranking, { query: { ...days, client, ...more } })).body
    const { data, total } = await rank()
    expect([total, data.map(({ uid }) => uid)]).toEqual([2, [best.programUid, other.programUid]])
    expect(data[0]?.plays).toBeGreaterThan(data[1]?.plays ?? 0)
    for (const { uid: program, name: _name, client: _client, ...figures } of data) {
      const { totals } = (await call(sdReport.summary, { query: { program, ...days } })).body.data
      expect(totals).toMatchObject(figures)
      expect(figures.approaches).toBeGreaterThan(0)
      const one = await rank({ market: program === best.programUid ? best.marketUid : other.marketUid })
      expect(one.data).toMatchObject([{ uid: program, ...figures }])
    }
    expect((await rank({ sort: 'plays' })).data.map(({ uid }) => uid)).toEqual([other.programUid, best.programUid])
    expect(await rank({ page: '2', pageSize: '1' })).toMatchObject({ total: 2, data: [{ uid: other.programUid }] })
    expect(await rank({ page: '9' })).toMatchObject({ total: 2, data: [] })
    expect((await rank({ search: data[1]?.name })).data).toMatchObject([{ uid: other.programUid }])
    expect((await rank({ from: dayAfter(DAY, -9), to: dayAfter(DAY, -8) })).total).toBe(0)
    // Without days, the last thirty.
    expect((await call(sdReport.ranking, { query: { client } as never })).body.data).toEqual(data)
    expect((await call(sdReport.ranking, { query: { from: DAY, to: dayAfter(DAY, -1) } })).status).toBe(400)
    const own = await world.addUser('client', ['clients'], other.clientUid)
    expect((await call(sdReport.ranking, { query: { client } as never }, own)).body.data).toEqual(data.slice(1))
    expect((await call(sdReport.ranking, { query: days }, own)).body.total).toBe(1)
    const driver = await world.addUser('driver', ['schedule'])
    expect((await call(sdReport.ranking, { query: days }, driver)).status).toBe(403)
    const markets = (await call(sdReport.markets, { query: {} }, own)).body.data
    expect(markets).toEqual([expect.objectContaining({ uid: other.marketUid, firstDay: DAY })])
  })

  test('is each client’s own', async () => {
    const [mine, theirs] = [await addCampaign(), await addCampaign()]
    for (const each of [mine, theirs]) await drive(each, { legs: [4], shown: [] })
    await findApproaches(db)
    const client = await world.addUser('client', ['clients'], mine.clientUid)
    const found = (await call(sdReport.programs, { query: {} }, client)).body
    expect(found.data).toEqual([expect.objectContaining({ uid: mine.programUid, firstDay: DAY, lastDay: DAY })])
    expect(found.total).toBe(1)
    const days = { from: DAY, to: DAY }
    for (const [{ programUid, marketUid, places }, status] of [
      [mine, 200],
      [theirs, 404],
    ] as const) {
      const query = { program: programUid, market: marketUid, ...days }
      expect((await call(sdReport.markets, { query: { program: programUid } }, client)).status).toBe(status)
      expect((await call(sdReport.list, { query }, client)).status).toBe(status)
      expect((await call(sdReport.summary, { query }, client)).status).toBe(status)
      const address = places[0]?.uid ?? ''
      expect((await call(sdReport.approaches, { query: { ...query, address } }, client)).status).toBe(status)
    }
    const markets = (await call(sdReport.markets, { query: { program: mine.programUid } }, client)).body
    expect(markets.data.map(({ uid }) => uid)).toEqual([mine.marketUid])
    const other = { program: mine.programUid, market: mine.marketUid, ...days, address: theirs.places[0]?.uid ?? '' }
    expect((await call(sdReport.approaches, { query: other }, client)).body).toMatchObject({ data: [], total: 0 })
  })
})
