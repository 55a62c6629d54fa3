import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { continueTrace } from '../observability/trace.ts'
import { outboundRequests } from './outbound.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const open = outboundRequests({ privateNetworks: ['127.0.0.0/8', '::1'] })

test('a request arrives as it was made, and its answer comes back', async () => {
  const url = await listen((request, reply) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => reply.writeHead(201, { 'x-a': 'b' }).end(`${request.method} ${request.url} ${body}`))
  })
  const answer = await open.send({ url: `${url}/in?x=1`, body: 'Zoë', headers: { 'content-type': 'text/plain' } })
  expect({ ...answer, headers: answer.headers['x-a'], body: String(answer.body) }).toEqual({
    status: 201,
    headers: 'b',
    body: 'POST /in?x=1 Zoë',
  })
})

test('a request continues the trace of the work that sends it', async () => {
  const url = await listen((request, reply) => reply.end(request.headers['traceparent']))
  const trace = continueTrace('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')
  const { body } = await open.send({ url, trace })
  expect(String(body)).toBe(`00-4bf92f3577b34da6a3ce929d0e0e4736-${trace.spanId}-01`)
})

test('a name that leads to this machine is refused before a connection is opened', async () => {
  let calls = 0
  const url = await listen((_request, reply) => void (calls++, reply.end()))
  const closed = outboundRequests()
  for (const host of ['127.0.0.1', 'localhost', 'localhost.', '[::ffff:127.0.0.1]', '2130706433'])
    await expect(closed.send({ url: url.replace('http://127.0.0.1', `https://${host}`) })).rejects.toThrow(
      'This address is in a private network, so nothing is sent to it.',
    )
  // The operator allows another network, so the name is looked up.
  const other = outboundRequests({ privateNetworks: ['10.0.0.0/8'] })
  await expect(other.send({ url: url.replace('127.0.0.1', 'localhost') })).rejects.toThrow(/private network/)
  expect(calls).toBe(0)
})

test('a name is looked up and its checked address used', async () => {
  const url = await listen((request, reply) => reply.end(request.headers.host))
  const byName = url.replace('127.0.0.1', 'localhost')
  expect(String((await open.send({ url: byName })).body)).toBe(new URL(byName).host)
})

test('a redirect is a failure and is not followed', async () => {
  let calls = 0
  const url = await listen((request, reply) => {
    calls++
    reply.writeHead(307, { location: request.url === '/' ? '/there' : '/' }).end('over there')
  })
  const sent = open.send({ url })
  await expect(sent).rejects.toThrow(/answers 307 and redirects/)
  await expect(sent).rejects.toMatchObject({ answer: { status: 307, body: Buffer.from('over there') } })
  expect(calls).toBe(1)
})

test('a large answer is read in part', async () => {
  const url = await listen((_request, reply) => reply.end(Buffer.alloc(10 * 1024 * 1024, 'a')))
  const { status, body } = await open.send({ url })
  expect([status, body.length]).toEqual([200, 64 * 1024])
})

test('one that hangs is given up, and one whose answer never ends counts with what came', async () => {
  const quick = outboundRequests({ privateNetworks: ['127.0.0.1'], timeoutMs: 100 })
  const hanging = await listen(() => {})
  await expect(quick.send({ url: hanging })).rejects.toThrow('No answer came in time.')
  const endless = await listen((_request, reply) => void reply.writeHead(200).write('begun'))
  expect(String((await quick.send({ url: endless })).body)).toBe('begun')
})

test('closed and refused connections say so', async () => {
  const closing = await listen((request) => request.socket.destroy())
  await expect(open.send({ url: closing })).rejects.toThrow('The connection was closed before an answer came.')
  const gone = await listen(() => {})
  await new Promise((resolve) => servers.pop()?.close(resolve))
  await expect(open.send({ url: gone })).rejects.toThrow('The connection was refused.')
  await expect(open.send({ url: 'https://no-such-host.invalid/' })).rejects.toThrow(/host name can't be/)
})
