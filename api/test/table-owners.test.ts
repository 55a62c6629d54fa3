import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { apiModules } from '../src/app.ts'
import { recordsIn, type TableWrite, tableWritesIn, writesWithRecords } from './table-writes.ts'

const api = fileURLToPath(new URL('../', import.meta.url))

/** Files that write tables of other modules, each for a reason. */
const loaders: Record<string, string> = {
  'demo/': 'fills an empty database in one transaction, before anybody uses it',
  'platform/backup/': 'restores every table as it was',
}
/** Files whose statements name their table by an expression. */
const generic: Record<string, string> = {
  'platform/db/records/writing.ts':
    'writes the table of a records() declaration, which is checked where it is declared',
  'platform/db/copy.ts': 'copies into the table that its caller names',
  'platform/db/merge-days.ts': 'copies rows into a partition of the same table',
  'platform/db/records/bulk.ts': 'writes the table of a records() declaration, as writing.ts does for single rows',
  'platform/imports/undo.ts': 'deletes what an import added to the table that its kind names',
  'platform/lifetimes/sweep.ts': 'deletes the rows of each table that are older than its owner declares',
  'console/setup/empty-demo.ts': 'empties every table of the demo',
  'live/plays/archive/csv.ts': 'names temporary tables of DuckDB, not of the database',
  'live/plays/regrade.ts': 'names two tables of its own one after the other',
}
/** Writes that a module may not hand to the owner. */
const exceptions: Record<string, string> = {
  'accounts/sign-in/ user_account': 'sets a password; accounts may not call the catalog, which lies above it',
  'accounts/identity-provider/ user_account': 'adds accounts and changes roles by claims, for the same reason',
}

const sources = new Map<string, string>()
for (const file of await readdir(path.join(api, 'src'), { recursive: true })) {
  const name = file.split(path.sep).join('/')
  if (!name.endsWith('.ts') || name.endsWith('.test.ts') || path.basename(name).startsWith('test-')) continue
  sources.set(name, await readFile(path.join(api, 'src', file), 'utf8'))
}
const schema = await readFile(path.join(api, 'schema.sql'), 'utf8')
const tables = [...schema.matchAll(/^create table (?:public\.)?"?(\w+)"?/gim)].map(([, table = '']) => table)

const ownerOf = new Map(
  apiModules.flatMap(({ name, tables: owned = {} }) => Object.keys(owned).map((table) => [table, `${name}/`])),
)

const isAllowed = (file: string, table: string) =>
  file.startsWith(ownerOf.get(table) ?? '?') ||
  Object.keys(loaders).some((folder) => file.startsWith(folder)) ||
  Object.keys(exceptions).some((exception) => {
    const [folder = '', excepted] = exception.split(' ')
    return excepted === table && file.startsWith(folder)
  })

const writes = [...sources].flatMap(([file, source]) => tableWritesIn(source).map((write) => ({ file, ...write })))

describe('every table has exactly one owner', () => {
  test('that is a module', () => {
    // Other schemas hold what jobs put aside.
    const owned = apiModules.flatMap((module) => Object.keys(module.tables ?? {})).filter((name) => !name.includes('.'))
    expect(owned.toSorted()).toEqual(tables.toSorted())
  })

  test('whose name is its folder', async () => {
    for (const { name } of apiModules) {
      expect(
        [...sources.keys()].some((file) => file.startsWith(`${name}/`)),
        name,
      ).toBe(true)
    }
  })
})

describe('only the owner writes a table', () => {
  test('in SQL, by the builder and by COPY', () => {
    const foreign = writes.filter(
      ({ file, table }) => table !== undefined && tables.includes(table) && !isAllowed(file, table),
    )
    expect(foreign).toEqual([])
  })

  test('and by records(): other declarations only read them', () => {
    const foreign = [...sources].flatMap(([file, source]) =>
      recordsIn(source)
        .filter(({ table }) => !isAllowed(file, table))
        .filter(({ name }) => [...sources.values()].some((each) => writesWithRecords(each, name)))
        .map(({ name }) => `${file}: ${name}`),
    )
    expect(foreign).toEqual([])
  })

  test('and statements that name no table are few and known', () => {
    const unknown = writes.filter(
      ({ file, statement }) => statement === 'dynamic' && !generic[file] && !file.startsWith('platform/backup/'),
    )
    expect(unknown).toEqual([])
  })

  test('and no exception has outlived its reason', () => {
    for (const exception of Object.keys(exceptions)) {
      const [folder = '', table] = exception.split(' ')
      expect(
        writes.some((write) => write.file.startsWith(folder) && write.table === table),
        exception,
      ).toBe(true)
    }
    for (const file of Object.keys(generic))
      expect(
        writes.some((write) => write.file === file),
        file,
      ).toBe(true)
  })

  test('of most tables some write is found at all', () => {
    const found = new Set(writes.map(({ table }) => table))
    const byRecords = new Set([...sources.values()].flatMap((source) => recordsIn(source).map(({ table }) => table)))
    // Triggers of the migrations write the rest.
    const unseen = tables.filter((table) => !found.has(table) && !byRecords.has(table))
    expect(unseen.length, unseen.join(', ')).toBeLessThan(10)
  })
})

describe('the reader of writes', () => {
  const planted: [source: string, writes: TableWrite[]][] = [
    ['await sql`insert into truck (uid) values (${uid})`.execute(db)', [{ statement: 'insert', table: 'truck' }]],
    ['sql`INSERT INTO\n    "truck_now" (truck_uid)`', [{ statement: 'insert', table: 'truck_now' }]],
    ['const S = `update play p set grade = $1`', [{ statement: 'update', table: 'play' }]],
    ['prepared(`\n  update session\n     set seen_at = now()`)', [{ statement: 'update', table: 'session' }]],
    ['sql`with t as (update only pop as o set x = 1 returning *) select 1`', [{ statement: 'update', table: 'pop' }]],
    ['sql`delete from web_log where at < now()`', [{ statement: 'delete', table: 'web_log' }]],
    ['sql`merge into shift s using x on true when matched then delete`', [{ statement: 'merge', table: 'shift' }]],
    ['sql`truncate table history`', [{ statement: 'truncate', table: 'history' }]],
    ['client.query(`copy position (a, b) from stdin`)', [{ statement: 'copy', table: 'position' }]],
    ["copyInto(\n    db,\n    'position (truck_uid, at)',", [{ statement: 'copy', table: 'position' }]],
    ["db\n  .insertInto('market')", [{ statement: 'builder', table: 'market' }]],
    ["db.updateTable(\n  'client as c')", [{ statement: 'builder', table: 'client' }]],
    ["trx.deleteFrom('pay_rate').execute()", [{ statement: 'builder', table: 'pay_rate' }]],
    ["db.mergeInto('device').using()", [{ statement: 'builder', table: 'device' }]],
    ['sql`insert into ${sql.table(name)} default values`', [{ statement: 'dynamic', table: undefined }]],
    ['db.insertInto(table).values(row)', [{ statement: 'dynamic', table: undefined }]],
    ['sql`select 1 from truck for update skip locked`', []],
    ['sql`insert into a select 1 on conflict (uid) do update set b = 1`', [{ statement: 'insert', table: 'a' }]],
    ['// delete from truck\n/** update truck set x */\nconst a = 1', []],
    ['sql`copy truck to stdout`', []],
  ]

  test.each(planted)('%s', (source, expected) => expect(tableWritesIn(source)).toEqual(expected))

  test('knows records() and what is written with them', () => {
    const source = "const dayRecords = records<'shift', Row, Query>({ table: 'shift' })"
    expect(recordsIn(source)).toEqual([{ name: 'dayRecords', table: 'shift' }])
    expect(writesWithRecords('await dayRecords.update(db, scope, uid, 1, {})', 'dayRecords')).toBe(true)
    expect(writesWithRecords('await dayRecords.page(db, scope, query)', 'dayRecords')).toBe(false)
  })
})
