import { sql } from 'kysely'
import { countRows, type DependentSource } from '../../platform/deletion/index.ts'

const columns: Partial<Record<string, string>> = {
  market: 'market_uid',
  program: 'program_uid',
  shift: 'shift_uid',
  truck: 'truck_uid',
  user: 'taken_by',
}

export const photoDependents: DependentSource = {
  kind: 'photos',
  count(db, { kind, uid }) {
    const column = columns[kind]
    return column
      ? countRows(db, sql`pop_photo t where t.deleted_at is null and ${sql.ref(`t.${column}`)} = ${uid}`)
      : undefined
  },
  screen: ({ kind, uid }) => (kind === 'program' ? `/client-pop?open=${uid}` : undefined),
}
