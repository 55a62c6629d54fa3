import type { IncomingMessage } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { addressOf, connectThrottle } from './throttle.ts'

afterEach(() => void vi.useRealTimers())

const request = (forwarded?: string) =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } }) as unknown as IncomingMessage

test('an address is the connection’s own; behind a proxy, the one that the proxy has seen', () => {
  expect(addressOf(request('203.0.113.9'), false)).toBe('10.0.0.1')
  expect(addressOf(request('203.0.113.9'), true)).toBe('203.0.113.9')
  // Whoever writes the header first says what they like.
  expect(addressOf(request('198.51.100.1, 203.0.113.9'), true)).toBe('203.0.113.9')
  expect(addressOf(request(), true)).toBe('10.0.0.1')
})

test('counts per address and minute', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const throttle = connectThrottle(3)
  const attempt = (address: string) => () => throttle.attempt(address)
  for (let count = 0; count < 3; count++) attempt('a')()
  expect(attempt('a')).toThrow('Too many attempts')
  expect(attempt('b')).not.toThrow()
  expect(Array.from({ length: 7 }, () => throttle.mayConnect('a'))).toEqual([true, true, true, true, true, true, false])
  expect(throttle.mayConnect('b')).toBe(true)
  for (let count = 0; count < 100; count++) throttle.failed('b')
  expect(attempt('b')).toThrow('Too many attempts')
  vi.setSystemTime(Date.now() + 60_000)
  expect(attempt('a')).not.toThrow()
  expect(attempt('b')).not.toThrow()
})
