import { afterEach, expect, test, vi } from 'vitest'
import { keepSession, clearCookies } from '../../api/session.ts'
import { fetchDay } from '../queue/transport.ts'
import { someDay } from '../test-driver-day.ts'
import { takeFirstCall } from './first-call.ts'

afterEach(() => {
  clearCookies()
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.resetModules()
})

async function runEarlyScript(fetching: () => Promise<Response>) {
  const asked = vi.fn<(url: string, request: RequestInit) => Promise<Response>>(fetching)
  vi.stubGlobal('fetch', asked)
  await import('./early-day.ts')
  return asked
}

test('the day is asked for before the app has loaded, and the app takes the answer once', async () => {
  keepSession('a token', 'dana')
  const asked = await runEarlyScript(async () => Response.json({ data: someDay() }))
  expect(asked.mock.calls).toMatchObject([['/api/v1/driver-app/day', { headers: { Authorization: 'Bearer a token' } }]])
  const made = takeFirstCall('a token')
  expect((await fetchDay(made)).driver.name).toBe('Dana Brooks')
  expect(made?.answeredAt).toBeGreaterThanOrEqual(made?.askedAt ?? Infinity)
  expect(asked).toHaveBeenCalledTimes(1)
  expect(takeFirstCall('a token')).toBeUndefined()
})

test('an answer to another session is not taken', async () => {
  keepSession('a token', 'dana')
  await runEarlyScript(async () => Response.json({ data: someDay() }))
  expect(takeFirstCall('another token')).toBeUndefined()
})

test('without network the app hears of it when it takes the call over, and not before', async () => {
  keepSession('a token', 'dana')
  await runEarlyScript(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(fetchDay(takeFirstCall('a token'))).rejects.toMatchObject({ status: 0 })
})

test('nothing is asked without a session', async () => {
  expect(await runEarlyScript(async () => Response.json({}))).not.toHaveBeenCalled()
})
