import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { connect } from '../db/connection.ts'
import { sinceWatermark } from './since-watermark.ts'

const world = await openWorld()
const { db } = world
const other = connect(world.url)
afterAll(() => other.close())

/** Stores a row as transactions do: under the moment at which they began. */
const ROW = sql`insert into web_log (error_origin) values ('looked for')`
const rowsSince = async (since: string) =>
  (await sql`select uid from web_log where error_origin = 'looked for' and at > ${since}`.execute(db)).rows.length

/** A job that says from when it looked and what it found. */
function looker(job: string, on = db) {
  const looks: { since: number; found: number }[] = []
  const look = sinceWatermark(on, job, async (since) => {
    looks.push({ since: Date.parse(since), found: await rowsSince(since) })
  })
  return { look, looks }
}

test('each look goes on where the last one of any node ended, and a first one goes back a day', async () => {
  const [one, two] = [looker('onward'), looker('onward', other.db)]
  const began = Date.now()
  expect([await one.look(), await two.look(), await one.look()]).toEqual([true, true, true])
  const [first, second] = [one.looks[0]?.since ?? 0, two.looks[0]?.since ?? 0]
  expect(first).toBeGreaterThan(began - 86_460_000)
  expect(first).toBeLessThan(began - 86_340_000)
  expect(second).toBeGreaterThan(began - 10_000)
  expect(one.looks[1]?.since).toBeGreaterThanOrEqual(second)
})

test('what was under way at a look is seen by the next, however long it took', async () => {
  const { look, looks } = looker('patient')
  await look()
  const writing = await other.db.startTransaction().execute()
  await sql`select now()`.execute(writing)
  // Longer than the margin that every look has.
  await new Promise((resolve) => setTimeout(resolve, 6000))
  await look()
  await ROW.execute(writing)
  await look()
  await writing.commit().execute()
  await look()
  expect(looks.map(({ found }) => found)).toEqual([0, 0, 0, 1])
}, 20_000)

test('one node at a time; the other leaves it alone', async () => {
  let go = () => {}
  const waiting = new Promise<void>((resolve) => (go = resolve))
  let slow: Promise<boolean> | undefined
  await new Promise<void>((begun) => {
    slow = sinceWatermark(db, 'alone', () => {
      begun()
      return waiting
    })()
  })
  const { look, looks } = looker('alone', other.db)
  expect(await look()).toBe(false)
  go()
  expect([await slow, await look(), looks.length]).toEqual([true, true, 1])
})

test('what fails or is left off is done again from the same moment', async () => {
  const { look, looks } = looker('again')
  const failing = sinceWatermark(db, 'again', () => Promise.reject(new Error('no luck')))
  await expect(failing()).rejects.toThrow('no luck')
  expect(await look(AbortSignal.abort())).toBe(false)
  expect(await look()).toBe(true)
  expect(looks[1]?.since).toBe(looks[0]?.since)
})
