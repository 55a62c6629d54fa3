import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { connect, type Database, inTransaction, MAX_PREPARED, prepared } from './connection.ts'

const { url } = await openWorld()
let database: Database
beforeEach(async () => {
  await database?.close()
  database = connect(url, { max: 1 })
})
afterAll(() => database.close())

const ask = async (number: number) => {
  const { rows } = await prepared(sql<{ sum: number }>`select ${1}::int + ${sql.lit(number)} as sum`).execute(
    database.db,
  )
  return rows[0]?.sum
}

const kept = async () => {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements order by prepare_time`.execute(database.db)
  return rows.map(({ statement }) => Number(/ \+ (\d+) as sum/.exec(statement)?.[1]))
}

test('a connection keeps the prepared statements that were used last, whatever was prepared before', async () => {
  for (let number = 0; number < 3 * MAX_PREPARED; number += 1) {
    expect(await ask(number)).toBe(number + 1)
    // One that is used all the time stays.
    if (number % 50 === 0) await ask(0)
  }
  const numbers = await kept()
  expect(numbers).toHaveLength(MAX_PREPARED)
  expect(numbers[0]).toBe(0)
  expect(numbers.at(-1)).toBe(3 * MAX_PREPARED - 1)
  // One that has left is prepared again.
  expect(await ask(1)).toBe(2)
  expect((await kept()).at(-1)).toBe(1)
  expect(await kept()).toHaveLength(MAX_PREPARED)
})

test('a statement leaves in a failed transaction too, and one that fails leaves no trace', async () => {
  for (let number = 0; number < MAX_PREPARED; number += 1) await ask(number)
  const failing = inTransaction(database.db, async (db) => {
    await sql`select 1 / 0`.execute(db).catch(() => {})
    await prepared(sql`select ${1}::int + 99999 as sum`).execute(db)
  })
  await expect(failing).rejects.toThrow('current transaction is aborted')
  expect(await kept()).toHaveLength(MAX_PREPARED - 1)
  await expect(prepared(sql`select ${1}::int + wrong`).execute(database.db)).rejects.toThrow('"wrong" does not exist')
  for (let number = 0; number < MAX_PREPARED; number += 1) expect(await ask(number)).toBe(number + 1)
  expect(await kept()).toHaveLength(MAX_PREPARED)
})
