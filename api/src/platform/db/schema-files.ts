import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { connect, type Db } from './connection.ts'

// Objects that belong to an extension are part of the extension, not of the product's schema.
const ofExtension = (oid: string) =>
  sql<boolean>`exists (select from pg_depend d where d.objid = ${sql.raw(oid)} and d.deptype = 'e')`

const linesOf = async (db: Db, query: ReturnType<typeof sql<{ line: string }>>): Promise<string[]> =>
  (await query.execute(db)).rows.map(({ line }) => line)

const extensions = sql<{ line: string }>`
  select format('create extension %s;', extname) as line from pg_extension where extname <> 'plpgsql' order by extname`

const collations = sql<{ line: string }>`
  select format('create collation %s (provider = %s, locale = %L);', collname, case collprovider when 'i' then 'icu' else collprovider::text end,
                coalesce(to_jsonb(c) ->> 'colllocale', to_jsonb(c) ->> 'colliculocale')) as line
    from pg_collation c where collnamespace = 'public'::regnamespace order by collname`

const functions = sql<{ line: string }>`
  select rtrim(pg_get_functiondef(p.oid), E'\n ') || ';' as line
    from pg_proc p where pronamespace = 'public'::regnamespace and not ${ofExtension('p.oid')}
   order by proname, pg_get_function_identity_arguments(p.oid)`

const views = sql<{ line: string }>`
  select format('create view %s as%s%s', viewname, E'\n', definition) as line
    from pg_views where schemaname = 'public' and viewname not like 'pg\_%' order by viewname`

interface Table {
  oid: number
  name: string
  tail: string
}

// A day's partition is made at run time; the tables of the migrator are not part of the schema.
const tables = sql<Table>`
  select c.oid::int as oid, relname as name,
         concat(' partition by ' || pg_get_partkeydef(c.oid), ' with (' || array_to_string(reloptions, ', ') || ')') as tail
    from pg_class c
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     and relname not like 'kysely\_%' and not ${ofExtension('c.oid')}
   order by relname`

const columnsOf = (oid: number) => sql<{ line: string }>`
  select concat('  ', attname, ' ', format_type(atttypid, atttypmod),
                case when attcollation <> typcollation then ' collate ' || collname end,
                case when attstorage <> typstorage then ' storage ' || case attstorage when 'e' then 'external' else attstorage::text end end,
                case when attidentity <> '' then ' generated always as identity'
                     when attgenerated <> '' then ' generated always as (' || pg_get_expr(adbin, adrelid) || ') stored'
                     else ' default ' || pg_get_expr(adbin, adrelid) end,
                case when attnotnull then ' not null' end) as line
    from pg_attribute a
    join pg_type y on y.oid = atttypid
    left join pg_collation l on l.oid = attcollation
    left join pg_attrdef e on adrelid = attrelid and adnum = attnum
   where attrelid = ${oid} and attnum > 0 and not attisdropped order by attnum`

const constraintsOf = (oid: number) => sql<{ line: string }>`
  select format('  constraint %s %s', conname, pg_get_constraintdef(oid)) as line
    from pg_constraint where conrelid = ${oid} and contype in ('c', 'f', 'p', 'u', 'x')
   order by contype = 'p' desc, conname`

const indexesOf = (oid: number) => sql<{ line: string }>`
  select pg_get_indexdef(indexrelid) || ';' as line from pg_index i
   where indrelid = ${oid} and not exists (select from pg_constraint c where c.conindid = indexrelid and c.conrelid = ${oid})
   order by indexrelid::regclass::text`

const triggersOf = (oid: number) => sql<{ line: string }>`
  select pg_get_triggerdef(oid) || ';' as line from pg_trigger where tgrelid = ${oid} and not tgisinternal order by tgname`

const rowsOf = (name: string) => sql<{ line: string }>`
  select '-- row: ' || (to_jsonb(t) - 'created_at')::text as line from ${sql.table(name)} t order by 1`

async function describeTable(db: Db, { oid, name, tail }: Table): Promise<string> {
  const fields = [...(await linesOf(db, columnsOf(oid))), ...(await linesOf(db, constraintsOf(oid)))]
  const after = [
    ...(await linesOf(db, indexesOf(oid))),
    ...(await linesOf(db, triggersOf(oid))),
    ...(await linesOf(db, rowsOf(name))),
  ]
  return [`create table ${name} (\n${fields.join(',\n')}\n)${tail};`, ...after].join('\n')
}

/** The schema of a migrated database as text that reads like SQL: what review and a test compare, never run. */
export async function describeSchema(db: Db): Promise<string> {
  const described: string[] = []
  for (const table of (await tables.execute(db)).rows) described.push(await describeTable(db, table))
  const parts = [
    '-- The schema that the migrations make. Written by npm run db:types; for reading, never run.',
    (await linesOf(db, extensions)).join('\n'),
    (await linesOf(db, collations)).join('\n'),
    ...(await linesOf(db, functions)),
    ...described,
    ...(await linesOf(db, views)),
  ]
  return `${parts.join('\n\n')}\n`.replaceAll('public.', '')
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const GENERATOR = path.join(root, 'node_modules/kysely-codegen/dist/cli/bin.js')
/** Also says how the parsers in connection.ts return values. */
const GENERATOR_OPTIONS = path.join(root, 'api/kysely-codegen.json')

/** The types of the tables. Interfaces of rows are not exported: contract types have the same names. */
async function generateTypes(url: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'roadshow-types-'))
  const file = path.join(folder, 'schema.ts')
  try {
    const args = [GENERATOR, '--config-file', GENERATOR_OPTIONS, '--url', url, '--out-file', file]
    await promisify(execFile)(process.execPath, args)
    return (await readFile(file, 'utf8')).replaceAll(/^export (?=interface (?!DB ))/gm, '')
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The files that follow from the migrations: path to content, made from a migrated database. */
export async function schemaFiles(url: string): Promise<Record<string, string>> {
  const { db, close } = connect(url, { max: 1 })
  try {
    return {
      [path.join(root, 'api/src/platform/db/schema.ts')]: await generateTypes(url),
      [path.join(root, 'api/schema.sql')]: await describeSchema(db),
    }
  } finally {
    await close()
  }
}
