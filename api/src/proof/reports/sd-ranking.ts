import {
  addDays,
  day,
  type Page,
  type QueryOf,
  RANKED_DAYS,
  type RankedProgram,
  type sdReport,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { clientLimit, isAmong, searchPatterns } from '../../live/plays/index.ts'
import { blocksTruckSql } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type FillIn, today } from '../../platform/http/fill-in.ts'

type Query = QueryOf<typeof sdReport.ranking>

/** A ranking without days is about the last thirty. */
export const fillRankedDays: FillIn = async ({ query }, db) => {
  const to = day.safeParse(query['to']).data ?? (await today(db))
  return { from: addDays(to, -RANKED_DAYS), to }
}

/** Conditions on the rows of programs that the query and the reader's scope leave. */
function ofPrograms(alias: 's' | 'r', { market, client: clients }: Query, limit: string | null): SqlFragment[] {
  const program = sql.ref(`${alias}.program_uid`)
  const ofClients = (uids: readonly string[]) =>
    sql`${program} in (select uid from client_program where client_uid = any(${uids}::uuid[]))`
  return [
    ...(market ? [isAmong(sql.ref(`${alias}.market_uid`), market)] : []),
    ...(clients ? [ofClients(clients)] : []),
    ...(limit === null ? [] : [ofClients([limit])]),
  ]
}

/** Visits and plays of each program by truck. A cluster reads the plays in an expression of their own. */
function selectTrucks(query: Query, limit: string | null): SqlFragment {
  const { from, to } = query
  const visits = allOf([
    sql`${blocksTruckSql('s')} and s.local_date between ${from}::date and ${to}::date`,
    ...ofPrograms('s', query, limit),
  ])
  const plays = allOf([sql`r.day between ${from}::date and ${to}::date`, ...ofPrograms('r', query, limit)])
  return sql`
    visit as materialized (
      select s.program_uid, s.truck_uid, a.address_uid, count(*) as approaches
        from shift s join shift_approach a on a.shift_uid = s.uid where ${visits} group by 1, 2, 3
    ), shown as materialized (
      select r.program_uid, r.truck_uid, sum(r.plays) as plays, sum(r.duration_ms) as ms
        from play_address_hour r where ${plays} group by r.program_uid, r.truck_uid
    ), visited as (
      select program_uid, sum(approaches) as approaches, count(distinct address_uid) as reached from visit group by 1
    ), played as (
      select program_uid, sum(plays) as plays, sum(ms) as ms from shown group by 1
    ), driven as (
      select program_uid, count(*) as trucks
        from (select program_uid, truck_uid from visit union select program_uid, truck_uid from shown) t group by 1
    )`
}

function orderOf({ sort = '-plays' }: Query): SqlFragment {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const column = sort.replace('-', '')
  const sorted = column === 'name' ? sql`name collate natural_order` : sql.id(column)
  return sql`order by ${sorted} ${direction}, name collate natural_order, uid`
}

/** A page of programs by what their SD addresses came to on some days; those without a visit and a play are left out. */
export async function rankPrograms(db: Db, scope: Scope, query: Query): Promise<Page<RankedProgram>> {
  const { page, pageSize } = query
  const matches = searchPatterns(query.search).map(
    (pattern) => sql`lower((p.name || ' ' || c.name) collate "default") like lower(${pattern})`,
  )
  const order = orderOf(query)
  // One row more than the page carries the total, also where the page is empty.
  const { rows } = await sql<RankedProgram & { $total: number }>`
    with ${selectTrucks(query, clientLimit(scope))}, ranked as materialized (
      select p.uid, p.name, json_build_object('uid', c.uid, 'name', c.name) as client,
             coalesce(y.plays, 0)::bigint as plays, floor(coalesce(y.ms, 0) / 1000)::bigint as seconds,
             coalesce(v.approaches, 0)::bigint as approaches, coalesce(v.reached, 0)::int as reached, d.trucks::int as trucks
        from driven d join client_program p on p.uid = d.program_uid join client c on c.uid = p.client_uid
        left join visited v on v.program_uid = d.program_uid left join played y on y.program_uid = d.program_uid
       ${matches.length > 0 ? sql`where ${allOf(matches)}` : sql``}
    )
    select t.total as "$total", f.* from (select count(*)::int as total from ranked) t
      left join lateral (
        select * from ranked ${order} limit ${sql.lit(pageSize)} offset ${sql.lit((page - 1) * pageSize)}) f on true
     ${order}`.execute(db)
  const data = rows.flatMap(({ $total: _total, ...row }) => (row.uid ? [row] : []))
  return { data, page, pageSize, total: rows[0]?.$total ?? 0 }
}
