import { randomUUID } from 'node:crypto'
import { settings } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { sweep } from './sweep.ts'

const { app, call, db } = await openWorld()
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
  await sweep(db, app.blobs)
  const kept = (await db.selectFrom('stored_file').select('blob_name').execute()).map(({ blob_name }) => blob_name)
  expect(kept.toSorted()).toEqual([recent, used].toSorted())
  const sizes = await Promise.all([recent, old, used].map((blob) => app.blobs.size(blob)))
  expect(sizes).toEqual([5, undefined, 5])
})

test('the web log is swept after as many days as the setting says', async () => {
  const ages = [1, 6, 8, 29, 31]
  for (const days of ages) {
    await db
      .insertInto('web_log')
      .values({ error_origin: String(days), at: hoursAgo(days * 24) })
      .execute()
  }
  const kept = async () => {
    await sweep(db, app.blobs)
    return (await db.selectFrom('web_log').select('error_origin').execute()).map((row) => Number(row.error_origin))
  }
  expect(await kept()).toEqual([1, 6, 8, 29])
  const { version, values } = (await call(settings.get, {})).body.data
  await call(settings.update, { body: { ...values, keepWebLogDays: 7, version } })
  expect(await kept()).toEqual([1, 6])
})

test('a key of a request is free again after a day', async () => {
  const user_uid = randomUUID()
  for (const hours of [23, 25]) {
    const row = { user_uid, key: `key-${hours}`, request_hash: 'x', created_at: hoursAgo(hours) }
    await db.insertInto('idempotency_key').values(row).execute()
  }
  await sweep(db, app.blobs)
  expect(await db.selectFrom('idempotency_key').select('key').execute()).toEqual([{ key: 'key-23' }])
})
