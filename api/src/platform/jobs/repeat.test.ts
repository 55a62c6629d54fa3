import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { repeat } from './repeat.ts'

test('work that would take long leaves off when it is stopped, and stopping waits for it', async () => {
  let isAtWork = false
  const work = async (signal: AbortSignal) => {
    isAtWork = true
    await sleep(3_600_000, undefined, { signal }).catch(() => {})
    isAtWork = false
  }
  const repeating = repeat('test', work, 1, () => {})
  await vi.waitFor(() => expect(isAtWork).toBe(true), { timeout: 10_000 })
  await repeating.stop()
  expect(isAtWork).toBe(false)
})

test('what fails is told, and tried again', async () => {
  const told: unknown[] = []
  let tries = 0
  const repeating = repeat(
    'test',
    async () => Promise.reject(new Error(`try ${++tries}`)),
    1,
    (error) => told.push(error),
  )
  await vi.waitFor(() => expect(told.length).toBeGreaterThan(1), { timeout: 10_000 })
  await repeating.stop()
  expect(told.slice(0, 2)).toEqual([new Error('try 1'), new Error('try 2')])
})
