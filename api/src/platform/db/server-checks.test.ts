import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { checkLockCapacity, describeLockShortage, readLockFacts } from './server-checks.ts'
import { ensurePartitions } from './partitions.ts'

/** Partitions by day, week and month: plays have four indexes, positions one. */
const partitionsOf = (plays: number, positions: number) => ({
  partitions: plays + positions,
  lockable: plays * 6 + positions * 2,
})
const stock = { locksPerTransaction: 64, sessions: 100 }

describe('stock settings', () => {
  test.each([
    ['800 days of plays and 400 of positions by week', partitionsOf(115, 58)],
    ['2,800 days of both by week', partitionsOf(400, 400)],
  ])('are enough for %s', (_, partitions) => {
    expect(describeLockShortage({ ...partitions, ...stock })).toBeUndefined()
  })

  test('are not enough for the longest retention of ten years, and the sentence says what to set', () => {
    expect(describeLockShortage({ ...partitionsOf(523, 523), ...stock })).toContain(
      'the 1,046 partitions of plays and positions may need 8,368. Set max_locks_per_transaction to 128 or more (now 64)',
    )
  })

  test('are not enough for 800 days of plays and 400 of positions by day, and the sentence says what to set', () => {
    expect(describeLockShortage({ ...partitionsOf(802, 402), ...stock })).toBe(
      'PostgreSQL has room for 6,400 locks, but the 1,204 partitions of plays and positions may need 11,232. Set max_locks_per_transaction to 128 or more (now 64) and restart PostgreSQL. Single days that an older version made are merged into weeks in the background; with fewer partitions, fewer locks are enough.',
    )
  })
})

test('a start counts the partitions of the database and their indexes', async () => {
  const { db } = await openWorld()
  await ensurePartitions(db, 'play', ['2026-11-16', '2026-11-23'])
  await ensurePartitions(db, 'position', ['2026-11-16'])
  expect(await readLockFacts(db)).toEqual({ ...partitionsOf(2, 1), ...stock })
  expect(await checkLockCapacity(db)).toBeUndefined()
})
