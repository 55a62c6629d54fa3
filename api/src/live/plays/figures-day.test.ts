import { adLog, addDays, fleet as overview, instantAt, localDay } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { fleetOf } from '../players/test-fleet.ts'
import { figuresDay, loadFiguresDay } from './figures-day.ts'
import { playTotals, storePlays } from './index.ts'

const NEW_YORK = 'America/New_York'
const LOS_ANGELES = 'America/Los_Angeles'
const HOUR = 3_600_000

describe('the day of figures', () => {
  const at = (day: string, zone: string) => ({ market: zone, zone, day })
  test.each([
    // Both have the same day.
    ['2026-11-18T20:00:00Z', '2026-11-18', 2, false],
    // New York has passed midnight, Los Angeles has three hours left.
    ['2026-11-19T05:00:00Z', '2026-11-18', 2, true],
    ['2026-11-19T07:59:59Z', '2026-11-18', 2, true],
    ['2026-11-19T08:00:00Z', '2026-11-19', 2, false],
  ] as const)('at %s is %s', (moment, day, markets, isOverSomewhere) => {
    const shifts = ['2026-11-18', '2026-11-19'].flatMap((each) => [at(each, NEW_YORK), at(each, LOS_ANGELES)])
    expect(figuresDay(shifts, [], Date.parse(moment))).toEqual({ day, markets, isOverSomewhere })
  })

  test('of one market is its own', () => {
    const now = Date.parse('2026-11-19T05:00:00Z')
    expect(figuresDay([at('2026-11-19', NEW_YORK)], [], now)).toEqual({
      day: '2026-11-19',
      markets: 1,
      isOverSomewhere: false,
    })
  })

  test('without shifts is that of all markets, and without markets that of UTC', () => {
    const now = Date.parse('2026-11-19T05:00:00Z')
    expect(figuresDay([], [NEW_YORK, LOS_ANGELES], now)).toEqual({
      day: '2026-11-18',
      markets: 0,
      isOverSomewhere: false,
    })
    expect(figuresDay([], [], now).day).toBe('2026-11-19')
  })
})

const world = await openWorld()
const { call, db } = world
const fleet = fleetOf(world)

/** Local times of a fixed zone do not do on a night on which clocks change. */
const zoneOf = (name: string) => ({
  name,
  localTime: (at: number) =>
    new Date(at).toLocaleString('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T'),
})

/** An hour of a day, which these zones have on these days. */
const at = (day: string, time: string, zone: string): number => instantAt(day, time, zone) ?? Number.NaN

/** A shift from 8 PM to 4 AM with a play every quarter of an hour. */
async function addNight(zone: string, day: string, programUid: string, marketUid: string) {
  const art = await fleet.addArtwork(programUid)
  const truckUid = await fleet.addTruck()
  const [from, to] = [at(day, '20:00', zone), at(addDays(day, 1), '04:00', zone)]
  await fleet.addShift({ truckUid, programUid, marketUid, from, to, artwork_set_uid: art.uid, fixedZone: zoneOf(zone) })
  const plays = []
  for (let start = from; start < to; start += HOUR / 4) {
    plays.push(fleet.aPlay(art, { sequence: plays.length + 1, startedAt: new Date(start).toISOString() }))
  }
  await sql`call ensure_week('play', ${day}::date)`.execute(db)
  const device = await fleet.addDevice(truckUid)
  return { device, plays, from }
}

// Clocks go back in the night of Nov 1, 2025, and forward in that of Mar 7, 2026.
describe.each(['2025-10-31', '2025-11-01', '2026-03-07', '2026-03-11'])('in the night of %s', (day) => {
  test('the figure of plays never falls until the day ends in the last market, and leads to as many rows', async () => {
    const nights = []
    const programs = []
    for (const zone of [NEW_YORK, LOS_ANGELES]) {
      const marketUid = await fleet.addMarket()
      await db.updateTable('market').set({ zone }).where('uid', '=', marketUid).execute()
      const program = await world.addProgram({ startsOn: '2025-01-01', endsOn: '2026-12-31' })
      programs.push(program)
      nights.push(await addNight(zone, day, program.uid, marketUid))
      nights.push(await addNight(zone, addDays(day, 1), program.uid, marketUid))
    }
    const client = await world.addUser('client', ['overview'], programs[0]?.client.uid)
    const ofClient = { rows: 'own' as const, actor: { ...client, clientUid: programs[0]?.client.uid ?? null } }
    const waiting = nights.flatMap(({ device, plays }) => plays.map((play) => ({ device, play })))
    const [begin, end] = [at(day, '20:00', NEW_YORK), at(addDays(day, 1), '23:00', LOS_ANGELES)]
    const seen = new Map<string, number>()
    const days: string[] = []
    for (let now = begin; now <= end; now += HOUR) {
      const arrived = waiting.filter(({ play }) => Date.parse(play.startedAt) <= now)
      for (const each of arrived) waiting.splice(waiting.indexOf(each), 1)
      for (const { device } of nights) {
        const plays = arrived.filter((each) => each.device === device).map(({ play }) => play)
        if (plays.length > 0) await storePlays(db, device, plays, now)
      }
      const today = await loadFiguresDay(db, 'all', now)
      const plays = await playTotals(db, 'all', { by: 'oneDay', day: today.day })
      expect(plays).toBeGreaterThanOrEqual(seen.get(today.day) ?? 0)
      seen.set(today.day, plays)
      days.push(today.day)
      expect(today.day).toBe(localDay(LOS_ANGELES, now))
      const query = { from: today.day, to: today.day }
      expect((await call(adLog.list, { query })).body.total).toBe(plays)
      const parts = await playTotals(db, 'all', { by: 'oneDayByProgram', day: today.day })
      expect(parts.reduce((sum, part) => sum + part.plays, 0)).toBe(plays)
      // The client of the market in New York changes the day with it.
      expect((await loadFiguresDay(db, ofClient as never, now)).day).toBe(localDay(NEW_YORK, now))
    }
    expect(days).toEqual(days.toSorted())
    // An hour before it ends in Los Angeles, New York has had six hours of its night and Los Angeles three.
    expect(seen.get(day)).toBe(25 + 13)
    await db.updateTable('shift').set({ deleted_at: new Date() }).execute()
    await sql`delete from play_hour`.execute(db)
    await sql`delete from play`.execute(db)
  })
})

test('figures of the Overview name their day', async () => {
  const { today, plays } = (await call(overview.figures, {})).body.data
  expect(today.day).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect((await call(adLog.list, { query: { from: today.day, to: today.day } })).body.total).toBe(plays)
})

test('shifts of today are those of each market’s own day, wherever the server’s day is', async () => {
  const now = Date.now()
  // At any moment it is another day in one of them than in UTC.
  for (const zone of ['Pacific/Kiritimati', 'Etc/GMT+12']) {
    const given = {
      programUid: (await world.addProgram()).uid,
      marketUid: await fleet.addMarket(),
      truckUid: await fleet.addTruck(),
    }
    const from = at(localDay(zone, now), '12:00', zone) ?? Number.NaN
    await fleet.addShift({ ...given, from, to: from + HOUR, fixedZone: zoneOf(zone) })
  }
  const { data, total } = (await call(overview.shifts, { query: { day: 'today' } })).body
  expect(data.map(({ date, zone }) => date === localDay(zone, now))).toEqual([true, true])
  expect(total).toBe(2)
})
