import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { errorBody } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { build } from '../runtime/build.ts'
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
