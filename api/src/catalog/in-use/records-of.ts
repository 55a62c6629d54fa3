import type { DependentKind, RecordKindName } from '@roadshow/contract'
import { sql } from 'kysely'
import { countRows, type DependentSource } from '../../platform/deletion/index.ts'

/** A source for rows of one table that refer to records by a column. */
export const recordsOf = (
  kind: DependentKind,
  table: string,
  columns: Partial<Record<RecordKindName, { column: string; screen?: (uid: string) => string }>>,
): DependentSource => ({
  kind,
  count(db, record) {
    const reference = columns[record.kind]
    return (
      reference &&
      countRows(
        db,
        sql`${sql.table(table)} t where t.deleted_at is null and ${sql.ref(`t.${reference.column}`)} = ${record.uid}`,
      )
    )
  },
  screen: (record) => columns[record.kind]?.screen?.(record.uid),
})
