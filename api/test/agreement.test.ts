import { randomUUID } from 'node:crypto'
import {
  adLog,
  API_BASE,
  charts,
  contract,
  type Play,
  type PopDocument,
  pops,
  shifts,
  truckSides,
} from '@roadshow/contract'
import { readWorkbook } from '@roadshow/test-kit/workbook'
import { seeded } from '@roadshow/test-kit/random'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DALLAS, fleetOf, northOf } from '../src/live/players/test-fleet.ts'
import { playTotals, storePlays } from '../src/live/plays/index.ts'
import { regradeSince } from '../src/live/plays/regrade-job.ts'
import { parquetOf } from '../src/platform/parquet/index.ts'
import { storeTelemetry } from '../src/live/telemetry/index.ts'

// A number of plays or miles is the same wherever it is shown: night shifts, both nights when clocks change, and markets
// far to the west and to the east included.

const world = await openWorld()
const { call, db, app, people } = world
const fleet = fleetOf(world)

const MINUTE = 60_000
const HOUR = 60 * MINUTE

interface Plan {
  zone: string
  date: string
  start: string
  end: string
}

/** A local time as an instant, as PostgreSQL reads it. */
async function instantOf(date: string, time: string, zone: string, days = 0): Promise<number> {
  const { rows } = await sql<{ at: string }>`
    select extract(epoch from (${date}::date + ${days}::int + ${time}::time) at time zone ${zone}) * 1000 as at`.execute(
    db,
  )
  return Number(rows[0]?.at)
}

async function addMarket(zone: string): Promise<string> {
  const uid = await fleet.addMarket()
  await db.updateTable('market').set({ zone }).where('uid', '=', uid).execute()
  return uid
}

/** A program with a truck in each market; each shift is driven and played with gaps, and some of it outside. */
async function addWeek(seed: number, plans: readonly Plan[]) {
  const random = seeded(seed)
  const program = await world.addProgram({ startsOn: '2026-01-01', endsOn: '2026-12-31' })
  const art = await fleet.addArtwork(program.uid)
  const markets = new Map<string, string>()
  const trucks = new Map<string, { truckUid: string; device: { uid: string; truckUid: string }; sequence: number }>()
  for (const { zone, date, start, end } of plans) {
    const marketUid = markets.get(zone) ?? (await addMarket(zone))
    markets.set(zone, marketUid)
    const known = trucks.get(zone)
    const truckUid = known?.truckUid ?? (await fleet.addTruck({ geotab_device_id: `geo ${seed} ${zone}` }))
    const truck = known ?? { truckUid, device: await fleet.addDevice(truckUid), sequence: 0 }
    trucks.set(zone, truck)
    const from = await instantOf(date, start, zone)
    const to = await instantOf(date, end, zone, end <= start ? 1 : 0)
    const day = { local_date: date, start_time: start, end_time: end, zone, status: 'completed' }
    const real = { started_at: new Date(from + 5 * MINUTE), stopped_at: new Date(to - 10 * MINUTE) }
    const placed = { truckUid, programUid: program.uid, marketUid, artwork_set_uid: art.uid }
    await fleet.addShift({ ...placed, from, to, ...day, ...real })
    const fixes = Array.from({ length: Math.floor((to - from) / MINUTE) }, (_, n) => ({
      truck: `geo ${seed} ${zone}`,
      at: from + n * MINUTE,
      ...northOf(DALLAS, (n % 60) * 400),
      speedKmh: 25,
    })).filter(({ at }) => random(200) !== 0 || at === from)
    await storeTelemetry(db, {
      fixes,
      statuses: [],
      readings: [],
      cursor: { entity: `agreement ${randomUUID()}`, from: undefined, to: '1' },
      now: to + HOUR,
    })
    const plays = Array.from({ length: 100 }, (): Play => {
      const at = from - 10 * MINUTE + random(to - from + 20 * MINUTE)
      return {
        playId: randomUUID(),
        sequence: (truck.sequence += 1 + (random(30) === 0 ? 1 : 0)),
        artworkSetUid: art.uid,
        sha256: art.sha256,
        side: truckSides[random(3)] ?? 'rear',
        startedAt: new Date(at).toISOString(),
        durationMs: 1000 + random(20_000),
      }
    })
    await storePlays(db, truck.device, plays, to + HOUR)
  }
  await regradeSince({ db, parquet: parquetOf(world.app) }, '-infinity')
  return { program, markets: [...markets.values()] }
}

const AUTUMN: Plan[] = [
  { zone: 'America/Denver', date: '2026-10-30', start: '08:00', end: '16:00' },
  { zone: 'America/Denver', date: '2026-10-31', start: '20:00', end: '06:00' },
  { zone: 'America/Denver', date: '2026-11-01', start: '18:00', end: '02:00' },
  { zone: 'Pacific/Auckland', date: '2026-10-31', start: '07:00', end: '15:00' },
  { zone: 'Pacific/Auckland', date: '2026-11-01', start: '19:00', end: '03:00' },
  { zone: 'Pacific/Honolulu', date: '2026-10-31', start: '16:00', end: '23:30' },
]
const AUTUMN_DAYS = { from: '2026-10-30', to: '2026-11-01' }

const SPRING: Plan[] = [
  { zone: 'America/Denver', date: '2026-03-07', start: '20:00', end: '06:00' },
  { zone: 'America/Denver', date: '2026-03-08', start: '20:00', end: '04:00' },
  { zone: 'Pacific/Honolulu', date: '2026-03-07', start: '20:00', end: '04:00' },
]
const SPRING_DAYS = { from: '2026-03-07', to: '2026-03-08' }

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

test.each([
  ['the week in which clocks are set back', 7, AUTUMN, AUTUMN_DAYS],
  ['the weekend in which clocks are set forward', 8, SPRING, SPRING_DAYS],
] as const)('plays and miles of %s are the same wherever they are shown', async (_, seed, plans, days) => {
  const { program, markets } = await addWeek(seed, plans)
  const asked = { program: program.uid, ...days }

  const details = (await call(shifts.details, { query: { program: program.uid, pageSize: '200' } })).body.data
  expect(details).toHaveLength(plans.length)
  const summary = (await call(adLog.summary, { query: asked })).body.data
  const { plays, verified, conflict } = summary.total
  expect(plays).toBeGreaterThan(0)
  expect(verified).toBeGreaterThan(0)

  // Shifts: details, Overview, and the ad log by shift.
  expect(sum(details.map((shift) => shift.plays.count))).toBe(plays)
  expect(sum(details.map((shift) => shift.plays.verified))).toBe(verified)
  for (const shift of details) {
    const ofShift = { program: program.uid, shift: shift.uid }
    expect((await call(adLog.list, { query: ofShift })).body.total).toBe(shift.plays.count)
    expect((await call(adLog.summary, { query: ofShift })).body.data.total).toMatchObject({
      plays: shift.plays.count,
      verified: shift.plays.verified,
      conflict: shift.plays.conflict,
    })
    const ofDay = (await call(contract.fleet.shifts, { query: { day: shift.date, pageSize: '200' } })).body.data
    expect(ofDay.find(({ uid }) => uid === shift.uid)).toMatchObject({
      plays: shift.plays.count,
      metres: shift.distance?.metres,
    })
  }

  // The ad log: list, days, files.
  expect((await call(adLog.list, { query: asked })).body.total).toBe(plays)
  expect(sum(summary.days.map((day) => day.plays))).toBe(plays)
  for (const { day, plays: ofDay } of summary.days) {
    expect(sum(details.filter((shift) => shift.date === day).map((shift) => shift.plays.count))).toBe(ofDay)
    const oneDay = { program: program.uid, from: day, to: day }
    expect((await call(adLog.list, { query: oneDay })).body.total).toBe(ofDay)
  }
  const csv = (await call(adLog.list, { query: { ...asked, format: 'csv' } })).text
  expect(csv.trimEnd().split('\n')).toHaveLength(plays + 2)
  const xlsx = await app.inject({
    url: `${API_BASE}/${adLog.list.path}`,
    query: { ...asked, format: 'xlsx' },
    headers: { authorization: `Bearer ${people.admin.token}` },
  })
  expect(Object.values(readWorkbook(xlsx.rawPayload))[0]).toHaveLength(plays + 1)

  // The POP: editor, list, published document and page.
  const totals = await playTotals(db, 'all', { by: 'market', program: program.uid })
  expect(totals.find(({ isTotal }) => isTotal)).toMatchObject({ plays, verified, conflict })
  const pop = (await call(pops.milesDriven, { query: { programUid: program.uid } })).body.data
  expect(pop.total).toMatchObject({ plays, verifiedPlays: verified, conflictPlays: conflict, shifts: plans.length })
  const metres = sum(details.map((shift) => Math.round(shift.distance?.metres ?? 0)))
  expect(pop.total.metres).toBe(metres)
  const { version } = (await call(pops.get, { params: { uid: program.uid } })).body.data
  const published = await call(pops.publish, { body: { uid: program.uid, version, note: '' } })
  expect(published.status).toBe(200)
  const popUrl = (await call(pops.get, { params: { uid: program.uid } })).body.data.popUrl
  const page = await app.inject({ url: `${API_BASE}/public/pop/${popUrl}/document` })
  const document = page.json<PopDocument>()
  expect(document.figures).toMatchObject({ plays, metres, verifiedPlays: verified })
  const perDay = document.chapters.flatMap((market) => market.perDay)
  expect(sum(perDay.map((day) => day.plays))).toBe(plays)
  expect(sum(perDay.map((day) => day.metres))).toBe(metres)
  expect(document.chapters).toHaveLength(markets.length)
  for (const market of document.chapters) {
    expect(market.perDay).toHaveLength(market.figures.days)
    for (const { day } of market.perDay) expect(plans.map(({ date }) => date)).toContain(day)
  }

  // Each figure of plays leads to the ad log by filters that leave as many.
  const rowsOf = async (query: object) => (await call(adLog.list, { query })).body.total
  const listed = (await call(pops.list, { query: { pageSize: '200' } })).body.data
  expect(listed.find(({ uid }) => uid === program.uid)?.plays).toBe(plays)
  for (const { marketUid: market, perDay: shown, plays: ofMarket, verifiedPlays } of pop.markets) {
    expect(await rowsOf({ program: program.uid, market })).toBe(ofMarket)
    expect(await rowsOf({ program: program.uid, market, grade: 'verified' })).toBe(verifiedPlays)
    for (const { day, plays: ofDay, verifiedPlays: verifiedOfDay } of shown) {
      const rows = { program: program.uid, market, from: day, to: day }
      expect([await rowsOf(rows), await rowsOf({ ...rows, grade: 'verified' })]).toEqual([ofDay, verifiedOfDay])
    }
  }
  for (const chosen of [{ program: program.uid }, { client: program.client.uid }, { market: markets }, {}]) {
    const byHour = (await call(charts.plays, { query: { ...chosen, ...days } })).body.data
    expect(byHour.length).toBeGreaterThan(10)
    for (const { hour, plays: ofHour, verified: verifiedOfHour, conflict: doubted } of byHour) {
      const rows = { ...chosen, ...days, fromHour: String(hour), toHour: String(hour + 1) }
      expect(await rowsOf(rows)).toBe(ofHour)
      expect((await call(adLog.summary, { query: rows })).body.data.total).toMatchObject({
        plays: ofHour,
        verified: verifiedOfHour,
        conflict: doubted,
      })
    }
    expect(await rowsOf({ ...chosen, ...days })).toBe(sum(byHour.map((each) => each.plays)))
  }
  for (const { truck, plays: ofTruck } of summary.trucks)
    expect(await rowsOf({ ...asked, truck: truck.uid })).toBe(ofTruck)
  for (const { side, plays: ofSide } of summary.sides) expect(await rowsOf({ ...asked, side })).toBe(ofSide)
  const drivers = new Map<string, number>()
  for (const { driver, plays: ofShift } of details)
    drivers.set(driver?.uid ?? '', (drivers.get(driver?.uid ?? '') ?? 0) + ofShift.count)
  for (const [driver, ofDriver] of drivers) expect(await rowsOf({ ...days, driver })).toBe(ofDriver)

  // The client.
  const client = await world.addUser('client', ['overview', 'pop', 'schedule'], program.client.uid)
  const own = (await call(adLog.summary, { query: asked }, client)).body.data.total
  expect(own).toMatchObject({ plays, verified, conflict })
})
