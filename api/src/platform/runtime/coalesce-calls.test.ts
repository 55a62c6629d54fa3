import { expect, test } from 'vitest'
import { coalesceCalls, coalesceCallsByKey } from './coalesce-calls.ts'

/** Work that ends when it is told to. */
function gated() {
  const runs: { resolve: (value: number) => void; reject: (error: Error) => void }[] = []
  const ask = coalesceCalls(() => new Promise<number>((resolve, reject) => runs.push({ resolve, reject })))
  return { runs, ask }
}

const tick = () => new Promise((resolve) => setImmediate(resolve))

test('what is asked before it begins is done once; what is asked meanwhile is done next', async () => {
  const { runs, ask } = gated()
  const first = [ask(), ask()]
  await tick()
  const second = [ask(), ask(), ask()]
  await tick()
  expect(runs).toHaveLength(1)
  runs[0]?.resolve(1)
  expect(await Promise.all(first)).toEqual([1, 1])
  await tick()
  expect(runs).toHaveLength(2)
  runs[1]?.resolve(2)
  expect(await Promise.all(second)).toEqual([2, 2, 2])
  const third = ask()
  await tick()
  expect(runs).toHaveLength(3)
  runs[2]?.resolve(3)
  expect(await third).toBe(3)
})

test('what fails fails for those who asked for it, and is done again for the next', async () => {
  const { runs, ask } = gated()
  const first = Promise.allSettled([ask(), ask()])
  await tick()
  const second = ask()
  runs[0]?.reject(new Error('away'))
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await tick()
  runs[1]?.resolve(2)
  expect(await second).toBe(2)
})

test('work with the same key is done once for all who wait, and other keys do not wait for it', async () => {
  const runs: { key: string; resolve: (value: string) => void }[] = []
  const ask = coalesceCallsByKey<string>()
  const call = (key: string) => ask(key, () => new Promise((resolve) => runs.push({ key, resolve })))
  const answers = [call('a'), call('a'), call('b')]
  await tick()
  expect(runs.map(({ key }) => key)).toEqual(['a', 'b'])
  const later = call('a')
  runs[0]?.resolve('first')
  runs[1]?.resolve('other')
  expect(await Promise.all(answers)).toEqual(['first', 'first', 'other'])
  await tick()
  expect(runs).toHaveLength(3)
  runs[2]?.resolve('second')
  expect(await later).toBe('second')
})
