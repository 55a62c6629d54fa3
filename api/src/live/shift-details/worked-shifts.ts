import type { QueryOf, ReplyOf, shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import { ownShifts, shiftFilters, withoutDriver, workedShifts } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'

type Query = QueryOf<typeof shifts.workTotals>

/** Miles and hours of the shifts that took place, of those that a list shows. */
export async function loadWorkTotals(
  db: Db,
  scope: Scope,
  asked: Query,
): Promise<ReplyOf<typeof shifts.workTotals>['data']> {
  const query = withoutDriver(scope, asked)
  const conditions: SqlFragment[] = [sql`t.deleted_at is null`]
  for (const [name, condition] of Object.entries(shiftFilters)) {
    const value = query[name as keyof Query]
    if (value !== undefined) conditions.push((condition as (value: unknown) => SqlFragment)(value))
  }
  if (scope.rows === 'own') conditions.push(ownShifts(scope.actor))
  const { rows } = await sql<ReplyOf<typeof shifts.workTotals>['data']>`
    select count(*) as shifts, coalesce(sum(w.metres), 0) as metres, coalesce(sum(w.seconds), 0)::bigint as seconds,
           count(distinct w.day) as days, count(*) filter (where w.has_no_gps) as "shiftsWithoutGps"
      from (${workedShifts(allOf(conditions))}) w`.execute(db)
  return rows[0] ?? { shifts: 0, metres: 0, seconds: 0, days: 0, shiftsWithoutGps: 0 }
}
