import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { DuckThread } from './duckdb.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-duckdb-'))
afterAll(() => rm(folder, { recursive: true }))

const threads: DuckThread[] = []
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close()
})

function openThread(memory: { usual: string; most: string }): DuckThread {
  const thread = new DuckThread(async () => folder, memory)
  threads.push(thread)
  return thread
}

const limitOf = sql<{ memory: string }>`select current_setting('memory_limit') as memory`
/** A statement that holds some 60 MB until its end. */
const heavy = sql<{ bytes: number }>`select length(string_agg(repeat('x', 60), ''))::int as bytes from range(1000000)`
const heavyRows = sql<{ n: number; text: string }>`
  select i::int as n, substr(t.text, 1, 3) as text
    from range(3) r(i), (select string_agg(repeat('x', 60), '') as text from range(1000000)) t order by i`

test('a statement that lacks memory gets more, until its session ends', async () => {
  const thread = openThread({ usual: '24MB', most: '512MB' })
  const session = thread.openSession()
  const [before] = await session.run(limitOf)
  expect(await session.run(heavy)).toEqual([{ bytes: 60_000_000 }])
  const [during] = await session.run(limitOf)
  expect(during).not.toEqual(before)
  await session.close()
  const next = thread.openSession()
  expect(await next.run(limitOf)).toEqual([before])
  await next.close()
})

test('so does one whose rows are read one after the other', async () => {
  const session = openThread({ usual: '24MB', most: '512MB' }).openSession()
  const rows = []
  for await (const some of session.stream(heavyRows)) rows.push(...some)
  expect(rows).toEqual([0, 1, 2].map((n) => ({ n, text: 'xxx' })))
  await session.close()
})

test('what needs more than the most fails, and the next statement works', async () => {
  const session = openThread({ usual: '16MB', most: '24MB' }).openSession()
  await expect(session.run(heavy)).rejects.toThrow('Out of Memory')
  expect(await session.run(sql`select 1 as one`)).toEqual([{ one: 1 }])
  await session.close()
})
