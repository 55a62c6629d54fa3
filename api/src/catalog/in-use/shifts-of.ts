import type { RecordKindName } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import type { DeletableRecord } from '../../platform/deletion/index.ts'

const columns = {
  addressSet: 'address_set_uid',
  artworkSet: 'artwork_set_uid',
  market: 'market_uid',
  program: 'program_uid',
  shift: 'uid',
  truck: 'truck_uid',
  user: 'driver_uid',
} as const satisfies Partial<Record<RecordKindName, string>>

/** The condition for the shifts `s` that a record has or is; undefined for records that never have any. */
export function hasShifts({ kind, uid }: DeletableRecord): SqlFragment | undefined {
  if (kind === 'client')
    return sql`s.deleted_at is null and s.program_uid in (select uid from client_program where client_uid = ${uid})`
  const column = kind in columns ? columns[kind as keyof typeof columns] : undefined
  return column && sql`s.deleted_at is null and ${sql.ref(`s.${column}`)} = ${uid}`
}

/** The shifts that a record has or is. */
export async function shiftsOf(db: Db, record: DeletableRecord): Promise<string[]> {
  const condition = hasShifts(record)
  if (!condition) return []
  const { rows } = await sql<{ uid: string }>`select s.uid from shift s where ${condition}`.execute(db)
  return rows.map(({ uid }) => uid)
}
