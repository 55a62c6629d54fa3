import { type ArtworkInput, artworkSets, oldPops, oldPrograms, type OldProgram, programs } from '@roadshow/contract'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { aPicture } from '@roadshow/test-kit/media'
import { uploadHelpers } from '../platform/files/test-uploads.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call, people } = world
const uploads = uploadHelpers(world)
const client = await world.addClient('Acme')
let count = 0

const body = () => ({
  clientUid: client.uid,
  name: `Classic ${++count}`,
  popUrl: `classic-${count}`,
  status: 'active' as const,
  startsOn: '2026-01-01',
  endsOn: '2026-12-31',
  markets: [],
  note: '',
})
const art = { name: 'Launch', note: 'By hand' }
const aFile = async () => (await uploads.stored(await aPicture('png'))).uid

const read = async (uid: string): Promise<OldProgram> =>
  (await call(oldPrograms.list, { query: { uid } })).body.data[0] as OldProgram
const setsOf = async (program: string) => (await call(artworkSets.list, { query: { program } })).body.data
const addSet = async (programUid: string, given: Partial<ArtworkInput> = {}) =>
  (await call(artworkSets.create, { body: { programUid, name: `Set ${++count}`, ...given } })).body.data

/** A program with artwork, by the old call. */
async function addDressed() {
  const given = { ...body(), artwork: { ...art, driverSideArtworkUid: await aFile() } }
  const { status, body: reply, text } = await call(oldPrograms.create, { body: given })
  expect(status, text).toBe(200)
  const { artwork: _, ...plain } = given
  return { plain, saved: reply.data }
}
const seenIn = ({ artworkSetUid, artworkSetVersion }: OldProgram) => ({
  uid: artworkSetUid ?? '',
  version: artworkSetVersion ?? 0,
})

describe('a program with its artwork', () => {
  test('is saved by one call as a program and an artwork set, each with its history', async () => {
    const { saved } = await addDressed()
    expect(saved).toMatchObject({ clientName: 'Acme', artworkSetName: 'Launch', artworkSetStatus: 'draft', version: 1 })
    const [set] = await setsOf(saved.uid)
    expect(set).toMatchObject({
      uid: saved.artworkSetUid,
      name: 'Launch',
      note: 'By hand',
      client: { uid: client.uid },
    })
    expect(saved.driverSideArtwork).toEqual(set?.driverSideArtwork)
    expect(saved.driverSideArtwork?.url).toContain('signature=')
    const { body: history } = await call(artworkSets.history, { params: { uid: set?.uid ?? '' }, query: {} })
    expect(history.data).toMatchObject([{ action: 'created', by: 'The admin' }])
  })

  test('shows the set that was made first, and artwork of the new screen', async () => {
    const { uid } = (await call(programs.create, { body: body() })).body.data
    expect(await read(uid)).toMatchObject({ artworkSetUid: null, artworkSetVersion: null, rearArtwork: null })
    const first = await addSet(uid, { name: 'Zebra', rearArtworkUid: await aFile() })
    await addSet(uid, { name: 'Aardvark' })
    expect(await read(uid)).toMatchObject({ artworkSetUid: first.uid, rearArtwork: { uid: first.rearArtwork?.uid } })
    await call(artworkSets.remove, { params: { uid: first.uid } })
    expect(await read(uid)).toMatchObject({ artworkSetName: 'Aardvark' })
  })

  test('keeps its artwork as it is when none is given', async () => {
    const { plain, saved } = await addDressed()
    const update = { ...plain, note: 'Changed', uid: saved.uid, version: 1 }
    const changed = (await call(oldPrograms.update, { body: update })).body.data
    expect(changed).toMatchObject({ note: 'Changed', version: 2, artworkSetVersion: 1, artworkSetName: 'Launch' })
  })

  test('gets other artwork, which is a draft again', async () => {
    const { plain, saved } = await addDressed()
    const rest = { passengerSideArtworkUid: await aFile(), rearArtworkUid: await aFile() }
    const artwork = { ...art, ...rest, driverSideArtworkUid: saved.driverSideArtwork?.uid ?? null, seen: seenIn(saved) }
    const whole = (await call(oldPrograms.update, { body: { ...plain, uid: saved.uid, version: 1, artwork } })).body
      .data
    const [set] = await setsOf(saved.uid)
    await call(artworkSets.approve, { body: { uid: set?.uid ?? '', filesHash: set?.filesHash ?? '' } })
    const approved = await read(saved.uid)
    expect(approved).toMatchObject({ artworkSetStatus: 'approved', artworkSetVersion: 3, version: whole.version })
    const other = { ...artwork, rearArtworkUid: await aFile(), seen: seenIn(approved) }
    const changed = await call(oldPrograms.update, {
      body: { ...plain, uid: saved.uid, version: approved.version, artwork: other },
    })
    expect(changed.body.data).toMatchObject({ artworkSetStatus: 'draft', rearArtwork: { uid: other.rearArtworkUid } })
  })

  test('is changed whole or not at all: an old version of either answers 409', async () => {
    const { plain, saved } = await addDressed()
    const set = (await setsOf(saved.uid))[0]
    await call(artworkSets.update, {
      body: { programUid: saved.uid, name: 'Renamed', uid: set?.uid ?? '', version: 1 },
    })
    const artwork = { ...art, seen: seenIn(saved) }
    const oldSet = { ...plain, note: 'Lost', uid: saved.uid, version: 1, artwork }
    const refused = await call(oldPrograms.update, { body: oldSet })
    expect([refused.status, refused.error.code]).toEqual([409, 'staleVersion'])
    const now = await read(saved.uid)
    expect(now).toMatchObject({ note: '', version: 1, artworkSetName: 'Renamed', artworkSetVersion: 2 })

    await call(programs.update, { body: { ...plain, note: 'Meanwhile', uid: saved.uid, version: 1 } })
    const oldProgram = { ...oldSet, artwork: { ...art, name: 'Lost', seen: seenIn(now) } }
    expect((await call(oldPrograms.update, { body: oldProgram })).error.code).toBe('staleVersion')
    expect(await read(saved.uid)).toMatchObject({ note: 'Meanwhile', artworkSetName: 'Renamed' })
  })

  test('does not get a second set when someone made the first one meanwhile, or deleted it', async () => {
    const plain = body()
    const { uid } = (await call(programs.create, { body: plain })).body.data
    const set = await addSet(uid)
    const update = (seen: { uid: string; version: number } | null) =>
      call(oldPrograms.update, { body: { ...plain, uid, version: 1, artwork: { ...art, seen } } })
    expect((await update(null)).error.code).toBe('staleVersion')
    await call(artworkSets.remove, { params: { uid: set.uid } })
    expect((await update({ uid: set.uid, version: 1 })).error.code).toBe('staleVersion')
    expect((await update(null)).body.data).toMatchObject({ artworkSetName: 'Launch', version: 2 })
  })

  test('is not added when its artwork is refused, whose fields are named as such', async () => {
    const given = { ...body(), artwork: { ...art, rearArtworkUid: '01900000-0000-7000-8000-000000000000' } }
    const refused = await call(oldPrograms.create, { body: given })
    expect([refused.status, Object.keys(refused.error.fields ?? {})]).toEqual([400, ['artwork.rearArtworkUid']])
    expect((await call(programs.list, { query: { search: given.name } })).body.total).toBe(0)
    const { plain, saved } = await addDressed()
    await addSet(saved.uid, { name: 'Taken' })
    const taken = await call(oldPrograms.update, {
      body: { ...plain, uid: saved.uid, version: 1, artwork: { ...art, name: 'Taken', seen: seenIn(saved) } },
    })
    expect([taken.status, Object.keys(taken.error.fields ?? {})]).toEqual([409, ['artwork.name']])
  })

  test('is uploaded and saved by anyone who holds the module of the old screen alone', async () => {
    const keeper = await world.addUser('sales', ['programByClient'])
    expect((await uploads.announce({}, keeper.token)).status).toBe(200)
    const artwork = { ...art, driverSideArtworkUid: await aFile() }
    const saved = await call(oldPrograms.create, { body: { ...body(), artwork } }, { token: keeper.token })
    expect(saved.status, saved.text).toBe(200)
    const own = await world.addUser('client', ['programByClient'], client.uid)
    const foreign = await world.addProgram()
    await addSet(foreign.uid)
    const listed = (await call(oldPrograms.list, { query: { pageSize: '200' } }, { token: own.token })).body.data
    expect(listed.map(({ uid }) => uid)).toContain(saved.body.data.uid)
    expect(listed.map(({ uid }) => uid)).not.toContain(foreign.uid)
  })

  test('is exported with its artwork', async () => {
    const { saved } = await addDressed()
    const file = await call(
      oldPrograms.list,
      { query: { uid: saved.uid, format: 'csv' } },
      { token: people.sales.token },
    )
    const [head, row] = file.text.split('\r\n')
    expect(head).toMatch(/Artwork set,Driver side,Passenger side,Rear$/)
    expect(row).toMatch(/Launch,art.png,,$/)
  })
})

test('a long list takes as many statements as a short one', async () => {
  for (let each = 0; each < 12; each++) await addSet((await world.addProgram()).uid)
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  const statements = async (list: typeof oldPrograms.list | typeof oldPops.list, pageSize: string) => {
    asked.mockClear()
    const { body: found } = await call(list, { query: { pageSize } })
    return { rows: found.data.length, statements: asked.mock.calls.length }
  }
  for (const list of [oldPrograms.list, oldPops.list]) {
    const [few, many] = [await statements(list, '2'), await statements(list, '20')]
    expect([few.rows, many.rows]).toEqual([2, 20])
    expect(few.statements).toBeGreaterThan(1)
    expect(many.statements).toBe(few.statements)
  }
})
