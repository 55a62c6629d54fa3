import type { charts, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import { shiftFilters } from '../../planning/shifts/index.ts'

export type ChartQuery = QueryOf<typeof charts.utilization>

/** The Monday of a shift's week: PostgreSQL's weeks begin on Mondays as well. */
export const WEEK_OF_SHIFT = sql`date_trunc('week', t.local_date::timestamp)::date`

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
