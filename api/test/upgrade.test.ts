import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import { API_BASE } from '@roadshow/contract'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { type Manifest, tableFile } from '../src/platform/backup/format.ts'
import { restoreBackup } from '../src/platform/backup/restore.ts'
import { contentOf, emptyDatabase } from '../src/platform/backup/test-databases.ts'
import { connect } from '../src/platform/db/connection.ts'
import { copyIn } from '../src/platform/db/copy-in.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { describeSchema } from '../src/platform/db/schema-files.ts'
import { withClient as on } from '../src/platform/db/with-client.ts'
import { openLocalStore } from '../src/platform/files/index.ts'

// Each release keeps a small database of its own in test/releases (CONTRIBUTING.md). It starts on every later version, and
// says what it said there.

interface Given {
  token?: string
  body?: object
}
type Send = (method: 'GET' | 'POST', path: string, given?: Given) => Promise<unknown>
const reader = new URL('../../scripts/release/facts.mjs', import.meta.url).href
const { readFacts } = (await import(/* @vite-ignore */ reader)) as {
  readFacts: (send: Send, about: unknown) => Promise<unknown>
}

const root = await mkdtemp(path.join(os.tmpdir(), 'roadshow-upgrade-'))
afterAll(() => rm(root, { recursive: true }))
const releases = path.join(import.meta.dirname, 'releases')
const names = (await readdir(releases)).map((name) => name.replace('.tar.gz', ''))
const beside = inject('serverUrl')

/** Unpacks a release: the folder of its backup, and what the release said of its data. */
async function unpack(name: string) {
  const folder = path.join(root, name)
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('tar', ['-xzf', path.join(releases, `${name}.tar.gz`), '-C', folder])
  const said = JSON.parse(await readFile(path.join(folder, 'facts.json'), 'utf8')) as { about: unknown; facts: unknown }
  const backup = path.join(folder, 'backup')
  const manifest = JSON.parse(await readFile(path.join(backup, 'manifest.json'), 'utf8')) as Manifest
  return { folder, backup, manifest, ...said }
}

/** What today's app says of a database and its files. */
async function factsOf(url: string, blobFolder: string, about: unknown): Promise<unknown> {
  const { db, close } = connect(url)
  const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000', logLevel: 'silent', trustProxy: 0 }
  const blobs = await openLocalStore(blobFolder)
  const app = await buildApp({ db, blobs, env: { ...env, checkReplies: true }, mailer: { send: async () => {} } })
  try {
    return await readFacts(async (method, path, { token, body } = {}) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const answer = await app.inject({ method, url: `${API_BASE}/${path}`, headers, ...(body && { payload: body }) })
      const isJson = String(answer.headers['content-type']).includes('json')
      return {
        status: answer.statusCode,
        body: isJson ? (JSON.parse(answer.body) as unknown) : undefined,
        sha256: createHash('sha256').update(answer.rawPayload).digest('hex'),
      }
    }, about)
  } finally {
    await app.close()
    await close()
  }
}

/** The schema without rows, and without the order of columns: a later migration adds a column at the end. */
async function catalogOf(url: string): Promise<string[]> {
  const { db, close } = connect(url, { max: 1 })
  const lines = (await describeSchema(db)).split('\n').filter((line) => !line.startsWith('-- row: '))
  await close()
  return lines.map((line) => line.replace(/,$/, '')).toSorted()
}

/** How many rows each table has. Migrations give some of them new ids and the time of the migration. */
async function rowCounts(url: string) {
  const { content, sequences } = await contentOf(url)
  return { sequences, rows: Object.entries(content).map(([table, said]) => `${table} ${String(said).split(' ')[0]}`) }
}

const drop = (url: string) => on(beside, (client) => client.query(`drop database ${new URL(url).pathname.slice(1)}`))

/** A database as the release left it, by the migrations that the release had. */
async function inPlace({ folder, backup, manifest }: Awaited<ReturnType<typeof unpack>>): Promise<string> {
  const url = await emptyDatabase(beside)
  await migrate(url, { folder: path.join(folder, 'migrations') })
  await on(url, async (client) => {
    await client.query('set session_replication_role = replica')
    for (const { name, columns, partOf, bounds } of manifest.tables) {
      const { rows } = await client.query<{ isThere: boolean }>('select to_regclass($1) is not null as "isThere"', [
        name,
      ])
      if (rows[0]?.isThere) await client.query(`delete from ${name}`)
      else await client.query(`create table ${name} partition of ${partOf} ${bounds}`)
      const copy = copyIn(client, `copy ${name} (${columns.map((each) => `"${each}"`).join(', ')}) from stdin`)
      await pipeline(createReadStream(path.join(backup, tableFile(name))), createGunzip(), copy)
    }
    for (const { name, last } of manifest.sequences) {
      if (last !== null) await client.query('select setval($1::regclass, $2)', [name, last])
    }
  })
  return url
}

const schemaOf = (url: string) =>
  on(url, async (client) => (await client.query('select name from kysely_migration order by name')).rows)

describe.each(names)('the data of %s', (name) => {
  test('start on this version, in place and from a backup: sign-ins, links, hashes, totals and pay are the same', async () => {
    const release = await unpack(name)
    const [own, restored] = [await inPlace(release), await emptyDatabase(beside)]
    expect(await schemaOf(own)).toEqual(release.manifest.schema.map((each) => ({ name: each })))
    // Two nodes start at once.
    await Promise.all([migrate(own), migrate(own)])
    const blobFolder = path.join(root, `${name}-blobs`)
    await restoreBackup({ from: release.backup, blobFolder, openDatabase: async () => restored, say: () => {} })
    const [today, schema] = [await catalogOf(beside), await schemaOf(beside)]
    for (const url of [own, restored]) {
      expect(await catalogOf(url)).toEqual(today)
      expect(await schemaOf(url)).toEqual(schema)
    }
    expect(await rowCounts(restored)).toEqual(await rowCounts(own))
    expect(await factsOf(own, blobFolder, release.about)).toEqual(release.facts)
    for (const url of [own, restored]) await drop(url)
  }, 240_000)
})

describe('a database of version 0.1.0', async () => {
  const release = await unpack('0.1.0')

  test('whose bridge fails stays one of version 0.1.0, and one that is not migrated to it is left as it is', async () => {
    const url = await inPlace(release)
    const schema = await schemaOf(url)
    await on(url, (client) => client.query('create table job_watermark (x int)'))
    await expect(migrate(url)).rejects.toThrow('relation "job_watermark" already exists')
    expect(await schemaOf(url)).toEqual(schema)
    await on(url, (client) => client.query(`delete from kysely_migration where name = '0020_tell_only_changes'`))
    const before = await contentOf(url)
    await expect(migrate(url)).rejects.toThrow(
      'This database was created by a development version before 0.1.0 (migration 0019_looks). Use it once with version 0.1.0, then with this one.',
    )
    expect(await contentOf(url)).toEqual(before)
    await drop(url)
  })
})
