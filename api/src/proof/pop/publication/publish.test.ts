import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { API_BASE, clients, type PopDocument, popDocument, pops, programs, publicPop } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { aPicture } from '@roadshow/test-kit/media'
import { at, drive, saidBy } from '../../../live/telemetry/test-fleet.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { documentHash } from './document.ts'
import { countView, shownVersion } from '../public-page/queries.ts'
import { DEPOT, openPops } from '../test-pop.ts'

const world = await openWorld()
const { app, call, db, people } = world
const tried = await openPops(world)
const { addPop, addPhoto, popOf, publish } = tried
const market = await tried.addMarket('Fort Worth', [DEPOT])

const get = (url: string, headers = {}) => app.inject({ url: `${API_BASE}/public/${url}`, headers })
const publicText = async (popUrl: string) => (await get(`pop/${popUrl}/document`)).body
const pictureOf = (popUrl: string, key: string) => get(`pop/${popUrl}/pictures/${key}/large`)

/** A client's logo in the store, as an upload leaves it. */
async function addLogo(clientUid: string): Promise<void> {
  const content = await aPicture('png', 60, 30)
  const blob_name = randomUUID()
  await app.blobs.write(blob_name, content, 'image/png')
  const file = {
    blob_name,
    purpose: 'logo',
    original_name: 'logo.png',
    content_type: 'image/png',
    size_bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    width: 60,
    height: 30,
    stored_at: new Date(),
    claimed_at: new Date(),
  }
  const { uid } = await db.insertInto('stored_file').values(file).returning('uid').executeTakeFirstOrThrow()
  await db.updateTable('client').set({ logo_file_uid: uid }).where('uid', '=', clientUid).execute()
}

/** A published program with a drive, plays, photos and a logo, and what must never be told of it. */
async function addPublished() {
  const client = await world.addClient()
  await addLogo(client.uid)
  const pop = await addPop([market], { clientUid: client.uid, popUrl: `Summer ${randomUUID().slice(0, 8)}` })
  const truck = await tried.addTruck()
  const plate = `PLATE${truck.device}`
  await db.updateTable('truck').set({ plate }).where('uid', '=', truck.uid).execute()
  const driver = await world.addUser('driver')
  await db.updateTable('user_account').set({ name: 'Dolores Driver' }).where('uid', '=', driver.uid).execute()
  const placed = { programUid: pop.uid, marketUid: market, truckUid: truck.uid, driverUid: driver.uid }
  const artwork = await db
    .insertInto('artwork_set')
    .values({ program_uid: pop.uid, name: 'Loud colors', status: 'draft' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const shift = await tried.addShift({ ...placed, date: '2026-07-01', start: '12:00', end: '13:00' })
  await db.updateTable('shift').set({ artwork_set_uid: artwork.uid }).where('uid', '=', shift).execute()
  const track = drive(at('12:00:00'), at('12:30:00'))
  await tried.hear({ fixes: saidBy(truck.device, track) })
  const spot = track.find((fix) => fix.at >= at('12:10:00'))
  await tried.addPlays({
    programUid: pop.uid,
    marketUid: market,
    truckUid: truck.uid,
    shiftUid: shift,
    hour: '2026-07-01T12:00:00Z',
    plays: 40,
  })
  const photos = [
    await addPhoto(pop.uid, market, {
      caption: 'At the market',
      taken_by: driver.uid,
      truck_uid: truck.uid,
      shift_uid: shift,
      taken_at: new Date(spot?.at ?? 0).toISOString(),
      time_source: 'exif',
      latitude: spot?.latitude,
      longitude: spot?.longitude,
      place_source: 'exif',
    }),
    await addPhoto(pop.uid, market),
  ]
  const waiting = await addPhoto(pop.uid, market, { status: 'waiting' })
  const hidden = await addPhoto(pop.uid, market, { status: 'hidden' })
  const version = (await publish(pop.uid, 'For the client')).body.data
  return { pop, client, plate, artwork, truck, driver, shift, photos, waiting, hidden, version }
}

describe('publishing', () => {
  test('freezes text, photos and figures under a hash', async () => {
    const { pop, client, plate, artwork, truck, driver, photos, version } = await addPublished()
    expect(version).toMatchObject({ number: 1, note: 'For the client', changes: '', isShown: true, pdf: 'waiting' })
    expect(version.publishedBy).toBe('The admin')
    const text = await publicText(pop.popUrl)
    expect(documentHash(text)).toBe(version.sha256)
    const document: PopDocument = popDocument.parse(JSON.parse(text))
    expect(document).toMatchObject({
      version: 1,
      client: client.name,
      photos: 2,
      verifiedPhotos: 1,
      cover: photos[0]?.key,
    })
    expect(document.chapters[0]?.photos).toMatchObject([
      {
        key: photos[0]?.key,
        takenAt: '2026-07-01 07:10:00',
        grade: 'verified',
        reason: '0 ft from the truck, 0 s apart',
      },
      { key: photos[1]?.key, takenAt: null },
    ])
    expect(document.chapters[0]?.routes).toHaveLength(1)
    const [row] = (await call(pops.list, { query: { uid: pop.uid } })).body.data
    const live = (await call(pops.milesDriven, { query: { programUid: pop.uid } })).body.data.total
    const shown = (await call(publicPop.milesDriven, { query: { popUrl: pop.popUrl } }, { token: '' })).body.data
    expect([row?.metres, row?.plays, live]).toEqual([shown.metres, shown.plays, document.figures])
    expect(shown).toEqual(document.figures)
    const byMarket = await call(publicPop.marketMilesDriven, { query: { popUrl: pop.popUrl } }, { token: '' })
    expect(byMarket.body.data).toEqual([{ market: 'Fort Worth', ...document.chapters[0]?.figures }])
    for (const secret of ['Dolores', plate, truck.uid, driver.uid, pop.uid, artwork.uid])
      expect(text).not.toContain(secret)
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/)
  })

  test('leaves a version unchanged byte for byte when its records change', async () => {
    const { pop, client, artwork, truck, driver, shift, photos, version } = await addPublished()
    const address = pop.popUrl
    const logo = (JSON.parse(await publicText(address)) as PopDocument).logo?.key ?? ''
    const seen = async () => ({
      document: await publicText(address),
      opening: await shownVersion(db, { popUrl: address, visitor: { headers: {} } }),
      figures: (await get(`miles-driven?popUrl=${encodeURIComponent(address)}`)).body,
      markets: (await get(`market-miles-driven?popUrl=${encodeURIComponent(address)}`)).body,
      pictures: (await Promise.all([photos[0]?.key ?? '', logo].map((key) => pictureOf(address, key)))).map(
        ({ statusCode, rawPayload }) => [statusCode, rawPayload.toString('hex')],
      ),
    })
    const before = await seen()
    expect(before.pictures.map(([status]) => status)).toEqual([200, 200])
    const gone = { deleted_at: new Date() }
    await db.updateTable('artwork_set').set(gone).where('uid', '=', artwork.uid).execute()
    await db.updateTable('truck').set(gone).where('uid', '=', truck.uid).execute()
    await db
      .updateTable('user_account')
      .set({ ...gone, name: 'Gone' })
      .where('uid', '=', driver.uid)
      .execute()
    await db
      .updateTable('pop_photo')
      .set(gone)
      .where('uid', '=', photos[0]?.uid ?? '')
      .execute()
    await db.updateTable('client').set({ logo_file_uid: null, name: 'Renamed' }).where('uid', '=', client.uid).execute()
    await db.updateTable('market').set({ name: 'Renamed', depots: '[]' }).where('uid', '=', market).execute()
    await db.updateTable('shift_track').set({ metres: 5 }).where('shift_uid', '=', shift).execute()
    await sql`delete from play_hour where program_uid = ${pop.uid}`.execute(db)
    await sql`truncate position`.execute(db)
    expect(await seen()).toEqual(before)
    await expect(
      db.updateTable('pop_version').set({ document: '{}' }).where('program_uid', '=', pop.uid).execute(),
    ).rejects.toThrow(/never changes/)
    await expect(db.deleteFrom('pop_version').where('program_uid', '=', pop.uid).execute()).rejects.toThrow(
      /never removed/,
    )

    const second = (await publish(pop.uid)).body.data
    expect(second).toMatchObject({ number: 2, isShown: true })
    expect(second.changes).toBe(
      '1 photo removed, market Renamed added, market Fort Worth removed, 16.8 miles fewer, 40 plays fewer, ' +
        '20 verified plays fewer, names changed, logo changed, cover changed.',
    )
    await db.updateTable('market').set({ name: 'Fort Worth' }).where('uid', '=', market).execute()
    const versions = (await call(pops.versions, { params: { uid: pop.uid } })).body.data
    expect(versions.map(({ number, isShown, sha256 }) => [number, isShown, sha256])).toEqual([
      [2, true, second.sha256],
      [1, false, version.sha256],
    ])
    const file = await call(pops.versionFile, { params: { uid: pop.uid, number: '1', format: 'json' } })
    expect(file.text).toBe(before.document)
    expect(file.headers['content-disposition']).toContain(`-v1.json`)
    // What only the older version shows is no longer public.
    expect((await pictureOf(address, photos[0]?.key ?? '')).statusCode).toBe(404)
    expect((await pictureOf(address, photos[1]?.key ?? '')).statusCode).toBe(200)
  })

  test('needs something to show, and the version that the editor saw', async () => {
    const { uid, version } = await addPop([market])
    const empty = await call(pops.publish, { body: { uid, version } })
    expect([empty.status, empty.error.code]).toEqual([409, 'popEmpty'])
    const never = await call(pops.withdraw, { body: { uid, version, isShown: true } })
    expect([never.status, never.error.code]).toEqual([409, 'popNeverPublished'])
    await addPhoto(uid, market)
    expect((await call(pops.publish, { body: { uid, version: version + 1 } })).error.code).toBe('staleVersion')
    const [one, other] = await Promise.all([
      call(pops.publish, { body: { uid, version } }),
      call(pops.publish, { body: { uid, version } }),
    ])
    expect(new Set([one.status, other.status])).toEqual(new Set([200, 409]))
    expect((await publish(uid)).body.data.changes).toBe('No changes.')
    expect((await call(pops.publish, { body: { uid: randomUUID(), version } })).status).toBe(404)
  })

  test('twice with one key publishes once', async () => {
    const { uid, version } = await addPop([market])
    await addPhoto(uid, market)
    const headers = { 'idempotency-key': 'publish-once' }
    const [one, two] = [
      await call(pops.publish, { body: { uid, version } }, { headers }),
      await call(pops.publish, { body: { uid, version } }, { headers }),
    ]
    expect(one.status).toBe(200)
    expect(two.body).toEqual(one.body)
    expect((await call(pops.versions, { params: { uid } })).body.data).toHaveLength(1)
  })
})

describe('no one reaches', () => {
  const open = async (popUrl: string, key: string) => [
    await get(`pop/${popUrl}/document`),
    await pictureOf(popUrl, key),
    await get(`pop/${popUrl}/pdf`),
    await get(`miles-driven?popUrl=${popUrl}`),
    await get(`market-miles-driven?popUrl=${popUrl}`),
  ]
  const answers = async (popUrl: string, key: string) =>
    (await open(encodeURIComponent(popUrl), key)).map(({ statusCode }) => statusCode)
  const GONE = [404, 404, 404, 404, 404]
  const HERE = [200, 200, 503, 200, 200]

  test('unpublished, withdrawn, ended or deleted pages, which all answer alike', async () => {
    const { pop, photos } = await addPublished()
    const key = photos[0]?.key ?? ''
    const { uid, popUrl } = pop
    expect(await answers(popUrl.toUpperCase(), key)).toEqual(HERE)
    const unpublished = await addPop([market])
    const draft = await addPhoto(unpublished.uid, market)
    expect(await answers(unpublished.popUrl, draft.key)).toEqual(GONE)
    const withdrawn = (await call(pops.withdraw, { body: { uid, version: (await popOf(uid)).version } })).body.data
    expect(withdrawn).toMatchObject({ state: 'withdrawn', shownVersion: null })
    expect(await answers(popUrl, key)).toEqual(GONE)
    const shown = await call(pops.withdraw, { body: { uid, version: withdrawn.version, isShown: true } })
    expect(shown.body.data).toMatchObject({ state: 'published', shownVersion: 1 })
    expect(await answers(popUrl, key)).toEqual(HERE)
    const until = (shownUntil: string, version: number) => call(pops.update, { body: { uid, version, shownUntil } })
    const ended = (await until('2020-01-01', shown.body.data.version)).body.data
    expect(ended.state).toBe('ended')
    expect(await answers(popUrl, key)).toEqual(GONE)
    const today = new Date().toISOString().slice(0, 10)
    expect((await until(today, ended.version)).body.data.state).toBe('published')
    expect(await answers(popUrl, key)).toEqual(HERE)

    const refused = await call(programs.remove, { params: { uid } })
    expect([refused.status, refused.error.error]).toEqual([
      409,
      `The public sees the POP of ${pop.name}. Withdraw it first.`,
    ])
    expect(refused.error.inTheWay).toEqual([
      {
        kind: 'publicPage',
        name: `POP of ${pop.name}`,
        screen: `/client-pop?open=${uid}`,
        act: { kind: 'withdraw', uid, version: (await popOf(uid)).version },
      },
    ])
    expect((await call(clients.remove, { params: { uid: pop.client.uid } })).status).toBe(409)
    await call(pops.withdraw, { body: { uid, version: (await popOf(uid)).version } })
    expect((await call(programs.remove, { params: { uid }, query: { confirmed: 'yes' } })).status).toBe(200)
    expect(await answers(popUrl, key)).toEqual(GONE)
    const texts = [
      ...(await open(popUrl, key)),
      ...(await open('nobody', key)),
      ...(await open(unpublished.popUrl, draft.key)),
    ]
    expect(new Set(texts.map(({ body }) => body)).size).toBe(1)
    for (const name of ['pop', 'a%2Fb', '%00', 'x'.repeat(80)])
      expect((await get(`pop/${name}/document`)).statusCode).toBe(404)
  })

  test('a picture outside the public version', async () => {
    const { pop, waiting, hidden, photos } = await addPublished()
    const other = await addPublished()
    const later = await addPhoto(pop.uid, market)
    for (const { key } of [waiting, hidden, later, other.photos[0] ?? later]) {
      expect((await pictureOf(pop.popUrl, key)).statusCode).toBe(404)
    }
    const picture = await pictureOf(pop.popUrl, photos[0]?.key ?? '')
    expect(picture.headers['content-type']).toBe('image/webp')
    // The page can be withdrawn, end or get a password at any time: no shared cache may have a copy then, and a browser's
    // is soon gone.
    expect(picture.headers['cache-control']).toBe('private, max-age=600, immutable')
    const { logo } = JSON.parse(await publicText(pop.popUrl)) as PopDocument
    const drawn = await pictureOf(pop.popUrl, logo?.key ?? '')
    expect(drawn.headers['content-type']).toBe('image/png')
    expect(createHash('sha256').update(drawn.rawPayload).digest('hex')).toBe(logo?.sha256)
  })

  test('as a client, a version that is not public', async () => {
    const { pop, client } = await addPublished()
    const { token } = await world.addUser('client', ['pop'], client.uid)
    const stranger = await world.addUser('client', ['pop'], (await world.addClient()).uid)
    await publish(pop.uid)
    const { uid } = pop
    const status = async (number: string, format: 'json' | 'pdf', as = token) =>
      (await call(pops.versionFile, { params: { uid, number, format } }, { token: as })).status
    expect([await status('2', 'json'), await status('2', 'pdf')]).toEqual([200, 503])
    expect([await status('1', 'json'), await status('1', 'pdf'), await status('9', 'json')]).toEqual([404, 404, 404])
    expect([await status('2', 'json', stranger.token), await status('2', 'pdf', stranger.token)]).toEqual([404, 404])
    expect((await call(pops.versions, { params: { uid } }, { token })).body.data.map(({ number }) => number)).toEqual([
      2,
    ])
    await call(pops.withdraw, { body: { uid, version: (await popOf(uid)).version } })
    expect([await status('2', 'json'), await status('2', 'pdf')]).toEqual([404, 404])
    expect((await call(pops.versions, { params: { uid } }, { token })).body.data).toEqual([])
    expect([await status('2', 'json', people.sales.token), await status('1', 'json', people.sales.token)]).toEqual([
      200, 200,
    ])
  })
})

describe('the public', () => {
  test('is sent the document once, and its views are counted beside the program', async () => {
    const { pop, version } = await addPublished()
    const first = await get(`pop/${pop.popUrl}/document`)
    expect(first.headers).toMatchObject({ etag: `"${version.sha256}"`, 'cache-control': 'no-cache' })
    const again = await get(`pop/${pop.popUrl}/document`, { 'if-none-match': `"${version.sha256}"` })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const before = await popOf(pop.uid)
    await Promise.all(Array.from({ length: 5 }, () => countView(db, pop.uid)))
    expect(await popOf(pop.uid)).toEqual({ ...before, views: 5 })
  })

  test('can check a download against its hash by a script', async () => {
    const { pop, version, photos } = await addPublished()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const server = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-pop-'))
    afterAll(() => rm(folder, { recursive: true }))
    const file = path.join(folder, 'version.json')
    await writeFile(file, await publicText(pop.popUrl))
    const script = path.resolve(import.meta.dirname, '../../../../../scripts/verify-pop.mjs')
    const verify = async (...args: string[]) =>
      promisify(execFile)(process.execPath, [script, ...args]).then(
        ({ stdout }) => ({ code: 0, said: stdout }),
        (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, said: error.stderr }),
      )
    const right = await verify(file, version.sha256, '--pictures', server)
    expect(right).toMatchObject({ code: 0 })
    expect(right.said).toContain('version 1 of')
    expect(right.said).toContain('3 of 3 pictures match the published ones.')
    await app.blobs.write(`pop-${photos[0]?.key ?? ''}-large`, Buffer.from('other pixels'), 'image/webp')
    const forged = await verify(file, version.sha256, '--pictures', server)
    expect([forged.code, forged.said]).toEqual([1, expect.stringContaining('differs from the published one')])
    await writeFile(file, (await readFile(file, 'utf8')).replace('"plays":40', '"plays":41'))
    expect(await verify(file, version.sha256)).toMatchObject({ code: 1 })
  })
})
