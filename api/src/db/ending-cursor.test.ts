import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../test-world.ts'
import { connect } from './connection.ts'

const world = await openWorld()
// One connection only: whoever keeps it keeps it from everybody.
const own = connect(world.url, { max: 1 })
afterAll(() => own.close())

const numbers = () =>
  own.db
    .getExecutor()
    .stream<{ n: number }>(sql<{ n: number }>`select n from generate_series(1, 100000) n`.compile(own.db), 10)
const end = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%generate_series(1, 100000)%'
       and pid <> pg_backend_pid()`.execute(world.db)

test('reading on when the connection breaks fails, and lets the connection go', async () => {
  const reading = (async () => {
    let chunks = 0
    for await (const _ of numbers()) if (++chunks === 2) await end()
  })()
  await expect(reading).rejects.toThrow(/terminat|ECONNRESET/)
  expect((await sql`select 1 as one`.execute(own.db)).rows).toEqual([{ one: 1 }])
}, 8000)

test('so does leaving off when it is broken already', async () => {
  for await (const _ of numbers()) {
    await end()
    await new Promise((resolve) => setTimeout(resolve, 100))
    break
  }
  expect((await sql`select 1 as one`.execute(own.db)).rows).toEqual([{ one: 1 }])
}, 8000)

test('a statement that is wrong fails with its reason, and the connection is used again', async () => {
  const wrong = own.db.getExecutor().stream(sql`select 1 / (n - 20) from generate_series(1, 100) n`.compile(own.db), 10)
  const reading = (async () => {
    for await (const _ of wrong) continue
  })()
  await expect(reading).rejects.toThrow('division by zero')
  expect((await sql`select 1 as one`.execute(own.db)).rows).toEqual([{ one: 1 }])
}, 8000)
