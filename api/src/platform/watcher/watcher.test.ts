import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { connect } from '../db/connection.ts'
import { runJob } from '../jobs/runner.ts'
import { defineWatch, eventCondition, watchJobs } from './index.ts'
import type { Watch } from './watch.ts'

const { app, db, url } = await openWorld()
const other = connect(url)
afterAll(() => other.close())

const NOW = Date.parse('2026-07-01T15:00:00Z')
const SECOND = 1000

/** What holds at present. */
let holding: string[] = []
/** What others do between the look at the world and the verdict. */
let meanwhile = async (): Promise<unknown> => undefined

const doorWatch = (ofNode?: string) =>
  defineWatch({
    name: 'doors',
    every: '20s',
    ...(ofNode !== undefined && { ofNode }),
    conditions: { 'door.open': eventCondition('door.closed') },
    async find() {
      const found = holding.map((subject) => ({ kind: 'door.open' as const, subject, data: {} }))
      await meanwhile()
      return found
    },
  })
const doors = doorWatch()
const look = (watch: Watch, now = NOW, node = db) => watch.look({ db: node, env: {}, now })

const events = async () => {
  const rows = await db.selectFrom('outbound_event').select(['type', 'object']).orderBy('place').execute()
  return rows.map(({ type, object }) => `${type} ${object}`)
}

beforeEach(async () => {
  holding = []
  meanwhile = async () => undefined
  await db.deleteFrom('outbound_event').execute()
  await db.deleteFrom('watched_condition').execute()
})

test('of two nodes that look at once, one makes the event that it begins and one the event that it is over', async () => {
  holding = ['front', 'rear']
  for (let round = 0; round < 3; round++) await Promise.all([look(doors), look(doors, NOW, other.db)])
  expect((await events()).toSorted()).toEqual(['door.open front', 'door.open rear'])
  holding = ['rear']
  for (let round = 0; round < 3; round++) await Promise.all([look(doors), look(doors, NOW, other.db)])
  expect((await events()).slice(2)).toEqual(['door.closed front'])
  holding = ['front', 'rear']
  await look(doors)
  expect((await events()).slice(3)).toEqual(['door.open front'])
})

test('what a node of the version before raises or ends meanwhile is neither raised nor ended again', async () => {
  holding = ['front']
  meanwhile = () =>
    sql`insert into watched_condition (key, type, raised_at) values ('door.open front', 'door.open', now())
        on conflict (key) do nothing`.execute(db)
  await look(doors)
  expect(await events()).toEqual([])
  holding = []
  meanwhile = () => sql`delete from watched_condition where key = 'door.open front'`.execute(db)
  await look(doors)
  expect(await events()).toEqual([])
})

test('a node that looks at its own leaves alone what others have, whose names begin alike', async () => {
  holding = ['node-10 disk']
  await look(doorWatch('node-10 '))
  holding = []
  await look(doorWatch('node-1 '))
  expect(await events()).toEqual(['door.open node-10 disk'])
})

test('a verdict that fails changes nothing, and is repeated', async () => {
  const record = eventCondition()
  let isKilled = true
  const raise: typeof record.raise = async (...given) => {
    await record.raise(...given)
    if (isKilled) throw new Error('killed')
  }
  const conditions = { 'door.open': { ...record, raise } }
  const failing = defineWatch({
    name: 'failing',
    every: '20s',
    conditions,
    find: async () => [{ kind: 'door.open' as const, subject: 'front', data: {} }],
  })
  await expect(look(failing)).rejects.toThrow('killed')
  expect(await events()).toEqual([])
  isKilled = false
  await look(failing)
  expect(await events()).toEqual(['door.open front'])
})

test('in each of its intervals a watch looks once, on any node, and whether or not another one fails', async () => {
  const looks: string[] = []
  const watchEvery = (name: string, every: Watch['every']): Watch => ({
    name,
    every,
    look: async () => void looks.push(name),
  })
  const failing = { ...watchEvery('fails', '5m'), look: async () => Promise.reject(new Error('broken')) }
  const [job] = watchJobs([failing, watchEvery('often', '20s'), watchEvery('seldom', '5m')])
  const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }
  const run = (node: typeof db, now: number) =>
    job && runJob(job, { db: node, blobs: app.blobs, env, log: () => {} }, { signal: AbortSignal.timeout(60_000), now })
  await expect(run(db, NOW)).rejects.toThrow('Conditions could not be watched: fails')
  expect(looks).toEqual(['often', 'seldom'])
  for (let seconds = 5; seconds < 60; seconds += 5) await run(seconds % 2 === 0 ? db : other.db, NOW + seconds * SECOND)
  expect(looks.slice(2)).toEqual(['often', 'often'])
})
