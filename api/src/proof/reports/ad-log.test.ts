import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { adLog, API_BASE, contract, type LoggedPlay, type Play, pops, truckSides } from '@roadshow/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { storePlays } from '../../live/plays/index.ts'
import { DALLAS, fleetOf, minutesAgo, type TestDevice } from '../../live/players/test-fleet.ts'
import { readWorkbook } from '@roadshow/test-kit/workbook'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { db, call } = world
const fleet = fleetOf(world)

// In Chicago the first of November has 25 hours: it begins at 05:00 and ends at 06:00 of the next day.
const NOW = Date.parse('2026-11-03T00:00:00Z')
const SUNDAY = { from: '2026-11-01', to: '2026-11-01' }

/** Saturday until midnight, Sunday from midnight, and the night from Sunday to Monday. */
const SHIFTS = [
  ['2026-10-31T20:00Z', '2026-11-01T05:00Z', '2026-10-31', '15:00', '00:00'],
  ['2026-11-01T05:00Z', '2026-11-02T00:00Z', '2026-11-01', '00:00', '18:00'],
  ['2026-11-02T00:00Z', '2026-11-02T12:00Z', '2026-11-01', '18:00', '06:00'],
] as const

interface Acme {
  clientUid: string
  programUid: string
  marketUid: string
  trucks: [string, string]
  players: [TestDevice, TestDevice]
  art: { uid: string; sha256: string }
}
let acme: Acme
let others: Acme

/** A program of a client of its own with two trucks that are out from Saturday evening to Monday noon. */
async function addCampaign(name: string): Promise<Acme> {
  const marketUid = await fleet.addMarket()
  const program = await world.addProgram({ name })
  const art = await fleet.addArtwork(program.uid)
  const trucks = [
    await fleet.addTruck({ number: `=${name} 1` }),
    await fleet.addTruck({ number: `${name} 2` }),
  ] as const
  for (const truckUid of trucks) {
    for (const [from, to, local_date, start_time, end_time] of SHIFTS) {
      const plan = {
        from: Date.parse(from),
        to: Date.parse(to),
        local_date,
        start_time,
        end_time,
        zone: 'America/Chicago',
      }
      await fleet.addShift({ truckUid, programUid: program.uid, marketUid, ...plan })
    }
  }
  return {
    clientUid: program.client.uid,
    programUid: program.uid,
    marketUid,
    art,
    trucks: [...trucks],
    players: [await fleet.addDevice(trucks[0]), await fleet.addDevice(trucks[1])],
  }
}

const send = async (player: TestDevice, plays: Play[]) =>
  (await storePlays(db, { uid: player.uid, truckUid: player.truckUid }, plays, NOW)).answer

/** Three plays, one on each side, every ten minutes from a moment on. */
const playsFrom = (art: Acme['art'], start: string, count: number, since: number): Play[] =>
  Array.from({ length: count }, (_, n) =>
    fleet.aPlay(art, {
      sequence: since + n,
      side: truckSides[n % 3] ?? 'rear',
      startedAt: new Date(Date.parse(start) + Math.floor(n / 3) * 600_000).toISOString(),
      durationMs: 8500,
      place: DALLAS,
    }),
  )

const ofAcme = () => ({ program: acme.programUid, market: acme.marketUid, ...SUNDAY })
const allPlays = async (query: object = {}, pageSize = 200) =>
  (await call(adLog.list, { query: { ...ofAcme(), pageSize: String(pageSize), ...query } })).body
const summary = async (query: object = {}, token = world.people.admin.token) =>
  (await call(adLog.summary, { query: { ...ofAcme(), ...query } }, { token })).body.data

beforeAll(async () => {
  acme = await addCampaign('Acme Summer')
  others = await addCampaign('Others')
  // 04:40 to 06:10 on the first truck, on both sides of midnight; the whole Sunday sparsely on the second.
  await fleet.addPosition(acme.trucks[0], '2026-11-01T05:00:20Z', DALLAS)
  await send(acme.players[0], playsFrom(acme.art, '2026-11-01T04:40:00Z', 30, 1))
  await send(
    acme.players[1],
    ['2026-11-01T04:59:59Z', '2026-11-01T05:00:00Z', '2026-11-02T05:59:59Z', '2026-11-02T06:00:00Z'].map(
      (startedAt, n) => fleet.aPlay(acme.art, { sequence: n + 1, startedAt }),
    ),
  )
  await send(others.players[0], playsFrom(others.art, '2026-11-01T05:00:00Z', 6, 1))
})

describe('the log of plays', () => {
  test('counts a day as clocks in the market show it, also the one with 25 hours, with the night that began on it', async () => {
    const { data, total } = await allPlays()
    const raw = await sql<{ count: number }>`
      select count(*) as count from play
       where program_uid = ${acme.programUid}
         and started_at >= '2026-11-01T05:00Z' and started_at < '2026-11-02T12:00Z'`.execute(db)
    expect(total).toBe(raw.rows[0]?.count)
    expect(data).toHaveLength(total)
    expect(data.at(-1)).toMatchObject({ startedAt: '2026-11-01T05:00:00Z', zone: 'America/Chicago' })
    expect(data[0]).toMatchObject({
      startedAt: '2026-11-02T06:00:00Z',
      day: '2026-11-01',
      truck: { name: 'Acme Summer 2' },
    })
    expect((await allPlays({ from: '2026-10-31', to: '2026-10-31' })).total).toBe(7)
    expect((await allPlays({ from: '2026-11-03', to: '2026-11-09' })).total).toBe(0)
  })

  test('shows each play once, on whichever page and in either order, with an exact total', async () => {
    const whole = (await allPlays()).data
    for (const sort of ['startedAt', '-startedAt']) {
      const pages: LoggedPlay[] = []
      for (let page = 1; ; page++) {
        const { data, total } = await allPlays({ sort, page: String(page) }, 7)
        expect(total).toBe(whole.length)
        if (data.length === 0) break
        pages.push(...data)
      }
      expect(pages.map(({ uid }) => uid)).toEqual(
        (sort === 'startedAt' ? whole.toReversed() : whole).map(({ uid }) => uid),
      )
    }
  })

  test('is filtered by truck, side and grade', async () => {
    const whole = (await allPlays()).data
    const verified = whole.filter(({ grade }) => grade === 'verified')
    expect(verified.length).toBeGreaterThan(0)
    expect(verified.length).toBeLessThan(whole.length)
    for (const [query, belongs] of [
      [{ truck: acme.trucks[1] }, ({ truck }) => truck.uid === acme.trucks[1]],
      [{ side: ['rear', 'driverSide'] }, ({ side }) => side !== 'passengerSide'],
      [{ grade: 'verified' }, ({ grade }) => grade === 'verified'],
      [
        { grade: ['unverified', 'conflict'], side: 'rear' },
        (play) => play.grade !== 'verified' && play.side === 'rear',
      ],
    ] as [object, (play: LoggedPlay) => boolean][]) {
      const found = await allPlays(query)
      expect(found.data).toEqual(whole.filter(belongs))
      expect(found.total).toBe(found.data.length)
    }
  })

  test('refuses impossible filters and programs of other clients', async () => {
    const status = async (query: object, token?: string) =>
      (await call(adLog.list, { query: { ...ofAcme(), ...query } }, token ? { token } : {})).status
    expect(await status({ from: '2026-11-02' })).toBe(400)
    expect(await status({ from: '2026-02-30' })).toBe(400)
    expect(await status({ side: 'roof' })).toBe(400)
    expect(await status({ program: acme.marketUid })).toBe(404)
    expect(await status({ market: acme.programUid })).toBe(404)
    const client = await world.addUser('client', ['overview'], acme.clientUid)
    expect(await status({}, client.token)).toBe(200)
    expect(await status({ program: others.programUid }, client.token)).toBe(404)
    expect(await status({ program: others.programUid, format: 'csv' }, client.token)).toBe(404)
    expect((await call(adLog.summary, { query: { ...ofAcme(), program: others.programUid } }, client)).status).toBe(404)
    expect((await call(adLog.markets, { query: { program: others.programUid } }, client)).status).toBe(404)
    expect(await status({}, (await world.addUser('client', ['overview'])).token)).toBe(404)
  })

  test('is found by programs and markets with data', async () => {
    await world.addProgram({ name: 'Acme Unplayed' })
    const find = async (search: string, token = world.people.sales.token) =>
      (await call(adLog.programs, { query: { search } }, { token })).body
    expect((await find('acme')).data).toEqual([
      expect.objectContaining({ uid: acme.programUid, firstDay: '2026-10-31', lastDay: '2026-11-01' }),
    ])
    const client = await world.addUser('client', ['overview'], acme.clientUid)
    expect((await find('', client.token)).data.map(({ uid }) => uid)).toEqual([acme.programUid])
    expect(await find('others', client.token)).toMatchObject({ data: [], total: 0 })
    const markets = await call(adLog.markets, { query: { program: acme.programUid, search: 'dallas' } })
    expect(markets.body.data).toEqual([
      expect.objectContaining({ uid: acme.marketUid, zone: 'America/Chicago', firstDay: '2026-10-31' }),
    ])
  })
})

describe('the summary', () => {
  test('adds up to the log, by day, side and truck', async () => {
    const { data, total } = await allPlays()
    const { total: all, days, sides, trucks } = await summary()
    const count = (belongs: (play: LoggedPlay) => boolean) => data.filter(belongs).length
    expect(all).toEqual({
      plays: total,
      seconds: Math.floor(data.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1e3),
      verified: count(({ grade }) => grade === 'verified'),
      conflict: count(({ grade }) => grade === 'conflict'),
      unverified: count(({ grade }) => grade === 'unverified'),
      noTrack: count(({ reason }) => reason === 'noTrack'),
      missing: 0,
      rejected: 0,
      duplicates: 0,
      unassigned: null,
      numbers: total,
    })
    expect(days.map(({ day, plays }) => [day, plays])).toEqual([['2026-11-01', total]])
    expect(sides.map(({ side, plays }) => [side, plays])).toEqual(
      truckSides.map((side) => [side, count((play) => play.side === side)]),
    )
    expect(trucks.map(({ truck, plays }) => [truck.uid, plays])).toEqual(
      acme.trucks.map((uid) => [uid, count(({ truck }) => truck.uid === uid)]),
    )
    expect((await summary({ truck: acme.trucks[1], side: 'rear' })).total.plays).toBe(
      count(({ truck, side }) => truck.uid === acme.trucks[1] && side === 'rear'),
    )
  })

  test('of all days says what the page of the program says', async () => {
    const { total } = await summary({ from: '2026-01-01', to: '2026-12-31' })
    const page = (await call(pops.milesDriven, { query: { programUid: acme.programUid } })).body.data.total
    expect(page).toMatchObject({
      plays: total.plays,
      verifiedPlays: total.verified,
      conflictPlays: total.conflict,
      playSeconds: total.seconds,
    })
  })

  test('of today says what the overview and the details of the shift say', async () => {
    const { art, device, programUid, marketUid } = await fleet.addRunning()
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'America/Chicago' })
    await sql`update shift set local_date = ${today}, zone = 'America/Chicago', start_time = '00:00', end_time = '23:59',
                     starts_at = ${today}::date::timestamp at time zone 'America/Chicago',
                     ends_at = (${today}::date + time '23:59') at time zone 'America/Chicago'
               where program_uid = ${programUid}`.execute(db)
    const plays = truckSides.map((side) => fleet.aPlay(art, { side, startedAt: minutesAgo(0) }))
    await storePlays(db, { uid: device.uid, truckUid: device.truckUid }, plays)
    const days = { from: today, to: today }
    const own = await summary({ ...days, program: programUid, market: marketUid })
    expect(own.total).toMatchObject({ plays: 3, seconds: 24 })
    const overview = (await call(contract.fleet.figures, {})).body.data
    expect((await call(adLog.summary, { query: days })).body.data.total.plays).toBe(overview.plays)
    const details = (await call(contract.shifts.details, { query: { program: programUid } })).body.data
    expect(details.map((shift) => shift.plays.count)).toEqual([3])
  })

  test('without a program covers everything that the reader may see', async () => {
    const fleetwide = { program: undefined, market: undefined }
    const query = SUNDAY
    const everything = (await call(adLog.summary, { query })).body.data.total.plays
    const own = (await summary({ market: acme.marketUid })).total.plays
    expect(everything).toBe(
      own + (await summary({ ...fleetwide, program: others.programUid, market: others.marketUid })).total.plays,
    )
    const client = await world.addUser('client', ['overview'], acme.clientUid)
    expect((await call(adLog.summary, { query }, client)).body.data.total.plays).toBe(own)
  })

  test('counts what is missing on the day and truck of the next play, until it comes', async () => {
    const player = others.players[1]
    const asked = { program: others.programUid, market: others.marketUid }
    const play = (sequence: number) =>
      fleet.aPlay(others.art, {
        sequence,
        startedAt: new Date(Date.parse('2026-11-01T10:00Z') + sequence * 8000).toISOString(),
      })
    const missing = async (query: object = {}) => {
      const { total, days, trucks } = await summary({ ...asked, ...query })
      const of = trucks.find(({ truck }) => truck.uid === player.truckUid)
      expect(of?.missing ?? 0).toBe(total.missing)
      expect(days.reduce((sum, day) => sum + day.missing, 0)).toBe(total.missing)
      return total.missing
    }
    await send(player, [1, 2, 3, 7, 12].map(play))
    expect(await missing()).toBe(7)
    expect(await missing({ from: '2026-11-02', to: '2026-11-02' })).toBe(0)
    expect((await summary()).total.missing).toBe(0)
    await send(player, [play(5)])
    expect(await missing()).toBe(6)
    await send(player, [4, 6, 8, 9, 10, 11].map(play))
    expect(await missing()).toBe(0)
  })
})

describe('as a file', () => {
  test('holds every play, named by what it is, with nothing that a spreadsheet would run', async () => {
    const { data, total } = await allPlays()
    const { text, headers } = await call(adLog.list, { query: { ...ofAcme(), format: 'csv' } })
    expect(headers['content-disposition']).toMatch(/"ad-log_acme-summer_dallas[\w-]*_2026-11-01_2026-11-01\.csv"/)
    const lines = text.replace('\ufeff', '').trimEnd().split('\n')
    expect(lines).toHaveLength(total + 2)
    expect(lines[1]).toContain('2026-11-01,2026-11-02 00:00:00,America/Chicago')
    expect(lines[2]).toContain('2026-11-01,2026-11-01 23:59:59,America/Chicago')
    expect(lines.at(-2)).toContain('2026-11-01 00:00:00')
    expect(lines.filter((line) => line.includes(`'=Acme Summer 1`))).toHaveLength(
      data.filter(({ truck }) => truck.uid === acme.trucks[0]).length,
    )
    expect(text).toContain(',32.78,-96.8,')
    expect(lines.at(-1)).toMatch(
      new RegExp(`^"# ${total} rows; program: Acme Summer; market: .*; times in America/Chicago;`),
    )
    const empty = await call(adLog.list, {
      query: { ...ofAcme(), from: '2020-01-01', to: '2020-01-02', format: 'csv' },
    })
    expect(empty.text).toContain('# 0 rows')
  })

  test('names the trucks and the market that the program was on, and no others', async () => {
    const asked = { program: acme.programUid, from: '2026-11-01', to: '2026-11-01', market: others.marketUid }
    const truck = [acme.trucks[1], others.trucks[0]]
    const { text } = await call(adLog.list, { query: { ...asked, truck, format: 'csv' } })
    expect(text).toContain('; market: unknown; ')
    expect(text).toContain('; truck: Acme Summer 2, unknown; ')
  })

  test('is the same as a workbook', async () => {
    const { total } = await allPlays()
    const answer = await world.app.inject({
      url: `${API_BASE}/${adLog.list.path}`,
      query: { ...ofAcme(), format: 'xlsx' },
      headers: { authorization: `Bearer ${world.people.admin.token}` },
    })
    const sheets = readWorkbook(answer.rawPayload)
    expect(JSON.stringify(sheets)).toContain(`${total} rows`)
    expect(JSON.stringify(sheets)).toContain(`'=Acme Summer 1`)
  })

  test('that Excel could not hold is refused as a workbook, with the way out', async () => {
    const { programUid, marketUid, truckUid } = await fleet.addRunning()
    await sql`insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms)
      values ('2026-11-01T10:00Z', ${truckUid}, new_uid(), ${programUid}, ${marketUid}, '2026-11-01', 'rear', 1048576,
              1048576)`.execute(db)
    const query = { program: programUid, market: marketUid, ...SUNDAY, format: 'xlsx' as const }
    const { status, error } = await call(adLog.list, { query })
    expect([status, error.error]).toEqual([413, expect.stringContaining('export as CSV')])
  })

  test('that is not read to its end leaves nothing running', async () => {
    await sql`insert into play (device_uid, play_id, started_at, day, shift_uid, sequence, truck_uid, program_uid, market_uid, artwork_set_uid, sha256, side, duration_ms)
      select ${acme.players[0].uid}, 'long ' || n, '2026-11-02T06:00Z'::timestamptz + n * interval '100 ms', '2026-11-02',
             ${acme.programUid}, n, ${acme.trucks[0]}, ${acme.programUid}, ${acme.marketUid}, ${acme.art.uid}, ${acme.art.sha256}, 'rear', 8000
        from generate_series(1, 40000) n`.execute(db)
    await sql`insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms)
      select date_trunc('hour', started_at), truck_uid, shift_uid, program_uid, market_uid, day, side, count(*), sum(duration_ms)
        from play where play_id like 'long %' group by 1, 2, 3, 4, 5, 6, 7`.execute(db)
    await world.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = world.app.server.address() as AddressInfo
    const query = new URLSearchParams({ ...ofAcme(), to: '2026-11-02', format: 'csv' })
    const request = get({
      port,
      host: '127.0.0.1',
      path: `${API_BASE}/${adLog.list.path}?${query}`,
      headers: { authorization: `Bearer ${world.people.admin.token}` },
    })
    const [answer] = (await once(request, 'response')) as [NodeJS.ReadableStream]
    for (let bytes = 0; bytes < 200_000;) bytes += ((await once(answer, 'data')) as [Buffer])[0].length
    answer.pause()
    request.destroy()
    const running = sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
       where datname = current_database() and query like 'begin isolation%' and state <> 'idle'`
    await vi.waitFor(async () => expect((await running.execute(db)).rows[0]?.count).toBe(0), { timeout: 10_000 })
    expect((await allPlays({ to: '2026-11-02' })).total).toBeGreaterThan(40_000)
  })
})
