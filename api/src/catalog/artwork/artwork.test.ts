import { type ArtworkInput, type ArtworkSet, artworkSets, files, type InputOf } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call, db, people } = world

let count = 0
/** A verified file, as an upload leaves it. */
const addFile = async (more: { width?: number; height?: number; purpose?: string; announced_by?: string } = {}) =>
  (
    await db
      .insertInto('stored_file')
      .values({
        blob_name: `b-${++count}`,
        purpose: 'artwork',
        original_name: `art-${count}.png`,
        content_type: 'image/png',
        size_bytes: 1000,
        sha256: String(count).padStart(64, 'a'),
        width: 640,
        height: 320,
        stored_at: new Date(),
        announced_by: people.sales.uid,
        ...more,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
  ).uid

const [acme, globex] = [(await world.addClient('Acme')).uid, (await world.addClient('Globex')).uid]
const { uid: summer } = await world.addProgram({ clientUid: acme, name: 'Summer' })
const { uid: autumn } = await world.addProgram({ clientUid: globex, name: 'Autumn' })

const newSet = (given: Partial<ArtworkInput> = {}): ArtworkInput => ({
  programUid: summer,
  name: `Set ${++count}`,
  ...given,
})
async function add(given: Partial<ArtworkInput> = {}): Promise<ArtworkSet> {
  const { status, body, text } = await call(artworkSets.create, { body: newSet(given) })
  expect(status, text).toBe(200)
  return body.data
}
const threeFiles = async () => ({
  driverSideArtworkUid: await addFile(),
  passengerSideArtworkUid: await addFile(),
  rearArtworkUid: await addFile({ width: 320, height: 320 }),
})
const asInput = (set: ArtworkSet): ArtworkInput => ({
  programUid: set.program.uid,
  name: set.name,
  driverSideArtworkUid: set.driverSideArtwork?.uid ?? null,
  passengerSideArtworkUid: set.passengerSideArtwork?.uid ?? null,
  rearArtworkUid: set.rearArtwork?.uid ?? null,
  note: set.note,
})
const change = (set: ArtworkSet, given: Partial<ArtworkInput>) =>
  call(artworkSets.update, { body: { ...asInput(set), uid: set.uid, version: set.version, ...given } })
const approve = ({ uid, filesHash }: ArtworkSet) =>
  call(artworkSets.approve, { body: { uid, filesHash: filesHash ?? '0'.repeat(64) } }, { token: people.sales.token })

type Query = InputOf<typeof artworkSets.list>['query']
const names = async (query: Query, token = people.admin.token) =>
  (await call(artworkSets.list, { query: { pageSize: '200', ...query } }, { token })).body.data.map(({ name }) => name)

describe('an artwork set', () => {
  test('is added with its files, which become its own', async () => {
    const given = await threeFiles()
    const set = await add({ name: 'Launch', ...given, note: 'Night version' })
    expect(set).toMatchObject({
      program: { uid: summer, name: 'Summer' },
      client: { uid: acme, name: 'Acme' },
      name: 'Launch',
      status: 'draft',
      approvedBy: null,
      driverSideArtwork: { uid: given.driverSideArtworkUid, width: 640, height: 320 },
    })
    expect(set.driverSideArtwork?.url).toContain('signature=')
    expect(set.filesHash).toMatch(/^[0-9a-f]{64}$/)
    expect((await call(artworkSets.get, { params: { uid: set.uid } })).body.data).toEqual(set)
    expect((await call(files.deleteBlob, { body: { fileUid: given.rearArtworkUid } })).error).toMatchObject({
      code: 'fileUsed',
    })
  })

  test('is refused with a sentence at its field', async () => {
    const refused = async (given: Partial<ArtworkInput>) =>
      (await call(artworkSets.create, { body: newSet(given) })).error.fields
    const nothing = '01900000-0000-7000-8000-000000000000'
    expect(await refused({ programUid: nothing })).toEqual({ programUid: 'Program not found.' })
    expect(await refused({ name: ' ' })).toEqual({ name: 'Required.' })
    expect(await refused({ rearArtworkUid: nothing })).toEqual({
      rearArtworkUid: 'File not found. Please upload it again.',
    })
    expect(await refused({ rearArtworkUid: '' })).toEqual({ rearArtworkUid: 'The upload is not finished.' })
    expect(await refused({ driverSideArtworkUid: await addFile({ purpose: 'logo' }) })).toHaveProperty(
      'driverSideArtworkUid',
    )
    await add({ name: 'Twice' })
    expect(await refused({ name: 'tWICE' })).toEqual({
      name: 'This program already has an artwork set with this name.',
    })
    await add({ name: 'Twice', programUid: autumn })
  })

  test('is listed by program, client, status and search, and exported', async () => {
    const set = await add({ name: 'Findable', programUid: autumn, ...(await threeFiles()) })
    expect(await names({ program: autumn, search: 'findable' })).toEqual(['Findable'])
    expect(await names({ client: acme, search: 'findable' })).toEqual([])
    expect(await names({ client: globex, status: 'draft' })).toContain('Findable')
    expect(await names({ client: globex, status: 'approved' })).toEqual([])
    const csv = await call(artworkSets.list, { query: { format: 'csv', search: 'findable', client: globex } })
    expect(csv.text).toContain('Findable,Globex,Autumn,Draft,')
    expect(csv.text).toContain('client: Globex')
    expect(set.status).toBe('draft')
  })

  test('is not changed from an old version, and its history says who changed what', async () => {
    const set = await add({ name: 'Old' })
    expect((await change(set, { name: 'New', ...(await threeFiles()) })).status).toBe(200)
    expect((await change(set, { name: 'Newer' })).error).toMatchObject({ code: 'staleVersion' })
    const { body } = await call(artworkSets.history, { params: { uid: set.uid }, query: {} })
    expect(body.data[0]?.by).toBe('The admin')
    const fields = Object.fromEntries((body.data[0]?.fields ?? []).map((each) => [each.field, each.new]))
    expect(fields).toMatchObject({ name: 'New', rearArtwork: expect.stringMatching(/^art-\d+\.png$/) as string })
  })

  test('is deleted, unless SD addresses show it', async () => {
    const set = await add()
    const address = await db
      .insertInto('address_set')
      .values({ program_uid: summer, name: 'Shops' })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const place = {
      set_uid: address.uid,
      label: 'One',
      latitude: 1,
      longitude: 1,
      radius_m: 100,
      located_by: 'given',
      artwork_set_uid: set.uid,
    }
    await db.insertInto('sd_address').values(place).execute()
    const refused = await call(artworkSets.remove, { params: { uid: set.uid } })
    expect(refused.status).toBe(409)
    expect(refused.error.error).toContain('Shops')
    await db.deleteFrom('sd_address').where('set_uid', '=', address.uid).execute()
    expect((await call(artworkSets.remove, { params: { uid: set.uid } })).status).toBe(200)
    expect((await call(artworkSets.get, { params: { uid: set.uid } })).status).toBe(404)
  })
})

describe('an approval', () => {
  test('is bound to the files that were seen', async () => {
    const set = await add(await threeFiles())
    const approved = (await approve(set)).body.data
    expect(approved).toMatchObject({
      status: 'approved',
      approvedHash: set.filesHash,
      approvedBy: { uid: people.sales.uid },
    })
    const renamed = (await change(approved, { name: 'Renamed but the same' })).body.data
    expect(renamed.status).toBe('approved')
    const replaced = (await change(renamed, { rearArtworkUid: await addFile() })).body.data
    expect(replaced).toMatchObject({ status: 'draft', approvedHash: null, approvedBy: null, approvedAt: null })
    const late = await approve(set)
    expect(late.status).toBe(409)
    expect(late.error).toMatchObject({ code: 'artworkChanged' })
  })

  test('needs all three sides', async () => {
    const { rearArtworkUid: _, ...two } = await threeFiles()
    const answer = await approve(await add(two))
    expect(answer.status).toBe(409)
    expect(answer.error).toMatchObject({
      code: 'artworkIncomplete',
      fields: { rearArtworkUid: 'This side has no file yet.' },
    })
  })

  test('is withdrawn', async () => {
    const set = await add(await threeFiles())
    await approve(set)
    const { body } = await call(artworkSets.withdraw, { body: { uid: set.uid } })
    expect(body.data).toMatchObject({ status: 'draft', approvedHash: null })
  })
})

describe('a user of role client', () => {
  test('sees the sets of their own client, and changes none', async () => {
    const { token } = await world.addUser('client', ['clients'], acme)
    const mine = await add({ name: 'Mine to see' })
    const theirs = await add({ name: 'Not mine', programUid: autumn, ...(await threeFiles()) })
    const seen = await names({}, token)
    expect(seen).toContain('Mine to see')
    expect(seen).not.toContain('Not mine')
    expect(await names({ client: globex }, token)).toEqual([])
    const status = async (endpoint: typeof artworkSets.get | typeof artworkSets.fit, of: string) =>
      (await call(endpoint, { params: { uid: of } }, { token })).status
    expect(await status(artworkSets.get, mine.uid)).toBe(200)
    expect(await status(artworkSets.get, theirs.uid)).toBe(404)
    expect(await status(artworkSets.fit, theirs.uid)).toBe(404)
    expect((await call(artworkSets.history, { params: { uid: theirs.uid }, query: {} }, { token })).status).toBe(404)
    expect((await call(artworkSets.create, { body: newSet() }, { token })).status).toBe(403)
    expect(
      (await call(artworkSets.approve, { body: { uid: mine.uid, filesHash: '0'.repeat(64) } }, { token })).status,
    ).toBe(403)
    expect((await call(artworkSets.remove, { params: { uid: mine.uid } }, { token })).status).toBe(403)
    const bytes = await world.app.inject({
      url: `/api/v1/files/${theirs.rearArtwork?.uid ?? ''}`,
      headers: { authorization: `Bearer ${token}` },
    })
    expect(bytes.statusCode).toBe(404)
  })
})

test('the fit of a set is told by pixel map, once for all its trucks', async () => {
  const sides = {
    driverSide: { x: 0, y: 0, width: 640, height: 320 },
    passengerSide: { x: 640, y: 0, width: 640, height: 320 },
    rear: { x: 0, y: 320, width: 320, height: 320 },
  }
  const map = await db
    .insertInto('pixel_map')
    .values({ name: 'P6', width: 1280, height: 640, pitch_um: 6000, sides: JSON.stringify(sides) })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const truck = (number: string, pixel_map_uid: string | null, state = 'active') => ({
    number,
    kind: 'led',
    state,
    pixel_map_uid,
  })
  await db
    .insertInto('truck')
    .values([truck('T-10', map.uid), truck('T-9', map.uid), truck('T-1', null), truck('T-0', map.uid, 'retired')])
    .execute()
  const set = await add({
    ...(await threeFiles()),
    passengerSideArtworkUid: await addFile({ width: 320, height: 160 }),
  })
  const { body } = await call(artworkSets.fit, { params: { uid: set.uid } })
  expect(body.data).toEqual([
    {
      pixelMap: { uid: map.uid, name: 'P6' },
      panels: {
        driverSide: { width: 640, height: 320 },
        passengerSide: { width: 640, height: 320 },
        rear: { width: 320, height: 320 },
      },
      trucks: 2,
      numbers: ['T-9', 'T-10'],
      fit: 'scales',
      sides: { driverSide: 'exact', passengerSide: 'scales', rear: 'exact' },
    },
    {
      pixelMap: null,
      panels: null,
      trucks: 1,
      numbers: ['T-1'],
      fit: 'unknown',
      sides: { driverSide: 'unknown', passengerSide: 'unknown', rear: 'unknown' },
    },
  ])
})

test('artwork that fits none of the booked trucks is approved with a reason, which history and staff read', async () => {
  const art = async () => add({ ...(await threeFiles()), rearArtworkUid: await addFile({ width: 900, height: 100 }) })
  const set = await art()
  const booked = { filesHash: set.filesHash ?? '', uid: set.uid }
  const decide = (body: { uid: string; filesHash: string; reason?: string }) => call(artworkSets.approve, { body })
  const misfit = "doesn't fit the screens of any truck it is for: T-9 and T-10. Enter a reason to approve it anyway."
  expect((await decide(booked)).error).toMatchObject({ code: 'artworkFitsNone', error: `${set.name} ${misfit}` })
  expect((await decide({ ...booked, reason: '  ' })).status).toBe(409)
  expect((await call(artworkSets.get, { params: set })).body.data.status).toBe('draft')

  // Of the trucks that are booked only those count, and a truck without a known screen is no misfit.
  const t1 = await db.selectFrom('truck').select('uid').where('number', '=', 'T-1').executeTakeFirstOrThrow()
  const market = await world.addMarket('Waco')
  const shift = {
    truck_uid: t1.uid,
    driver_uid: people.driver.uid,
    program_uid: summer,
    market_uid: market.uid,
    local_date: '2090-12-30',
    start_time: '08:00',
    end_time: '16:00',
    zone: 'UTC',
    starts_at: '2090-12-30T08:00:00Z',
    ends_at: '2090-12-30T16:00:00Z',
  }
  const { uid: shiftUid } = await db.insertInto('shift').values(shift).returning('uid').executeTakeFirstOrThrow()
  expect((await decide(booked)).status).toBe(200)
  await call(artworkSets.withdraw, { body: { uid: set.uid } })
  await db.deleteFrom('shift').where('uid', '=', shiftUid).execute()

  const approved = (await decide({ ...booked, reason: 'Shown letterboxed' })).body.data
  expect(approved).toMatchObject({ status: 'approved', approvalReason: 'Shown letterboxed' })
  const { body } = await call(artworkSets.history, { params: { uid: set.uid }, query: {} })
  expect(body.data[0]?.fields).toContainEqual({ field: 'approvalReason', old: '', new: 'Shown letterboxed' })
  const client = await world.addUser('client', ['clients'], acme)
  const theirs = { params: { uid: set.uid }, query: {} }
  expect((await call(artworkSets.get, { params: set }, { token: client.token })).body.data.approvalReason).toBe('')
  expect((await call(artworkSets.history, theirs, { token: client.token })).text).not.toContain('letterboxed')
  // Other files and a withdrawal forget it.
  expect((await change(approved, { rearArtworkUid: await addFile() })).body.data.approvalReason).toBe('')
})
