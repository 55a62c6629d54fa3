import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { auth, push, secondFactors, webhookDeliveries, webhooks } from '@roadshow/contract'
import { TestClient } from '@roadshow/test-kit/client'
import { newNode, type TestNode } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { generateSync, ScureBase32Plugin } from 'otplib'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hashPassword } from '../src/accounts/sign-in/index.ts'
import { TestPushService } from '../src/outreach/push/test-push-service.ts'
import { accept, answerWith, Receiver } from '../src/outreach/webhooks/test-receiver.ts'
import { recordEvents } from '../src/platform/outbox/index.ts'
import { contentOf, emptyDatabase } from '../src/platform/backup/test-databases.ts'

const world = await openWorld()
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-commands-'))
const at = (...parts: string[]) => path.join(folder, ...parts)
const PASSPHRASE = 'the trucks are parked at night'
const PASSWORD = 'seven wet boots'
const within = { timeout: 60_000, interval: 200 }

const receiver = await new Receiver().open()
const service = await TestPushService.open()
const nodes: TestNode[] = []
const clients: TestClient[] = []

async function openNode(databaseUrl: string, dataDir: string) {
  const node = await newNode({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    RATE_LIMIT: '0',
    DRAIN_SECONDS: '0',
    OUTBOUND_PRIVATE_NETWORKS: '127.0.0.0/8',
  })
  nodes.push(node)
  await node.start()
  const client = new TestClient(node.url, { token: world.people.admin.token })
  clients.push(client)
  return { node, client }
}

afterAll(async () => {
  for (const client of clients) client.close()
  for (const node of nodes) await node.stop('SIGKILL')
  receiver.close()
  service.close()
  await rm(folder, { recursive: true })
})

interface Place {
  database: string
  dataDir: string
  passphrase?: string
}

/** Runs a command of the program as an operator does; answers what it says, also where it fails. */
async function run(name: 'backup' | 'restore', args: string[], { database, dataDir, passphrase = '' }: Place) {
  const entry = fileURLToPath(new URL(`../dist/bundled/${name}.js`, import.meta.url))
  const env = { PATH: '', DATABASE_URL: database, DATA_DIR: dataDir, BACKUP_PASSPHRASE: passphrase }
  return promisify(execFile)(process.execPath, [entry, ...args], { env }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed: ${stdout}${stderr}`,
  )
}

const here: Place = { database: world.url, dataDir: at('here') }
const receives = (count: number) =>
  vi.waitFor(() => assert(receiver.received.length === count, 'The message has not come.'), within)

let person = { email: '', key: '' }
let secret = ''
let webhookUid = ''
let browserUid = ''

const code = (ms: number) => generateSync({ secret: new ScureBase32Plugin().decode(person.key), epoch: ms / 1000 })

/** Signs in with the password and a code of the authenticator app. Each code works once. */
async function signIn(client: TestClient, step: number): Promise<number> {
  const asked = await client.call(auth.authenticate, {
    body: { email: person.email, password: PASSWORD, clientType: 'web' },
  })
  const token = asked.error?.secondFactor?.token ?? ''
  const body = { token, code: code(Date.now() + step * 30_000) }
  return (await client.call(secondFactors.finishSignIn, { body })).status
}

beforeAll(async () => {
  const { client } = await openNode(here.database, here.dataDir)
  const { uid, email, token } = await world.addUser('admin')
  await world.db
    .updateTable('user_account')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('uid', '=', uid)
    .execute()
  const own = new TestClient(nodes[0]?.url ?? '', { token })
  clients.push(own)
  person = { email, key: (await own.call(secondFactors.startCodeApp, {})).body.data.key }
  await own.call(secondFactors.addCodeApp, { body: { code: code(Date.now() - 30_000) } })

  const webhook = (await client.call(webhooks.create, { body: { url: receiver.url, events: ['photo.approved'] } })).body
  ;({ secret } = webhook.data)
  webhookUid = webhook.data.webhook.uid
  service.publicKey = (await client.call(push.browsers, {})).body.data.publicKey
  const subscribed = await client.call(push.subscribe, { body: service.openBrowser().subscription })
  browserUid = subscribed.body.data.uid
  // A message that waits when the backup is made.
  receiver.answer = answerWith(500)
  await recordEvents(world.db, [{ type: 'photo.approved', object: 'photo 1', data: { name: 'Main Street' } }])
  await receives(1)
}, 180_000)

test('without a passphrase a backup says that the secret key is not kept, and so does the restore', async () => {
  const said = await run('backup', ['--to', at('backups', 'first')], here)
  expect(said).toContain('Warning: the secret key is not kept in this backup, because BACKUP_PASSPHRASE is not set.')
  expect(said).toContain('is complete')
  expect(await world.db.selectFrom('backup_run').select(['kind', 'has_key']).execute()).toEqual([
    { kind: 'backup', has_key: false },
  ])
  const there = { database: await emptyDatabase(world.url), dataDir: at('without') }
  expect(await run('restore', ['--from', at('backups', 'first')], there)).toContain('The secret key was not restored.')
  expect(await readdir(there.dataDir)).not.toContain('secret.key')
}, 120_000)

test('with one it holds the key sealed, and says so when it is checked', async () => {
  const sealing = { ...here, passphrase: PASSPHRASE }
  const said = await run('backup', ['--to', at('backups', 'second')], sealing)
  expect(said).toContain('is complete')
  expect(said).not.toContain('Warning')
  const key = await readFile(at('here', 'secret.key'), 'utf8')
  for (const entry of await readdir(at('backups', 'second'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = await readFile(path.join(entry.parentPath, entry.name))
    expect([entry.name, bytes.includes(key), bytes.includes(Buffer.from(key, 'base64'))]).toEqual([
      entry.name,
      false,
      false,
    ])
  }
  // Of a folder of backups, the newest is checked.
  expect(await run('backup', ['--check', at('backups'), '--note'], sealing)).toMatch(
    / is whole: .* with the secret key,/,
  )
  const wrong = { ...here, passphrase: 'another passphrase' }
  expect(await run('backup', ['--check', at('backups'), '--note'], wrong)).toMatch(
    /^failed: [^]*BACKUP_PASSPHRASE does not open the secret key of this backup/,
  )
  const runs = await world.db.selectFrom('backup_run').select(['kind', 'folder', 'has_key']).orderBy('kind').execute()
  expect(runs).toEqual([
    { kind: 'backup', folder: at('backups', 'second'), has_key: true },
    { kind: 'check', folder: at('backups', 'second'), has_key: true },
  ])
  // The node has told admins by now, or will.
  await vi.waitFor(async () => {
    const notices = await world.db
      .selectFrom('notification')
      .select('text')
      .where('kind', '=', 'backupFailed')
      .execute()
    expect(notices.map(({ text }) => text).join()).toContain('failed its check: BACKUP_PASSPHRASE does not open')
  }, within)
}, 120_000)

test('on a new machine webhooks, push messages, second factors and waiting messages work as before', async () => {
  const from = ['--from', at('backups', 'second')]
  const there = { database: await emptyDatabase(world.url), dataDir: at('there') }
  expect(await run('restore', from, there)).toContain('Set BACKUP_PASSPHRASE to the passphrase that it was made with')
  expect(await run('restore', from, { ...there, passphrase: 'another passphrase' })).toContain(
    'BACKUP_PASSPHRASE does not open the secret key of this backup',
  )
  // A node that was started too early has made a key of its own.
  const used = { ...there, dataDir: at('used'), passphrase: PASSPHRASE }
  await mkdir(used.dataDir)
  await writeFile(path.join(used.dataDir, 'secret.key'), randomBytes(32).toString('base64'))
  expect(await run('restore', from, used)).toContain('is another key than that of the backup. Move it away')
  expect(Object.keys((await contentOf(there.database)).content)).toEqual([])

  expect(await run('restore', from, { ...there, passphrase: PASSPHRASE })).toContain(
    'The secret key is restored with it.',
  )
  for (const node of nodes) await node.stop()
  const { node, client } = await openNode(there.database, there.dataDir)

  expect(await signIn(client, 0)).toBe(200)
  expect((await client.call(push.test, { params: { uid: browserUid } })).status).toBe(200)
  await vi.waitFor(() => expect(service.delivered).toHaveLength(1), within)
  expect(service.errors).toEqual([])

  receiver.answer = accept
  receiver.received.length = 0
  const [held] = (await client.call(webhookDeliveries.list, { query: { webhookUid } })).body.data
  expect(held).toMatchObject({ state: 'cancelled' })
  expect((await client.call(webhookDeliveries.sendAgain, { params: { uid: held?.uid ?? '' } })).status).toBe(200)
  await receives(1)
  const [message] = receiver.received
  expect(() => new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {})).not.toThrow()

  // The backup before this one had no key. A job measures it soon after the start.
  const metrics = await vi.waitFor(async () => {
    const text = await (await fetch(`${node.url}/metrics`)).text()
    expect(text).toContain('roadshow_backup_has_key{kind="backup"} 0\n')
    return text
  }, within)
  const [, doneAt] = /^roadshow_backup_done_timestamp_seconds\{kind="backup"\} (\S+)$/m.exec(metrics) ?? []
  expect(Date.now() / 1000 - Number(doneAt)).toBeLessThan(300)
}, 180_000)
