import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connection.ts'

interface Step {
  'Relation Name'?: string
  'Subplan Name'?: string
  Disabled?: boolean
  Plans?: Step[]
}

/** A COPY has no plan, and a statement that only sets something reads no table. */
const PLANNED = /^(?:\/\*.*?\*\/\s*)?(?:select|insert|update|delete|with|merge)\b/i

/**
 * The tables that a statement reads whole for any values: sequential scans are off, so one that is left means that no
 * index fits. A hashed subplan is left out; PostgreSQL prefers it to the index beside it only while tables are empty.
 */
export async function tablesReadWhole(db: Db, text: string): Promise<string[]> {
  if (!PLANNED.test(text.trim())) return []
  const plan = await db.transaction().execute(async (one) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),
                     set_config('max_parallel_workers_per_gather', '0', true)`.execute(one)
    // Only a verbose plan names the subplans of its output.
    const explain = sql.raw<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `explain (generic_plan, verbose, costs off, format json) ${text}`,
    )
    return (await explain.execute(one)).rows[0]?.['QUERY PLAN'][0].Plan as Step
  })
  const described = JSON.stringify(plan)
  const scans = (step: Step): string[] => [
    ...(step.Disabled && step['Relation Name'] ? [step['Relation Name'].replace(/_\d{8}$/, '')] : []),
    ...(step.Plans ?? []).filter((each) => !described.includes(`hashed ${each['Subplan Name']}`)).flatMap(scans),
  ]
  return scans(plan)
}
