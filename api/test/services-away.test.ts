import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { BlobServiceClient } from '@azure/storage-blob'
import { adLog, auth, files, singleSignOn, trucks, users } from '@roadshow/contract'
import { CLIENT_ID, CLIENT_SECRET } from '@roadshow/test-kit/identity-client'
import { TestIdentityProvider } from '@roadshow/test-kit/identity-provider'
import { TestClient } from '@roadshow/test-kit/client'
import { newNode, startRedis } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startGeotab } from '../src/live/telemetry/test-geotab.ts'
import { freePort } from '../src/platform/db/embedded/server.ts'
import { azuriteConnection, startAzurite } from '../src/platform/files/test-azurite.ts'
import { startMailServer } from '../src/platform/mail/test-mail-server.ts'

const world = await openWorld()
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-away-'))
const ports = { storage: await freePort(), redis: await freePort(), mail: await freePort(), geotab: await freePort() }
const connection = azuriteConnection(ports.storage)
const provider = new TestIdentityProvider({ port: await freePort(), publicUrl: 'http://127.0.0.1' })
const stops: (() => Promise<unknown>)[] = []
const started = <T extends { stop(): Promise<unknown> }>(server: T): T => {
  stops.push(() => server.stop())
  return server
}

const node = await newNode({
  // Production accepts an identity provider by HTTPS only.
  NODE_ENV: 'test',
  DATABASE_URL: world.url,
  DATA_DIR: folder,
  LOG_LEVEL: 'info',
  RATE_LIMIT: '0',
  AZURE_STORAGE_CONNECTION_STRING: connection,
  DATABASE_REPLICA_URL: `postgres://reader@127.0.0.1:${await freePort()}/roadshow`,
  REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
  SMTP_URL: `smtp://127.0.0.1:${ports.mail}`,
  GEOTAB_SERVER: `http://127.0.0.1:${ports.geotab}`,
  GEOTAB_POLL_SECONDS: '1',
  GEOTAB_DATABASE: 'fleet',
  GEOTAB_USER: 'us',
  GEOTAB_PASSWORD: 'secret',
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT_ID,
  OIDC_CLIENT_SECRET: CLIENT_SECRET,
  OIDC_NAME: 'Acme',
})
const client = new TestClient(node.url, { token: world.people.admin.token })
let pid: number | undefined

beforeAll(async () => {
  await node.start()
  pid = node.pid
}, 120_000)

afterAll(async () => {
  client.close()
  await node.stop('SIGKILL')
  for (const stop of stops) await stop()
  await rm(folder, { recursive: true })
})

const within = { timeout: 25_000, interval: 100 }
const ALL = ['mail', 'mygeotab', 'redis', 'replica', 'singleSignOn', 'storage']

interface Ready {
  ready: boolean
  degraded?: { service: string; since: string; effect: string }[]
}

async function away(): Promise<string[]> {
  const answer = await fetch(`${node.url}/readyz`)
  expect(answer.status).toBe(200)
  const { ready, degraded = [] } = (await answer.json()) as Ready
  expect(ready).toBe(true)
  return degraded.map(({ service }) => service).toSorted()
}

async function upOf(service: string): Promise<string | undefined> {
  const text = await (await fetch(`${node.url}/metrics`)).text()
  return new RegExp(`^roadshow_external_service_up\\{service="${service}"\\} (\\d)$`, 'm').exec(text)?.[1]
}

const returns = (service: string) => vi.waitFor(async () => expect(await away()).not.toContain(service), within)
const leaves = (service: string) => vi.waitFor(async () => expect(await away()).toContain(service), within)
const logged = (sentence: string) => node.log.split(sentence).length - 1

const announce = () =>
  client.call(files.getUploadSas, {
    body: { purpose: 'artwork', name: 'art.png', contentType: 'image/png', size: 1000 },
  })
const forgot = (email: string) => client.call(auth.forgotPasswordMail, { body: { email } })

const waitingMails: string[] = []
const { uid: clientUid } = await world.addClient()

let count = 0
async function invite() {
  const email = `away-${++count}@example.com`
  return { email, answer: await client.call(users.invite, { body: { clientUid, name: 'Ann', email } }) }
}

describe('a node whose services are all away at its start', () => {
  test('is ready, says what is degraded, and answers every other call', async () => {
    await vi.waitFor(async () => expect(await away()).toEqual(ALL), within)
    for (const service of ALL) expect([service, await upOf(service)]).toEqual([service, '0'])
    expect((await client.call(trucks.list, { query: {} })).status).toBe(200)
    expect((await client.call(auth.sessions, {})).status).toBe(200)
    // A report, which the replica would have answered.
    expect((await client.call(adLog.programs, { query: {} })).status).toBe(200)
  })

  test('says each absence once in its log', async () => {
    await vi.waitFor(() => expect(logged("Redis can't be used: ")).toBe(1), within)
    for (const label of ['The file storage', 'The mail server', 'MyGeotab', 'The identity provider']) {
      expect([label, logged(`${label} can't be used: `)]).toEqual([label, 1])
    }
  })

  test('refuses uploads and the company sign-in with a sentence, and saves nothing of them', async () => {
    const upload = await announce()
    expect([upload.status, upload.error?.error]).toEqual([
      503,
      "The file storage can't be reached right now. Please try again in a minute.",
    ])
    expect(upload.headers['retry-after']).toBe('30')
    expect(await world.db.selectFrom('stored_file').select('uid').execute()).toEqual([])

    const sso = await client.call(singleSignOn.begin, { body: { next: '/' } })
    expect([sso.status, sso.error?.code]).toEqual([503, 'singleSignOnAway'])
  })
})

describe('mails of a node whose mail server is away', () => {
  test('wait and say why, and the calls that cause them succeed', async () => {
    // Known and unknown addresses get the same answer.
    for (const email of [world.people.sales.email, 'stranger@example.com'])
      expect((await forgot(email)).status).toBe(200)
    const { email, answer } = await invite()
    expect(answer.status).toBe(200)
    waitingMails.push(world.people.sales.email, email)
    await vi.waitFor(async () => {
      const found = await world.db
        .selectFrom('message')
        .select(['recipient', 'state', 'attempts', 'problem'])
        .orderBy('place')
        .execute()
      const reason = { state: 'waiting', problem: "The mail server can't be reached." }
      expect(found).toMatchObject(waitingMails.map((recipient) => ({ recipient, ...reason })))
    }, within)
  })
})

describe('the same node works with a service as soon as it is there', () => {
  test('MyGeotab: its feeds are read', async () => {
    const geotab = await startGeotab({ port: ports.geotab })
    stops.push(() => geotab.close())
    await returns('mygeotab')
    expect(geotab.asked('LogRecord').length).toBeGreaterThan(0)
  })

  test('file storage: the container is set up, uploads go there, and a break heals too', async () => {
    const first = await startAzurite(ports.storage)
    await returns('storage')
    const { status, body } = await announce()
    expect([status, body.data.url.startsWith(`http://127.0.0.1:${ports.storage}/`)]).toEqual([200, true])
    const put = { method: 'PUT', body: 'x', headers: { 'x-ms-blob-type': 'BlockBlob' } }
    expect((await fetch(body.data.url, put)).status).toBe(201)
    const container = BlobServiceClient.fromConnectionString(connection).getContainerClient('roadshow')
    expect(await container.exists()).toBe(true)

    await first.stop()
    // The first call that needs it notices.
    expect((await client.call(files.complete, { body: { fileUid: body.data.fileUid } })).status).toBe(503)
    await leaves('storage')
    started(await startAzurite(ports.storage))
    await returns('storage')
    expect((await announce()).status).toBe(200)
    expect(await upOf('storage')).toBe('1')
    // The emulator takes seconds to start, twice.
  }, 90_000)

  test('Redis', async () => {
    const redis = await startRedis(folder, ports.redis)
    await returns('redis')
    await redis.stop()
    await leaves('redis')
    started(await startRedis(folder, ports.redis))
    await returns('redis')
  })

  test('mail: what waited follows once, new invitations go out, and a break heals too', async () => {
    const first = await startMailServer({ port: ports.mail })
    await returns('mail')
    const { email, answer } = await invite()
    expect(answer.status).toBe(200)
    const arrived = () => first.received.map(({ to }) => String(to[0])).toSorted()
    await vi.waitFor(() => expect(arrived()).toEqual([...waitingMails, email].toSorted()), within)

    await first.stop()
    // The node learns of the break by this mail, and keeps it.
    expect((await forgot(world.people.sales.email)).status).toBe(200)
    await leaves('mail')
    const second = started(await startMailServer({ port: ports.mail }))
    await returns('mail')
    await vi.waitFor(() => expect(second.received.map(({ to }) => to[0])).toEqual([world.people.sales.email]), within)
    // The node asks a server that was away for long every 30 seconds.
  }, 90_000)

  test('the identity provider: the company sign-in begins', async () => {
    await provider.start()
    stops.push(() => provider.stop())
    await returns('singleSignOn')
    const { status, body } = await client.call(singleSignOn.begin, { body: { next: '/' } })
    expect([status, body.data.url.startsWith(provider.issuer)]).toEqual([200, true])
  })

  test('and never restarted for it', async () => {
    // The replica never came; api/test/replica.test.ts has one that does.
    expect(await away()).toEqual(['replica'])
    for (const service of ALL)
      expect([service, await upOf(service)]).toEqual([service, service === 'replica' ? '0' : '1'])
    expect([node.isRunning, node.pid]).toEqual([true, pid])
    expect(logged('The file storage is back after ')).toBe(2)
  })
})
