import { shifts } from '@roadshow/contract/shifts'
import { trucks } from '@roadshow/contract/trucks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, refusal } from '../test-console.tsx'
import { call } from './call.ts'

const api = fakeApi()
const truck = { number: 'T-1', kind: 'led', state: 'active' } as const
const online = vi.spyOn(navigator, 'onLine', 'get')

beforeEach(() => {
  vi.useFakeTimers()
  online.mockReturnValue(true)
})
afterEach(() => void vi.useRealTimers())

const away = (fail: () => Response | Promise<Response>, times: number) => {
  let left = times
  return () => (left-- > 0 ? fail() : Response.json({ data: [], total: 0 }))
}
const bad = () => new Response('<html>', { status: 502 })
const lost = () => Promise.reject(new TypeError('Failed to fetch'))

describe('while the server is away for a moment', () => {
  test.each([
    ['nobody answers', lost],
    ['a proxy says so', bad],
    ['it says so itself', () => refusal('unavailable')],
  ])('and %s, a read is tried again', async (_, fail) => {
    api.respond(trucks.list, away(fail, 3))
    const before = api.sentTo(trucks.list).length
    const reading = call(trucks.list, { query: {} })
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await reading).toMatchObject({ total: 0 })
    expect(api.sentTo(trucks.list)).toHaveLength(before + 4)
  })

  test('a new record is sent again under its key, and one without a key is not', async () => {
    api.respond(trucks.create, away(bad, 1))
    const saving = call(trucks.create, { body: truck }, { idempotencyKey: 'the-same-key' })
    await vi.advanceTimersByTimeAsync(15_000)
    await saving
    expect(api.sentTo(trucks.create).map(({ headers }) => headers.get('idempotency-key'))).toEqual([
      'the-same-key',
      'the-same-key',
    ])
    api.respond(shifts.create, bad)
    await expect(call(shifts.create, { body: {} as never })).rejects.toMatchObject({ status: 502 })
    expect(api.sentTo(shifts.create)).toHaveLength(1)
  })

  test('a browser without a network waits until it is back', async () => {
    online.mockReturnValue(false)
    api.respond(trucks.list, away(lost, 1))
    const before = api.sentTo(trucks.list).length
    const reading = call(trucks.list, { query: {} })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(api.sentTo(trucks.list)).toHaveLength(before + 1)
    window.dispatchEvent(new Event('online'))
    expect(await reading).toMatchObject({ total: 0 })
  })

  test('it is given up after a while, or when nobody wants it any more', async () => {
    api.respond(trucks.list, bad)
    const reading = call(trucks.list, { query: {} }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await reading).toMatchObject({ status: 502 })
    const left = new AbortController()
    const leaving = call(trucks.list, { query: {} }, { signal: left.signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(100)
    left.abort()
    expect(await leaving).toMatchObject({ name: 'AbortError' })
  })
})
