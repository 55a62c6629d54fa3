import {
  addDays,
  adLog,
  artworkSets,
  campaigns,
  clientReports,
  clients,
  delivery,
  fleet as overview,
  issueStatuses,
  listFacts,
  localDay,
  pixel,
  pops,
  programs,
  sdReport,
  shifts,
  shiftStages,
  trucks,
  truckSides,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fleetOf, zoneWhereItIs } from '../src/live/players/test-fleet.ts'
import { storePlays } from '../src/live/plays/index.ts'

// Each figure that a screen shows leads to a list, by the filters of its link. Their totals are equal.

const world = await openWorld()
const { call, db, people } = world
const fleet = fleetOf(world)

const MINUTE = 60_000
const NOON = zoneWhereItIs(12)
const today = localDay(NOON.name)

/** Two SD addresses of a program. */
async function addAddresses(programUid: string): Promise<string[]> {
  const set = await db
    .insertInto('address_set')
    .values({ program_uid: programUid, name: 'Shops' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const places = [0, 1].map((position) => ({
    set_uid: set.uid,
    label: `Shop ${position}`,
    located_by: 'given',
    position,
    radius_m: 500,
    latitude: 32.78 + position,
    longitude: -96.8,
  }))
  const rows = await db.insertInto('sd_address').values(places).returning('uid').execute()
  return rows.map(({ uid }) => uid)
}

/** A shift of today that began some minutes ago, with plays and issues. */
async function addRunningShift(minutes: number, status: string, count: number) {
  const marketUid = await fleet.addMarket()
  await db.updateTable('market').set({ zone: NOON.name }).where('uid', '=', marketUid).execute()
  const line = { marketUid, unit: 'plays' as const, amount: 1000, priceCents: null }
  const program = await world.addProgram({
    startsOn: '2020-01-01',
    endsOn: '2099-12-31',
    markets: [{ marketUid }],
    bookedLines: [{ ...line, startsOn: addDays(today, -5), endsOn: addDays(today, 4) }],
  })
  const art = await fleet.addArtwork(program.uid)
  const addresses = await addAddresses(program.uid)
  const truckUid = await fleet.addTruck()
  const now = Date.now()
  const span = { from: now - minutes * MINUTE, to: now + 60 * MINUTE }
  const started = status === 'planned' ? {} : { started_at: new Date(span.from) }
  const stopped = status === 'completed' ? { stopped_at: new Date(now) } : {}
  const placed = { truckUid, programUid: program.uid, marketUid, artwork_set_uid: art.uid }
  const shift = await fleet.addShift({
    ...placed,
    ...span,
    ...started,
    ...stopped,
    status,
    fixedZone: NOON,
  })
  const plays = Array.from({ length: count }, (_, n) =>
    fleet.aPlay(art, {
      sequence: n + 1,
      side: truckSides[n % 3] ?? 'rear',
      addressUid: n % 5 === 0 ? (addresses[n % 2] ?? null) : null,
      startedAt: new Date(span.from + n * 10_000).toISOString(),
    }),
  )
  if (count > 0) await storePlays(db, await fleet.addDevice(truckUid), plays, now)
  await db
    .insertInto('truck_issue')
    .values(
      issueStatuses.map((each) => ({
        truck_uid: truckUid,
        shift_uid: shift.uid,
        kind: 'other',
        raised_by: 'driver',
        status: each,
        ...(each === 'resolved' && { resolved_at: new Date(now), changed_by: people.admin.uid }),
      })),
    )
    .execute()
  return { ...shift, programUid: program.uid, clientUid: program.client.uid }
}

const running = [
  await addRunningShift(50, 'out', 25),
  await addRunningShift(40, 'completed', 12),
  await addRunningShift(45, 'planned', 0),
]

await sql`update truck_issue set snoozed_until = now() + interval '1 hour'
  where uid = (select uid from truck_issue where status = 'open' order by uid limit 1)`.execute(db)

test('each figure of the Overview is the total of the list it leads to', async () => {
  const figures = (await call(overview.figures, {})).body.data
  for (const stage of shiftStages) {
    const { total } = (await call(overview.shifts, { query: { stage } })).body
    expect([stage, figures.shifts[stage]]).toEqual([stage, total])
  }
  expect(figures.shifts).toMatchObject({ out: 1, done: 1, late: 1 })
  for (const [figure, query] of [
    ['openIssues', { snoozed: 'no' }],
    ['snoozedIssues', { snoozed: 'yes' }],
  ] as const) {
    const { total } = (await call(overview.issues, { query })).body
    expect([figure, figures[figure]]).toEqual([figure, total])
  }
  expect([figures.openIssues, figures.snoozedIssues]).toEqual([5, 1])

  const parts = (await call(overview.playsToday, {})).body.data
  expect(parts).toHaveLength(2)
  expect(parts.reduce((sum, { plays }) => sum + plays, 0)).toBe(figures.plays)
  expect(figures.plays).toBe(37)
  expect(figures.today).toEqual({ day: today, markets: 3, isOverSomewhere: false })
  const ofDay = { from: figures.today.day, to: figures.today.day }
  expect((await call(adLog.list, { query: ofDay })).body.total).toBe(figures.plays)
  expect((await call(adLog.summary, { query: ofDay })).body.data.total.plays).toBe(figures.plays)
  for (const { program, market, day, plays } of parts) {
    const query = { program: program.uid, market: market.uid, from: day, to: day }
    expect((await call(adLog.list, { query })).body.total).toBe(plays)
    expect((await call(adLog.summary, { query })).body.data.total.plays).toBe(plays)
  }
})

test('a client’s figures of today are those of the client’s programs', async () => {
  const [shift] = running
  const program = (await call(programs.get, { params: { uid: shift?.programUid ?? '' } })).body.data
  const client = await world.addUser('client', ['overview'], program.client.uid)
  const parts = (await call(overview.playsToday, {}, client)).body.data
  expect(parts).toMatchObject([{ program: { uid: program.uid }, day: today, plays: 25 }])
  expect((await call(overview.figures, {}, client)).body.data.plays).toBe(25)
  expect((await call(adLog.list, { query: { from: today, to: today } }, client)).body.total).toBe(25)
})

test('each figure of a shift’s details is the total of the list it leads to', async () => {
  const details = (await call(shifts.details, { query: { from: today, to: today } })).body.data
  expect(details).toHaveLength(running.length)
  for (const { uid, program, plays, issues, photos } of details) {
    const ofShift = { program: program.uid, shift: uid }
    expect((await call(adLog.list, { query: ofShift })).body.total).toBe(plays.count)
    expect((await call(adLog.list, { query: { ...ofShift, grade: 'conflict' } })).body.total).toBe(plays.conflict)
    const query = { shift: uid, status: [...issueStatuses] }
    expect((await call(overview.issues, { query })).body.total).toBe(issues.length)
    expect((await call(pops.photos, { query: { shift: uid } })).body.total).toBe(photos)
    expect(issues).toHaveLength(3)
  }
  const listed = (await call(overview.shifts, { query: { day: 'today' } })).body.data
  expect(new Map(listed.map(({ uid, plays }) => [uid, plays]))).toEqual(
    new Map(details.map(({ uid, plays }) => [uid, plays.count])),
  )
})

test('each number of plays of a campaign is the total of the plays it leads to', async () => {
  const total = async (query: object) => (await call(adLog.list, { query })).body.total
  const shown = (await call(campaigns.list, { query: { pageSize: '200' } })).body.data
  expect(new Set(shown.map(({ week }) => week.figures.plays))).toEqual(new Set([0, 12, 25]))
  for (const { uid: program, week } of shown) {
    expect(await total({ program, from: week.from, to: addDays(week.from, 6) })).toBe(week.figures.plays)
    const { lines } = (await call(delivery.program, { params: { uid: program } })).body.data
    for (const { line, delivered, deliveredSince, through } of lines) {
      const ofLine = { program, market: line.market.uid }
      const next = through === null ? line.startsOn : addDays(through, 1)
      expect(await total({ ...ofLine, from: next, to: line.endsOn })).toBe(deliveredSince)
      expect(through === null ? 0 : await total({ ...ofLine, from: line.startsOn, to: through })).toBe(delivered)
      expect(delivered + deliveredSince).toBe(week.figures.plays)
    }
    expect(lines).toHaveLength(1)
  }
})

test('each number of plays for SD addresses is the total of the plays it leads to', async () => {
  const days = { from: addDays(today, -5), to: today }
  const total = async (query: object) => {
    const { total } = (await call(adLog.list, { query })).body
    const { data } = (await call(adLog.summary, { query })).body
    expect([data.total.plays, data.onlyCounted]).toEqual([total, 0])
    return total
  }
  const ranked = (await call(sdReport.ranking, { query: days })).body.data
  expect(ranked.map(({ plays }) => plays)).toEqual([5, 3])
  for (const { uid: program, plays, seconds } of ranked) {
    expect(await total({ ...days, program, address: 'any' })).toBe(plays)
    const { totals } = (await call(sdReport.summary, { query: { ...days, program } })).body.data
    expect(totals.plays).toBe(plays)
    const listed = (await call(sdReport.list, { query: { ...days, program } })).body.data
    for (const { uid: address, label, plays } of listed) {
      const ofAddress = { ...days, program, address }
      expect(await total(ofAddress)).toBe(plays)
      const bySide = await Promise.all(truckSides.map((side) => total({ ...ofAddress, side })))
      expect(bySide.reduce((sum, each) => sum + each, 0)).toBe(plays)
      const { data } = (await call(adLog.summary, { query: ofAddress })).body
      expect(data.address).toEqual({ uid: address, name: label })
      const file = await call(adLog.list, { query: { ...ofAddress, format: 'csv' } })
      expect(file.text).toContain(`SD address: ${label}`)
      expect(file.text.trimEnd().split('\n')).toHaveLength(plays + 2)
    }
    const { data } = (await call(adLog.summary, { query: { ...days, program, address: 'any' } })).body
    expect(data.total.seconds).toBe(seconds)
  }
})

test('plays of a visit to an SD address are those between its moments, and a filter names its program', async () => {
  const [shift] = running
  const program = shift?.programUid ?? ''
  const query = { program, shift: shift?.uid ?? '', address: 'any' }
  const { data } = (await call(adLog.list, { query: { ...query, sort: 'startedAt' } })).body
  const [since = '', until = ''] = [data[1]?.startedAt, data[3]?.startedAt]
  expect((await call(adLog.list, { query: { ...query, since, until } })).body.total).toBe(3)
  const nameless = await call(adLog.list, { query: { address: 'any' } })
  expect([nameless.status, nameless.error.fields]).toEqual([400, { program: 'Choose the program of the SD address.' }])
  const alone = await call(adLog.list, { query: { program, since } })
  expect([alone.status, alone.error.fields]).toEqual([400, { address: 'Choose an SD address for moments.' }])
  const other = await world.addUser('client', ['overview'], (await world.addClient()).uid)
  expect((await call(adLog.list, { query }, other)).status).toBe(404)
  expect((await call(adLog.summary, { query }, other)).status).toBe(404)
})

test('plays in the monthly report of a client are those of its month in the ad log', async () => {
  const month = today.slice(0, 7)
  for (const { clientUid, programUid: program } of running) {
    const { data } = (await call(clientReports.get, { params: { uid: clientUid }, query: { month } })).body
    const query = { program, from: data.from, to: data.to }
    expect(data.programs.map((each) => each.program.uid)).toEqual([program])
    expect((await call(adLog.list, { query })).body.total).toBe(data.total.plays)
    expect((await call(adLog.list, { query: { ...query, grade: 'verified' } })).body.total).toBe(
      data.total.verifiedPlays,
    )
  }
})

test('the running programs of a client are the campaigns that its figure leads to', async () => {
  const { uid: clientUid } = await world.addClient()
  const add = (startsOn: string, endsOn: string, status: 'active' | 'draft' = 'active') =>
    world.addProgram({ clientUid, startsOn, endsOn, status })
  await add(addDays(today, -5), addDays(today, 5))
  await add(addDays(today, 5), addDays(today, 9))
  await add(addDays(today, -9), addDays(today, -5))
  await add(addDays(today, -5), addDays(today, 5), 'draft')
  const [facts] = (await call(listFacts.clients, { query: { client: clientUid } })).body.data
  const listed = (await call(campaigns.list, { query: { client: clientUid, phase: 'running' } })).body
  expect([facts?.running, listed.total]).toEqual([1, 1])
})

test('the programs of a client are as many as the list says', async () => {
  const client = await world.addClient()
  for (const _ of [1, 2, 3]) await world.addProgram({ clientUid: client.uid })
  const { programsCount } = (await call(clients.get, { params: { uid: client.uid } })).body.data
  expect(programsCount).toBe(3)
  expect((await call(programs.list, { query: { client: client.uid } })).body.total).toBe(programsCount)
})

test('pixel maps, the fit grid and the list of trucks count the same trucks', async () => {
  const side = { width: 10, height: 10 }
  const sides = {
    driverSide: { x: 0, y: 0, ...side },
    passengerSide: { x: 10, y: 0, ...side },
    rear: { x: 20, y: 0, ...side },
  }
  const body = { name: 'Thirty by ten', width: 30, height: 10, pitchUm: 4000, sides }
  const { uid } = (await call(pixel.create, { body })).body.data
  for (const [n, state] of (['active', 'active', 'inShop', 'retired'] as const).entries()) {
    await call(trucks.create, { body: { number: `P-${n}`, kind: 'led', state, pixelMapUid: uid } })
  }
  const deleted = (
    await call(trucks.create, { body: { number: 'P-9', kind: 'led', state: 'active', pixelMapUid: uid } })
  ).body.data
  await call(trucks.remove, { params: { uid: deleted.uid } })

  const map = (await call(pixel.get, { params: { uid } })).body.data
  expect(map).toMatchObject({ trucks: 3, retiredTrucks: 1 })
  const listed = async (state: ('active' | 'inShop' | 'retired')[]) =>
    (await call(trucks.list, { query: { pixelMap: uid, state } })).body.total
  expect(await listed(['active', 'inShop'])).toBe(map.trucks)
  expect(await listed(['retired'])).toBe(map.retiredTrucks)
  const group = (await call(artworkSets.trucks, {})).body.data.find(({ pixelMap }) => pixelMap?.uid === uid)
  expect(group?.trucks).toBe(map.trucks)
})
