import { readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { uploadHelpers } from './test-uploads.ts'

const world = await openWorld()
const { call, db, folder } = world
const uploads = uploadHelpers(world)

const NO_ROOM = 'There is no room left to save anything. Nothing of this was saved; what is there can still be read.'

test('a full disk of the database refuses a change as a whole, and what is there is still read', async () => {
  const body = { number: 'T-1', kind: 'led', state: 'active' } as const
  expect((await call(trucks.create, { body })).status).toBe(200)
  const histories = () =>
    db
      .selectFrom('history')
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirst()
  const before = await histories()
  // Raised where PostgreSQL finds out: after the row itself was written.
  await sql`create function full_disk() returns trigger language plpgsql as $$ begin
              raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(db)
  await sql`create trigger zz_full after insert on truck for each row execute function full_disk()`.execute(db)
  const refused = await call(trucks.create, { body: { ...body, number: 'T-2' } })
  expect([refused.status, refused.error]).toEqual([503, { error: NO_ROOM, code: 'unavailable' }])
  expect(refused.headers['retry-after']).toBe('60')
  expect((await call(trucks.list, { query: {} })).body).toMatchObject({ total: 1, data: [{ number: 'T-1' }] })
  expect(await histories()).toEqual(before)
  await sql`drop trigger zz_full on truck`.execute(db)
  expect((await call(trucks.create, { body: { ...body, number: 'T-2' } })).status).toBe(200)
})

test('a full disk of the files refuses an upload, which goes on where it stood once there is room', async () => {
  const target = await uploads.target({ size: 100 })
  const name = new URL(target.url, 'http://local').pathname.split('/').at(-1) ?? ''
  // Linux keeps a device that is always full.
  await symlink('/dev/full', path.join(folder, `${name}.part`))
  const refused = await uploads.put(target.url, Buffer.alloc(100))
  expect([refused.statusCode, refused.json()]).toEqual([503, { error: NO_ROOM, code: 'unavailable' }])
  await world.app.blobs.remove(name)
  const taken = await uploads.put(target.url, Buffer.alloc(100))
  expect(taken.json()).toMatchObject({ data: { received: 100 } })
})

test('a file that could not be written whole leaves nothing behind', async () => {
  const before = await readdir(folder)
  const { promises } = await import('node:fs')
  const handle = await promises.open(path.join(folder, 'probe'), 'w')
  await handle.close()
  await promises.rm(path.join(folder, 'probe'))
  const full = Object.assign(new Error('ENOSPC: no space left on device, fsync'), { code: 'ENOSPC' })
  const syncing = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync').mockRejectedValue(full)
  await expect(world.app.blobs.write('half', Buffer.from('bytes'), 'image/png')).rejects.toThrow('ENOSPC')
  syncing.mockRestore()
  expect(await readdir(folder)).toEqual(before)
})
