import { once } from 'node:events'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { auth, CLIENT_TYPE, trucks } from '@roadshow/contract'
import { openTestSocket, TestClient } from '@roadshow/test-kit/client'
import { hasProgram, newNode, startProxy } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, expect, test, vi } from 'vitest'
import { freePort } from '../src/platform/db/embedded/server.ts'
import { jobTable } from '../src/platform/jobs/job-table.ts'

const world = await openWorld()
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-log-'))
const database = new URL(world.url)
const away = Object.assign(new URL(world.url), { port: String(await freePort()) })

/** Leads to the database from the address that the node knows. */
async function openWay(): Promise<{ close(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = connect(Number(database.port), database.hostname)
    for (const each of [socket, onward]) {
      sockets.add(each)
      each.on('error', () => {}).on('close', () => [socket, onward].forEach((one) => one.destroy()))
    }
    socket.pipe(onward).pipe(socket)
  })
  await once(server.listen(Number(away.port), '127.0.0.1'), 'listening')
  return {
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const node = await newNode({
  DATABASE_URL: away.href,
  DATA_DIR: folder,
  LOG_LEVEL: 'info',
  TRUST_PROXY: '1',
  RATE_LIMIT: '0',
  DRAIN_SECONDS: '1',
})
const stops: (() => unknown)[] = []
let way: Awaited<ReturnType<typeof openWay>> | undefined
afterAll(async () => {
  for (const stop of stops) await stop()
  await node.stop('SIGKILL')
  await rm(folder, { recursive: true })
})

const within = { timeout: 30_000, interval: 50 }

interface Line {
  level: number
  msg: string
  reqId?: string
  status?: number
  [name: string]: unknown
}

const linesOf = (log: string): Line[] =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

test('a node waits for a database that is away at its start, says so, and is ready when it is there', async () => {
  const starting = node.start()
  await vi.waitFor(() => expect(node.log).toContain('cannot be used: connect ECONNREFUSED'), within)
  expect(node.log).toContain('Waiting for it up to 300 s.')
  expect((await fetch(`${node.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${node.url}/readyz`)).status).toBe(503)
  way = await openWay()
  stops.push(() => way?.close())
  await starting
  expect(node.log).toMatch(/The database answers after \d+ s\./)
  expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
}, 60_000)

const SECOND = 1000
const OUTAGE_SECONDS = 15

/** The values of `roadshow_ready` of so many seconds. */
async function recordReady(seconds: number): Promise<number[]> {
  const values: number[] = []
  const began = Date.now()
  for (let n = 1; n <= seconds; n++) {
    const text = await (await fetch(`${node.url}/metrics`)).text()
    values.push(Number(/^roadshow_ready (\d)$/m.exec(text)?.[1]))
    await sleep(began + n * SECOND - Date.now())
  }
  return values
}

/** The alerts that fire so many seconds after the first of these values, the last of which stays. */
async function firingAt(seconds: number, ready: readonly number[]): Promise<boolean> {
  const tested = {
    rule_files: [fileURLToPath(new URL('../../deploy/alerts.yml', import.meta.url))],
    evaluation_interval: '15s',
    tests: [
      {
        interval: '1s',
        input_series: [
          {
            series: 'roadshow_ready{job="roadshow",instance="node1"}',
            values: `${ready.join(' ')} ${ready.at(-1)}x120`,
          },
        ],
        promql_expr_test: [
          {
            expr: 'ALERTS{alertstate="firing",severity="critical"}',
            eval_time: `${seconds}s`,
            exp_samples: [
              {
                labels: 'ALERTS{alertname="RoadshowNotReady",alertstate="firing",job="roadshow",severity="critical"}',
                value: 1,
              },
            ],
          },
        ],
      },
    ],
  }
  const file = path.join(folder, 'outage.yml')
  await writeFile(file, JSON.stringify(tested))
  return promisify(execFile)('promtool', ['test', 'rules', file]).then(
    () => true,
    (error: { stdout: string; stderr: string }) => {
      if (!`${error.stdout}${error.stderr}`.includes('got: nil')) throw error
      return false
    },
  )
}

test('an outage of the database is a line for the node and one for each job, and an alert within a minute', async () => {
  const before = await recordReady(3)
  expect(before).toEqual([1, 1, 1])
  const cutAt = node.log.length
  way?.close()
  const during = await recordReady(OUTAGE_SECONDS)
  // Nobody asks for /readyz: the node has noticed by itself, and answers monitors without the database.
  expect(during.lastIndexOf(1)).toBeLessThan(10)
  expect((await fetch(`${node.url}/readyz`)).status).toBe(503)
  const lines = linesOf(node.log.slice(cutAt))
  expect(lines.filter(({ level }) => level > 40)).toEqual([])
  expect(lines.filter(({ msg }) => msg === 'This node is not ready: The database does not answer.')).toHaveLength(1)
  expect(lines.filter(({ msg }) => msg.startsWith('No signals of the database arrive: '))).toHaveLength(1)
  const waiting = lines.flatMap(({ job }) => (typeof job === 'string' ? [job] : []))
  expect(waiting).toContain('end-due-sessions')
  expect(waiting.length).toBeGreaterThan(5)
  // What is said once does not grow with the outage: every job together stays below this.
  expect(new Set(waiting).size).toBe(waiting.length)
  expect(lines.length).toBe(waiting.length + 2)
  expect((Buffer.byteLength(node.log.slice(cutAt)) / lines.length) * Object.keys(jobTable).length).toBeLessThan(15_000)
  for (const job of waiting)
    expect(lines.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(`^The job ${job} waits: `))

  const backAt = node.log.length
  way = await openWay()
  await vi.waitFor(() => {
    const again = linesOf(node.log.slice(backAt))
    expect(again.filter(({ msg }) => / answers again after \d+ s: this node is ready\.$/.test(msg))).toHaveLength(1)
    expect(again.filter(({ msg }) => / arrive again after \d+ s\.$/.test(msg))).toHaveLength(1)
    // The slowest of them run every few minutes.
    expect(again.map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/^The job end-due-sessions works again after \d+ s\.$/),
    )
    expect(again.filter(({ level }) => level > 30)).toEqual([])
  }, within)
  expect((await recordReady(1))[0]).toBe(1)

  if (!hasProgram('promtool')) return
  expect(await firingAt(before.length + 60, [...before, ...during])).toBe(true)
  expect(await firingAt(60, [...before, 1])).toBe(false)
}, 90_000)

/** Calls of every kind, through the proxy; how many there were. */
async function callAll(url: string, client: TestClient): Promise<number> {
  const stranger = new TestClient(url)
  const [truck] = (await client.call(trucks.list, { query: {} })).body.data
  const raw = (method: 'GET' | 'POST', where: string, body?: string) =>
    stranger.raw({ method, path: where, ...(body && { body, headers: { 'content-type': 'application/json' } }) })
  const answers = [
    await client.call(trucks.list, { query: { pageSize: '2' } }),
    await client.call(trucks.list, { query: { format: 'csv' } as never }),
    await client.call(trucks.get, { params: { uid: truck?.uid ?? '' } }),
    await client.call(auth.me, {}),
    await client.call(trucks.create, { body: {} as never }),
    await stranger.call(trucks.list, { query: {} }),
    await raw('GET', '/api/v1/nothing'),
    await raw('GET', '/'),
    await raw('POST', '/api/v1/authentication/authenticate', '{'),
    await raw('GET', '/api/v1/openapi.json'),
  ]
  stranger.close()
  return answers.length + 1
}

/** A call that its client gives up. */
async function hangUp(url: string): Promise<void> {
  const begun = request(`${url}/api/v1/authentication/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 1000 },
  })
  begun.on('error', () => {})
  await new Promise((resolve) => begun.write('{', resolve))
  begun.destroy()
  await vi.waitFor(() => expect(node.log).toContain('"status":499'), within)
}

test('every line is JSON, no error is none, and a call has one line that the proxy knows by its id', async () => {
  await world.call(trucks.create, { body: { number: 'LOG-1', kind: 'led', state: 'active' } })
  const proxy = await startProxy([node, node], folder)
  stops.push(() => proxy.stop())
  const client = new TestClient(proxy.url, { token: world.people.admin.token })
  stops.push(() => client.close())
  const handshake = { clientType: CLIENT_TYPE, userUid: world.people.admin.uid, token: world.people.admin.token }
  const page = openTestSocket(proxy.url, handshake, { reconnectionDelay: 100 })
  stops.push(() => page.disconnect())

  const from = node.log.length
  let calls = 0
  for (let round = 0; round < 20; round++) calls += await callAll(proxy.url, client)
  await hangUp(node.url)
  calls++
  await node.stop('SIGTERM')
  await node.start()
  await vi.waitFor(async () => expect((await fetch(`${proxy.url}/readyz`)).status).toBe(200), within)
  for (let round = 0; round < 10; round++) calls += await callAll(proxy.url, client)
  const traced = await fetch(`${proxy.url}/api/v1/openapi.json`, {
    headers: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'x-request-id': 'a-chosen-id' },
  })
  await traced.arrayBuffer()
  calls++
  await node.stop('SIGTERM')

  const lines = linesOf(node.log.slice(from))
  expect(lines.filter(({ level }) => level >= 40)).toEqual([])
  const logged = lines.filter(({ msg }) => msg === 'call')
  expect(logged.length).toBe(calls)
  expect(lines.length / calls).toBeLessThanOrEqual(1.1)
  for (const line of logged) {
    expect(line).toMatchObject({ method: expect.any(String), status: expect.any(Number), ms: expect.any(Number) })
    expect(line).toMatchObject({ reqId: expect.any(String), traceId: expect.any(String) })
    expect([line['route'], line['user']].every((each) => each === null || typeof each === 'string')).toBe(true)
  }
  expect(logged.filter(({ user }) => user === world.people.admin.uid).length).toBeGreaterThan(100)

  const id = traced.headers.get('x-request-id')
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(logged.find(({ reqId }) => reqId === id)).toMatchObject({
    route: '/api/v1/openapi.json',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    status: 200,
  })
  const proxiedNow = () =>
    linesOf(
      proxy
        .log()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .join('\n'),
    )
  // All that came through the proxy, which is all but the call that was given up. Its lines arrive on their own way.
  const missing = () => {
    const ids = new Set(proxiedNow().map(({ request_id }) => request_id))
    return logged.filter(({ reqId }) => !ids.has(reqId))
  }
  await vi.waitFor(() => expect(missing()).toHaveLength(1), within)
  const proxied = proxiedNow()
  expect(proxied.find(({ request_id }) => request_id === id)).toMatchObject({
    place: 'api/v1/openapi.json',
    status: 200,
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  })
}, 120_000)

test('a start says that it is ready at every log level, and why it can’t work in a line of JSON too', async () => {
  const quiet = await newNode({ DATABASE_URL: world.url, DATA_DIR: folder, LOG_LEVEL: 'error', DRAIN_SECONDS: '0' })
  await quiet.start()
  await quiet.stop()
  expect(linesOf(quiet.log).at(-1)?.msg).toBe(`Roadshow is ready at ${quiet.url}`)
  const wrong = await newNode({ DATABASE_URL: away.href, DATA_DIR: folder, PORT: 'x' })
  await expect(wrong.start()).rejects.toThrow('The node ended with 1')
  expect(linesOf(wrong.log)).toMatchObject([{ level: 60, msg: 'The setting PORT must be a port number.' }])
}, 60_000)
