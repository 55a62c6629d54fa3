import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defaultSettings } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { tableLifetimes } from '../src/app.ts'
import { sharedNow } from '../src/platform/db/clock.ts'
import { inTransaction } from '../src/platform/db/connection.ts'
import { partitionedTables } from '../src/platform/db/partitions.ts'
import { withLifetimeTable } from '../src/platform/lifetimes/document.ts'

const { db, sweep } = await openWorld()

/** Other lifetimes than those of an untouched database; history and audit log have the shortest that is allowed. */
const settings = {
  ...defaultSettings,
  keepPositionsDays: 45,
  keepPlaysDays: 60,
  keepInspectionsDays: 120,
  keepWebLogDays: 9,
  keepAuditLogDays: 400,
  keepHistoryDays: 1095,
}
const now = await sharedNow(db)
const truck = await db
  .insertInto('truck')
  .values({ number: 'L-1', kind: 'led', state: 'active' })
  .returning('uid')
  .executeTakeFirstOrThrow()

const ended = Object.entries(tableLifetimes).flatMap(([table, { ends }]) => (ends ? [{ table, ...ends }] : []))

const HOUR_MS = 3_600_000
/** How far rows are from the end of their lifetime: weeks are dropped as a whole, and days have no hours. */
const marginMs: Record<string, number> = {
  position: 8 * 24 * HOUR_MS,
  position_minute: 8 * 24 * HOUR_MS,
  position_spare: 8 * 24 * HOUR_MS,
  play: 8 * 24 * HOUR_MS,
  known_play: 48 * HOUR_MS,
}

/** A value of each type, as SQL. A new type fails the test until it stands here. */
const valueOf: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  citext: 'gen_random_uuid()::text',
  bytea: `decode(md5(random()::text), 'hex')`,
  int2: '1',
  int4: '1',
  int8: '(random() * 1000000)::int8',
  float8: '1',
  bool: 'false',
  jsonb: `'{}'`,
  json: `'{}'`,
  date: 'current_date',
  timestamptz: 'now()',
}

interface Column {
  name: string
  type: string
  isNeeded: boolean
}

async function columnsOf(table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select column_name as name, udt_name as type,
           is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER' as "isNeeded"
      from information_schema.columns where table_schema = 'public' and table_name = ${table}`.execute(db)
  return rows
}

/** Adds a row that carries a moment in one column and anything in those that it cannot do without. */
async function addRow(table: string, column: string, at: string): Promise<void> {
  const columns = (await columnsOf(table)).filter(({ name, isNeeded }) => isNeeded || name === column)
  const values = columns.map(({ name, type }) => {
    if (name === column) return sql`${at}::timestamptz`
    if (name === 'truck_uid') return sql`${truck.uid}::uuid`
    if (!valueOf[type]) throw new Error(`A value of ${table}.${name} is needed: ${type}`)
    return sql.raw(valueOf[type])
  })
  if ((partitionedTables as readonly string[]).includes(table))
    await sql`call ensure_week(${table}, ${at}::timestamptz::date)`.execute(db)
  await inTransaction(db, async (db) => {
    await sql`set local session_replication_role = replica`.execute(db)
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map(({ name }) => sql.id(name)))})
              values (${sql.join(values)})`.execute(db)
  })
}

async function countAt(table: string, column: string, at: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}
     where ${sql.ref(column)} = ${at}::timestamptz::${sql.raw(table === 'known_play' || table === 'play_archive' ? 'date' : 'timestamptz')}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

describe('every row lives as long as its table declares', async () => {
  // Which values rows may have is of no matter here.
  const { rows: checks } = await sql<{ table: string; name: string }>`
    select conrelid::regclass::text as table, conname as name from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace and coninhcount = 0 and conrelid <> 0`.execute(db)
  for (const { table, name } of checks.filter((check) => ended.some((each) => each.table === check.table)))
    await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(db)
  // Whatever a truck reports is noted in its present state.
  await db.insertInto('truck_now').values({ truck_uid: truck.uid }).execute()
  // Every job has read the notes for it.
  await sql`insert into job_watermark (job, done_until) values ('play-grades', now())
            on conflict (job) do update set done_until = now()`.execute(db)
  const moments = new Map<string, { past: string; within: string }>()
  for (const { table, column, before } of ended) {
    const [end, margin] = [before({ settings, now }), marginMs[table] ?? HOUR_MS]
    const [past, within] = [new Date(end - margin).toISOString(), new Date(end + margin).toISOString()]
    moments.set(table, { past, within })
    for (const at of [past, within]) await addRow(table, column, at)
  }
  const counts = async () =>
    new Map(
      await Promise.all(
        ended.map(async ({ table, column }) => {
          const { past = '', within = '' } = moments.get(table) ?? {}
          return [table, [await countAt(table, column, past), await countAt(table, column, within)]] as const
        }),
      ),
    )
  const before = await counts()
  await sweep(undefined, { settings, now })
  const after = await counts()

  test.each(ended.map(({ table }) => table))('%s', (table) => {
    expect({ before: before.get(table), after: after.get(table) }).toEqual({ before: [1, 1], after: [0, 1] })
  })
})

test('the operations guide lists them; npm run db:types writes the list', async () => {
  const guide = await readFile(fileURLToPath(new URL('../../docs/operations.md', import.meta.url)), 'utf8')
  expect(guide).toBe(withLifetimeTable(guide, tableLifetimes))
})
