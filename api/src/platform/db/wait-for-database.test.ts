import { expect, test } from 'vitest'
import { waitForDatabase } from './wait-for-database.ts'

const failure = (code: string, message = `failed with ${code}`) => Object.assign(new Error(message), { code })

function waiting(limitMs: number, signal = new AbortController().signal) {
  const said: string[] = []
  return { said, options: { limitMs, say: (sentence: string) => void said.push(sentence), signal } }
}

test('a database that comes is waited for, with one sentence before and one after', async () => {
  const { said, options } = waiting(60_000)
  const failures = [failure('ECONNREFUSED', ''), failure('57P03'), failure('', 'timeout expired')]
  await waitForDatabase(async () => {
    const error = failures.shift()
    if (error) throw error
  }, options)
  expect(said).toEqual([
    'The database that DATABASE_URL names cannot be used: ECONNREFUSED. Waiting for it up to 60 s.',
    expect.stringMatching(/^The database answers after \d+ s\.$/),
  ])
})

test('one that does not come within the limit ends the start with a sentence', async () => {
  const { said, options } = waiting(0)
  const call = waitForDatabase(async () => Promise.reject(failure('EAI_AGAIN')), options)
  await expect(call).rejects.toThrow('The database that DATABASE_URL names cannot be used: failed with EAI_AGAIN.')
  expect(said).toEqual([])
})

test.each(['28P01', '3D000'])('a refusal is not waited for: %s', async (code) => {
  const { said, options } = waiting(60_000)
  const call = waitForDatabase(async () => Promise.reject(failure(code)), options)
  await expect(call).rejects.toMatchObject({ name: 'StartError', message: expect.stringContaining(code) })
  expect(said).toEqual([])
})

test('other errors are passed on as they are, and a stop ends the wait', async () => {
  const defect = new TypeError('a defect')
  await expect(waitForDatabase(async () => Promise.reject(defect), waiting(60_000).options)).rejects.toBe(defect)
  const stopped = waiting(60_000, AbortSignal.abort())
  const call = waitForDatabase(async () => Promise.reject(failure('ECONNREFUSED')), stopped.options)
  await expect(call).rejects.toThrow('Stopped while it waited for the database.')
})
