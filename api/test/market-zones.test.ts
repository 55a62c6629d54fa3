import { adLog, type LoggedPlay, charts, feeds, fleet, markets, type Market, zoneOn } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { archiveOf, dayAgo, daysAgo } from '../src/live/plays/archive/test-archive.ts'
import { readMarketHours } from '../src/live/plays/index.ts'
import { loadPopMarkets } from '../src/proof/pop/publication/markets.ts'

const world = await openWorld()
const { db, call } = world
const past = archiveOf(world)

const HOUR = 3_600_000
const OLD = 'UTC'
/** Five hours behind UTC. */
const NEW = { name: 'Etc/GMT+5', localTime: (at: number) => new Date(at - 5 * HOUR).toISOString() }

const CHANGED = 55
const truck = await past.addTruck([60])
const from = daysAgo(50) + 18 * HOUR
await past.addShift({
  truckUid: truck.truckUid,
  programUid: truck.programUid,
  marketUid: truck.marketUid,
  from,
  to: from + 10 * HOUR,
  fixedZone: NEW,
  artwork_set_uid: truck.art.uid,
})
const zones = { zone: NEW.name, earlierZones: [{ zone: OLD, until: dayAgo(CHANGED) }] }
await db
  .updateTable('market')
  .set({ zone: zones.zone, earlier_zones: JSON.stringify(zones.earlierZones) })
  .where('uid', '=', truck.marketUid)
  .execute()
await past.store(truck, [...past.playsOf(truck, 60), ...past.playsOf(truck, 50)])
await past.grade()
// The feed waits for plays that arrive together.
await sql`update play set received_at = started_at + interval '1 minute'`.execute(db)

const days = { program: truck.programUid, from: dayAgo(70), to: dayAgo(40) }
const isBefore = (at: string) => Date.parse(at) < daysAgo(CHANGED)
const zoneOfPlay = (at: string) => (isBefore(at) ? OLD : NEW.name)
const clockOf = (at: string) =>
  new Date(Date.parse(at) - (isBefore(at) ? 0 : 5 * HOUR)).toISOString().slice(0, 19).replace('T', ' ')

/** What list, file and feed say about the plays of both shifts. */
async function told() {
  const list = await call(adLog.list, { query: { ...days, pageSize: '200' } })
  const csv = await call(adLog.list, { query: { ...days, format: 'csv' } })
  const feed = await call(feeds.playLines, { params: { uid: truck.programUid }, query: {} })
  return {
    plays: list.body.data as LoggedPlay[],
    lines: csv.text
      .split('\n')
      .slice(1)
      .filter((line) => !line.startsWith('"#') && line !== ''),
    feed: feed.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>),
  }
}

describe('a play before and one after the day from which a market has another zone', () => {
  test.each([
    ['in the database', async () => {}],
    [
      'in the archive',
      async () => {
        await past.archive()
      },
    ],
  ])('have their own in ad log, file and feed, %s', async (_, first) => {
    await first()
    const { plays, lines, feed } = await told()
    expect(past.errors).toEqual([])
    const [before, after] = [
      plays.filter(({ startedAt }) => isBefore(startedAt)),
      plays.filter(({ startedAt }) => !isBefore(startedAt)),
    ]
    expect(before.length).toBeGreaterThan(20)
    expect(after.length).toBeGreaterThan(20)
    for (const { zone, startedAt } of plays) expect(zone).toBe(zoneOfPlay(startedAt))
    expect(lines.map((line) => line.split(',').slice(1, 3).join(' ')).toSorted()).toEqual(
      plays.map(({ startedAt }) => `${clockOf(startedAt)} ${zoneOfPlay(startedAt)}`).toSorted(),
    )
    expect(feed).toHaveLength(plays.length)
    for (const { startedAt = '', zone, localTime } of feed) {
      expect(zone).toBe(zoneOfPlay(startedAt))
      expect(localTime).toContain(clockOf(startedAt).replace(' ', 'T'))
    }
  })

  test('fall on the hours of their own clocks in charts', async () => {
    const hours = async (from: number, to: number) =>
      (
        await call(charts.plays, {
          query: { from: dayAgo(from), to: dayAgo(to), program: [truck.programUid] },
        })
      ).body.data.flatMap(({ hour, plays }) => (plays > 0 ? [hour] : []))
    expect(await hours(61, 59)).toContain(18)
    expect(await hours(61, 59)).not.toContain(13)
    expect(await hours(51, 49)).toContain(13)
    expect(await hours(51, 49)).toContain(21)
    expect(await hours(51, 49)).not.toContain(3)
  })

  test('reports name the zone of their days, and UTC for days with two', async () => {
    const zoneFor = async (from: number, to: number) =>
      (await readMarketHours(db, { ...days, market: truck.marketUid, from: dayAgo(from), to: dayAgo(to) })).zone
    expect([await zoneFor(60, 56), await zoneFor(CHANGED, 50)]).toEqual([OLD, NEW.name])
    expect(await zoneFor(60, 50)).toBe('UTC')
    const summary = async (from: number, to: number) =>
      (await call(adLog.summary, { query: { ...days, from: dayAgo(from), to: dayAgo(to) } })).body.data.zones
    expect([await summary(60, 56), await summary(CHANGED, 50)]).toEqual([[OLD], [NEW.name]])
    expect(await summary(60, 50)).toEqual([NEW.name, OLD])
  })

  test('a page of a program that ended before the change has the zone of its days', async () => {
    const ends = (day: string) =>
      db.updateTable('client_program').set({ ends_on: day }).where('uid', '=', truck.programUid).execute()
    const zone = async () => (await loadPopMarkets(db, truck.programUid)).map((market) => market.zone)
    expect(await zone()).toEqual([NEW.name])
    await ends(dayAgo(56))
    expect(await zone()).toEqual([OLD])
  })

  test('an issue is told in the zone of its time', async () => {
    const issue = (opened_at: Date) =>
      db
        .insertInto('truck_issue')
        .values({
          truck_uid: truck.truckUid,
          kind: 'other',
          raised_by: 'staff',
          reported_by: world.people.admin.uid,
          text: 'x',
          opened_at,
          status: 'resolved',
          resolved_at: opened_at,
        })
        .returning('uid')
        .executeTakeFirstOrThrow()
    await db.updateTable('truck').set({ home_market_uid: truck.marketUid }).where('uid', '=', truck.truckUid).execute()
    const zoneOf = async ({ uid }: { uid: string }) => (await call(fleet.issue, { params: { uid } })).body.data.zone
    expect(await zoneOf(await issue(new Date(daysAgo(60))))).toBe(OLD)
    expect(await zoneOf(await issue(new Date(daysAgo(50))))).toBe(NEW.name)
  })
})

describe('the zone of a market', () => {
  const CHICAGO = 'America/Chicago'
  const DENVER = 'America/Denver'
  const ask = async (market: Pick<Market, 'zone' | 'earlierZones'>, what: 'zone_on' | 'zone_at', when: string) => {
    const { rows } = await sql<{ zone: string }>`
      select ${sql.raw(what)}(${market.zone}, ${JSON.stringify(market.earlierZones)}::jsonb, ${when}) as zone`.execute(
      db,
    )
    return rows[0]?.zone
  }
  const west = { zone: DENVER, earlierZones: [{ zone: CHICAGO, until: '2026-12-01' }] }
  const east = { zone: CHICAGO, earlierZones: [{ zone: DENVER, until: '2026-12-01' }] }
  const twice = {
    zone: 'America/Phoenix',
    earlierZones: [
      { zone: CHICAGO, until: '2026-03-08' },
      { zone: DENVER, until: '2026-11-01' },
    ],
  }

  test.each([
    [west, '2026-11-30', CHICAGO],
    [west, '2026-12-01', DENVER],
    [twice, '2020-01-01', CHICAGO],
    [twice, '2026-03-07', CHICAGO],
    [twice, '2026-03-08', DENVER],
    [twice, '2026-10-31', DENVER],
    [twice, '2026-11-01', 'America/Phoenix'],
    [{ zone: DENVER, earlierZones: [] }, '2026-11-01', DENVER],
  ])('of %o on %s is %s, by the server and by pages', async (market, day, zone) => {
    expect(zoneOn(market, day)).toBe(zone)
    expect(await ask(market, 'zone_on', day)).toBe(zone)
  })

  // To the west the hour after midnight comes twice, and to the east the last hour of the day before is left out.
  test.each([
    [west, '2026-12-01T05:59:59Z', CHICAGO],
    [west, '2026-12-01T06:59:59Z', CHICAGO],
    [west, '2026-12-01T07:00:00Z', DENVER],
    [east, '2026-12-01T05:59:59Z', DENVER],
    [east, '2026-12-01T06:00:00Z', CHICAGO],
    // Clocks go forward in Denver on the first day of its zone.
    [twice, '2026-03-08T06:59:59Z', CHICAGO],
    [twice, '2026-03-08T07:00:00Z', DENVER],
    [twice, '2026-11-01T06:59:59Z', DENVER],
    [twice, '2026-11-01T07:00:00Z', 'America/Phoenix'],
  ])('of %o at %s is %s', async (market, at, zone) => expect(await ask(market, 'zone_at', at)).toBe(zone))

  test.each([west, east, twice])('never makes the days of a market go back: %o', async (market) => {
    const { rows } = await sql<{ day: string; zone: string }>`
      select (at at time zone zone_at(${market.zone}, ${JSON.stringify(market.earlierZones)}::jsonb, at))::date as day
        from generate_series('2026-02-20'::timestamptz, '2026-12-10', '30 minutes') at order by at`.execute(db)
    expect(rows.map(({ day }) => day)).toEqual(rows.map(({ day }) => day).toSorted())
    expect(new Set(rows.map(({ day }) => day)).size).toBe(294)
  })

  test('is what clients of the call read', async () => {
    const { body } = await call(markets.get, { params: { uid: truck.marketUid } })
    expect(body.data).toMatchObject(zones)
  })
})
