import { type BatchAck, DAY_MS, type Play, type RowAck } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { MemoryPlayStore } from './memory-store.ts'
import { emptyHead, MAX_ROWS, PlayLog } from './plays.ts'
import { PlaySender, retryDelayMs } from './sending.ts'
import { START } from './test-manifest.ts'

const startedAt = new Date(START).toISOString()

const rowsOf = (count: number): Play[] =>
  Array.from({ length: count }, (_, index) => ({
    playId: `play ${index + 1}`,
    sequence: index + 1,
    artworkSetUid: 'set',
    sha256: 'file',
    side: 'rear',
    startedAt,
    durationMs: 15_000,
  }))

/** A device with plays to send, and a server that answers as it is told. */
function sendingOf(rows: Play[], answer: (batch: Play[]) => BatchAck | undefined) {
  const store = new MemoryPlayStore()
  store.write({ head: emptyHead, add: rows, remove: [] })
  const log = new PlayLog({ store, startId: 'start', waiting: rows.length })
  const batches: Play[][] = []
  const stored: string[] = []
  const send = async (batch: Play[]) => {
    batches.push(batch)
    return answer(batch)
  }
  const sender = new PlaySender({ log, send, random: () => 1, onStored: (ids) => stored.push(...ids) })
  return { sender, log, batches, stored }
}

const ackAs = (resultOf: (play: Play) => RowAck['result']) => (batch: Play[]) => ({
  rows: batch.map((play): RowAck => ({ id: play.playId, result: resultOf(play) })),
})
const accepted = ackAs(() => 'accepted')

describe('plays', () => {
  test('go out in batches in their order, and are deleted once they are acknowledged', async () => {
    const { sender, log, batches, stored } = sendingOf(rowsOf(1000), accepted)
    await sender.flush(0)
    expect(batches.flat()).toEqual(rowsOf(1000))
    expect([log.waiting, sender.sent, stored.length, await log.oldest(1, 0)]).toEqual([0, 1000, 1000, []])
  })

  test('that were not answered are kept and sent again, after longer and longer', async () => {
    let isAway = true
    const { sender, log, batches } = sendingOf(rowsOf(10), (batch) => (isAway ? undefined : accepted(batch)))
    await sender.flush(0)
    await sender.flush(1999)
    expect(batches).toHaveLength(1)
    await sender.flush(2000)
    await sender.flush(5999)
    expect(batches).toHaveLength(2)
    await sender.flush(6000)
    expect([batches.length, log.waiting]).toEqual([3, 10])
    isAway = false
    await sender.flush(6001)
    expect(batches).toHaveLength(3)
    sender.retryNow()
    await sender.flush(6002)
    expect(log.waiting).toBe(0)
  })

  test('that the server has already count as sent; rejected ones are not sent again', async () => {
    const resultOf = ({ sequence }: Play) => (sequence % 2 ? 'duplicate' : 'rejected')
    const { sender, log, batches } = sendingOf(rowsOf(10), ackAs(resultOf))
    await sender.flush(0)
    await sender.flush(1)
    expect([batches.length, log.waiting, sender.sent, sender.rejected]).toEqual([1, 0, 5, 5])
  })

  test('that are to come later are kept, and do not hold up the others', async () => {
    let isEarly = true
    const resultOf = ({ sequence }: Play) => (isEarly && sequence <= 500 ? 'later' : 'accepted')
    const { sender, log } = sendingOf(rowsOf(900), ackAs(resultOf))
    await sender.flush(0)
    expect([log.waiting, sender.sent]).toEqual([500, 400])
    isEarly = false
    await sender.flush(1)
    expect(log.waiting).toBe(0)
  })

  test('go out in smaller batches when the server could not take a large one', async () => {
    const answer = (batch: Play[]) => (batch.length > 150 ? { error: 'Too much.' } : accepted(batch))
    const { sender, log, batches } = sendingOf(rowsOf(400), answer)
    for (const now of [0, 1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 7e6, 8e6]) await sender.flush(now)
    expect(batches.slice(0, 3).map(({ length }) => length)).toEqual([400, 200, 100])
    expect(log.waiting).toBe(0)
  })
})

describe('plays that can no longer be kept', () => {
  test('are the oldest beyond the most that a device keeps, and are counted', async () => {
    const { sender, log } = sendingOf(rowsOf(MAX_ROWS + 1500), () => undefined)
    await sender.trim(START, false)
    await sender.trim(START, false)
    await sender.trim(START, false)
    expect([log.lost, log.waiting]).toEqual([1500, MAX_ROWS])
    expect((await log.oldest(1, 0))[0]?.sequence).toBe(1501)
  })

  test('are those of more than 30 days ago, by a clock that the server confirmed, while it is away', async () => {
    const { sender, log } = sendingOf(rowsOf(5), () => undefined)
    await sender.trim(START + 31 * DAY_MS, true)
    expect(log.lost).toBe(0)
    await sender.flush(START + 31 * DAY_MS)
    await sender.trim(START + 31 * DAY_MS, false)
    await sender.trim(START + 30 * DAY_MS, true)
    expect(log.lost).toBe(0)
    await sender.trim(START + 31 * DAY_MS, true)
    expect([log.lost, log.waiting]).toEqual([5, 0])
  })
})

test('a device waits at most five minutes before it tries again', () => {
  expect([1, 2, 3, 8, 9, 100].map((failures) => retryDelayMs(failures, 1))).toEqual([
    2000, 4000, 8000, 256_000, 300_000, 300_000,
  ])
  expect(retryDelayMs(1, 0)).toBe(1000)
})
