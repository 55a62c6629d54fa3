import { afterEach, describe, expect, test } from 'vitest'
import { newTrace } from '../../platform/observability/trace.ts'
import { geotabClient } from './geotab-client.ts'
import { GeotabError } from './geotab-rpc.ts'
import { startGeotab } from './test-geotab.ts'

const poll = { signal: new AbortController().signal, trace: newTrace() }
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function start(...given: Parameters<typeof startGeotab>) {
  const geotab = await startGeotab(...given)
  open.push(geotab)
  return geotab
}
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'none',
    (error: unknown) => (error instanceof GeotabError ? [error.failure, error.waitMs] : error),
  )

describe('a session', () => {
  test('is opened once for all calls, also for those at the same moment, and kept', async () => {
    const geotab = await start()
    const client = geotabClient(geotab.account)
    const now = () => client.getFeed('LogRecord', {}, 10, poll)
    expect(await Promise.all([now(), now(), now()])).toHaveLength(3)
    expect(await now()).toMatchObject({ data: [], toVersion: '0000000000000000' })
    expect(geotab.asked('Authenticate')).toHaveLength(1)
    expect(geotab.asked('GetFeed').every(({ params }) => !('password' in params) && params.credentials)).toBe(true)
  })

  test('goes on at the host that Authenticate names', async () => {
    const elsewhere = await start()
    const first = await start({ path: elsewhere.host })
    const client = geotabClient(first.account)
    // The session is the first host's, so the second does not know it.
    expect(await failure(client.getFeed('LogRecord', {}, 10, poll))).toEqual(['unavailable', undefined])
    expect(first.asked('GetFeed')).toHaveLength(0)
    expect(elsewhere.asked('GetFeed')).toHaveLength(2)
    expect(first.asked('Authenticate')).toHaveLength(2)
    expect(elsewhere.asked('Authenticate')).toHaveLength(0)
  })

  test('that ended is opened again, once, and the call made again', async () => {
    const geotab = await start()
    const client = geotabClient(geotab.account)
    const now = () => client.getFeed('LogRecord', {}, 10, poll)
    await now()
    geotab.endSessions()
    await Promise.all([now(), now(), now()])
    expect(geotab.asked('Authenticate')).toHaveLength(2)
  })

  test('is refused with a wrong password, in a sentence without it', async () => {
    const geotab = await start({ password: 'another' })
    const call = geotabClient(geotab.account).getFeed('LogRecord', {}, 10, poll)
    await expect(call).rejects.toThrow('MyGeotab rejected the sign-in of user us to database fleet.')
    expect(await failure(call)).toEqual(['refused', undefined])
    expect(geotab.asked('Authenticate')).toHaveLength(1)
  })

  test('is not opened more than a few times in a minute', async () => {
    const geotab = await start()
    const client = geotabClient(geotab.account)
    for (let round = 0; round < 4; round++) {
      geotab.endSessions()
      await client.getFeed('LogRecord', {}, 10, poll)
    }
    geotab.endSessions()
    const [what, waitMs] = (await failure(client.getFeed('LogRecord', {}, 10, poll))) as [string, number]
    expect(what).toBe('overLimit')
    expect(waitMs).toBeGreaterThan(50_000)
    expect(geotab.asked('Authenticate')).toHaveLength(4)
  })
})

test.each([
  [{ retryAfter: 7 }, ['overLimit', 7000]],
  ['DbUnavailableException', ['unavailable', undefined]],
  ['html', ['unavailable', undefined]],
  ['cut', ['unavailable', undefined]],
  [500, ['unavailable', undefined]],
  ['ArgumentException', ['rejected', undefined]],
] as const)('what %j means is told by what is to be done', async (fault, expected) => {
  const geotab = await start()
  geotab.failNext('GetFeed', fault)
  const client = geotabClient(geotab.account)
  expect(await failure(client.getFeed('LogRecord', {}, 10, poll))).toEqual(expected)
  expect(geotab.asked('GetFeed')).toHaveLength(1)
  expect(await failure(client.getFeed('LogRecord', {}, 10, poll))).toBe('none')
})

test('a server that does not answer is given up, and a stop is no failure', async () => {
  const geotab = await start()
  await geotab.close()
  open.length = 0
  expect(await failure(geotabClient(geotab.account).getFeed('LogRecord', {}, 10, poll))).toEqual([
    'unavailable',
    undefined,
  ])
  const stopped = AbortSignal.abort()
  await expect(geotabClient(geotab.account).getFeed('LogRecord', {}, 10, { ...poll, signal: stopped })).rejects.toBe(
    stopped.reason,
  )
})
