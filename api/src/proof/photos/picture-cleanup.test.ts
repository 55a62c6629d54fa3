import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { API_BASE, pops, publicPop } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { makeBackup } from '../../platform/backup/make.ts'
import { connect } from '../../platform/db/connection.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { pictureBlob } from './pictures.ts'
import { openPops } from '../pop/test-pop.ts'

const world = await openWorld()
const { app, call, db } = world
const { addPop, addPhoto, austin, publish } = await openPops(world)
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-swept-'))
afterAll(() => rm(folder, { recursive: true }))

const SIZES = ['small', 'medium', 'large'] as const
type Photo = Awaited<ReturnType<typeof addPhoto>>

/** Deletes photos as people do, so many days ago. */
async function remove(days: number, ...photos: Photo[]): Promise<void> {
  for (const { uid } of photos) {
    expect((await call(pops.removePhoto, { params: { uid } })).status).toBe(200)
    await sql`update pop_photo set deleted_at = now() - make_interval(days => ${days}) where uid = ${uid}`.execute(db)
  }
}

const hasPictures = async ({ key }: Photo) => {
  const sizes = await Promise.all(SIZES.map((size) => app.blobs.size(pictureBlob(key, size))))
  return sizes.map((size) => size !== undefined)
}
const [ALL, NONE] = [SIZES.map(() => true), SIZES.map(() => false)]

const toldOf = async ({ uid }: Photo) => {
  const { rows } = await sql<{ pictures: string; version: number; entries: number }>`
    select pictures, version, (select count(*)::int from history where record_uid = t.uid) as entries
      from pop_photo t where uid = ${uid}`.execute(db)
  return rows[0]
}

test('pictures go a month after their photo was deleted, those of a published version never', async () => {
  const pop = await addPop()
  const photos: Photo[] = []
  for (let count = 0; count < 5; count++) photos.push(await addPhoto(pop.uid, austin))
  const [there, recent, old, shown, superseded] = photos as [Photo, Photo, Photo, Photo, Photo]
  await remove(31, old)
  await publish(pop.uid)
  await remove(31, superseded)
  await publish(pop.uid)
  await remove(29, recent)
  await remove(31, shown)
  const before = await toldOf(old)
  await world.sweep()
  for (const photo of [there, recent, shown, superseded]) expect(await hasPictures(photo)).toEqual(ALL)
  expect(await hasPictures(old)).toEqual(NONE)
  // It is no one's change.
  expect(before).toMatchObject({ pictures: 'kept' })
  expect(await toldOf(old)).toEqual({ ...before, pictures: 'removed' })

  // What is published stays at the next look.
  await world.sweep()
  const { document } = await db
    .selectFrom('pop_version')
    .select('document')
    .where('number', '=', 2)
    .executeTakeFirstOrThrow()
  expect(document).toContain(shown.key)
  for (const size of SIZES) {
    const address = publicPop.picture.path
      .replace('{popUrl}', pop.popUrl)
      .replace('{key}', shown.key)
      .replace('{size}', size)
    expect((await app.inject(`${API_BASE}/${address}`)).statusCode).toBe(200)
  }

  // Backed up is what is there, and nothing is missing.
  const { blobs } = await makeBackup({ url: world.url, blobFolder: world.folder, to: folder, say: () => {} })
  expect(blobs).toMatchObject({ count: 4 * SIZES.length, missing: [] })
})

test('a sweep leaves off when its node stops, and two at once do no harm', async () => {
  const { uid } = await addPop()
  const last = await addPhoto(uid, austin)
  await remove(31, last)
  await sql`
    insert into pop_photo (program_uid, key, original_name, original_sha256, sizes, blur, position, deleted_at)
    select ${uid}, lpad(to_hex(n), 32, '0'), 'IMG.jpg', lpad(to_hex(n), 64, '0'), '{}', '', n, now() - interval '40 days'
      from generate_series(1, 250) n`.execute(db)
  const stopping = new AbortController()
  let removed = 0
  const blobs: typeof app.blobs = {
    ...app.blobs,
    remove: (blob) => {
      if (++removed === 3 * 100) stopping.abort()
      return app.blobs.remove(blob)
    },
  }
  const left = async () =>
    (
      await db
        .selectFrom('pop_photo')
        .select('uid')
        .where('deleted_at', 'is not', null)
        .where('pictures', '=', 'kept')
        .execute()
    ).length
  const before = await left()
  await world.sweep(['pop_photo'], { blobs, signal: stopping.signal })
  expect(await left()).toBe(before - 100)
  expect(await hasPictures(last)).toEqual(ALL)
  const other = connect(world.url)
  await Promise.all([world.sweep(['pop_photo']), world.sweep(['pop_photo'], { db: other.db })])
  await other.close()
  expect(await left()).toBe(before - 251)
  expect(await hasPictures(last)).toEqual(NONE)
})

test('pictures that cannot be removed are tried again', async () => {
  const photo = await addPhoto((await addPop()).uid, austin)
  await remove(31, photo)
  const away = { ...app.blobs, remove: () => Promise.reject(new Error('away')) }
  await expect(world.sweep(['pop_photo'], { blobs: away })).rejects.toThrow('away')
  expect(await toldOf(photo)).toMatchObject({ pictures: 'kept' })
  await world.sweep()
  expect(await hasPictures(photo)).toEqual(NONE)
})
