import type { adLog, Page, QueryOf, ReportMarket, ReportProgram } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { programText } from '../../catalog/programs/index.ts'
import { clientLimit, NO_UID, requireProgram, searchPatterns } from '../../live/plays/index.ts'

type ProgramQuery = QueryOf<typeof adLog.programs>
type MarketQuery = QueryOf<typeof adLog.markets>
type Direction = 'asc' | 'desc'

/** What a report is about, as SQL on program `p`, and on market `m` where the lookup has one. */
type ReportSubject = (hasMarket: boolean) => {
  /** Whether the report has data. */
  exists: SqlFragment
  /** The first day with data, or with `desc` the last. */
  day: (direction: Direction) => SqlFragment
}

const inMarket = (column: string, hasMarket: boolean) => (hasMarket ? sql`and ${sql.ref(column)} = m.uid` : sql``)

type RollupTable = 'play_hour' | 'play_address_hour'

/** Unassigned plays have no market. The ad log of a program counts them; the SD report does not. */
const countsIn = (table: RollupTable) => (table === 'play_hour' ? sql`` : sql`and h.market_uid <> ${NO_UID}`)

/** Hours of the program, in the market where one is named. */
const hoursOf = (table: RollupTable, hasMarket: boolean) => sql`
  ${sql.table(table)} h where h.program_uid = p.uid ${hasMarket ? inMarket('h.market_uid', hasMarket) : countsIn(table)}`

const firstDay = (table: RollupTable, hasMarket: boolean, direction: Direction) =>
  sql`(select h.day from ${hoursOf(table, hasMarket)} order by h.day ${sql.raw(direction)} limit 1)`

const anyHour = (table: RollupTable, hasMarket: boolean) => sql`exists (select from ${hoursOf(table, hasMarket)})`

/** The ad log: plays. */
export const adLogSubject: ReportSubject = (hasMarket) => ({
  exists: anyHour('play_hour', hasMarket),
  day: (direction) => firstDay('play_hour', hasMarket, direction),
})

/** The SD report: visits of trucks to SD addresses, and plays for them. */
export const sdSubject: ReportSubject = (hasMarket) => {
  const shifts = sql`s.program_uid = p.uid and s.deleted_at is null and driven_hours(s) is not null
    ${inMarket('s.market_uid', hasMarket)}`
  const firstVisit = (direction: Direction) => sql`(
    select s.local_date from shift s
     where ${shifts} and exists (select from shift_approach a where a.shift_uid = s.uid)
     order by s.local_date ${sql.raw(direction)} limit 1)`
  return {
    exists: sql`(${anyHour('play_address_hour', hasMarket)}
      or exists (select from shift s join shift_approach a on a.shift_uid = s.uid where ${shifts}))`,
    day: (direction) => sql`${sql.raw(direction === 'asc' ? 'least' : 'greatest')}(
      ${firstVisit(direction)}, ${firstDay('play_address_hour', hasMarket, direction)})`,
  }
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
  const { exists, day } = subject(false)
  const client = clientLimit(scope)
  const searchText = programText(scope.actor, 'p')
  const conditions = [
    exists,
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
                 'firstDay', ${day('asc')}, 'lastDay', ${day('desc')}`,
    joins: sql`join client_program p on p.uid = f.uid`,
  })
}

/** Markets in which a program has data for a report. */
export async function lookUpMarkets(db: Db, scope: Scope, query: MarketQuery, subject: ReportSubject) {
  await requireProgram(db, scope, query.program)
  const { exists, day } = subject(true)
  const ofProgram = sql`client_program p on p.uid = ${query.program}`
  const conditions = [
    exists,
    ...(query.uid ? [sql`m.uid = any(${query.uid}::uuid[])`] : []),
    ...searchPatterns(query.search).map((pattern) => sql`m.search_text like lower(${pattern})`),
  ]
  return lookUp<ReportMarket>(db, query, {
    matches: sql`select m.uid, m.name from market m join ${ofProgram} where ${allOf(conditions)}`,
    columns: sql`'uid', m.uid, 'name', m.name, 'zone', m.zone, 'firstDay', ${day('asc')}, 'lastDay', ${day('desc')}`,
    joins: sql`join market m on m.uid = f.uid join ${ofProgram}`,
  })
}
