import { describe, expect, test } from 'vitest'
import { MemoryPlayStore } from './memory-store.ts'
import { type PlayDraft, PlayLog } from './plays.ts'
import { SlowStore } from './test-crashes.ts'
import { START } from './test-manifest.ts'

const drafts = (['driverSide', 'rear'] as const).map((side): PlayDraft => ({
  artworkSetUid: 'set',
  sha256: 'file',
  side,
  place: null,
  addressUid: null,
}))

function logOf() {
  const store = new MemoryPlayStore()
  const log = new PlayLog({ store, startId: 'first' })
  const rows = () => store.oldest(1000, 0).map(({ sequence, durationMs }) => [sequence, durationMs])
  return { store, log, rows }
}

/** Opens a spot that is shown from a moment. */
function show(log: PlayLog, at: number) {
  log.prepare(drafts, at, at)
  log.turn(at)
}

describe('after a crash', () => {
  test('the open plays ended with the last heartbeat, and numbers go on', async () => {
    const { store, log, rows } = logOf()
    show(log, START)
    log.beat(START + 5000)
    const again = await PlayLog.recover(store, 'second')
    expect(rows()).toEqual([
      [1, 5000],
      [2, 5000],
    ])
    expect([again.completed, again.waiting]).toEqual([2, 2])
    show(again, START + 60_000)
    again.end(START + 75_000)
    expect(rows().slice(2)).toEqual([
      [3, 15_000],
      [4, 15_000],
    ])
  })

  test('plays that had only just begun leave their numbers to the next', async () => {
    const { store, log, rows } = logOf()
    show(log, START)
    log.beat(START + 499)
    const again = await PlayLog.recover(store, 'second')
    expect([rows(), again.completed]).toEqual([[], 0])
    show(again, START + 1000)
    again.end(START + 2000)
    expect(rows().map(([sequence]) => sequence)).toEqual([1, 2])
  })

  test('a spot that was written ahead is forgotten, the running one is not', async () => {
    const { store, log, rows } = logOf()
    show(log, START)
    log.prepare(drafts, START + 15_000, START + 14_000)
    await PlayLog.recover(store, 'second')
    expect(rows()).toEqual([
      [1, 14_000],
      [2, 14_000],
    ])
  })

  test('a device that was never on starts with number 1', async () => {
    const log = await PlayLog.recover(new MemoryPlayStore(), 'first')
    expect([log.completed, log.waiting, log.lost]).toEqual([0, 0, 0])
  })
})

test('a short play with others after it is completed: a missing number would be a missing play', () => {
  const { log, rows } = logOf()
  show(log, START)
  log.prepare(drafts, START + 300, START + 200)
  log.turn(START + 300)
  log.end(START + 10_300)
  expect(rows()).toEqual([
    [1, 300],
    [2, 300],
    [3, 10_000],
    [4, 10_000],
  ])
})

test('ids differ from start to start, also where numbers do not', async () => {
  const one = logOf()
  show(one.log, START)
  one.log.end(START + 1000)
  const other = new MemoryPlayStore()
  const log = await PlayLog.recover(other, 'second')
  show(log, START)
  log.end(START + 1000)
  const ids = [...one.store.oldest(9, 0), ...other.oldest(9, 0)].map(({ playId }) => playId)
  expect(new Set(ids).size).toBe(4)
})

test('what could not be written is written with the next heartbeat', async () => {
  const store = new SlowStore()
  const log = new PlayLog({ store, startId: 'first' })
  const settle = async (isWell: boolean) => {
    store.settle(isWell)
    await Promise.resolve()
    await Promise.resolve()
  }
  log.prepare(drafts, START, START)
  const { version } = log
  expect(log.isSaved(version)).toBe(false)
  await settle(true)
  expect(log.isSaved(version)).toBe(true)
  log.turn(START)
  await settle(true)
  log.end(START + 15_000)
  await settle(false)
  expect(log.problem).toContain('The disk is full.')
  expect(await store.oldest(9, 0)).toEqual([])
  log.beat(START + 20_000)
  await settle(true)
  expect(log.problem).toBeNull()
  expect((await store.oldest(9, 0)).map(({ sequence }) => sequence)).toEqual([1, 2])
})
