import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { photoSender } from './driver-photos.ts'
import { plannedShift, START } from './test-plan.ts'

interface Heard {
  path: string
  token: string | undefined
  body: string
}
const heard: Heard[] = []
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  heard.push({ path: request.url ?? '', token: request.headers.authorization, body })
  response.statusCode = body.includes('real@example.com') ? 401 : 200
  response.end(JSON.stringify({ data: { token: 'a token' } }))
}
const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())

test('a driver signs in, sends the photo to the own shift and signs out; who has another password is left alone', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const at = { at: START, latitude: 32.78, longitude: -96.8, speedKmh: 0 }
  const draw = async ({ client }: { client: string }) => Buffer.from(`drawn for ${client}`)
  const send = photoSender(url, { password: 'shared', draw }, (error) => expect.unreachable(String(error)))
  await send(plannedShift({ uid: 'the shift' }), at)
  expect(heard.map(({ path, token }) => [path, token])).toEqual([
    ['/api/v1/authentication/authenticate', undefined],
    ['/api/v1/client-pop/', 'Bearer a token'],
    ['/api/v1/authentication/logout', 'Bearer a token'],
  ])
  expect(heard[0]?.body).toBe('{"email":"driver@example.com","password":"shared","clientType":"web"}')
  for (const part of ['{"shiftUid":"the shift"}', 'name="photos"', 'drawn for Zephyr Foods']) {
    expect(heard[1]?.body).toContain(part)
  }
  heard.length = 0
  const real = plannedShift({ driverEmail: 'real@example.com' })
  await send(real, at)
  await send(real, at)
  expect(heard).toHaveLength(1)
})
