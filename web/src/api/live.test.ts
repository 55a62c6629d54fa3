import { shifts } from '@roadshow/contract/planning/shifts'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { delivery } from '@roadshow/contract/proof/delivery'
import type { Change } from '@roadshow/contract/platform/follows'
import { QueryObserver } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followServer, refreshAfter } from './live.ts'
import { createQueryClient, keyOf } from './queryClient.ts'
import type { Read } from './useCall.ts'

const server: { change?: (change: Change) => void; connect?: () => void } = {}
const announcements = {
  onChange: (listen: (change: Change) => void) => {
    server.change = listen
    return () => void delete server.change
  },
  onConnected: (listen: () => void) => {
    server.connect = listen
    return () => void delete server.connect
  },
  onFleetUpdate: () => () => undefined,
}

let queries: QueryClient
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  queries = createQueryClient()
  stop = followServer(queries, announcements)
})
afterEach(() => {
  stop()
  queries.clear()
  vi.useRealTimers()
})

const at = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A read that is on the screen, and how often it was asked for. */
function shown(endpoint: Read, asked: object = {}, answerMs = 10) {
  const queryFn = vi.fn<() => Promise<object>>(() => new Promise((done) => setTimeout(() => done({}), answerMs)))
  const meta = { read: { endpoint, asked } }
  const observer = new QueryObserver(queries, { queryKey: keyOf(endpoint, asked), queryFn, meta })
  observer.subscribe(() => undefined)
  return queryFn
}
const board = (from: string, to: string) => shown(shifts.board, { query: { from, to } })
const onDay = (day: string): Change => ({ subject: 'shifts', days: { from: day, to: day } })

test('an announced change is followed once, by reads that it concerns', async () => {
  const [week, other, fleet] = [
    board('2026-03-02', '2026-03-08'),
    board('2026-03-09', '2026-03-15'),
    shown(trucks.list),
  ]
  await at(5_000)
  server.change?.(onDay('2026-03-04'))
  server.change?.(onDay('2026-03-05'))
  await at(5_000)
  expect([week, other, fleet].map(({ mock }) => mock.calls.length)).toEqual([2, 1, 1])
})

test('however often others change something, a read is asked for every other second at most', async () => {
  const week = board('2026-03-02', '2026-03-08')
  await at(5_000)
  for (let n = 0; n < 100; n++) {
    server.change?.(onDay('2026-03-04'))
    await at(100)
  }
  await at(5_000)
  expect(week.mock.calls.length).toBeGreaterThanOrEqual(5)
  expect(week.mock.calls.length).toBeLessThanOrEqual(8)
})

test('a costly read waits as long as it says, unless the page itself has changed something', async () => {
  const behind = shown(delivery.behind)
  await at(5_000)
  server.change?.(onDay('2026-03-04'))
  await at(30_000)
  expect(behind).toHaveBeenCalledTimes(1)
  await at(30_000)
  expect(behind).toHaveBeenCalledTimes(2)
  refreshAfter(queries, shifts.create)
  expect(behind).toHaveBeenCalledTimes(3)
})

test('what may have changed while the page was not connected is asked for', async () => {
  const [week, list] = [board('2026-03-02', '2026-03-08'), shown(trucks.list)]
  await at(5_000)
  server.connect?.()
  await at(5_000)
  expect(week).toHaveBeenCalledTimes(2)
  expect(list).toHaveBeenCalledTimes(1)
})

test('an own change is followed at once, and once more after an answer that was under way', async () => {
  const list = shown(trucks.list, {}, 1_000)
  await at(5_000)
  refreshAfter(queries, trucks.update)
  expect(list).toHaveBeenCalledTimes(2)
  await at(500)
  refreshAfter(queries, trucks.update)
  refreshAfter(queries, trucks.update)
  expect(list).toHaveBeenCalledTimes(2)
  await at(500)
  expect(list).toHaveBeenCalledTimes(3)
  await at(5_000)
  expect(list).toHaveBeenCalledTimes(3)
})

test('changes that come in numbers are followed together', async () => {
  const list = shown(trucks.list)
  await at(5_000)
  for (let n = 0; n < 10; n++) refreshAfter(queries, trucks.create, {}, 1_500)
  await at(1_400)
  expect(list).toHaveBeenCalledTimes(1)
  await at(200)
  expect(list).toHaveBeenCalledTimes(2)
})

test('a deleted record is not asked for again', async () => {
  const [one, list] = [shown(trucks.history, { params: { uid: 'a' } }), shown(trucks.list)]
  await at(5_000)
  refreshAfter(queries, trucks.remove, { params: { uid: 'a' } })
  await at(1_000)
  expect([one, list].map(({ mock }) => mock.calls.length)).toEqual([1, 2])
})

test('after the page is left nothing is followed', async () => {
  const week = board('2026-03-02', '2026-03-08')
  await at(5_000)
  stop()
  expect(server.change).toBeUndefined()
  await at(60_000)
  expect(week).toHaveBeenCalledTimes(1)
})
