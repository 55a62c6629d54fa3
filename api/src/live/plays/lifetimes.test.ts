import { randomUUID } from 'node:crypto'
import { openWorld } from '@roadshow/test-kit/world'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/connection.ts'

const { db, sweep } = await openWorld()
const device = randomUUID()

/** Adds rows of a device that has no other rows. */
const add = (rows: RawBuilder<unknown>) =>
  inTransaction(db, async (db) => {
    await sql`set local session_replication_role = replica`.execute(db)
    await sql`insert into ${rows}`.execute(db)
  })

test('a gap in the numbers of a player is forgotten once the missing plays have arrived', async () => {
  await add(sql`play_sequence (device_uid, received, rejected) values (${device}, '{[1,5)}', '{[7,8)}')`)
  await add(sql`play_after_hole (device_uid, sequence, truck_uid, at)
    select ${device}, sequence, ${device}, now() from unnest(array[5, 8, 10]) sequence`)
  await sweep()
  expect(await db.selectFrom('play_after_hole').select('sequence').execute()).toEqual([{ sequence: 10 }])
})

test('the newest 10,000 rejections of a player are listed', async () => {
  await add(sql`play_rejection (device_uid, sequence, truck_uid, at, reason, received_at)
    select ${device}, n, ${device}, now(), 'late', now() - make_interval(secs => 20000 - n) from generate_series(1, 10003) n`)
  await sweep()
  const { rows } = await sql`select count(*)::int as count, min(sequence)::int as first from play_rejection`.execute(db)
  expect(rows).toEqual([{ count: 10_000, first: 4 }])
})
