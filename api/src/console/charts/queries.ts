import type { charts, DriverHoursRow, PlayHourRow, QueryOf, StartsRow } from '@roadshow/contract'
import { sql } from 'kysely'
import { playFiguresOf, playTotals } from '../../live/plays/index.ts'
import {
  blocksTruckSql,
  COUNTED_MINUTES,
  minuteColumns,
  shiftFilters,
  START_OUTCOME,
} from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'

export type ChartQuery = QueryOf<typeof charts.utilization>

/** The Monday of a shift's week: PostgreSQL's weeks begin on Mondays as well. */
const WEEK_OF_SHIFT = sql`date_trunc('week', t.local_date::timestamp)::date`

/** The conditions on shifts `t` that list and chart share: a figure and the list that it leads to count the same rows. */
export const matchesChart = ({ from, to, market, client, program }: ChartQuery): SqlFragment =>
  allOf([
    sql`t.deleted_at is null`,
    shiftFilters.from(from),
    shiftFilters.to(to),
    ...(market ? [shiftFilters.market(market)] : []),
    ...(client ? [shiftFilters.client(client)] : []),
    ...(program ? [shiftFilters.program(program)] : []),
  ])

/** The hours of each driver by week. A shift counts in the week in which it starts in its market. */
export async function loadDriverHours(db: Db, _scope: Scope, query: ChartQuery): Promise<DriverHoursRow[]> {
  const hasEnded = sql`${minuteColumns.actualMinutes} is not null`
  const { rows } = await sql<DriverHoursRow>`
    select json_build_object('uid', d.uid, 'name', d.name) as driver, w.week, w.shifts, w."workedMinutes", w."plannedMinutes"
      from (select t.driver_uid, ${WEEK_OF_SHIFT} as week, count(*)::int as shifts,
                   coalesce(sum(${COUNTED_MINUTES}) filter (where ${hasEnded}), 0)::int as "workedMinutes",
                   coalesce(sum(${COUNTED_MINUTES}) filter (where not (${hasEnded})), 0)::int as "plannedMinutes"
              from shift t where ${matchesChart(query)} and ${blocksTruckSql('t')} group by 1, 2) w
      join user_account d on d.uid = w.driver_uid
     order by d.name, d.uid, w.week`.execute(db)
  return rows
}

const countOf = (outcome: string) => sql`(count(*) filter (where s.outcome = ${sql.lit(outcome)}))::int`

/** How shifts started, by market and week. Shifts that are not due yet and canceled ones are left out. */
export async function loadStarts(db: Db, _scope: Scope, query: ChartQuery): Promise<StartsRow[]> {
  const { rows } = await sql<StartsRow>`
    select json_build_object('uid', m.uid, 'name', m.name) as market, s.week, ${countOf('onTime')} as "onTime",
           ${countOf('late')} as late, ${countOf('noShow')} as "noShow", ${countOf('noData')} as "noData"
      from (select t.market_uid, ${WEEK_OF_SHIFT} as week, ${START_OUTCOME} as outcome
              from shift t where ${matchesChart(query)}) s
      join market m on m.uid = s.market_uid
     where s.outcome is not null
     group by m.uid, s.week order by m.name, m.uid, s.week`.execute(db)
  return rows
}

const NO_PLAYS = { plays: 0, verified: 0, conflict: 0, noTrack: 0, ms: 0 }

/** Plays by hour of day: every hour, or none where nothing was played. */
export async function loadPlaysByHour(db: Db, scope: Scope, query: ChartQuery): Promise<PlayHourRow[]> {
  const found = await playTotals(db, scope, { by: 'hourOfDay', ...query })
  if (found.length === 0) return []
  const byHour = new Map(found.map((total) => [total.hour, total]))
  return Array.from({ length: 24 }, (_, hour) => ({ hour, ...playFiguresOf(byHour.get(hour) ?? NO_PLAYS) }))
}
