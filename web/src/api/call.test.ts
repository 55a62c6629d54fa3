import { auth } from '@roadshow/contract/accounts/sign-in'
import { devices } from '@roadshow/contract/catalog/devices'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { shifts } from '@roadshow/contract/planning/shifts'
import { trucks } from '@roadshow/contract/catalog/trucks'
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
    ['no one answers', lost],
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

  const keysOf = (endpoint: Endpoint) => api.sentTo(endpoint).map(({ headers }) => headers.get('idempotency-key'))

  test('a new record is sent again under the key of its form', async () => {
    api.respond(trucks.create, away(bad, 1))
    const saving = call(trucks.create, { body: truck }, { idempotencyKey: 'the-same-key' })
    await vi.advanceTimersByTimeAsync(15_000)
    await saving
    expect(keysOf(trucks.create)).toEqual(['the-same-key', 'the-same-key'])
  })

  test('every other write is sent again under a key of its own', async () => {
    const uid = '01900000-0000-7000-8000-000000000001'
    api.respond(shifts.create, away(lost, 1))
    api.respond(shifts.remove, away(bad, 1))
    const writing = [call(shifts.create, { body: {} as never }), call(shifts.remove, { params: { uid } })]
    await vi.advanceTimersByTimeAsync(15_000)
    await Promise.all(writing)
    const [create, remove] = [keysOf(shifts.create), keysOf(shifts.remove)]
    expect([create.length, new Set(create).size, remove.length, new Set(remove).size]).toEqual([2, 1, 2, 1])
    expect(create[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(create[0]).not.toBe(remove[0])
  })

  test('a write is sent again also when its answer breaks off half-way', async () => {
    const torn = new ReadableStream({ start: (answer) => answer.error(new TypeError('network error')) })
    api.respond(
      shifts.move,
      away(() => new Response(torn, { status: 200 }), 1),
    )
    const moving = call(shifts.move, { body: {} as never })
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await moving).toMatchObject({ total: 0 })
    expect(new Set(keysOf(shifts.move)).size).toBe(1)
    expect(keysOf(shifts.move)).toHaveLength(2)
  })

  test('a change that no one answered has the same key when it is saved again, and another one once it was', async () => {
    const save = (note: string) => {
      const saving = call(trucks.update, { body: { ...truck, uid: '0190', version: 3, note } }).catch(() => 'lost')
      return vi.advanceTimersByTimeAsync(20_000).then(() => saving)
    }
    api.respond(trucks.update, lost)
    expect(await save('mine')).toBe('lost')
    api.respond(trucks.update, away(lost, 0))
    await save('mine, and more')
    await save('mine')
    await save('mine')
    const keys = keysOf(trucks.update)
    expect(new Set(keys.slice(0, 6)).size).toBe(1)
    expect(keys.slice(6).map((key) => key === keys[0])).toEqual([false, true, false])
  })

  test('what is secret, public or made once is not sent again, nor under a key', async () => {
    for (const endpoint of [devices.code, auth.forgotPasswordMail, auth.logout]) api.respond(endpoint, bad)
    await expect(call(devices.code, { params: { uid: '01900000-0000-7000-8000-000000000001' } })).rejects.toMatchObject(
      { status: 502 },
    )
    await expect(call(auth.forgotPasswordMail, { body: { email: 'a@b.c' } })).rejects.toMatchObject({ status: 502 })
    await expect(call(auth.logout, {}, { isOnce: true })).rejects.toMatchObject({ status: 502 })
    expect([devices.code, auth.forgotPasswordMail, auth.logout].flatMap(keysOf)).toEqual([null, null, null])
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

  test('waiting leaves no listener behind', async () => {
    const added = vi.spyOn(window, 'addEventListener')
    const removed = vi.spyOn(window, 'removeEventListener')
    api.respond(trucks.list, bad)
    const reading = call(trucks.list, { query: {} }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await reading).toMatchObject({ status: 502 })
    const listenersIn = (spy: { mock: { calls: unknown[][] } }) =>
      spy.mock.calls.filter(([name]) => name === 'online').map(([, listener]) => listener)
    expect(listenersIn(added).length).toBeGreaterThan(1)
    expect(listenersIn(removed)).toEqual(listenersIn(added))
    added.mockRestore()
    removed.mockRestore()
  })

  test('it is given up after a while, or when no one wants it any more', async () => {
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
