import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { connect } from './connection.ts'

const world = await openWorld()
// One connection only: anyone who keeps it keeps it from everybody.
const own = connect(world.url, { max: 1 })
afterAll(() => own.close())

const numbers = () =>
  own.db
    .getExecutor()
    .stream<{ n: number }>(sql<{ n: number }>`select n from generate_series(1, 100000) n`.compile(own.db), 10)
const end = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%generate_series(1, 100000)%'
       and pid <> pg_backend_pid()`.execute(world.db)

async function readToTheEnd() {
  let chunks = 0
  for await (const _ of numbers()) if (++chunks === 2) await end()
}

// Many times, since what the server says and that it hangs up may come in one piece or in two.
const MANY = 50

test('reading on when the connection breaks fails, and lets the connection go', async () => {
  for (let time = 0; time < MANY; time++) {
    await expect(readToTheEnd()).rejects.toThrow(/terminat|ECONNRESET|EPIPE/)
    expect((await sql`select 1 as one`.execute(own.db)).rows).toEqual([{ one: 1 }])
  }
}, 30_000)

test('a connection that the server is about to end is not given to the next one', async () => {
  for (let time = 0; time < MANY; time++) {
    const ended = sql`select pg_terminate_backend(pg_backend_pid())`.execute(own.db)
    await expect(ended).rejects.toThrow('terminating connection')
    expect((await sql`select 1 as one`.execute(own.db)).rows).toEqual([{ one: 1 }])
  }
}, 30_000)

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
