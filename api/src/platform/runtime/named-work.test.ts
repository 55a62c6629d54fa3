import { describe, expect, test } from 'vitest'
import { keepTrying, pauseAfter } from './named-work.ts'
import { StartError } from './start-error.ts'

test.each([
  [1, 5000],
  [2, 10_000],
  [4, 40_000],
  [7, 300_000],
  [5000, 300_000],
])('after %i failures work waits %i ms', (failures, ms) => expect(pauseAfter(failures)).toBe(ms))

describe('work that fails', () => {
  const errors: unknown[] = []
  const log = (error: unknown) => void errors.push(error)
  const failing = (times: number, error: Error) => async () => {
    if (errors.length < times) throw error
  }

  test('is tried until it succeeds, and each failure is logged', async () => {
    errors.length = 0
    const error = new Error('Not now')
    await keepTrying(failing(3, error), { signal: new AbortController().signal, log, firstMs: 1 })
    expect(errors).toEqual([error, error, error])
  })

  test('is not tried again where a setting is wrong, or once it is stopped', async () => {
    errors.length = 0
    await keepTrying(failing(9, new StartError('Set it.')), { signal: new AbortController().signal, log, firstMs: 1 })
    expect(errors).toHaveLength(1)
    const stopping = new AbortController()
    const trying = keepTrying(failing(9, new Error('Not now')), { signal: stopping.signal, log })
    stopping.abort()
    await trying
    expect(errors.length).toBeLessThan(4)
  })
})
