import { auth, type UserInput, users } from '@roadshow/contract'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call, db, people } = world

let count = 0
const aPerson = (): UserInput => ({
  name: `Person ${++count}`,
  email: `photo-${count}@example.com`,
  role: 'sales',
  modules: [],
})

const picture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: '#b86e00' } })
    .jpeg()
    .withExif({ IFD0: { Artist: 'secret' } })
    .toBuffer()
const file = (content: Uint8Array | string, name: string, type: string) =>
  new File([content as BlobPart], name, { type })
const jpeg = async () => file(await picture(), 'me.jpg', 'image/jpeg')

const countFiles = async () => (await db.selectFrom('stored_file').select('uid').execute()).length
const fetched = (url: string) => world.app.inject({ url })

describe('the photo of a user', () => {
  test('comes with the form, is written again, and is shown from a signed address', async () => {
    const { body } = await call(users.create, { body: aPerson(), files: { photo: [await jpeg()] } })
    const { photo, userUid } = body.data
    expect(photo).toMatchObject({ name: 'me.jpg', contentType: 'image/jpeg', width: 40, height: 30 })
    const shown = await fetched(photo?.url ?? '')
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(shown.rawPayload.includes('secret')).toBe(false)
    const listed = (await call(users.list, { query: { search: body.data.email } })).body.data[0]
    expect((await fetched(listed?.photo?.thumbnailUrl ?? '')).statusCode).toBe(200)
    const { fields } = (await call(users.history, { params: { uid: userUid }, query: {} })).body.data[0] ?? {}
    expect(fields?.some(({ field }) => field === 'photoFile')).toBe(true)
  })

  test('stays while the form says so, is replaced by another, and is taken away', async () => {
    const first = (await call(users.create, { body: aPerson(), files: { photo: [await jpeg()] } })).body.data
    const input = { ...aPerson(), email: first.email, userUid: first.userUid }
    const photoFileUid = first.photo?.uid ?? null
    const kept = (await call(users.update, { body: { ...input, version: 1, photoFileUid } })).body.data
    expect(kept.photo?.uid).toBe(photoFileUid)
    const files = { photo: [await jpeg()] }
    const changed = (await call(users.update, { body: { ...input, version: 2, photoFileUid }, files })).body.data
    expect(changed.photo?.uid).not.toBe(photoFileUid)
    const gone = (await call(users.update, { body: { ...input, version: 3, photoFileUid: null } })).body.data
    expect(gone.photo).toBeNull()
  })

  test('shows in the header of its user', async () => {
    const { userUid, version, email } = (await call(users.get, { params: { uid: people.sales.uid } })).body.data
    const body = { ...aPerson(), email, userUid, version }
    expect((await call(users.update, { body, files: { photo: [await jpeg()] } })).status).toBe(200)
    const me = await call(auth.me, {}, { token: people.sales.token })
    expect((await fetched(me.body.data.photoUrl ?? '')).statusCode).toBe(200)
  })

  const html = '<!doctype html><script>alert(1)</script>'
  test.each<[string, number, () => Promise<File[]>]>([
    ['HTML that calls itself a picture', 422, async () => [file(html, 'me.png', 'image/png')]],
    ['HTML', 415, async () => [file(html, 'me.html', 'text/html')]],
    ['a drawing', 415, async () => [file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'me.svg', 'image/svg+xml')]],
    ['a picture under a wrong name', 415, async () => [file(await picture(), 'me.exe', 'image/jpeg')]],
    ['a broken picture', 422, async () => [file((await picture(400, 400)).subarray(0, 700), 'me.jpg', 'image/jpeg')]],
    ['an empty file', 400, async () => [file('', 'me.jpg', 'image/jpeg')]],
    ['more than 10 MB', 413, async () => [file(new Uint8Array(10 * 1024 * 1024 + 1), 'me.jpg', 'image/jpeg')]],
    ['two pictures', 413, async () => [await jpeg(), await jpeg()]],
  ])('is refused as %s, at its field, and nothing is left behind', async (_, status, photo) => {
    const [body, before] = [aPerson(), await countFiles()]
    const answer = await call(users.create, { body, files: { photo: await photo() } })
    expect([answer.status, Object.keys(answer.error.fields ?? {})], answer.text).toEqual([status, ['photo']])
    expect(await countFiles()).toBe(before)
    expect((await call(users.list, { query: { search: body.email } })).body.total).toBe(0)
  })
})
