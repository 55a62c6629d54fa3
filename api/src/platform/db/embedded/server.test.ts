import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testProgram } from '@roadshow/test-kit/nodes'
import { StartError } from '../../runtime/start-error.ts'
import { connect } from '../connection.ts'
import { dedicatedAccount, giveFolder } from './folder.ts'
import { runningUrl, startEmbedded } from './server.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'roadshow-embedded-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const inUse =
  /^The data folder .* is in use by another running Roadshow\. Stop it first, or set DATA_DIR to another folder\.$/

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

describe('the embedded database', { timeout: 30_000 }, () => {
  test('keeps its data from one start to the next, in a folder with spaces in its name', async () => {
    const dir = path.join(root, 'My trucks & data', 'postgres')
    const first = await startEmbedded({ dir, fsync: false })
    await ask(first.url, `create table truck as select 'Élan' as name`)
    await first.stop()

    const second = await startEmbedded({ dir, fsync: false })
    try {
      expect(await ask(second.url, 'select lower(name) as name from truck')).toEqual([{ name: 'élan' }])
      expect((await stat(path.join(dir, 'password'))).mode & 0o777).toBe(0o600)
    } finally {
      await second.stop()
    }
  })

  test('knows the collation and the extensions that migrations ask for', async () => {
    const server = await startEmbedded({ dir: path.join(root, 'features', 'postgres'), fsync: false })
    try {
      await ask(server.url, `create collation natural_order (provider = icu, locale = 'en-u-kn-true')`)
      await ask(server.url, 'create extension pg_trgm; create extension btree_gist; create extension citext')
      const rows = await ask(
        server.url,
        `select name from unnest(array['Truck 10', 'Truck 9']) as name order by name collate natural_order`,
      )
      expect(rows.map((row) => row['name'])).toEqual(['Truck 9', 'Truck 10'])
    } finally {
      await server.stop()
    }
  })

  test('lets the app in as a plain role that owns its database, and runs under an account of its own', async () => {
    const dir = path.join(root, 'roles', 'postgres')
    const server = await startEmbedded({ dir, fsync: false })
    try {
      const [role] = await ask(
        server.url,
        `select current_user as name, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls, rolreplication
           from pg_roles where rolname = current_user`,
      )
      expect(role).toEqual({
        name: 'roadshow_app',
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolbypassrls: false,
        rolreplication: false,
      })
      for (const refused of [
        'select pg_read_file($$/etc/passwd$$)',
        'copy (select 1) to program $$id$$',
        'set session_replication_role = replica',
        'create role another superuser',
        'create database another',
      ]) {
        await expect(ask(server.url, refused), refused).rejects.toThrow(/permission denied/)
      }
      expect((await stat(path.join(dir, 'app-password'))).mode & 0o777).toBe(0o600)
      const { uid } = await stat(path.join(dir, 'cluster'))
      expect(uid).toBe(process.getuid?.() === 0 ? (await dedicatedAccount()).uid : process.getuid?.())
    } finally {
      await server.stop()
    }
  })

  test('of an earlier version, whose app was the superuser, is taken over with everything in it', async () => {
    const dir = path.join(root, 'earlier', 'postgres')
    const first = await startEmbedded({ dir, fsync: false })
    // What the earlier version left: everything belongs to the superuser.
    await ask(
      first.superuserUrl,
      `reassign owned by roadshow_app to roadshow;
       create extension citext; create type side as enum ('rear'); create domain label as text;
       create collation natural_order (provider = icu, locale = 'en-u-kn-true');
       create table play (id int generated always as identity, at date not null, side side, name citext) partition by range (at);
       create table play_1 partition of play for values from ('2026-01-01') to ('2026-02-01');
       create sequence numbers; create view plays as select * from play;
       create function twice(n int) returns int language sql as 'select 2 * n';
       create procedure nothing() language sql as 'select 1'; create schema more; create table more.item (id serial);
       insert into play (at, name) values ('2026-01-05', 'Élan')`,
    )
    await ask(first.superuserUrl, 'alter database roadshow owner to roadshow')
    await ask(first.superuserUrl.replace(/roadshow$/, 'postgres'), 'drop role roadshow_app')
    await first.stop()
    await rm(path.join(dir, 'app-password'))

    const second = await startEmbedded({ dir, fsync: false })
    try {
      const app = (sql: string) => ask(second.url, sql)
      expect(await app('select name, twice(2) from plays')).toEqual([{ name: 'Élan', twice: 4 }])
      await app(`alter table play add column note label; alter type side add value 'front'; drop view plays;
        create table play_2 partition of play for values from ('2026-02-01') to ('2026-03-01'); drop table play_1;
        insert into play (at) values ('2026-02-05'); select nextval('numbers'); drop function twice; drop procedure nothing;
        insert into more.item default values; alter table more.item add column name text collate natural_order;
        alter collation natural_order rename to by_number; create extension pg_trgm`)
    } finally {
      await second.stop()
    }
  })

  test('is refused to a second Roadshow while one is running, and to the slower of two starting at once', async () => {
    const dir = path.join(root, 'shared', 'postgres')
    const both = await Promise.allSettled([startEmbedded({ dir, fsync: false }), startEmbedded({ dir, fsync: false })])
    const [server] = both.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    const [refusal] = both.flatMap((start) => (start.status === 'rejected' ? [start.reason as unknown] : []))
    try {
      expect(refusal).toBeInstanceOf(StartError)
      expect((refusal as StartError).message).toMatch(inUse)
      await expect(startEmbedded({ dir, fsync: false })).rejects.toThrow(inUse)
      expect(await ask(server!.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
    } finally {
      await server?.stop()
    }
  })

  test('is waited for by a start that comes while the Roadshow before is stopping', async () => {
    const dir = path.join(root, 'stopping', 'postgres')
    const stopping = new AbortController()
    const first = await startEmbedded({ dir, fsync: false, signal: stopping.signal })
    stopping.abort()
    const said: string[] = []
    const again = startEmbedded({ dir, fsync: false, log: (sentence) => said.push(sentence) })
    await vi.waitFor(() =>
      expect(said).toEqual(['The Roadshow before on this data folder is still stopping. Waiting for it.']),
    )
    await first.stop()
    await (await again).stop()
  })

  test('that this version cannot use is refused, and nothing in the folder is changed', async () => {
    const dir = path.join(root, 'refused', 'postgres')
    const first = await startEmbedded({ dir, fsync: false })
    await ask(
      first.superuserUrl,
      `reassign owned by roadshow_app to roadshow;
       create table kysely_migration (name text primary key, timestamp text not null);
       insert into kysely_migration values ('9999_future', '2099-01-01')`,
    )
    await ask(first.superuserUrl, 'alter database roadshow owner to roadshow')
    await ask(first.superuserUrl.replace(/roadshow$/, 'postgres'), 'drop role roadshow_app')
    await first.stop()
    await rm(path.join(dir, 'app-password'))
    // As the first version leaves it where root starts it.
    if (process.getuid?.() === 0) await giveFolder(path.join(dir, 'cluster'), { uid: 65534, gid: 65534 })
    const before = await contentIn(dir)
    const refusal = 'This database has the schema 9999_future'
    await expect(startEmbedded({ dir, fsync: false })).rejects.toThrow(refusal)
    expect(await contentIn(dir)).toEqual(before)

    // Without the note, as after a crash, only the server itself knows; it writes its own files and nothing else.
    await rm(path.join(dir, 'schema.json'))
    const isOwn = (line: string) => / (cluster\/|postgres\.log)/.test(line)
    const outside = (await contentIn(dir)).filter((line) => !isOwn(line))
    await expect(startEmbedded({ dir, fsync: false })).rejects.toThrow(refusal)
    expect((await contentIn(dir)).filter((line) => !isOwn(line))).toEqual(outside)
    expect(await stat(path.join(dir, 'cluster'))).toMatchObject({
      uid: process.getuid?.() === 0 ? 65534 : process.getuid?.(),
    })

    await writeFile(path.join(dir, 'cluster/PG_VERSION'), '17\n')
    await expect(startEmbedded({ dir, fsync: false })).rejects.toThrow(
      /^The data folder .* belongs to PostgreSQL 17, but this version of the program brings PostgreSQL 18\. Make a backup/,
    )
  })

  test('is started again when it ends by itself, and the same connections serve again', async () => {
    const dir = path.join(root, 'ended', 'postgres')
    const said: string[] = []
    const server = await startEmbedded({ dir, fsync: false, log: (sentence) => said.push(sentence) })
    const { db, close } = connect(server.url)
    const alive = () => sql`select 1 as alive`.execute(db)
    try {
      await alive()
      expect(await runningUrl(dir)).toBe(server.url)
      const [pid] = (await readFile(path.join(dir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
      await vi.waitFor(() => expect(said.at(-1)).toBe('The database server is running again.'), { timeout: 20_000 })
      expect((await alive()).rows).toEqual([{ alive: 1 }])
    } finally {
      await close()
      await server.stop()
    }
    expect(await runningUrl(dir)).toBeUndefined()
  })

  test('has every acknowledged row after its Roadshow was killed', async () => {
    const dir = path.join(root, 'killed', 'postgres')
    const acknowledged = await writeUntilKilled(dir)
    const notices: string[] = []
    const server = await startEmbedded({ dir, log: (sentence) => notices.push(sentence) })
    try {
      const [row] = await ask(server.url, `select count(*)::int as rows from play where id <= ${acknowledged}`)
      expect(acknowledged).toBeGreaterThan(10)
      expect(row).toEqual({ rows: acknowledged })
      expect(notices).toEqual(['Took over the database of a Roadshow that was killed.'])
    } finally {
      await server.stop()
    }
  })

  test('starts although the pid file of a crash names a process that is something else by now', async () => {
    const dir = path.join(root, 'stale', 'postgres')
    const first = await startEmbedded({ dir, fsync: false })
    const pidFile = path.join(dir, 'cluster', 'postmaster.pid')
    const content = await readFile(pidFile, 'utf8')
    await first.stop()
    const bystander = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {})
    try {
      await writeFile(pidFile, content.replace(/^\d+/, String(bystander.pid)))
      const second = await startEmbedded({ dir, fsync: false })
      await second.stop()
      expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
    } finally {
      bystander.kill()
    }
  })

  test('says in one sentence that its folder is not writable', async () => {
    const file = path.join(root, 'a file')
    await writeFile(file, '')
    const start = startEmbedded({ dir: path.join(file, 'data', 'postgres') })
    await expect(start).rejects.toBeInstanceOf(StartError)
    await expect(start).rejects.toThrow(/^The data folder .*a file\/data is not writable \(ENOTDIR\)\./)
  })
})

/** Every file of a folder with its owner and the hash of its content. */
async function contentIn(dir: string): Promise<string[]> {
  const files = await readdir(dir, { recursive: true, withFileTypes: true })
  const lines = files
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name)
      const [{ uid }, bytes] = [await stat(file), await readFile(file)]
      return `${uid} ${createHash('sha256').update(bytes).digest('hex')} ${path.relative(dir, file)}`
    })
  return (await Promise.all(lines)).toSorted()
}

/** Another process commits rows one by one and reports each; it is killed in the middle of that. */
async function writeUntilKilled(dir: string) {
  const child = spawn(process.execPath, [testProgram('test-writer'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let acknowledged = 0
  for await (const line of createInterface(child.stdout)) {
    acknowledged = Number(line)
    if (acknowledged === 60) child.kill('SIGKILL')
  }
  await ended
  return acknowledged
}
