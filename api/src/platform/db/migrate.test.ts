import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { parseIndexStatements } from './concurrent-indexes.ts'
import { migrate } from './migrate.ts'
import { migrationNames, MIGRATIONS, readMigration } from './migration-files.ts'

const on = (name: string) => Object.assign(new URL(inject('serverUrl')), { pathname: name }).href

async function ask(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, string>>(statement)).rows
  } finally {
    await client.end()
  }
}

async function newDatabase(template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await ask(on('postgres'), `create database ${name} template ${template}`)
  return on(name)
}

test('nodes that start at once on an empty database migrate it once', async () => {
  const url = await newDatabase('template0')
  await Promise.all([migrate(url), migrate(url), migrate(url)])
  const names = 'select name from kysely_migration order by name'
  expect(await ask(url, names)).toEqual(await ask(on('roadshow'), names))
})

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

/** A folder with these migrations. */
async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-migrations-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, `${name}.sql`), text)
  return folder
}

const applied = async (url: string) =>
  (await ask(url, 'select name from kysely_migration order by name')).map(({ name }) => name)

describe('a database of a newer version', () => {
  const refusal =
    /^This database has the schema 9999_future, but this version of the program knows only \d{4}_\w+\. Start the newer version\.$/

  /** A database as a newer version leaves it. */
  async function newerDatabase(future: string): Promise<string> {
    const folder = await folderOf({ '9999_future': future })
    await cp(MIGRATIONS, folder, { recursive: true })
    const url = await newDatabase('roadshow')
    await migrate(url, { folder })
    return url
  }

  test('is used by nodes that its newer migrations declare to work with', async () => {
    const url = await newerDatabase('-- Oldest node: 0024\ncreate table newer ();')
    await migrate(url)
    expect(await applied(url)).toEqual([...(await migrationNames()), '9999_future'])
  })

  test('is refused with both versions by older nodes than these, and left alone', async () => {
    const url = await newerDatabase('-- Oldest node: 9999\nalter table web_log rename to error_log;')
    await expect(migrate(url)).rejects.toThrow(refusal)
  })

  test('is refused if a newer migration declares nothing', async () => {
    await expect(migrate(await newerDatabase('create table newer ();'))).rejects.toThrow(refusal)
    const recordedByOlder = await newDatabase('roadshow')
    await ask(recordedByOlder, `insert into kysely_migration values ('9999_future', '2099-01-01')`)
    await expect(migrate(recordedByOlder)).rejects.toThrow(refusal)
  })

  test('is refused while it lacks a migration of this version: two branches have met', async () => {
    const url = await newerDatabase('-- Oldest node: 0024\ncreate table newer ();')
    await ask(url, `delete from kysely_migration where name = '0023_upload_quota'`)
    await expect(migrate(url)).rejects.toThrow(refusal)
  })
})

test('every migration from 0025 on declares the oldest node that works on its schema', async () => {
  for (const name of (await migrationNames()).filter((each) => each >= '0025')) {
    const { text, oldestNode } = await readMigration(name)
    expect(text, name).toMatch(/^(?:--.*\n)*-- Oldest node: \d{4}\n/)
    expect(oldestNode <= name.slice(0, 4), name).toBe(true)
  }
})

describe('each migration is a transaction of its own', () => {
  test('a failure leaves the migrations before it and nothing of itself; the next start continues', async () => {
    const url = await newDatabase('template0')
    const folder = await folderOf({
      '0001_a': 'create table a (); insert into a default values;',
      '0002_b': 'create table b (); select 1 / (select count(*) from a where false);',
      '0003_c': 'create table c ();',
    })
    await expect(migrate(url, { folder })).rejects.toThrow('division by zero')
    expect(await applied(url)).toEqual(['0001_a'])
    expect(await ask(url, `select to_regclass('b') as b`)).toEqual([{ b: null }])
    await writeFile(path.join(folder, '0002_b.sql'), 'create table b ();')
    await migrate(url, { folder })
    expect(await applied(url)).toEqual(['0001_a', '0002_b', '0003_c'])
    expect(await ask(url, 'select count(*) from a')).toEqual([{ count: '1' }])
  })

  test('one that needs a table in use steps back, says so, and runs once the table is free', async () => {
    const url = await newDatabase('template0')
    const folder = await folderOf({ '0001_a': 'create table a ();' })
    await migrate(url, { folder })
    await writeFile(path.join(folder, '0002_b.sql'), 'alter table a add column b text;')
    const backup = new pg.Client({ connectionString: url })
    await backup.connect()
    await backup.query('begin; lock table a in access share mode')
    const said: string[] = []
    const migrating = migrate(url, { folder, say: (sentence) => said.push(sentence), lockWaitMs: 20 })
    await vi.waitFor(() => expect(said).toEqual(['The migration 0002_b waits for other work on its tables.']), 10_000)
    expect(await ask(url, 'select * from a')).toEqual([])
    await backup.end()
    await migrating
    expect(await applied(url)).toEqual(['0001_a', '0002_b'])
  })
})

describe('indexes are built concurrently outside a transaction', () => {
  const plain = `create table t (v int); insert into t select generate_series(1, 1000);`
  const isValid = async (url: string, index: string) =>
    (await ask(url, `select indisvalid::text as valid from pg_index where indexrelid = to_regclass('${index}')`))[0]?.[
      'valid'
    ]

  test('by one of several nodes that start at once; the others wait without being in its way', async () => {
    const url = await newDatabase('template0')
    const folder = await folderOf({
      '0001_t': plain,
      '0002_index':
        '-- Finds values.\n-- Outside a transaction\n-- Oldest node: 0001\ncreate index concurrently if not exists t_v on t (v); -- ascending\ncreate index concurrently if not exists t_odd on t (v) where v % 2 = 1;',
      '0003_drop': '-- Outside a transaction\ndrop index concurrently if exists t_odd;',
    })
    await Promise.all([migrate(url, { folder }), migrate(url, { folder }), migrate(url, { folder })])
    expect(await applied(url)).toEqual(['0001_t', '0002_index', '0003_drop'])
    expect([await isValid(url, 't_v'), await isValid(url, 't_odd')]).toEqual(['true', undefined])
  })

  test('a node that waits says so', async () => {
    const url = await newDatabase('template0')
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query('select pg_advisory_lock(3853314791062309107)')
    const said: string[] = []
    const migrating = migrate(url, { folder: await folderOf({ '0001_t': plain }), say: (each) => said.push(each) })
    await vi.waitFor(() => expect(said).toEqual(['Another node is migrating the database. Waiting for it.']), 10_000)
    await holder.end()
    await migrating
    expect(await applied(url)).toEqual(['0001_t'])
  })

  test('an index that a cut-off build left invalid is dropped and built again', async () => {
    const url = await newDatabase('template0')
    const folder = await folderOf({
      '0001_t': `${plain} insert into t values (7);`,
      '0002_once': '-- Outside a transaction\ncreate unique index concurrently if not exists t_once on t (v);',
    })
    await expect(migrate(url, { folder })).rejects.toThrow('could not create unique index')
    expect(await isValid(url, 't_once')).toBe('false')
    await ask(url, 'delete from t where ctid in (select max(ctid) from t group by v having count(*) > 1)')
    await migrate(url, { folder })
    expect(await isValid(url, 't_once')).toBe('true')
  })

  test('on a partitioned table part by part; a repeat builds only what is missing', async () => {
    const url = await newDatabase('template0')
    const folder = await folderOf({
      '0001_t': `create table t (v int) partition by range (v);
        create table t_low partition of t for values from (0) to (10);
        create table t_high partition of t for values from (10) to (20);
        insert into t values (1), (11), (11);`,
      '0002_once': '-- Outside a transaction\ncreate unique index concurrently if not exists t_once on t (v desc);',
    })
    await expect(migrate(url, { folder })).rejects.toThrow('could not create unique index')
    await ask(url, 'create table t_top (like t); alter table t attach partition t_top for values from (20) to (30)')
    await ask(url, 'delete from t where v = 11; insert into t values (11), (21)')
    await migrate(url, { folder })
    expect(await isValid(url, 't_once')).toBe('true')
    await expect(ask(url, 'insert into t values (11)')).rejects.toThrow('duplicate key')
    await expect(ask(url, 'insert into t values (21)')).rejects.toThrow('duplicate key')
  })

  test('a statement that could not be repeated is refused before anything runs', () => {
    expect(() => parseIndexStatements('create index concurrently t_v on t (v);')).toThrow(
      'can be repeated safely, not: create index concurrently t_v on t (v)',
    )
    expect(() => parseIndexStatements('update t set v = v + 1;')).toThrow('can be repeated safely')
  })

  test('and every such migration of this version can be read', async () => {
    for (const name of await migrationNames()) {
      const { text, isOutsideTransaction } = await readMigration(name)
      expect(/\bindex concurrently\b/i.test(text), name).toBe(isOutsideTransaction)
      expect(() => isOutsideTransaction && parseIndexStatements(text), name).not.toThrow()
    }
  })
})
