import { sql } from 'kysely'
import { type Db, inTransaction } from './connection.ts'

/** What a statement fails with that has waited too long for a lock. */
export const LOCK_NOT_AVAILABLE = '55P03'

/** Runs work whose locks stop all later users of a table. It waits for them only briefly; its caller tries again. */
export const withBriefLocks = (db: Db, waitMs: number, work: (db: Db) => Promise<unknown>): Promise<void> =>
  inTransaction(db, async (db) => {
    await sql`select set_config('lock_timeout', ${String(waitMs)}, true)`.execute(db)
    await work(db)
  })

interface CreateIndex {
  unique: string
  name: string
  table: string
  /** Everything after the table: method, columns, condition. */
  definition: string
}

type IndexStatement = { create: CreateIndex } | { drop: string }

const CREATE =
  /^create (?<unique>unique )?index concurrently if not exists (?<name>\w+)\s+on (?<table>\w+)\s*(?<definition>.+)$/is
const DROP = /^drop index concurrently if exists (?<name>\w+)$/i

/** The statements of a migration that runs outside a transaction. Each can be repeated after any interruption. */
export function parseIndexStatements(text: string): IndexStatement[] {
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
  return statements.filter(Boolean).map((statement) => {
    const { unique = '', name = '', table = '', definition = '' } = CREATE.exec(statement)?.groups ?? {}
    if (name) return { create: { unique, name, table, definition } }
    const drop = DROP.exec(statement)?.groups?.['name']
    if (drop) return { drop }
    throw new Error(
      `Outside a transaction only CREATE INDEX CONCURRENTLY IF NOT EXISTS and DROP INDEX CONCURRENTLY IF EXISTS can be repeated safely, not: ${statement}`,
    )
  })
}

/** Runs one of the statements, on a connection outside a transaction. */
export async function runIndexStatement(db: Db, statement: IndexStatement, lockWaitMs: number): Promise<void> {
  if ('drop' in statement) await sql`drop index concurrently if exists ${sql.id(statement.drop)}`.execute(db)
  else if (await isPartitioned(db, statement.create.table)) await buildOnParts(db, statement.create, lockWaitMs)
  else await build(db, statement.create)
}

async function isPartitioned(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select relkind = 'p' as is from pg_class where oid = ${table}::regclass`.execute(db)
  return rows[0]?.is ?? false
}

/** A build that was cut off leaves an invalid index, which IF NOT EXISTS would take for the finished one. */
async function dropInvalid(db: Db, name: string): Promise<void> {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`.execute(db)
  if (rows.length > 0) await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
}

async function build(db: Db, { unique, name, table, definition }: CreateIndex): Promise<void> {
  await dropInvalid(db, name)
  await sql`create ${sql.raw(unique)}index concurrently if not exists ${sql.id(name)}
    on ${sql.table(table)} ${sql.raw(definition)}`.execute(db)
}

/**
 * Builds the index of a partitioned table part by part. The index of the whole is there first and becomes valid with its
 * last part, so parts that are attached meanwhile get theirs at once.
 */
async function buildOnParts(db: Db, index: CreateIndex, lockWaitMs: number): Promise<void> {
  const whole = sql`create ${sql.raw(index.unique)}index if not exists ${sql.id(index.name)}
    on only ${sql.table(index.table)} ${sql.raw(index.definition)}`
  await withBriefLocks(db, lockWaitMs, (db) => whole.execute(db))
  const parts = await sql<{ part: string }>`
    select c.relname as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = ${index.table}::regclass
       and not exists (select from pg_inherits a join pg_index x on x.indexrelid = a.inhrelid
                        where a.inhparent = ${index.name}::regclass and x.indrelid = c.oid)
     order by 1`.execute(db)
  for (const { part } of parts.rows) {
    const name = `${part}_${index.name}`.slice(0, 63)
    await build(db, { ...index, name, table: part })
    const attach = sql`alter index ${sql.id(index.name)} attach partition ${sql.id(name)}`
    await withBriefLocks(db, lockWaitMs, (db) => attach.execute(db))
  }
}
