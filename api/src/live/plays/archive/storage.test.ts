import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { adLog, API_BASE } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../../../app.ts'
import { openAzureStore } from '../../../platform/files/index.ts'
import { startAzurite } from '../../../platform/files/test-azurite.ts'
import { parquetOf } from '../../../platform/parquet/index.ts'
import { archivePlays } from './job.ts'
import { archiveOf, dayAgo } from './test-archive.ts'
import { verifyArchive } from './verify.ts'

const world = await openWorld()
const { db, people } = world
const { addTruck, playsOf, store, grade, adLogOf, rowsLeft } = archiveOf(world)
const truck = await addTruck([80])
await store(truck, [...playsOf(truck, 80), ...playsOf(truck, 2)])
await grade()

const azurite = await startAzurite()
let isUp = true
afterAll(async () => isUp && (await azurite.stop()))
const dataDir = await mkdtemp(path.join(os.tmpdir(), 'roadshow-archive-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

/** A node whose files are in the storage account. */
async function openNode() {
  const blobs = await openAzureStore(azurite.connection, 'roadshow', 'http://localhost:3000')
  const env = {
    brandName: 'Roadshow',
    publicUrl: 'http://localhost:3000',
    logLevel: 'silent',
    trustProxy: 0,
    checkReplies: true,
    dataDir,
  }
  const app = await buildApp({ db, env, blobs, mailer: { send: async () => {} } })
  afterAll(() => app.close())
  const stores = { db, parquet: parquetOf({ blobs }) }
  const read = (query: string) =>
    app.inject({
      url: `${API_BASE}/${adLog.list.path}?program=${truck.programUid}&from=${dayAgo(799)}&pageSize=200&${query}`,
      headers: { authorization: `Bearer ${people.admin.token}` },
    })
  return { blobs, stores, read, app }
}

const node = await openNode()
const other = await openNode()
const errors: unknown[] = []
const archive = () =>
  archivePlays({ ...node.stores, afterDays: 45, now: Date.now(), onError: (error) => errors.push(error) })

test('plays in a storage account are listed and exported as they were in the database', async () => {
  const before = await adLogOf(truck)
  await archive()
  expect(errors).toEqual([])
  expect(await rowsLeft()).toBe(40)
  expect((await node.read('')).json()).toMatchObject({ total: before.pages[0]?.total })
  const csv = await node.read('format=csv')
  expect(csv.body.replace(/\n"# .*\n$/, '\n')).toBe(before.csv)
  const workbook = await node.read('format=xlsx')
  expect([workbook.statusCode, workbook.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK'])
})

test('every file is checked, and a file that was changed or lost is named', async () => {
  const report = await verifyArchive(node.stores)
  expect(report).toMatchObject({ plays: 40, problems: [] })
  const files = await db.selectFrom('play_archive').select(['blob', 'bytes', 'rows']).orderBy('rows').execute()
  const [small, large] = [files[0], files.at(-1)]
  if (!small || !large) throw new Error('There are two files.')
  const content = await node.blobs.read(large.blob).then((stream) => stream.toArray())
  const bytes = Buffer.concat(content as Buffer[])
  await node.blobs.remove(small.blob)
  // A byte in the middle is another one.
  const damaged = Buffer.from(bytes)
  damaged[Math.floor(bytes.length / 3)] = (damaged[Math.floor(bytes.length / 3)] ?? 0) ^ 0xff
  await node.blobs.write(large.blob, damaged, 'application/octet-stream')
  const { problems } = await verifyArchive(node.stores)
  expect(problems.map(({ blob }) => blob).toSorted()).toEqual([small.blob, large.blob].toSorted())
  await node.blobs.write(large.blob, bytes, 'application/octet-stream')
})

test('a storage that is away answers 503 with a sentence for archived days, and new days are listed', async () => {
  await azurite.stop()
  isUp = false
  const away = await other.read(`to=${dayAgo(50)}`)
  expect([away.statusCode, away.json<{ error: string }>().error]).toEqual([
    503,
    "Archived data can't be read right now: the file storage does not answer. Please try again in a minute.",
  ])
  for (const format of ['csv', 'xlsx']) expect((await other.read(`format=${format}`)).statusCode).toBe(503)
  const recent = await other.app.inject({
    url: `${API_BASE}/${adLog.list.path}?program=${truck.programUid}&from=${dayAgo(10)}`,
    headers: { authorization: `Bearer ${people.admin.token}` },
  })
  expect(recent.statusCode).toBe(200)
  expect((await other.app.inject('/readyz')).statusCode).toBe(200)
  // A node that has read the files before still lists them: they do not change.
  expect((await node.read(`to=${dayAgo(50)}&market=${truck.marketUid}`)).statusCode).toBe(200)
}, 60_000)
