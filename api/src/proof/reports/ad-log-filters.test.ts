import { addDays, adLog, fleet as overview, localDay, type LoggedPlay, truckSides } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { beforeAll, describe, expect, test } from 'vitest'
import { DALLAS, fleetOf, northOf, zoneWhereItIs } from '../../live/players/test-fleet.ts'
import { storePlays } from '../../live/plays/index.ts'

const world = await openWorld()
const { db, call, people } = world
const fleet = fleetOf(world)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.parse('2026-11-20T00:00:00Z')

interface Campaign {
  clientUid: string
  programUid: string
  marketUid: string
  truckUid: string
  driverUid: string
  shiftUid: string
}

/** A shift with one play every ten minutes. */
async function addCampaign(name: string, zone: string, [date, start, end]: [string, string, string], from: string) {
  const marketUid = await fleet.addMarket()
  await db.updateTable('market').set({ zone }).where('uid', '=', marketUid).execute()
  const program = await world.addProgram({ name, startsOn: '2026-01-01', endsOn: '2026-12-31' })
  const art = await fleet.addArtwork(program.uid)
  const truckUid = await fleet.addTruck({ number: `${name} truck` })
  const starts = Date.parse(from)
  const hours = 10
  const shift = await fleet.addShift({
    truckUid,
    programUid: program.uid,
    marketUid,
    from: starts,
    to: starts + hours * HOUR,
    local_date: date,
    start_time: start,
    end_time: end,
    zone,
  })
  const plays = Array.from({ length: hours * 6 }, (_, n) =>
    fleet.aPlay(art, {
      sequence: n + 1,
      side: truckSides[n % 3] ?? 'rear',
      startedAt: new Date(starts + n * 10 * MINUTE).toISOString(),
      place: northOf(DALLAS, n * 100),
    }),
  )
  await storePlays(db, await fleet.addDevice(truckUid), plays, NOW)
  return {
    clientUid: program.client.uid,
    programUid: program.uid,
    marketUid,
    truckUid,
    driverUid: shift.driver.uid,
    shiftUid: shift.uid,
  }
}

let chicago: Campaign
let honolulu: Campaign

const DAYS = { from: '2026-11-17', to: '2026-11-17' }
type Asked = Parameters<typeof call<typeof adLog.list>>[1]['query']

const ask = async (query: Asked, token = people.admin.token) => {
  const { body, status } = await call(adLog.list, { query: { pageSize: '200', ...query } }, { token })
  return { plays: body.data, total: body.total, status }
}
const summary = async (query: Asked, token = people.admin.token) =>
  (await call(adLog.summary, { query }, { token })).body.data
const hourOf = ({ startedAt, zone }: LoggedPlay) =>
  Number(new Date(startedAt).toLocaleString('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }))

beforeAll(async () => {
  chicago = await addCampaign('Chicago', 'America/Chicago', ['2026-11-17', '14:00', '00:00'], '2026-11-17T20:00Z')
  honolulu = await addCampaign('Honolulu', 'Pacific/Honolulu', ['2026-11-17', '18:00', '04:00'], '2026-11-18T04:00Z')
})

describe('the ad log without a program', () => {
  test('lists the plays of all programs, newest first, each with its program, zone and place', async () => {
    const { plays, total } = await ask(DAYS)
    expect(total).toBe(120)
    expect(plays).toHaveLength(120)
    const times = plays.map(({ startedAt }) => startedAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(plays[0]).toMatchObject({
      program: { uid: honolulu.programUid, name: 'Honolulu' },
      zone: 'Pacific/Honolulu',
      latitude: expect.any(Number),
      marketCenter: { latitude: expect.any(Number), longitude: expect.any(Number) },
    })
    expect(plays.at(-1)).toMatchObject({ program: { uid: chicago.programUid }, zone: 'America/Chicago' })
    const pages: string[] = []
    for (let page = 1; page <= 18; page++) {
      pages.push(...(await ask({ ...DAYS, page: String(page), pageSize: '7' })).plays.map(({ uid }) => uid))
    }
    expect(pages).toEqual(plays.map(({ uid }) => uid))
  })

  test('covers the week before its last day where no first day is given', async () => {
    expect((await ask({ to: '2026-11-24' })).total).toBe(120)
    expect((await ask({ to: '2026-11-25' })).total).toBe(0)
    expect((await ask({ to: '2026-11-16' })).total).toBe(0)
    expect((await summary({ to: '2026-11-24' })).total.plays).toBe(120)
    expect((await ask({ shift: chicago.shiftUid })).total).toBe(60)
    // A client narrows programs, but names none.
    const { token } = await world.addUser('client', ['overview'], chicago.clientUid)
    for (const [query, reader] of [
      [{ client: chicago.clientUid }, people.admin.token],
      [{}, token],
    ] as const) {
      for (const [to, plays] of [
        ['2026-11-24', 60],
        ['2026-11-25', 0],
      ] as const) {
        expect((await ask({ ...query, to }, reader)).total).toBe(plays)
        expect((await summary({ ...query, to }, reader)).total.plays).toBe(plays)
        const { text } = await call(adLog.list, { query: { ...query, to, format: 'csv' } }, { token: reader })
        expect(text.trimEnd().split('\n')).toHaveLength(plays + 2)
      }
    }
  })

  test('is narrowed to hours on the clocks of each market', async () => {
    const all = (await ask(DAYS)).plays
    for (const [fromHour, toHour, isWithin] of [
      ['17', '20', (hour: number) => hour >= 17 && hour < 20],
      ['22', '2', (hour: number) => hour >= 22 || hour < 2],
      [undefined, '3', (hour: number) => hour < 3],
      ['23', undefined, (hour: number) => hour === 23],
    ] as const) {
      const hours = { ...DAYS, ...(fromHour && { fromHour }), ...(toHour && { toHour }) }
      const wanted = all.filter((play) => isWithin(hourOf(play)))
      expect(wanted.length).toBeGreaterThan(0)
      const { plays, total } = await ask(hours)
      expect(plays).toEqual(wanted)
      expect(total).toBe(wanted.length)
      expect((await summary(hours)).total).toMatchObject({ plays: wanted.length, unassigned: null })
      const { text } = await call(adLog.list, { query: { ...hours, format: 'csv' } })
      expect(text.trimEnd().split('\n')).toHaveLength(wanted.length + 2)
    }
    const question = { ...DAYS, market: chicago.marketUid, fromHour: '17', toHour: '20' }
    const { plays, total } = await ask(question)
    expect(total).toBe(18)
    expect(plays.at(-1)).toMatchObject({ startedAt: '2026-11-17T23:00:00Z' })
    const { text, headers } = await call(adLog.list, { query: { ...question, format: 'csv' } })
    expect(text).toContain('# 18 rows; all programs; market: ')
    expect(text).toContain('; hours: 17:00 to 20:00; times in America/Chicago;')
    expect(headers['content-disposition']).toMatch(/"ad-log_dallas[\w-]*_2026-11-17_2026-11-17\.csv"/)
    expect((await ask({ ...DAYS, fromHour: '0', toHour: '24' })).total).toBe(120)
  })

  test('is narrowed to drivers, clients, programs and markets, each one or several', async () => {
    for (const query of [
      { driver: chicago.driverUid },
      { client: chicago.clientUid },
      { program: chicago.programUid },
      { market: chicago.marketUid },
      { truck: chicago.truckUid },
    ]) {
      const { plays, total } = await ask({ ...DAYS, ...query })
      expect([total, new Set(plays.map(({ program }) => program.name))]).toEqual([60, new Set(['Chicago'])])
      expect((await summary({ ...DAYS, ...query })).total.plays).toBe(60)
      expect((await call(adLog.unstored, { query: { ...DAYS, ...query } })).status).toBe(200)
    }
    for (const query of [
      { driver: [chicago.driverUid, honolulu.driverUid] },
      { client: [chicago.clientUid, honolulu.clientUid] },
      { program: [chicago.programUid, honolulu.programUid] },
      { market: [chicago.marketUid, honolulu.marketUid] },
    ]) {
      expect((await ask({ ...DAYS, ...query })).total).toBe(120)
      expect((await summary({ ...DAYS, ...query })).total.plays).toBe(120)
    }
    expect((await ask({ ...DAYS, driver: chicago.driverUid, market: honolulu.marketUid })).total).toBe(0)
    const query = { ...DAYS, driver: chicago.driverUid, client: chicago.clientUid, format: 'csv' } as const
    const { text } = await call(adLog.list, { query })
    const { name } = await db
      .selectFrom('user_account')
      .select('name')
      .where('uid', '=', chicago.driverUid)
      .executeTakeFirstOrThrow()
    expect(text).toContain(`; driver: ${name}; `)
  })

  test('refuses hours that are none, and programs and markets that are not there', async () => {
    const status = async (query: Asked) => (await ask({ ...DAYS, ...query })).status
    expect(await status({ fromHour: '24' })).toBe(400)
    expect(await status({ toHour: '0' })).toBe(400)
    expect(await status({ fromHour: '5', toHour: '5' })).toBe(400)
    expect(await status({ fromHour: '5 PM' })).toBe(400)
    expect(await status({ program: [chicago.programUid, chicago.marketUid] })).toBe(404)
    expect(await status({ market: [chicago.marketUid, chicago.programUid] })).toBe(404)
    const found = await call(adLog.summary, { query: { ...DAYS, market: [chicago.marketUid, chicago.programUid] } })
    expect(found.status).toBe(404)
    expect(await status({ client: chicago.marketUid })).toBe(200)
  })
})

describe('who reads it', () => {
  test('a client sees the plays of the own programs alone, whatever the filters', async () => {
    const { token } = await world.addUser('client', ['overview'], chicago.clientUid)
    for (const query of [
      {},
      { client: [chicago.clientUid, honolulu.clientUid] },
      { market: [chicago.marketUid, honolulu.marketUid] },
      { truck: [chicago.truckUid, honolulu.truckUid] },
    ]) {
      const { plays, total } = await ask({ ...DAYS, ...query }, token)
      expect([total, new Set(plays.map(({ shiftUid }) => shiftUid))]).toEqual([60, new Set([chicago.shiftUid])])
      expect((await summary({ ...DAYS, ...query }, token)).total.plays).toBe(60)
      const file = await call(adLog.list, { query: { ...DAYS, ...query, format: 'csv' } }, { token })
      expect(file.text.trimEnd().split('\n')).toHaveLength(62)
      expect(file.text).not.toContain('Honolulu truck')
    }
    for (const query of [
      { client: honolulu.clientUid },
      { market: honolulu.marketUid },
      { shift: honolulu.shiftUid },
      { truck: honolulu.truckUid },
      { fromHour: '2', toHour: '4' },
      // Clients cannot ask who drives.
      { driver: chicago.driverUid },
    ]) {
      expect(await ask({ ...DAYS, ...query }, token)).toMatchObject({ plays: [], total: 0, status: 200 })
      expect((await summary({ ...DAYS, ...query }, token)).total.plays).toBe(0)
      const file = await call(adLog.list, { query: { ...DAYS, ...query, format: 'csv' } }, { token })
      expect(file.text.trimEnd().split('\n')).toHaveLength(2)
    }
    const names = await call(
      adLog.list,
      { query: { ...DAYS, driver: chicago.driverUid, client: honolulu.clientUid, format: 'csv' } },
      { token },
    )
    expect(names.text).toContain('; client: unknown; ')
    expect(names.text).toContain('; driver: unknown; ')
    const stranger = await world.addUser('client', ['overview'])
    expect(await ask(DAYS, stranger.token)).toMatchObject({ plays: [], total: 0, status: 200 })
  })

  test('a driver reads none of it', async () => {
    const driver = await world.addUser('driver', ['schedule'])
    for (const endpoint of [adLog.list, adLog.summary]) {
      expect((await call(endpoint, { query: DAYS }, driver)).status).toBe(403)
    }
  })
})

test('the figure of today leads to the plays of its day', async () => {
  // On the same day: no zone is more than 12 hours behind UTC.
  const [noon, early] = [zoneWhereItIs(12), zoneWhereItIs(Math.max(1, new Date().getUTCHours() - 12))]
  const now = Date.now()
  const running: Campaign[] = []
  for (const [name, zone] of [
    ['Noon', noon.name],
    ['Early', early.name],
  ] as const) {
    const marketUid = await fleet.addMarket()
    await db.updateTable('market').set({ zone }).where('uid', '=', marketUid).execute()
    const program = await world.addProgram({ name, startsOn: '2020-01-01', endsOn: '2099-12-31' })
    const art = await fleet.addArtwork(program.uid)
    const truckUid = await fleet.addTruck()
    const fixedZone = name === 'Noon' ? noon : early
    const span = { from: now - 20 * MINUTE, to: now + HOUR, fixedZone }
    const shift = await fleet.addShift({ truckUid, programUid: program.uid, marketUid, ...span })
    const plays = [1, 2, 3].map((sequence) =>
      fleet.aPlay(art, { sequence, startedAt: new Date(now - 10 * MINUTE + sequence * 10_000).toISOString() }),
    )
    await storePlays(db, await fleet.addDevice(truckUid), plays, now)
    const uids = { programUid: program.uid, marketUid, truckUid, driverUid: shift.driver.uid, shiftUid: shift.uid }
    running.push({ clientUid: program.client.uid, ...uids })
  }
  const { plays, today } = (await call(overview.figures, {})).body.data
  expect(plays).toBe(6)
  expect(today).toEqual({ day: localDay(noon.name), markets: 2, isOverSomewhere: false })
  const ofDay = { from: today.day, to: today.day }
  const { plays: listed, total } = await ask(ofDay)
  expect(total).toBe(plays)
  for (const { day, zone } of listed) expect(day).toBe(localDay(zone))
  expect((await summary(ofDay)).total.plays).toBe(plays)
  expect((await ask({ ...ofDay, client: running[0]?.clientUid ?? '' })).total).toBe(3)
  expect((await call(adLog.unstored, { query: ofDay })).body.total).toBe(0)
  // Another day of the same plays is none of today.
  const yesterday = addDays(localDay(noon.name), -1)
  expect((await ask({ from: yesterday, to: yesterday, program: running[0]?.programUid ?? '' })).total).toBe(0)
})
