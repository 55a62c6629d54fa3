import type { DriverDay } from '@roadshow/contract/live/driver-app'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../api/call.ts'
import * as sessions from '../api/session.ts'
import { clearCookies, keepSession, readToken } from '../api/session.ts'
import { mayOf } from './queue/wait-rules.ts'
import * as places from './place.ts'
import * as transports from './queue/transport.ts'
import { someDay, somePhoto, someShift } from './test-driver-day.ts'
import { memoryPhone, memoryServer, openApp } from './test-phone.ts'

const dana = someDay()
const alex: DriverDay = { ...dana, driver: { uid: 'alex', name: 'Alex Reed', language: 'es' }, shifts: [] }
const days = new Map<string, DriverDay>()
const server = memoryServer(days, readToken)
const photo = { blob: new Blob(['x']), takenAt: 0, place: null, side: null, caption: '' } as const

let open = new AbortController()

beforeEach(() => {
  days.clear()
  days.set('of-dana', dana)
  days.set('of-alex', alex)
  server.arrived.length = 0
  vi.spyOn(transports, 'fetchDay').mockImplementation(server.fetchDay)
  vi.spyOn(places, 'currentPlace').mockResolvedValue(null)
})
afterEach(() => {
  open.abort()
  open = new AbortController()
  clearCookies()
  localStorage.clear()
  vi.restoreAllMocks()
})

/** Opens the app on a phone, as after a restart. */
async function opened(phone: ReturnType<typeof memoryPhone>) {
  const app = openApp(phone.store, server.transport)
  await app.start(open.signal)
  return app
}

const signIn = (who: 'dana' | 'alex') => keepSession(`of-${who}`, days.get(`of-${who}`)?.driver.uid ?? '')

test('what was done is sent once, and dropped when the day shows it', async () => {
  const phone = memoryPhone()
  signIn('dana')
  const app = await opened(phone)
  expect(app.holder.read()).toMatchObject({ session: 'open', day: { driver: { name: 'Dana Brooks' } } })
  await app.addPhoto(someShift(), photo)
  await vi.waitFor(() => expect(phone.items.size === 0 || [...phone.items.values()][0]?.state).not.toBe('waiting'))
  await app.refresh()
  expect(server.arrived).toEqual(['of-dana: photo'])
})

test('after a stop the summary stays over restarts until it is dismissed, and is the driver’s own', async () => {
  const phone = memoryPhone()
  signIn('dana')
  const app = await opened(phone)
  expect(await app.act(someShift({ status: 'out', startedAt: dana.serverTime }), { kind: 'stop' })).toBe(true)
  expect(app.holder.read().stopped).toMatchObject({ uid: someShift().uid, startedAt: dana.serverTime })
  expect((await opened(phone)).holder.read().stopped).toMatchObject({ uid: someShift().uid })
  signIn('alex')
  expect((await opened(phone)).holder.read().stopped).toBeUndefined()
  signIn('dana')
  const again = await opened(phone)
  await again.dismissSummary()
  expect([again.holder.read().stopped, (await opened(phone)).holder.read().stopped]).toEqual([undefined, undefined])
})

test('what the account may send again is sent with the next day', async () => {
  const phone = memoryPhone()
  const forbid = vi.spyOn(server.transport, 'sendPhoto').mockRejectedValueOnce(new ApiError(403, { error: 'No.' }))
  signIn('dana')
  const app = await opened(phone)
  await app.addPhoto(someShift(), photo)
  await vi.waitFor(() => expect([...phone.items.values()]).toMatchObject([{ state: 'waiting', isForbidden: true }]))
  days.set('of-dana', { ...dana, may: mayOf(undefined) })
  await app.refresh()
  expect([server.arrived, forbid.mock.calls.length]).toEqual([['of-dana: photo'], 2])
})

test('a session that ended keeps day and queue, says so, and sends after signing in again', async () => {
  const phone = memoryPhone()
  signIn('dana')
  await opened(phone)
  days.delete('of-dana')
  const app = await opened(phone)
  expect(app.holder.read()).toMatchObject({ session: 'ended', day: { driver: { name: 'Dana Brooks' } } })
  await app.addPhoto(someShift(), photo)
  await app.send()
  expect(server.arrived).toEqual([])
  expect(phone.items.size).toBe(1)
  days.set('again', dana)
  keepSession('again', dana.driver.uid)
  await (await opened(phone)).send()
  expect(server.arrived).toEqual(['again: photo'])
})

test('another user of the phone neither sees nor sends what the first has done, who sends it later', async () => {
  const phone = memoryPhone()
  signIn('dana')
  const first = await opened(phone)
  days.delete('of-dana')
  await first.addPhoto(someShift(), photo)
  await first.send()
  signIn('alex')
  const second = await opened(phone)
  await second.send()
  expect(second.holder.read()).toMatchObject({ userUid: 'alex', queue: [], session: 'open' })
  expect(phone.days.has(dana.driver.uid)).toBe(false)
  expect(server.arrived).toEqual([])
  days.set('of-dana', dana)
  signIn('dana')
  await (await opened(phone)).send()
  expect(server.arrived).toEqual(['of-dana: photo'])
})

test('a page that is still open when another user signs in sends nothing under their name', async () => {
  const phone = memoryPhone()
  signIn('dana')
  const app = await opened(phone)
  signIn('alex')
  await app.addPhoto(someShift(), photo)
  await app.send()
  expect(server.arrived).toEqual([])
  expect(app.holder.read()).toMatchObject({ userUid: 'alex', queue: [] })
  expect([...phone.items.values()]).toMatchObject([{ userUid: dana.driver.uid, state: 'waiting' }])
})

test('what is left of a queue stays when another user signs in while it is being sent', async () => {
  const phone = memoryPhone()
  signIn('dana')
  const app = await opened(phone)
  vi.spyOn(server.transport, 'sendPhoto').mockImplementationOnce(async () => {
    server.arrived.push(`${readToken()}: photo`)
    signIn('alex')
    return undefined
  })
  await phone.store.add(somePhoto('first', { addedAt: 1 }), [{ id: 'picture of first', blob: photo.blob }])
  await phone.store.add(somePhoto('second', { addedAt: 2 }), [{ id: 'picture of second', blob: photo.blob }])
  await app.send()
  expect(server.arrived).toEqual(['of-dana: photo'])
  expect(phone.items.get('second')).toMatchObject({ userUid: dana.driver.uid, state: 'waiting' })
})

test('a photo that the user may not send leaves the app open, and the others go', async () => {
  const phone = memoryPhone()
  signIn('dana')
  const app = await opened(phone)
  vi.spyOn(server.transport, 'sendPhoto').mockRejectedValueOnce(new ApiError(403, undefined))
  await phone.store.add(somePhoto('first', { addedAt: 1 }), [{ id: 'picture of first', blob: photo.blob }])
  await phone.store.add(somePhoto('second', { addedAt: 2 }), [{ id: 'picture of second', blob: photo.blob }])
  await app.send()
  expect(server.arrived).toEqual(['of-dana: photo'])
  expect(app.holder.read().session).toBe('open')
  expect(phone.items.get('first')).toMatchObject({ state: 'waiting' })
})

test('an answer that comes late does not replace a newer day', async () => {
  const phone = memoryPhone()
  signIn('dana')
  const app = await opened(phone)
  const before = someDay([someShift({ status: 'out' })])
  const after = someDay([someShift({ status: 'completed' })])
  let answerLate = (_day: DriverDay) => {}
  vi.mocked(transports.fetchDay)
    .mockImplementationOnce(() => new Promise((resolve) => (answerLate = resolve)))
    .mockResolvedValueOnce(after)
  const late = app.refresh()
  await app.refresh()
  answerLate(before)
  await late
  expect(app.holder.read().day).toEqual(after)
  expect(phone.days.get(dana.driver.uid)?.day).toEqual(after)
})

test('a user who must add a second step is led there', async () => {
  const phone = memoryPhone()
  signIn('dana')
  const lead = vi.spyOn(sessions, 'goToEnrollment').mockReturnValue()
  vi.mocked(transports.fetchDay).mockRejectedValue(new ApiError(403, { error: 'Add one.', code: 'secondFactorNeeded' }))
  expect((await opened(phone)).holder.read().session).not.toBe('otherRole')
  expect(lead).toHaveBeenCalled()
})

test('a user without access to shifts reads that instead of a sign-in page', async () => {
  const phone = memoryPhone()
  signIn('dana')
  vi.mocked(transports.fetchDay).mockRejectedValue(new ApiError(403, undefined))
  expect((await opened(phone)).holder.read().session).toBe('otherRole')
})

test('a phone that is full says so and keeps what was typed where it is', async () => {
  const phone = memoryPhone()
  signIn('dana')
  const app = await opened(phone)
  phone.store.add = async () => {
    throw new DOMException('Full.', 'QuotaExceededError')
  }
  expect(await app.act(someShift(), { kind: 'message', text: 'Hello' })).toBe(false)
  expect(app.holder.read()).toMatchObject({ isStoreFull: true, queue: [] })
  await expect(app.addPhoto(someShift(), photo)).rejects.toThrow('Full.')
})

test('a phone that keeps nothing at all still shows the day', async () => {
  const refuse = async () => {
    throw new DOMException('Not here.', 'SecurityError')
  }
  const { store } = memoryPhone()
  Object.assign(store, { day: refuse, keepDay: refuse, forgetDays: refuse, items: refuse })
  keepSession('of-dana', 'someone before')
  const app = openApp(store, server.transport)
  await app.start(open.signal)
  expect(app.holder.read()).toMatchObject({ isStoreFull: true, isLoading: false, day: { driver: dana.driver } })
})
