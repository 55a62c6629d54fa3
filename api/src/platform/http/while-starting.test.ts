import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { errorBody } from '@roadshow/contract'
import { describe, expect, test, vi } from 'vitest'
import { build } from '../runtime/build.ts'
import { StartError } from '../runtime/start-error.ts'
import { takePort } from './take-port.ts'
import { answerWhileStarting } from './while-starting.ts'

test('a node that is still migrating lives and is not ready, and gives the port back', async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await expect(answerWhileStarting(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
  probe.close()
  await once(probe, 'close')

  const end = await answerWhileStarting(port, '127.0.0.1')
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  expect(await (await ask('/healthz')).json()).toEqual({ alive: true, ...build })
  const ready = await ask('/readyz')
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5'])
  expect(errorBody.parse(await ready.json()).error).toBe('This node is starting: its database is being prepared.')
  await end()
  await expect(ask('/healthz')).rejects.toThrow('fetch failed')
})

describe('a port that is taken', () => {
  const host = '127.0.0.1'
  const never = new AbortController().signal

  async function listenWith(answer: string) {
    const server = createServer((_request, response) => response.end(answer)).listen(0, host)
    await once(server, 'listening')
    const close = async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
    return { port: (server.address() as AddressInfo).port, close }
  }

  test('by a node that is stopping is waited for, and a start that is interrupted does not wait on', async () => {
    const stopping = new AbortController()
    const probe = await listenWith('')
    await probe.close()
    const end = await answerWhileStarting(probe.port, host, stopping.signal)
    const said: string[] = []
    const say = (sentence: string) => said.push(sentence)
    const address = { port: probe.port, host }
    await expect(takePort(address, { say, signal: never })).rejects.toBeInstanceOf(StartError)
    stopping.abort()
    const interrupted = new AbortController()
    const given = takePort(address, { say, signal: interrupted.signal })
    const next = takePort(address, { say, signal: never })
    const sentence = `The Roadshow at port ${probe.port} is still stopping. Waiting for it.`
    await vi.waitFor(() => expect(said).toEqual([sentence, sentence]))
    interrupted.abort()
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
    await end()
    await (
      await next
    )()
  })

  test('by a running Roadshow is refused with that reason, and by anything else as another program', async () => {
    const waiting = { say: () => {}, signal: never }
    const roadshow = await listenWith(JSON.stringify({ alive: true, ...build }))
    await expect(takePort({ port: roadshow.port, host }, waiting)).rejects.toThrow(
      `Port ${roadshow.port} is taken by another running Roadshow. Stop it first, or set PORT to a free one.`,
    )
    await roadshow.close()
    for (const answer of ['<html>', '{"alive":true}']) {
      const other = await listenWith(answer)
      await expect(takePort({ port: other.port, host }, waiting)).rejects.toMatchObject({ code: 'EADDRINUSE' })
      await other.close()
    }
  })
})
