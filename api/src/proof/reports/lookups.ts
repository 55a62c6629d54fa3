import type { adLog, Page, QueryOf, ReportMarket, ReportProgram } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, includeIf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { blocksTruckSql } from '../../planning/shifts/index.ts'
import { programText } from '../../catalog/programs/index.ts'
import { clientLimit, requireProgram, searchPatterns } from '../../live/plays/index.ts'

type ProgramQuery = QueryOf<typeof adLog.programs>
type MarketQuery = QueryOf<typeof adLog.markets>

/**
 * What a report is about, as SQL on program `p`, and on market `m` where the lookup has one: selects the first and the
 * last day with data, both null where there is none.
 */
type ReportSubject = (hasMarket: boolean) => SqlFragment

const marketOf = (hasMarket: boolean) => (hasMarket ? sql`m.uid` : sql`null`)

/** The ad log: plays, with the unassigned ones of the program, which have no market. */
export const adLogSubject: ReportSubject = (hasMarket) => sql`select * from play_days(p.uid, ${marketOf(hasMarket)})`

/** The SD report: visits of trucks to SD addresses, and plays for them. */
export const sdSubject: ReportSubject = (hasMarket) => {
  const visited = (order: SqlFragment) => sql`(
    select s.local_date from shift s
     where s.program_uid = p.uid and ${blocksTruckSql('s')}
       ${includeIf(hasMarket, () => sql`and s.market_uid = m.uid`)}
       and exists (select from shift_approach a where a.shift_uid = s.uid)
     order by s.local_date ${order} limit 1)`
  return sql`
    select least(${visited(sql`asc`)}, first_day) as first_day, greatest(${visited(sql`desc`)}, last_day) as last_day
      from address_play_days(p.uid, ${marketOf(hasMarket)})`
}

interface Lookup {
  /** Selects `uid` and `name` of everything that matches. */
  matches: SqlFragment
  /** Keys and values of the reply, for rows `f` of the page with their joins. */
  columns: SqlFragment
  joins: SqlFragment
}

/** A page of matches by name. First and last days are computed only for the rows of the page. */
async function lookUp<Row>(
  db: Db,
  { page, pageSize, sort }: Pick<ProgramQuery, 'page' | 'pageSize' | 'sort'>,
  { matches, columns, joins }: Lookup,
): Promise<Page<Row>> {
  const direction = sql.raw(sort === '-name' ? 'desc' : 'asc')
  const order = sql`order by f.name ${direction}, f.uid ${direction}`
  const { rows } = await sql<{ total: number; data: Row[] }>`
    with found as materialized (${matches}), paged as (
      select * from found f ${order} limit ${sql.lit(pageSize)} offset ${sql.lit((page - 1) * pageSize)}
    )
    select (select count(*) from found)::int as total,
           coalesce((select json_agg(json_build_object(${columns}) ${order}) from paged f ${joins}), '[]') as data`.execute(
    db,
  )
  return { data: rows[0]?.data ?? [], page, pageSize, total: rows[0]?.total ?? 0 }
}

/** Programs with data for a report, including deleted ones, whose history is kept. */
export function lookUpPrograms(db: Db, scope: Scope, query: ProgramQuery, subject: ReportSubject) {
  const days = subject(false)
  const client = clientLimit(scope)
  const searchText = programText(scope.actor, 'p')
  const conditions = [
    sql`(select first_day from (${days}) d) is not null`,
    ...(client === null ? [] : [sql`p.client_uid = ${client}`]),
    ...(query.uid ? [sql`p.uid = any(${query.uid}::uuid[])`] : []),
    ...searchPatterns(query.search).map(
      (pattern) =>
        sql`(${searchText} like lower(${pattern}) or lower(c.name collate "default") like lower(${pattern}))`,
    ),
  ]
  return lookUp<ReportProgram>(db, query, {
    matches: sql`select p.uid, p.name, c.uid as client_uid, c.name as client
                   from client_program p join client c on c.uid = p.client_uid where ${allOf(conditions)}`,
    columns: sql`'uid', f.uid, 'name', f.name, 'client', json_build_object('uid', f.client_uid, 'name', f.client),
                 'firstDay', d.first_day, 'lastDay', d.last_day`,
    joins: sql`join client_program p on p.uid = f.uid cross join lateral (${days}) d`,
  })
}

/** The first and last day of a market `m` with shifts that the reader may know of. */
function shiftDays(client: string | null): SqlFragment {
  const ofClient = sql`and s.program_uid in (select uid from client_program where client_uid = ${client})`
  const worked = (order: SqlFragment) => sql`(
    select s.local_date from shift s
     where s.market_uid = m.uid and ${blocksTruckSql('s')} and s.starts_at < now()
       ${includeIf(client !== null, () => ofClient)}
     order by s.starts_at ${order} limit 1)`
  return sql`select ${worked(sql`asc`)} as first_day, ${worked(sql`desc`)} as last_day`
}

/** Markets in which a program has data for a report; without a program, those in which shifts took place. */
export async function lookUpMarkets(db: Db, scope: Scope, query: MarketQuery, subject: ReportSubject) {
  if (query.program) await requireProgram(db, scope, query.program)
  const days = query.program ? subject(true) : shiftDays(clientLimit(scope))
  const ofProgram = includeIf(query.program, () => sql`join client_program p on p.uid = ${query.program}`)
  const conditions = [
    sql`(select first_day from (${days}) d) is not null`,
    ...(query.uid ? [sql`m.uid = any(${query.uid}::uuid[])`] : []),
    ...searchPatterns(query.search).map((pattern) => sql`m.search_text like lower(${pattern})`),
  ]
  return lookUp<ReportMarket>(db, query, {
    matches: sql`select m.uid, m.name from market m ${ofProgram} where ${allOf(conditions)}`,
    columns: sql`'uid', m.uid, 'name', m.name, 'zone', zone_on(m.zone, m.earlier_zones, d.last_day), 'firstDay', d.first_day, 'lastDay', d.last_day`,
    joins: sql`join market m on m.uid = f.uid ${ofProgram} cross join lateral (${days}) d`,
  })
}
