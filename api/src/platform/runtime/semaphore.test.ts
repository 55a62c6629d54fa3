import { expect, test } from 'vitest'
import { semaphore } from './semaphore.ts'

test('a semaphore admits work that fits, first come first served, also after work that failed', async () => {
  const run = semaphore(2)
  const ends: (() => void)[] = []
  const began: string[] = []
  const work = (name: string, weight: number) =>
    run(weight, () => {
      began.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const failing = run(2, async () => {
    throw new Error('broken')
  })
  const [one, two, large] = [work('one', 1), work('two', 1), work('large', 99)]
  await expect(failing).rejects.toThrow('broken')
  await new Promise(setImmediate)
  expect(began).toEqual(['one', 'two'])
  ends.forEach((end) => end())
  await Promise.all([one, two])
  await new Promise(setImmediate)
  expect(began).toEqual(['one', 'two', 'large'])
  ends.at(-1)?.()
  await large
})
