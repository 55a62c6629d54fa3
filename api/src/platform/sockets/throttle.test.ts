import { afterEach, expect, test, vi } from 'vitest'
import { connectThrottle } from './throttle.ts'

afterEach(() => void vi.useRealTimers())

test('counts per address and minute', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const throttle = connectThrottle(3)
  const attempt = (address: string) => () => throttle.attempt(address)
  for (let count = 0; count < 3; count++) attempt('a')()
  expect(attempt('a')).toThrow('Too many attempts')
  expect(attempt('b')).not.toThrow()
  expect(Array.from({ length: 7 }, () => throttle.mayConnect('a'))).toEqual([true, true, true, true, true, true, false])
  expect(throttle.mayConnect('b')).toBe(true)
  for (let count = 0; count < 100; count++) throttle.failed('b')
  expect(attempt('b')).toThrow('Too many attempts')
  vi.advanceTimersByTime(60_000)
  expect(attempt('a')).not.toThrow()
  expect(attempt('b')).not.toThrow()
})
