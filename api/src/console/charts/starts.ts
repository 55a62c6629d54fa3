import type { StartsRow } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { START_OUTCOME } from '../../planning/shifts/index.ts'
import { type ChartQuery, matchesChart, WEEK_OF_SHIFT } from './chart-query.ts'

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
