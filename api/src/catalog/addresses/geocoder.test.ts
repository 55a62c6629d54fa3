import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { newTrace } from '../../platform/observability/trace.ts'
import { createGeocoder } from './geocoder.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A geocoder on this machine that answers as told. */
async function nominatim(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json =
  (body: unknown): RequestListener =>
  (_, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

const austin = '100 Congress Ave, Austin, TX 78701'
const locate = (url: string | undefined, address = austin, onFailure?: (error: unknown) => void, timeoutMs = 10_000) =>
  createGeocoder({ url, agent: 'Roadshow (test)', timeoutMs, ...(onFailure && { onFailure }) })(address, newTrace())

describe('the geocoder', () => {
  test('asks the configured service, and nothing of the address gets out of the query', async () => {
    const asked: URL[] = []
    const agents: unknown[] = []
    const url = await nominatim((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://here'))
      agents.push(request.headers['user-agent'])
      json([{ lat: '30.2636', lon: '-97.7441', display_name: 'Austin' }])(request, response)
    })
    expect(await locate(`${url}/`)).toEqual({ latitude: 30.2636, longitude: -97.7441, locatedBy: 'geocoder' })
    await locate(url, '../../admin?x=1&format=xml#@evil.example/')
    expect(asked.map(({ pathname }) => pathname)).toEqual(['/search', '/search'])
    expect(asked[1]?.searchParams.get('q')).toBe('../../admin?x=1&format=xml#@evil.example/')
    expect(asked[1]?.searchParams.getAll('format')).toEqual(['jsonv2'])
    expect(agents[0]).toBe('Roadshow (test)')
  })

  const byZip = { latitude: expect.closeTo(30.27, 1), longitude: expect.closeTo(-97.74, 1), locatedBy: 'zip' }

  test('falls back to the ZIP code, marked as such, when nothing is found or no service is set', async () => {
    expect(await locate(undefined)).toEqual(byZip)
    expect(await locate(await nominatim(json([])))).toEqual(byZip)
    expect(await locate(undefined, '12345 Nowhere Rd, Boston, MA 02134-1234')).toMatchObject({
      latitude: expect.closeTo(42.36, 1),
    })
    expect(await locate(undefined, 'Nowhere')).toBeUndefined()
    expect(await locate(undefined, 'Nowhere 00000')).toBeUndefined()
  })

  test.each<[string, RequestListener]>([
    ['redirects', (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end()],
    ['never answers', () => undefined],
    [
      'answers without end',
      (_, response) => {
        response.setHeader('content-type', 'application/json')
        const send = () => void (response.write(' '.repeat(65_536)) ? setImmediate(send) : response.once('drain', send))
        send()
      },
    ],
    ['answers HTML', (_, response) => void response.setHeader('content-type', 'text/html').end('<h1>Busy</h1>')],
    ['answers an error', (_, response) => void response.writeHead(503).end('{}')],
    ['answers nonsense', json({ lat: 1 })],
    ['answers a place that is none', json([{ lat: '900', lon: 'x' }])],
    ['hangs up', (request) => void request.socket.destroy()],
  ])('that %s costs nothing but the exactness', async (_, answer) => {
    const failures: unknown[] = []
    expect(await locate(await nominatim(answer), austin, (error) => failures.push(error), 300)).toEqual(byZip)
    expect(failures).toHaveLength(1)
  })
})
