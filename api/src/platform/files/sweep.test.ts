import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { connect } from '../db/connection.ts'

const { app, db, sweep, url } = await openWorld()
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

test('a file that no record took is swept after a day, with its bytes; one that a record took stays', async () => {
  const add = async (announced: Date, claimed: Date | null = null) => {
    const blob_name = randomUUID()
    await app.blobs.write(blob_name, Buffer.from('bytes'), 'image/png')
    await db
      .insertInto('stored_file')
      .values({
        blob_name,
        purpose: 'artwork',
        original_name: 'art.png',
        content_type: 'image/png',
        size_bytes: 5,
        announced_at: announced,
        stored_at: announced,
        claimed_at: claimed,
      })
      .execute()
    return blob_name
  }
  const [recent, old, used] = [await add(hoursAgo(23)), await add(hoursAgo(25)), await add(hoursAgo(25), hoursAgo(24))]
  await sweep()
  const kept = (await db.selectFrom('stored_file').select('blob_name').execute()).map(({ blob_name }) => blob_name)
  expect(kept.toSorted()).toEqual([recent, used].toSorted())
  const sizes = await Promise.all([recent, old, used].map((blob) => app.blobs.size(blob)))
  expect(sizes).toEqual([5, undefined, 5])
})

test('two nodes sweep the same files and neither fails', async () => {
  const other = connect(url)
  afterAll(() => other.close())
  const old = hoursAgo(25)
  const names = Array.from({ length: 30 }, () => randomUUID())
  for (const name of names) await app.blobs.write(name, Buffer.from('bytes'), 'image/png')
  const file = { purpose: 'artwork', original_name: 'art.png', content_type: 'image/png', size_bytes: 5 }
  await db
    .insertInto('stored_file')
    .values(names.map((blob_name) => ({ ...file, blob_name, announced_at: old, stored_at: old })))
    .execute()
  for (let round = 0; round < 5; round++) {
    await Promise.all([sweep(['stored_file']), sweep(['stored_file'], { db: other.db })])
  }
  expect(await db.selectFrom('stored_file').select('uid').where('blob_name', 'in', names).execute()).toEqual([])
  expect(await Promise.all(names.map((name) => app.blobs.size(name)))).toEqual(names.map(() => undefined))
})
