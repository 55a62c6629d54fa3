import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { migrate } from './migrate.ts'

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

test('a database of a newer version is refused with both versions, and left alone', async () => {
  const url = await newDatabase('roadshow')
  await ask(url, `insert into kysely_migration (name, timestamp) values ('9999_future', '2099-01-01')`)
  await expect(migrate(url)).rejects.toThrow(
    /^This database has the schema 9999_future, but this version of the program knows only 00\d\d_\w+\. Start the newer version\.$/,
  )
})

test('a database of an earlier development version is refused with a sentence that says what to do', async () => {
  const url = await newDatabase('template0')
  await ask(url, 'create table kysely_migration (name text primary key, timestamp text not null)')
  await ask(url, `insert into kysely_migration values ('0001_foundation', '2026'), ('0020_tell_only_changes', '2026')`)
  await expect(migrate(url)).rejects.toThrow(
    /^This database was created by an earlier development version \(migration 0020_tell_only_changes\)\. Export what you need with that version, then start with an empty database\.$/,
  )
  expect(await ask(url, 'select count(*) from kysely_migration')).toEqual([{ count: '2' }])
})
