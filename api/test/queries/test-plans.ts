import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connection.ts'

interface Step {
  'Node Type'?: string
  'Relation Name'?: string
  'Subplan Name'?: string
  Disabled?: boolean
  Plans?: Step[]
}

/** A COPY has no plan, and a statement that only sets something reads no table. */
const PLANNED = /^(?:\/\*.*?\*\/\s*)?(?:select|insert|update|delete|with|merge)\b/i

async function planOf(db: Db, text: string, seqscan: 'on' | 'off'): Promise<Step | undefined> {
  if (!PLANNED.test(text.trim())) return undefined
  return db.transaction().execute(async (one) => {
    await sql`select set_config('enable_seqscan', ${seqscan}, true), set_config('jit', 'off', true),
                     set_config('max_parallel_workers_per_gather', '0', true)`.execute(one)
    // Only a verbose plan names the subplans of its output.
    const explain = sql.raw<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `explain (generic_plan, verbose, costs off, format json) ${text}`,
    )
    return (await explain.execute(one)).rows[0]?.['QUERY PLAN'][0].Plan
  })
}

const tableOf = ({ 'Relation Name': name = '' }: Step): string => name.replace(/_\d{8}$/, '')

/**
 * The tables that a statement reads whole for any values: sequential scans are off, so one that is left means that no
 * index fits. A hashed subplan is left out; PostgreSQL prefers it to the index beside it only while tables are empty.
 */
export async function tablesReadWhole(db: Db, text: string): Promise<string[]> {
  const plan = await planOf(db, text, 'off')
  const described = JSON.stringify(plan)
  const scans = (step: Step): string[] => [
    ...(step.Disabled && step['Relation Name'] ? [tableOf(step)] : []),
    ...(step.Plans ?? []).filter((each) => !described.includes(`hashed ${each['Subplan Name']}`)).flatMap(scans),
  ]
  return plan ? scans(plan) : []
}

/** Of the given tables with rows, those that a statement reads whole although it may use its indexes. */
export async function tablesScanned(db: Db, text: string, tables: readonly string[]): Promise<string[]> {
  const plan = await planOf(db, text, 'on')
  const scans = (step: Step): string[] => [
    ...(step['Node Type'] === 'Seq Scan' && tables.includes(tableOf(step)) ? [tableOf(step)] : []),
    ...(step.Plans ?? []).flatMap(scans),
  ]
  return plan ? scans(plan) : []
}

/** Makes PostgreSQL plan as if tables had a thousand times as many rows, whose values are spread as they are. */
export async function multiplyRows(db: Db, tables: readonly string[]): Promise<void> {
  await sql`analyze`.execute(db)
  const { rows } = await sql<{ name: string }>`
    select relname as name, pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text,
             'relpages', relpages, 'reltuples', (reltuples * 1000)::real)
      from pg_class where relname = any(${tables}) and relnamespace = 'public'::regnamespace and reltuples >= 20`.execute(
    db,
  )
  if (rows.length !== tables.length) throw new Error(`The demo has rows in ${rows.map(({ name }) => name).join(', ')}.`)
}
