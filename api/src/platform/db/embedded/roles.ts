import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type pg from 'pg'
import { withClient } from '../with-client.ts'

/** The superuser that initdb creates. It prepares the server; the app never connects as it. */
export const SUPERUSER = 'roadshow'
/** The plain role that owns the app's database and nothing else. */
export const APP_ROLE = 'roadshow_app'

/** The parameter that switches triggers off. */
const TRIGGERS = 'session_replication_role'

/** The password of the app's role, which never leaves the folder. */
export async function appPassword(file: string): Promise<string> {
  const known = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (known !== '') return known
  const password = randomBytes(24).toString('hex')
  await writeFile(file, password, { mode: 0o600, flush: true })
  return password
}

interface Prepared {
  /** The connection string of a database for the superuser. */
  superuserUrl: (database: string) => string
  database: string
  password: string
}

/**
 * Creates the app's role and its database. In a data folder of an earlier version, where the app was the superuser, the
 * role takes over the database and everything in it.
 */
export async function prepareDatabase({ superuserUrl, database, password }: Prepared): Promise<void> {
  await withClient(superuserUrl('postgres'), async (client) => {
    const attributes = `login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${client.escapeLiteral(password)}`
    const { rowCount: hasRole } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE])
    await client.query(`${hasRole ? 'alter' : 'create'} role ${APP_ROLE} ${attributes}`)
    await client.query(`revoke set on parameter ${TRIGGERS} from ${APP_ROLE}`)
    const { rowCount: hasDatabase } = await client.query('select from pg_database where datname = $1', [database])
    if (hasDatabase) await client.query(`alter database ${database} owner to ${APP_ROLE}`)
    else await client.query(`create database ${database} owner ${APP_ROLE}`)
  })
  await withClient(superuserUrl(database), handOver)
}

/**
 * Statements that give the app's role every object that is not its own yet. Objects of extensions stay, and so does what
 * follows its table: indexes, row types, and sequences of columns.
 */
const FOREIGN_OBJECTS = `
  with objects (catalog, oid, owner, statement) as (
    select 'pg_namespace'::regclass, oid, nspowner, format('schema %I', nspname)
      from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
    union all
    select 'pg_class'::regclass, c.oid, c.relowner,
           format('%s %s', case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
             else 'table' end, c.oid::regclass)
      from pg_class c
     where c.relkind in ('r', 'p', 'S', 'v', 'm', 'f')
       and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                          and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and c.relkind = 'S')
    union all
    select 'pg_proc'::regclass, p.oid, p.proowner, format('routine %s', p.oid::regprocedure)
      from pg_proc p where p.pronamespace::regnamespace::text !~ '^(pg_|information_schema)'
    union all
    select 'pg_type'::regclass, t.oid, t.typowner, format('type %s', t.oid::regtype)
      from pg_type t
     where t.typnamespace::regnamespace::text !~ '^(pg_|information_schema)' and t.typtype in ('d', 'e', 'r', 'c')
       and not exists (select from pg_class c where c.oid = t.typrelid and c.relkind <> 'c')
    union all
    select 'pg_collation'::regclass, oid, collowner, format('collation %s', oid::regcollation)
      from pg_collation where collnamespace::regnamespace::text !~ '^(pg_|information_schema)'
    union all
    select 'pg_statistic_ext'::regclass, oid, stxowner, format('statistics %s.%I', stxnamespace::regnamespace, stxname)
      from pg_statistic_ext where stxnamespace::regnamespace::text !~ '^(pg_|information_schema)'
  )
  select statement from objects o
   where o.owner <> '${APP_ROLE}'::regrole
     and not exists (select from pg_depend d where d.classid = o.catalog and d.objid = o.oid and d.deptype = 'e')`

/** One statement at a time: a database of years has more tables than one transaction can lock. A killed start goes on. */
async function handOver(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(FOREIGN_OBJECTS)
  for (const { statement } of rows) await client.query(`alter ${statement} owner to ${APP_ROLE}`)
}

/** Lets the app's role load rows without triggers, to restore a backup. The next start takes the right back. */
export const allowRestoring = (superuserUrl: string): Promise<unknown> =>
  withClient(superuserUrl, (client) => client.query(`grant set on parameter ${TRIGGERS} to ${APP_ROLE}`))
