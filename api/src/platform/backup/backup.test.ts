import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { trucks } from '@roadshow/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../db/connection.ts'
import { migrate } from '../db/migrate.ts'
import { storePlays } from '../../live/plays/index.ts'
import { DALLAS, fleetOf, minutesAgo } from '../../live/players/test-fleet.ts'
import { openPops } from '../../proof/pop/test-pop.ts'
import { enqueue, sendAgain } from '../outbox/index.ts'
import { StartError } from '../runtime/start-error.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { checkBackup, MANIFEST, type Manifest } from './format.ts'
import { keepNewest } from './keep.ts'
import { makeBackup } from './make.ts'
import { restoreBackup } from './restore.ts'
import { withClient as on } from '../db/with-client.ts'
import { contentOf, emptyDatabase } from './test-databases.ts'

const world = await openWorld()
const { db, call } = world
const root = await mkdtemp(path.join(os.tmpdir(), 'roadshow-backup-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const at = (...parts: string[]) => path.join(root, ...parts)

async function hashesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.part')).toSorted()
  const entries = names.map(async (name) => {
    const bytes = await readFile(path.join(folder, name))
    return [name, createHash('sha256').update(bytes).digest('hex')] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

const backUp = (to: string) => makeBackup({ url: world.url, blobFolder: world.folder, to, say: () => {} })

async function restore(from: string, url?: string, blobFolder = at(randomUUID())) {
  const target = url ?? (await emptyDatabase(world.url))
  await restoreBackup({ from, blobFolder, openDatabase: async () => target, say: () => {} })
  return { url: target, blobFolder }
}

const addTruck = (number: string) => call(trucks.create, { body: { number, kind: 'led', state: 'active' } })

beforeAll(async () => {
  const pops = await openPops(world)
  const fleet = fleetOf(world)
  const { truckUid, art, device, programUid } = await fleet.addRunning()
  await storePlays(db, { uid: device.uid, truckUid }, [
    fleet.aPlay(art, { place: DALLAS }),
    // Of another week, which is a table of its own.
    fleet.aPlay(art, { startedAt: minutesAgo(8 * 24 * 60) }),
  ])
  await fleet.addPosition(truckUid, minutesAgo(9), DALLAS)
  const pop = await pops.addPop()
  await pops.addPhoto(pop.uid, pops.austin, { caption: 'A tab\t, a line\n, a \\ and “quotes”' })
  await pops.publish(pop.uid, 'The first')
  await pops.addPhoto(programUid, null)
  await addTruck('T-1')
  const stored = await db.selectFrom('stored_file').select('blob_name').execute()
  for (const { blob_name } of stored) await world.app.blobs.write(blob_name, Buffer.from(blob_name), 'image/png')
})

/** What the first test has restored. */
let restored = { url: '', blobFolder: '' }
let restoredContent: unknown

test('what is restored is what was backed up: every row, every sequence, every file', async () => {
  const { blobs, tables } = await backUp(at('whole'))
  restored = await restore(at('whole'))
  const { url, blobFolder } = restored
  restoredContent = await contentOf(url)
  expect(restoredContent).toEqual(await contentOf(world.url))
  const files = await hashesIn(world.folder)
  expect(Object.keys(files).length).toBeGreaterThan(5)
  expect(await hashesIn(blobFolder)).toEqual(files)
  expect(blobs).toMatchObject({ count: Object.keys(files).length, missing: [] })
  expect(tables).toContainEqual(expect.objectContaining({ name: 'pop_version', rows: 1 }))
  expect(tables.filter(({ partOf, rows }) => partOf === 'play' && rows === 1)).toHaveLength(2)
  // Also what keeps it so is there: a change is counted and written into the history.
  await on(url, async (client) => {
    await client.query(`update truck set plate = 'NEW-1' where number = 'T-1'`)
    const { rows } = await client.query(`
      select version from truck where number = 'T-1' union all
      select count(*) from history h join truck t on t.uid = h.record_uid where t.number = 'T-1'`)
    expect(rows.map(({ version }) => Number(version))).toEqual([2, 2])
  })
})

test('a backup under writes is of one moment: nothing of it is there by half', async () => {
  const over = new AbortController()
  let written = 0
  async function write(): Promise<void> {
    while (!over.signal.aborted) if ((await addTruck(`W-${++written}`)).status !== 200) throw new Error('refused')
  }
  const writing = [write(), write()]
  const { tables } = await backUp(at('busy')).finally(() => over.abort())
  await Promise.all(writing)
  expect(tables.find(({ name }) => name === 'truck')?.rows).toBeLessThan(written)
  const { url } = await restore(at('busy'))
  const { rows } = await on(url, (client) =>
    client.query<{ trucks: number; total: number; histories: number }>(`
      select (select count(*) from truck)::int as trucks,
             (select sum(delta) from list_change where list = 'truck')::int as total,
             (select count(distinct t.uid) from truck t join history h on h.record_uid = t.uid)::int as histories`),
  )
  const { trucks: there } = rows[0] ?? {}
  expect(there).toBeGreaterThan(0)
  expect(rows[0]).toMatchObject({ total: there, histories: there })
})

test('what waited to be sent when the backup was made is held back with the reason, and can be sent again', async () => {
  const mail = {
    kind: 'invitation',
    channel: 'mail',
    recipient: 'ann@example.com',
    payload: { text: 'Hello' },
  } as const
  const later = { notBefore: new Date(Date.now() + 3_600_000) }
  await enqueue(db, [
    { ...mail, ...later, subject: 'Waits' },
    { ...mail, ...later, subject: 'Sent' },
  ])
  await db.updateTable('message').set({ state: 'sent', done_at: new Date() }).where('subject', '=', 'Sent').execute()
  await db
    .insertInto('outbound_event')
    .values({ type: 'truck.seen', object: 'truck 1', next_at: new Date(Date.now() + 3_600_000) })
    .execute()
  await backUp(at('waiting'))
  const { url } = await restore(at('waiting'))
  const { db: restoredDb, close } = connect(url)
  const messages = await restoredDb
    .selectFrom('message')
    .select(['uid', 'subject', 'state', 'problem'])
    .where('recipient', '=', 'ann@example.com')
    .orderBy('subject')
    .execute()
  const problem = expect.stringContaining('may have been sent since')
  expect(messages).toMatchObject([
    { subject: 'Sent', state: 'sent', problem: null },
    { subject: 'Waits', state: 'cancelled', problem },
  ])
  const events = await restoredDb
    .selectFrom('outbound_event')
    .select(['failed_at', 'problem'])
    .where('object', '=', 'truck 1')
    .execute()
  expect(events).toEqual([{ failed_at: expect.anything(), problem }])
  expect(await sendAgain(restoredDb, messages[1]?.uid ?? '')).toBe(true)
  await close()
  // Where the backup was made, it goes on waiting.
  expect(await db.selectFrom('message').select('state').where('subject', '=', 'Waits').execute()).toEqual([
    { state: 'waiting' },
  ])
  await db.deleteFrom('message').where('subject', '=', 'Waits').execute()
})

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StartError)
  return (error as StartError).message
}

/** A copy of the whole backup with something done to it. */
async function spoilt(change: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = at(randomUUID())
  await cp(at('whole'), folder, { recursive: true })
  await change(folder)
  return folder
}

async function flipByte(file: string): Promise<void> {
  const bytes = await readFile(file)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  await writeFile(file, bytes)
}

test('what is damaged is refused with the name of the file, before anything is changed', async () => {
  const url = await emptyDatabase(world.url)
  const refused = async (change: (folder: string) => Promise<unknown>) => refusalOf(restore(await spoilt(change), url))
  const [blob = ''] = await readdir(at('whole', 'blobs'))
  const sentence = (file: string) => `The backup is damaged: the file ${file} was changed.`
  expect(await refused((folder) => truncate(path.join(folder, 'tables/truck.copy.gz'), 20))).toContain(
    sentence('tables/truck.copy.gz'),
  )
  expect(await refused((folder) => flipByte(path.join(folder, 'blobs', blob)))).toContain(sentence(`blobs/${blob}`))
  expect(await refused((folder) => flipByte(path.join(folder, MANIFEST)))).toContain(sentence(MANIFEST))
  expect(await refused((folder) => rm(path.join(folder, 'blobs', blob)))).toContain(`the file blobs/${blob} is missing`)
  expect(await refused((folder) => rm(path.join(folder, 'SHA256SUMS')))).toContain('is incomplete')
  expect(Object.keys((await contentOf(url)).content)).toEqual([])
})

test('a second restore into the same place is refused, and so is one beside other files', async () => {
  const { url, blobFolder } = restored
  const before = await contentOf(url)
  expect(await refusalOf(restore(at('whole'), url))).toContain('The database is not empty.')
  expect(await refusalOf(restore(at('whole'), undefined, blobFolder))).toContain('is not empty. Nothing was changed.')
  expect(await contentOf(url)).toEqual(before)
  expect(await refusalOf(backUp(at('whole')))).toContain('is not empty. Choose another one.')
})

test('a restore that is cut off keeps nodes out, and running it again completes it', async () => {
  const { url, blobFolder } = { url: await emptyDatabase(world.url), blobFolder: at(randomUUID()) }
  const cutOff = new Error('cut off')
  const say = (sentence: string) => {
    if (sentence.startsWith('  pop_version')) throw cutOff
  }
  const again = (from = at('whole'), tell: (sentence: string) => void = () => {}) =>
    restoreBackup({ from, blobFolder, openDatabase: async () => url, say: tell })
  await expect(again(at('whole'), say)).rejects.toBe(cutOff)
  expect(await refusalOf(migrate(url))).toContain('run the same restore again: it starts over')
  await backUp(at('another'))
  expect(await refusalOf(again(at('another')))).toContain(
    'The restore of another backup into this database was cut off',
  )
  const told: string[] = []
  await again(at('whole'), (sentence) => told.push(sentence))
  expect(told).toContain('An earlier restore of this backup was cut off. Starting over.')
  expect(await contentOf(url)).toEqual(restoredContent)
  expect(await hashesIn(blobFolder)).toEqual(await hashesIn(restored.blobFolder))
  await migrate(url)
})

/** Changes what a backup says of itself; its hashes stay right. */
async function changeManifest(folder: string, change: (manifest: Manifest) => Manifest): Promise<void> {
  const [file, sums] = [path.join(folder, MANIFEST), path.join(folder, 'SHA256SUMS')]
  const text = JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')) as Manifest))
  await writeFile(file, text)
  const hash = createHash('sha256').update(text).digest('hex')
  await writeFile(sums, (await readFile(sums, 'utf8')).replace(/[0-9a-f]{64}(?= {2}manifest)/, hash))
}

test('a backup of a newer schema is refused with both versions', async () => {
  const folder = await spoilt((folder) =>
    changeManifest(folder, (manifest) => ({ ...manifest, schema: [...manifest.schema, '9999_future'] })),
  )
  expect(await refusalOf(restore(folder))).toMatch(
    /^This backup has the schema 9999_future, but this version of the program knows only \d{4}_\w+\./,
  )
})

test('a backup is checked without a database: its files by their hashes, its tables by their rows', async () => {
  expect((await checkBackup(at('whole'), () => {})).tables).toContainEqual(
    expect.objectContaining({ name: 'truck', rows: expect.any(Number) as number }),
  )
  const damaged = await spoilt((folder) => truncate(path.join(folder, 'tables/truck.copy.gz'), 20))
  expect(await refusalOf(checkBackup(damaged, () => {}))).toContain('the file tables/truck.copy.gz was changed')
  const short = await spoilt((folder) =>
    changeManifest(folder, (manifest) => ({
      ...manifest,
      tables: manifest.tables.map((table) => (table.name === 'pop_version' ? { ...table, rows: 7 } : table)),
    })),
  )
  expect(await refusalOf(checkBackup(short, () => {}))).toBe('The table pop_version has 1 rows, but 7 were backed up.')
})

test('only the newest complete backups beside a new one are kept, and nothing else is removed', async () => {
  const shelf = at('shelf')
  const days = ['2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17']
  for (const day of days) {
    await cp(
      await spoilt((folder) => changeManifest(folder, (each) => ({ ...each, createdAt: `${day}T02:00:00Z` }))),
      path.join(shelf, day),
      { recursive: true },
    )
  }
  await rm(path.join(shelf, '2026-11-14', 'SHA256SUMS'))
  await mkdir(path.join(shelf, 'of-someone-else'))
  const said: string[] = []
  await keepNewest(path.join(shelf, '2026-11-17'), 2, (sentence) => said.push(sentence))
  // The one of the 14th was cut off: it counts as none, and a person looks at it.
  expect((await readdir(shelf)).toSorted()).toEqual(['2026-11-14', '2026-11-16', '2026-11-17', 'of-someone-else'])
  expect(said).toEqual([`Removed the old backup ${path.join(shelf, '2026-11-15')}.`])
})

test('a backup of an older version is brought to this one', async () => {
  const names = (
    await on(world.url, (client) => client.query<{ name: string }>('select name from kysely_migration'))
  ).rows
    .map(({ name }) => name)
    .toSorted()
  const older = await emptyDatabase(world.url)
  await migrate(older, { only: names.slice(0, -1) })
  const { schema } = await makeBackup({ url: older, blobFolder: world.folder, to: at('older'), say: () => {} })
  expect(schema).toEqual(names.slice(0, -1))
  const { url } = await restore(at('older'))
  expect(Object.keys((await contentOf(url)).content)).toEqual(
    Object.keys((await contentOf(world.url)).content).filter((name) => !/_\d{8}$/.test(name)),
  )
})

test('a file that rows refer to and that is gone is told, and the rest is backed up', async () => {
  const [blob = ''] = (await readdir(world.folder)).filter((name) => name.startsWith('pop-'))
  const bytes = await readFile(path.join(world.folder, blob))
  await rm(path.join(world.folder, blob))
  expect((await backUp(at('lacking'))).blobs?.missing).toEqual([blob])
  await writeFile(path.join(world.folder, blob), bytes)
})
