import { DEFAULT_ZONE } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from './connection.ts'

/** The time zone of the office, for what belongs to no market. */
export const OFFICE_ZONE = sql<string>`coalesce(
  (select value #>> '{}' from setting where key = 'companyZone'), ${sql.lit(DEFAULT_ZONE)})`

/** The same, for what is computed outside a statement. */
export async function officeZone(db: Db): Promise<string> {
  const { rows } = await sql<{ zone: string }>`select ${OFFICE_ZONE} as zone`.execute(db)
  return rows[0]?.zone ?? DEFAULT_ZONE
}
