import { localDay, type PopDay, pops, shifts as shiftCalls } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { drive, saidBy } from '../../../live/telemetry/test-fleet.ts'
import { openPops } from '../test-pop.ts'
import { draftDocument } from './document.ts'
import { loadPopFigures } from './figures.ts'

const world = await openWorld()
const { call, db } = world
const tried = await openPops(world)

const ZONES = {
  Denver: 'America/Denver',
  Tongatapu: 'Pacific/Tongatapu',
  Honolulu: 'Pacific/Honolulu',
}

async function addMarket(name: keyof typeof ZONES) {
  const uid = await tried.addMarket(name)
  await db.updateTable('market').set({ zone: ZONES[name] }).where('uid', '=', uid).execute()
  return { uid, zone: ZONES[name] }
}
const denver = await addMarket('Denver')

interface Night {
  date: string
  start: string
  end: string
  market?: { uid: string; zone: string }
}

/** A program with one shift; what the truck and its player did is added by the test. */
async function addProgramWithShift({ date, start, end, market = denver }: Night) {
  const pop = await tried.addPop([market.uid])
  const truck = await tried.addTruck()
  const { uid: driverUid } = await world.addUser('driver')
  const place = { programUid: pop.uid, marketUid: market.uid, truckUid: truck.uid }
  const shift = await tried.addShift({ ...place, driverUid, date, start, end, zone: market.zone })
  const [hours] = await db.selectFrom('shift').select(['starts_at', 'ends_at']).where('uid', '=', shift).execute()
  const [from, to] = [Date.parse(String(hours?.starts_at)), Date.parse(String(hours?.ends_at))]
  /** The truck drives, and its player logs ten plays an hour. */
  const work = async () => {
    await tried.hear({ fixes: saidBy(truck.device, drive(from, to)) }, to)
    await play(from, to)
  }
  const play = async (since: number, until: number) => {
    for (let at = Math.floor(since / 3_600_000) * 3_600_000; at < until; at += 3_600_000) {
      const hour = new Date(at).toISOString()
      await tried.addPlays({ ...place, shiftUid: shift, hour, plays: 10 })
    }
  }
  return { pop, truck, place, driverUid, shift, from, to, work, play, market }
}

const daysOf = async (programUid: string, marketUid: string): Promise<PopDay[]> => {
  const { markets, total } = await loadPopFigures(db, programUid)
  const found = markets.get(marketUid)
  // What is stated and what is listed are the same days.
  expect([found?.figures.days, total.days]).toEqual([found?.days.length, found?.days.length])
  const sum = (value: (day: PopDay) => number) => (found?.days ?? []).reduce((all, day) => all + value(day), 0)
  expect(sum(({ metres }) => metres)).toBe(found?.figures.metres)
  expect(sum(({ plays }) => plays)).toBe(found?.figures.plays)
  expect(sum(({ seconds = 0 }) => seconds)).toBe(found?.figures.seconds)
  const document = await draftDocument(db, programUid, {
    brand: 'R',
    version: 0,
    publishedAt: new Date().toISOString(),
  })
  expect(document.chapters[0]?.perDay).toEqual(found?.days)
  return found?.days ?? []
}

const tonga = await addMarket('Tongatapu')
const honolulu = await addMarket('Honolulu')

describe('everything of a shift belongs to the local day on which it started', () => {
  test.each<[string, Night, number]>([
    ['a night shift', { date: '2026-07-01', start: '20:00', end: '04:00' }, 8],
    ['the night in which clocks are put forward', { date: '2026-03-07', start: '22:00', end: '06:00' }, 7],
    ['the night in which clocks are put back', { date: '2026-10-31', start: '22:00', end: '06:00' }, 9],
    ['a market at UTC+13', { date: '2026-07-01', start: '08:00', end: '16:00', market: tonga }, 8],
    ['a night at UTC+13', { date: '2026-07-01', start: '20:00', end: '04:00', market: tonga }, 8],
    ['a market at UTC-10', { date: '2026-07-01', start: '16:00', end: '23:00', market: honolulu }, 7],
  ])('%s', async (_, night, hours) => {
    const { pop, work, market } = await addProgramWithShift(night)
    await work()
    const days = await daysOf(pop.uid, market.uid)
    expect(days).toHaveLength(1)
    expect(days[0]).toMatchObject({ day: night.date, seconds: hours * 3600, plays: hours * 10, shifts: 1 })
    expect(days[0]?.metres).toBeGreaterThan(100_000)
    expect(days[0]?.gaps).toMatchObject({ shiftsWithoutGps: 0, playerOfflineSeconds: 0 })
  })
})

describe('no data is not zero', () => {
  const DAY: Night = { date: '2026-07-01', start: '08:00', end: '16:00' }

  test('plays without a track count their shift, truck and day, and can be published with that said', async () => {
    const { pop, play, from, to, shift } = await addProgramWithShift(DAY)
    await db
      .updateTable('shift')
      .set({ status: 'planned', started_at: null, stopped_at: null })
      .where('uid', '=', shift)
      .execute()
    expect((await loadPopFigures(db, pop.uid)).total).toMatchObject({ shifts: 0, days: 0 })
    await play(from, to)
    const days = await daysOf(pop.uid, denver.uid)
    expect(days).toMatchObject([{ day: '2026-07-01', plays: 80, metres: 0, gaps: { shiftsWithoutGps: 1 } }])
    const { total } = await loadPopFigures(db, pop.uid)
    expect(total).toMatchObject({ shifts: 1, trucks: 1, days: 1, seconds: 8 * 3600, gaps: { shiftsWithoutGps: 1 } })
    const published = await tried.publish(pop.uid)
    expect(published.status).toBe(200)
    const object = `program ${pop.uid}`
    const events = await db.selectFrom('outbound_event').selectAll().where('object', '=', object).execute()
    expect(events).toMatchObject([{ type: 'pop.published', data: { programUid: pop.uid, version: 1 } }])
    const { html } = (await call(pops.preview, { params: { uid: pop.uid } })).body.data
    expect(html).toContain('No GPS data')
    expect(html).toContain('not verified: no GPS data')
  })

  test('a printed truck is named, and its missing plays are no offline player', async () => {
    const { pop, truck, from, to } = await addProgramWithShift(DAY)
    await db.updateTable('truck').set({ kind: 'printed' }).where('uid', '=', truck.uid).execute()
    await tried.hear({ fixes: saidBy(truck.device, drive(from, to)) }, to)
    const { total } = await loadPopFigures(db, pop.uid)
    expect(total.gaps).toMatchObject({ printedShifts: 1, printedTrucks: 1, playerOfflineSeconds: 0 })
    const [row] = (await call(pops.list, { query: { uid: pop.uid } })).body.data
    expect(row?.shiftCounts).toEqual({ all: 1, withoutGps: 0, printed: 1 })
    const { html } = (await call(pops.preview, { params: { uid: pop.uid } })).body.data
    expect(html).toContain('The shift ran with a printed truck')
    expect(html).not.toContain('offline')
  })

  test('hours without a play are hours in which the player was offline', async () => {
    const { pop, play, from, to } = await addProgramWithShift(DAY)
    await play(from, from + 2 * 3_600_000)
    await play(from + 5 * 3_600_000, to)
    expect((await loadPopFigures(db, pop.uid)).total.gaps?.playerOfflineSeconds).toBe(3 * 3600)
  })

  test('a shift without any play was offline as a whole', async () => {
    const { pop } = await addProgramWithShift({ ...DAY, start: '08:15', end: '09:45' })
    expect((await loadPopFigures(db, pop.uid)).total.gaps?.playerOfflineSeconds).toBe(5400)
  })

  test('a running shift counts its hours up to now, and the page says so far', async () => {
    const clockAt = (at: number) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: denver.zone, timeStyle: 'short' }).format(at)
    const [since, until] = [Date.now() - 2 * 3_600_000, Date.now() + 2 * 3_600_000]
    const hours = { date: localDay(denver.zone, since), start: clockAt(since), end: clockAt(until) }
    const { pop, shift } = await addProgramWithShift(hours)
    await db.updateTable('shift').set({ status: 'out', stopped_at: null }).where('uid', '=', shift).execute()
    const { total } = await loadPopFigures(db, pop.uid)
    expect(total.gaps?.runningShifts).toBe(1)
    expect(total.seconds).toBeGreaterThanOrEqual(2 * 3600)
    expect(total.seconds).toBeLessThan(2 * 3600 + 120)
    const { html } = (await call(pops.preview, { params: { uid: pop.uid } })).body.data
    expect(html).toContain('So far:')
    expect(html).toContain('1 shift was still running.')
  })

  test('canceled shifts and no-shows have no day, whatever the truck did', async () => {
    const { pop, work, shift } = await addProgramWithShift(DAY)
    await work()
    await db
      .updateTable('shift')
      .set({ status: 'cancelled', reason: 'It rained.', started_at: null, stopped_at: null })
      .where('uid', '=', shift)
      .execute()
    expect((await loadPopFigures(db, pop.uid)).total).toMatchObject({ shifts: 0, days: 0, metres: 0 })
  })
})

test('the shifts behind the figures are as many as the figures count', async () => {
  const { pop, place, driverUid, work } = await addProgramWithShift({
    date: '2026-07-01',
    start: '08:00',
    end: '16:00',
  })
  await work()
  const more = { ...place, driverUid, start: '08:00', end: '16:00', zone: denver.zone }
  await tried.addShift({ ...more, date: '2026-07-02', status: 'cancelled' })
  await tried.addShift({ ...more, date: '2026-07-03', status: 'planned' })
  await tried.addShift({ ...more, date: '2026-07-04' })
  const { total } = await loadPopFigures(db, pop.uid)
  const rows = await call(shiftCalls.list, { query: { program: pop.uid, market: denver.uid, tookPlace: 'yes' } })
  expect([rows.body.total, total.shifts, total.days]).toEqual([2, 2, 2])
  expect(new Set(rows.body.data.map(({ date }) => date)).size).toBe(total.days)
})

test('the miles and hours behind the figures are those of the shifts that they lead to', async () => {
  const { pop, work } = await addProgramWithShift({ date: '2026-07-01', start: '20:00', end: '04:00' })
  await work()
  const { total } = await loadPopFigures(db, pop.uid)
  const query = { program: pop.uid, market: denver.uid, tookPlace: 'yes' as const }
  const { metres, seconds, shifts, days } = total
  expect((await call(shiftCalls.workTotals, { query })).body.data).toEqual({
    metres,
    seconds,
    shifts,
    days,
    shiftsWithoutGps: 0,
  })
  const rows = (await call(shiftCalls.details, { query })).body.data
  expect(rows.reduce((sum, { distance }) => sum + Math.round(distance?.metres ?? 0), 0)).toBe(metres)
})
