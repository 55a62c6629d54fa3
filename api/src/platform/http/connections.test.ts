import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { API_BASE, auth, files, pops } from '@roadshow/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { countByAddress, type ClientTimeouts, DEFAULT_TIMEOUTS } from './connections.ts'

const world = await openWorld()
const env = { brandName: 'R', publicUrl: 'http://localhost', logLevel: 'silent', trustProxy: 0, checkReplies: true }
const LOGIN = `${API_BASE}/${auth.authenticate.path}`

/** However it was closed. */
const closed = (socket: net.Socket) => new Promise((resolve) => socket.once('close', resolve))

/** The port of an app that waits no longer than this. */
async function listening(timeouts: Partial<ClientTimeouts>): Promise<number> {
  const app = await buildApp({
    db: world.db,
    env,
    blobs: world.app.blobs,
    mailer: { send: async () => {} },
    timeouts: {
      ...DEFAULT_TIMEOUTS,
      ...timeouts,
    },
  })
  afterAll(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

describe('slow clients', () => {
  const timeouts = { headers: 2000, body: 2000 }

  /** Sends a beginning, then a byte now and then, until the server has had enough; answers what it said. */
  async function trickle(port: number, beginning: string): Promise<string> {
    const socket = net.connect(port, '127.0.0.1')
    await once(socket, 'connect')
    let heard = ''
    socket.on('data', (bytes) => (heard += bytes.toString()))
    socket.on('error', () => {})
    socket.write(beginning)
    // Why it is cut off is heard before anything more is sent: a line that breaks while sending is not read to its end.
    const drip = setInterval(() => setImmediate(() => heard.includes(' 408 ') || socket.write('x')), 20)
    await closed(socket)
    clearInterval(drip)
    return heard
  }

  const served = (port: number) =>
    new Promise<number>((resolve, reject) => {
      const asked = http.get({ port, host: '127.0.0.1', path: '/healthz', agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      asked.on('error', reject)
    })

  test('that drip their headers or their body are cut off, while others are served', async () => {
    const port = await listening(timeouts)
    const body = `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"email":"`
    const others: number[] = []
    /** Comes again until someone else was served: a busy machine may take longer for that than the server waits. */
    async function insist(beginning: string): Promise<string[]> {
      const heard: string[] = []
      do heard.push(await trickle(port, beginning))
      while (others.length === 0)
      return heard.map((each) => each.slice(9, 12))
    }
    const ended = new AbortController()
    const slow = Promise.all([
      ...Array.from({ length: 20 }, () => insist('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')),
      ...Array.from({ length: 20 }, () => insist(body)),
      // Refused at once, for there is no token.
      ...Array.from({ length: 5 }, () => insist(body.replace('POST', 'PUT').replace(LOGIN, `${API_BASE}/trucks/`))),
    ]).finally(() => ended.abort())
    do others.push(await served(port))
    while (!ended.signal.aborted)
    expect(new Set(others)).toEqual(new Set([200]))
    const cutOff = await slow
    expect(new Set(cutOff.slice(0, 40).flat())).toEqual(new Set(['408']))
    expect(new Set(cutOff.slice(40).flat())).toEqual(new Set(['401']))
  })

  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']
  const trickles = (method: string, path: string) =>
    [...types, 'application/octet-stream'].map(
      (type) =>
        `${method} ${path} HTTP/1.1\r\nHost: x\r\n${type && `Content-Type: ${type}\r\n`}Content-Length: 100000\r\n\r\nx`,
    )

  test('that drip a body of any content type are cut off too, by calls that take files and by others', async () => {
    const port = await listening({ body: 300, uploadRate: 1000 })
    const unsigned = `${API_BASE}/blob-storage/blobs/incoming-x?expires=9999999999&size=100000&signature=x`
    const all = [
      ...trickles('POST', LOGIN),
      ...trickles('POST', `${API_BASE}/${pops.addPhotos.path}`),
      ...trickles('PUT', unsigned),
    ]
    const heard = await Promise.all(all.map((beginning) => trickle(port, beginning)))
    // Each is answered or cut off; none is kept waiting.
    for (const [index, answer] of heard.entries()) expect(answer, all[index]).toMatch(/^HTTP\/1\.1 4\d\d |^$/)
  })

  test('that upload a file slowly may take their time, as long as enough of it arrives', async () => {
    const [every, size] = [600, 20_000]
    const port = await listening({ body: every, uploadRate: 500 })
    const body = { purpose: 'artwork' as const, name: 'a.png', contentType: 'image/png', size }
    const upload = async () => {
      const { data } = (await world.call(files.getUploadSas, { body })).body
      const sent = http.request({
        port,
        host: '127.0.0.1',
        method: 'PUT',
        path: data.url,
        headers: { 'content-type': 'application/octet-stream', 'content-length': size },
      })
      return sent.on('error', () => {})
    }
    const steady = await upload()
    const answered = once(steady, 'response') as Promise<[http.IncomingMessage]>
    // Longer than three intervals, and in each of them several times what is enough.
    for (let part = 0; part < 40; part++) {
      steady.write(Buffer.alloc(size / 40))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    steady.end()
    const [answer] = await answered
    answer.resume()
    expect(answer.statusCode).toBe(200)

    const stalled = await upload()
    stalled.write(Buffer.alloc(1000))
    const [refusal] = (await once(stalled, 'response')) as [http.IncomingMessage]
    expect(refusal.statusCode).toBe(408)
  })

  test('that say nothing at all are cut off too', async () => {
    const socket = net.connect(await listening(timeouts), '127.0.0.1')
    socket.on('error', () => {})
    socket.resume()
    await closed(socket)
  })
})

test('an address has only so many connections, one more when one is closed; others and this machine have theirs', () => {
  const server = net.createServer()
  countByAddress(server, 2)
  const connect = (remoteAddress: string) => {
    const socket = Object.defineProperty(new net.Socket(), 'remoteAddress', { value: remoteAddress })
    server.emit('connection', socket)
    return socket
  }
  const sockets = [
    '2001:db8::1',
    '2001:db8::2',
    '2001:db8::3',
    '203.0.113.9',
    '127.0.0.1',
    '127.0.0.1',
    '127.0.0.1',
  ].map(connect)
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false, false, false, false])
  sockets[0]?.emit('close')
  expect([connect('2001:db8::4'), connect('2001:db8::5')].map(({ destroyed }) => destroyed)).toEqual([false, true])
})

describe('requests that are too large for anybody', () => {
  const raw = async (port: number, text: string) => {
    const socket = net.connect(port, '127.0.0.1')
    let heard = ''
    socket.on('data', (bytes) => (heard += bytes.toString())).on('error', () => {})
    socket.write(text)
    await closed(socket)
    return heard
  }

  test('are refused: floods of headers, endless addresses, headers twice', async () => {
    const port = await listening({})
    const ask = (path: string, headers: string) =>
      raw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`)
    expect(await ask('/healthz', '')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await ask('/healthz', 'X-A: 1\r\n'.repeat(5000))).toMatch(/^HTTP\/1\.1 431 /)
    expect(await ask(`/healthz?${'x'.repeat(20_000)}`, '')).toMatch(/^HTTP\/1\.1 431 /)
    expect(await ask('/healthz', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await ask('/healthz', 'Content-Length: 1\r\nContent-Length: 2\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    const deep = '['.repeat(300_000) + ']'.repeat(300_000)
    const post = `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n`
    expect(await raw(port, `${post}Content-Length: ${deep.length}\r\n\r\n${deep}`)).toMatch(/^HTTP\/1\.1 400 /)
    for (const path of [
      '/../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '//etc/passwd',
      '/assets/..%2f..%2fpackage.json',
    ]) {
      const answer = await ask(path, '')
      expect(answer, path).toMatch(/^HTTP\/1\.1 (400|404) /)
      expect(answer, path).not.toMatch(/root:|dependencies/)
    }
  })
})
