import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { memoryCounters, redisCounters } from '../http/counters.ts'
import { startRedis } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import type { Listener } from './listen.ts'
import { databaseSignals } from './signals.ts'
import { redisSignals } from './redis-signals.ts'
import { openRedis } from './redis.ts'

const world = await openWorld()
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-redis-'))
let server = await startRedis(folder)
const open: (() => Promise<void> | void)[] = []
const errors: unknown[] = []
const log = (error: unknown) => void errors.push(error)

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
  errors.length = 0
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

/** A node that tells and hears; and what went by the database instead. */
async function openNode() {
  const redis = openRedis(server.url, log)
  open.push(() => redis.close())
  const database = databaseSignals(world.db, world.url)
  const byDatabase: string[] = []
  const watched = {
    ...database,
    publish: async (channel: string) => (byDatabase.push(channel), database.publish(channel)),
  }
  const signals = redisSignals(redis, watched)
  const heard: string[] = []
  const channels = { trucks_moved: () => void heard.push('moved'), others: () => void heard.push('others') }
  const listener: Listener = await signals.subscribe({ channels, onReconnect: () => {}, log })
  open.push(() => listener.close())
  await vi.waitFor(async () => expect(await redis.ask((client) => client.ping(), 500)).toBe('PONG'), 10_000)
  return { signals, heard, byDatabase, redis }
}

const within = { timeout: 10_000, interval: 20 }

describe('with a Redis, signals', () => {
  test('go by it to every node, and not by the database', async () => {
    const [one, two] = [await openNode(), await openNode()]
    // Until both read the stream: earlier signals reach no one.
    await vi.waitFor(async () => {
      await one.signals.publish('others')
      expect([one.heard.length, two.heard.length].every(Boolean)).toBe(true)
    }, within)
    await one.signals.publish('trucks_moved')
    await vi.waitFor(() => expect([one.heard.at(-1), two.heard.at(-1)]).toEqual(['moved', 'moved']), within)
    expect([...one.byDatabase, ...two.byDatabase]).toEqual([])
  })

  test('go by the database while it is away, and by it again when it is back', async () => {
    const [one, two] = [await openNode(), await openNode()]
    await server.stop()
    await vi.waitFor(async () => {
      await one.signals.publish('trucks_moved')
      expect(one.byDatabase.length).toBeGreaterThan(0)
    }, within)
    await vi.waitFor(() => expect(two.heard).toContain('moved'), within)
    server = await startRedis(folder, server.port)
    await vi.waitFor(async () => {
      const [before, heard] = [one.byDatabase.length, two.heard.length]
      await one.signals.publish('trucks_moved')
      expect(one.byDatabase).toHaveLength(before)
      await vi.waitFor(() => expect(two.heard.length).toBeGreaterThan(heard), { timeout: 500, interval: 10 })
    }, within)
    // Said once for each connection, however often it was tried.
    expect(errors.length).toBeLessThanOrEqual(8)
  })
})

test('calls are counted together, and by each node alone while Redis is away', async () => {
  const nodes = [await openNode(), await openNode()].map(({ redis }) => redisCounters(redis, memoryCounters(), 10_000))
  const hit = async (node: number, key: string) => nodes[node]?.hit(key, 3_600_000)
  expect([await hit(0, 'a'), await hit(1, 'a'), await hit(1, 'b'), await hit(0, 'a')]).toEqual([1, 2, 1, 3])
  await server.stop()
  expect([await hit(0, 'a'), await hit(0, 'a'), await hit(1, 'a')]).toEqual([1, 2, 1])
  server = await startRedis(folder, server.port)
})
