import { sql } from 'kysely'
import { hasShifts } from '../../catalog/in-use/index.ts'
import { countRows, type DependentSource } from '../../platform/deletion/index.ts'

/** The filters of the list of shifts. */
const filters: Partial<Record<string, string>> = {
  client: 'client',
  market: 'market',
  program: 'program',
  truck: 'truck',
  user: 'driver',
}

export const shiftDependents: DependentSource = {
  kind: 'shifts',
  count(db, record) {
    const condition = record.kind === 'shift' ? undefined : hasShifts(record)
    return condition && countRows(db, sql`shift s where ${condition}`)
  },
  screen: ({ kind, uid }) => filters[kind] && `/schedule/program-schedule?${filters[kind]}=${uid}`,
}
