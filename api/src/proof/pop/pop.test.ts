import { metersBetween, NIL_UUID, type PopFigures, pops } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { at, drive, saidBy } from '../../live/telemetry/test-fleet.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { draftDocument } from './publication/document.ts'
import { loadPopFigures } from './publication/figures.ts'
import { decodePolyline } from './publication/polyline.ts'
import { publicLines } from './publication/route-lines.ts'
import { DEPOT, openPops } from './test-pop.ts'

const world = await openWorld()
const { call, db, people } = world
const tried = await openPops(world)
const { addPop, addPhoto, addPlays, addShift, addTruck, hear, popOf } = tried
const [dallas, waco] = [await tried.addMarket('Fort Worth', [DEPOT]), await tried.addMarket('Waco')]
const PREVIEW = { brand: 'Roadshow', version: 0, publishedAt: '2026-07-05T00:00:00.000Z' }

/** A program in two markets: two days in one of them, a canceled shift, and one that no one started. */
async function addDriven() {
  const pop = await addPop([dallas, waco])
  const [truck, other] = [await addTruck(), await addTruck()]
  const driver = await world.addUser('driver')
  const shift = { programUid: pop.uid, truckUid: truck.uid, driverUid: driver.uid, start: '12:00', end: '13:00' }
  const first = await addShift({ ...shift, marketUid: dallas, date: '2026-07-01' })
  const last = await addShift({ ...shift, marketUid: dallas, date: '2026-07-02' })
  await addShift({ ...shift, marketUid: dallas, date: '2026-07-02', start: '14:00', end: '15:00', status: 'cancelled' })
  const second = { ...shift, truckUid: other.uid, driverUid: (await world.addUser('driver')).uid, marketUid: waco }
  const planned = await addShift({ ...second, date: '2026-07-01', status: 'planned' })
  await addShift({ ...second, date: '2026-07-02', status: 'planned' })
  const hours = (day: string) => drive(at('12:00:00', day), at('12:30:00', day))
  await hear(
    { fixes: [...saidBy(truck.device, [...hours('2026-07-01'), ...hours('2026-07-02')])] },
    at('23:00', '2026-07-02'),
  )
  await hear({ fixes: saidBy(other.device, hours('2026-07-01')) }, at('23:00', '2026-07-02'))
  const played = { programUid: pop.uid, marketUid: dallas, truckUid: truck.uid }
  await addPlays({ ...played, shiftUid: first, hour: '2026-07-01T12:00:00Z', plays: 7 })
  await addPlays({ ...played, shiftUid: last, hour: '2026-07-02T12:00:00Z', plays: 11 })
  const elsewhere = { programUid: pop.uid, truckUid: other.uid }
  await addPlays({ ...elsewhere, marketUid: waco, shiftUid: planned, hour: '2026-07-01T12:00:00Z', plays: 4 })
  await addPlays({ ...elsewhere, marketUid: null, hour: '2026-07-01T16:00:00Z', plays: 2 })
  return { pop, truck, other, driver, second }
}

describe('the figures', () => {
  test('are what counting every row by hand gives, and the same everywhere', async () => {
    const { pop, truck } = await addDriven()
    const shifts = await db.selectFrom('shift').selectAll().where('program_uid', '=', pop.uid).execute()
    const tracks = new Map(
      (await db.selectFrom('shift_track').selectAll().execute()).map((track) => [track.shift_uid, track.metres]),
    )
    const hours = await db.selectFrom('play_hour').selectAll().where('program_uid', '=', pop.uid).execute()
    const byHand = (market?: string): PopFigures => {
      const driven = shifts.filter(
        ({ uid, status, market_uid }) =>
          (status === 'completed' || (status === 'planned' && (tracks.get(uid) ?? 0) > 0)) &&
          (!market || market_uid === market),
      )
      const played = hours.filter(({ market_uid }) => (market ? market_uid === market : market_uid !== NIL_UUID))
      const sum = <T>(rows: T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0)
      return {
        metres: sum(driven, ({ uid }) => Math.round(tracks.get(uid) ?? 0)),
        seconds: driven.length * 3600,
        shifts: driven.length,
        trucks: new Set(driven.map(({ truck_uid }) => truck_uid)).size,
        days: new Set(driven.map(({ local_date }) => local_date)).size,
        plays: sum(played, ({ plays }) => plays),
        verifiedPlays: sum(played, ({ verified }) => verified),
        conflictPlays: sum(played, ({ conflict }) => conflict),
        playSeconds: Math.floor(sum(played, ({ duration_ms }) => duration_ms) / 1000),
        gaps: {
          shiftsWithoutGps: 0,
          printedShifts: 0,
          printedTrucks: 0,
          playerOfflineSeconds: 0,
          runningShifts: 0,
        },
      }
    }
    const total = byHand()
    // Plays outside any shift are no plays of the program's page.
    expect(total).toMatchObject({ shifts: 3, trucks: 2, days: 2, plays: 22 })
    expect(total.metres).toBeGreaterThan(70_000)
    const { body } = await call(pops.milesDriven, { query: { programUid: pop.uid } })
    const document = await draftDocument(db, pop.uid, PREVIEW)
    const perDay = (index: number) => document.chapters[index]?.perDay
    expect(body.data).toEqual({
      total,
      markets: [
        { market: 'Fort Worth', marketUid: dallas, ...byHand(dallas), perDay: perDay(0) },
        { market: 'Waco', marketUid: waco, ...byHand(waco), perDay: perDay(1) },
      ],
    })
    const [row] = (await call(pops.list, { query: { uid: pop.uid } })).body.data
    expect([row?.metres, row?.plays]).toEqual([total.metres, total.plays])
    expect(document.figures).toEqual(total)
    expect(document.chapters.map(({ figures }) => figures)).toEqual([byHand(dallas), byHand(waco)])
    const days = document.chapters[0]?.perDay ?? []
    expect(days.map(({ day, plays }) => [day, plays])).toEqual([
      ['2026-07-01', 7],
      ['2026-07-02', 11],
    ])
    expect(days.reduce((sum, { metres }) => sum + metres, 0)).toBe(byHand(dallas).metres)
    // Deleting the truck changes nothing of what it did.
    await db.updateTable('truck').set({ deleted_at: new Date() }).where('uid', '=', truck.uid).execute()
    expect((await loadPopFigures(db, pop.uid)).total).toEqual(total)
  })
})

describe('a route', () => {
  const METER = 1 / 111_195
  const northAt = (minute: number, meters: number) => ({
    at: minute * 60_000,
    latitude: DEPOT.latitude + meters * METER,
    longitude: DEPOT.longitude,
  })
  const distances = (lines: ReturnType<typeof publicLines>) =>
    lines.map((line) => line.map(([latitude, longitude]) => Math.round(metersBetween({ latitude, longitude }, DEPOT))))

  test('neither begins nor ends near a depot, nor where its shift did', () => {
    // From the yard at a kilometer a minute, and back to a place on the way.
    const out = Array.from({ length: 41 }, (_, index) => northAt(index / 10, index * 100))
    const back = Array.from({ length: 11 }, (_, index) => northAt(4 + (index + 1) / 10, 4000 - (index + 1) * 100))
    const [line = [], ...others] = distances(publicLines([...out, ...back], [DEPOT]))
    expect(others).toEqual([])
    expect(Math.min(...line)).toBe(500)
    expect([line[0], line.at(-1)]).toEqual([500, 3200])
    // Where no one said where the yard is, the ends are left out all the same.
    expect(distances(publicLines([...out, ...back], []))[0]?.[0]).toBe(300)
    // A larger yard is left out as a whole.
    expect(distances(publicLines(out, [{ ...DEPOT, radiusM: 1500 }]))[0]?.[0]).toBe(1500)
  })

  test('leaves out a depot where the truck stays a while, and not one that it passes', () => {
    const from = Array.from({ length: 31 }, (_, index) => northAt(index / 10, -3000 + index * 100))
    const passed = Array.from({ length: 30 }, (_, index) => northAt(3 + (index + 1) / 10, (index + 1) * 100))
    expect(publicLines([...from, ...passed], [DEPOT])).toHaveLength(1)
    const stood = Array.from({ length: 40 }, (_, index) => northAt(3 + (index + 1) / 4, 0))
    const later = passed.map((fix) => ({ ...fix, at: fix.at + 10 * 60_000 }))
    const lines = distances(publicLines([...from, ...stood, ...later], [DEPOT]))
    expect(lines).toHaveLength(2)
    expect(Math.min(...lines.flat())).toBe(500)
  })

  test('does not jump where the tracker was wrong, and breaks off where it was silent', () => {
    const steps = Array.from({ length: 60 }, (_, index) => northAt(index / 10, index * 100))
    const stray = northAt(2.95, 0)
    const wild = { ...stray, latitude: stray.latitude + 1 }
    const lines = publicLines([...steps.slice(0, 30), wild, ...steps.slice(30)], [])
    expect(Math.max(...distances(lines).flat())).toBeLessThan(6000)
    const silent = steps.map((fix, index) => ({ ...fix, at: fix.at + (index < 30 ? 0 : 10 * 60_000) }))
    expect(publicLines(silent, [])).toHaveLength(2)
  })

  test('of a document keeps away from the depot and says nothing of who drove', async () => {
    const { pop, truck } = await addDriven()
    await db.updateTable('truck').set({ plate: 'SECRET 77' }).where('uid', '=', truck.uid).execute()
    const { chapters } = await draftDocument(db, pop.uid, PREVIEW)
    expect(chapters[0]?.routes).toHaveLength(2)
    const points = (chapters[0]?.routes ?? []).flatMap(decodePolyline)
    for (const [latitude, longitude] of points) {
      expect(metersBetween({ latitude, longitude }, DEPOT)).toBeGreaterThan(499)
    }
    expect(points.length).toBeGreaterThanOrEqual(4)
  })
})

describe('the list', () => {
  test('is searched, filtered, sorted and exported as that of the programs', async () => {
    const client = await world.addClient('Searched')
    const first = await addPop([waco], { name: 'Zebra 2', clientUid: client.uid })
    await addPop([waco], { name: 'Zebra 10', clientUid: client.uid })
    await addPhoto(first.uid, waco, { status: 'waiting' })
    await tried.publish((await addDriven()).pop.uid)
    const names = async (query: object) =>
      (await call(pops.list, { query: { pageSize: '100', client: client.uid, ...query } })).body.data.map(
        ({ name }) => name,
      )
    expect(await names({ search: 'zebra' })).toEqual(['Zebra 2', 'Zebra 10'])
    expect(await names({ sort: '-name' })).toEqual(['Zebra 10', 'Zebra 2'])
    expect(await names({ waiting: 'yes' })).toEqual(['Zebra 2'])
    expect(await names({ state: ['published'] })).toEqual([])
    expect(await names({ state: ['unpublished'] })).toHaveLength(2)
    const total = async () => (await call(pops.list, { query: { pageSize: '1', waiting: 'yes' } })).body.total
    const before = await total()
    await addPhoto((await addPop([waco])).uid, waco, { status: 'waiting' })
    expect(await total()).toBe(before + 1)
    const { text } = await call(pops.list, { query: { format: 'csv', client: client.uid, waiting: 'yes' } })
    expect(text).toContain('Client,Program,Starts,Ends,State,Version')
    expect(text).toContain('Searched,Zebra 2,2026-01-01,2026-12-31,Not published,')
    expect(text).toContain('# 1 row; client: Searched; with photos waiting;')
    expect((await call(pops.list, { query: { format: 'xlsx' } })).status).toBe(200)
  })
})

describe('text and markets', () => {
  test('are changed with history, and an old version is refused', async () => {
    const pop = await addPop([dallas, waco])
    const { uid, version } = pop
    expect(pop).toMatchObject({ state: 'unpublished', shownVersion: null, views: 0, photos: 0 })
    expect(pop.markets.map(({ market, isShown }) => [market.name, isShown])).toEqual([
      ['Fort Worth', true],
      ['Waco', true],
    ])
    const photo = await addPhoto(uid, waco)
    const words = { headline: 'A summer', text: 'Two cities.', coverPhotoUid: photo.uid, shownUntil: '2099-12-31' }
    const changed = (await call(pops.update, { body: { uid, version, ...words } })).body.data
    expect(changed).toMatchObject(words)
    expect((await call(pops.update, { body: { uid, version, ...words } })).error.code).toBe('staleVersion')
    const markets = [
      {
        marketUid: waco,
        headline: 'Waco first',
        text: '',
        startsOn: '2026-07-01',
        endsOn: '2026-07-02',
        isShown: true,
      },
      { marketUid: dallas, isShown: false },
    ]
    const saved = (await call(pops.saveMarkets, { body: { uid, version: changed.version, markets } })).body.data
    expect(
      saved.markets.map(({ market, headline, isShown, photos }) => [market.name, headline, isShown, photos]),
    ).toEqual([
      ['Waco', 'Waco first', true, 1],
      ['Fort Worth', '', false, 0],
    ])
    const { status } = await call(pops.saveMarkets, { body: { uid, version: changed.version, markets: [] } })
    expect(status).toBe(409)
    const { chapters, headline, cover } = await draftDocument(db, uid, PREVIEW)
    expect([headline, cover]).toEqual(['A summer', photo.key])
    expect(chapters).toMatchObject([
      { slug: 'waco-tx', headline: 'Waco first', startsOn: '2026-07-01', zone: 'America/Chicago' },
    ])
    const history = (await call(pops.history, { params: { uid }, query: {} })).body.data
    expect(history).toHaveLength(3)
    expect(history[0]?.fields.map(({ field, new: now }) => [field, (now as { market: string }).market])).toEqual([
      ['market', 'Waco'],
      ['market', 'Fort Worth'],
    ])
    expect(history[1]?.fields.find(({ field }) => field === 'coverPhoto')?.new).toMatch(/IMG_\d+\.jpg/)
  })

  test('are refused with photos or markets that the program does not have', async () => {
    const pop = await addPop([waco])
    const foreign = await addPhoto((await addPop([waco])).uid, waco)
    const { uid, version } = pop
    const cover = await call(pops.update, { body: { uid, version, coverPhotoUid: foreign.uid } })
    expect([cover.status, cover.error.fields]).toEqual([400, { coverPhotoUid: 'Photo not found in this program.' }])
    const save = (markets: object[]) =>
      call(pops.saveMarkets, { body: { uid, version, markets: markets as { marketUid: string }[] } })
    expect((await save([{ marketUid: dallas }])).error.fields).toEqual({
      'markets.0.marketUid': 'The program does not run in this market.',
    })
    expect((await save([{ marketUid: waco }, { marketUid: waco }])).error.fields).toEqual({
      'markets.1.marketUid': 'This market is already in the list.',
    })
    expect((await save([{ marketUid: waco, startsOn: '2026-07-02', endsOn: '2026-07-01' }])).status).toBe(400)
    expect((await popOf(uid)).version).toBe(version)
  })
})

describe('the preview', () => {
  test('is the page that would be published, with its changes in a sentence', async () => {
    const { pop } = await addDriven()
    const { uid } = pop
    const first = (await call(pops.preview, { params: { uid } })).body.data
    expect([first.document.version, first.changes]).toEqual([0, ''])
    expect(first.html).toContain(pop.name)
    expect(first.document).toMatchObject({
      ...(await draftDocument(db, uid, PREVIEW)),
      publishedAt: expect.any(String),
    })
    await tried.publish(uid)
    await addPhoto(uid, waco)
    const { body } = await call(pops.preview, { params: { uid } })
    expect(body.data.changes).toBe('1 photo added, cover changed.')
    expect((await call(pops.preview, { params: { uid } }, { token: people.driver.token })).status).toBe(403)
  })
})

describe('each role', () => {
  test('a client sees their own POPs and changes nothing', async () => {
    const client = await world.addClient()
    const mine = await addPop([waco], { clientUid: client.uid })
    const others = await addPop([waco])
    await addPhoto(mine.uid, waco)
    await addPhoto(mine.uid, waco, { status: 'waiting' })
    const { token } = await world.addUser('client', ['pop'], client.uid)
    const seen = (await call(pops.list, { query: {} }, { token })).body.data
    expect(seen.map(({ uid, photos, photosWaiting }) => [uid, photos, photosWaiting])).toEqual([[mine.uid, 1, 0]])
    for (const [uid, status] of [
      [mine.uid, 200],
      [others.uid, 404],
    ] as const) {
      expect((await call(pops.get, { params: { uid } }, { token })).status).toBe(status)
      expect((await call(pops.milesDriven, { query: { programUid: uid } }, { token })).status).toBe(status)
      expect((await call(pops.versions, { params: { uid } }, { token })).status).toBe(status)
      expect((await call(pops.update, { body: { uid, version: 1 } }, { token })).status).toBe(403)
      expect((await call(pops.saveMarkets, { body: { uid, version: 1, markets: [] } }, { token })).status).toBe(403)
      expect((await call(pops.publish, { body: { uid, version: 1 } }, { token })).status).toBe(403)
      expect((await call(pops.withdraw, { body: { uid, version: 1 } }, { token })).status).toBe(403)
      expect((await call(pops.history, { params: { uid }, query: {} }, { token })).status).toBe(403)
    }
  })

  test('a driver sees the counts of programs that they drive for, and changes nothing', async () => {
    const { pop, driver } = await addDriven()
    await addPop([waco])
    await sql`insert into pop_view (program_uid, day, views) values (${pop.uid}, current_date, 5)`.execute(db)
    const { token } = driver
    const seen = (await call(pops.list, { query: {} }, { token })).body
    expect([seen.total, seen.data.map(({ uid, views }) => [uid, views])]).toEqual([1, [[pop.uid, 0]]])
    expect((await popOf(pop.uid)).views).toBe(5)
    const { uid } = pop
    expect((await call(pops.get, { params: { uid } }, { token })).status).toBe(200)
    expect((await call(pops.get, { params: { uid } }, { token: people.driver.token })).status).toBe(404)
    const file = { params: { uid, number: '1', format: 'json' as const } }
    for (const { status } of [
      await call(pops.milesDriven, { query: { programUid: uid } }, { token }),
      await call(pops.versions, { params: { uid } }, { token }),
      await call(pops.versionFile, file, { token }),
      await call(pops.update, { body: { uid, version: 1 } }, { token }),
      await call(pops.saveMarkets, { body: { uid, version: 1, markets: [] } }, { token }),
      await call(pops.publish, { body: { uid, version: 1 } }, { token }),
      await call(pops.withdraw, { body: { uid, version: 1 } }, { token }),
    ]) {
      expect(status).toBe(403)
    }
  })
})
