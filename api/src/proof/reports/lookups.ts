import type { adLog, Page, QueryOf, ReportMarket, ReportProgram } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { Values } from '../../platform/db/records/pieces.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { programText } from '../../catalog/programs/index.ts'
import { compileFragment } from '../../platform/db/records/fragments.ts'
import { clientLimit, requireProgram, searchPatterns } from '../../live/plays/index.ts'

type ProgramQuery = QueryOf<typeof adLog.programs>
type MarketQuery = QueryOf<typeof adLog.markets>

/** What a report is about, as SQL of program `p`, and of market `m` where one is in hand. */
type Subject = (hasMarket: boolean) => {
  /** Whether there is any. */
  exists: string
  /** The first day of it, or with `desc` the last. */
  day: (way: 'asc' | 'desc') => string
}

const firstHour = (table: string, hasMarket: boolean, way: 'asc' | 'desc') =>
  `(select (h.hour at time zone z.zone)::date from ${table} h join market z on z.uid = h.market_uid
     where h.program_uid = p.uid ${hasMarket ? 'and h.market_uid = m.uid' : ''} order by h.hour ${way} limit 1)`

const anyHour = (table: string, hasMarket: boolean) =>
  `exists (select from ${table} h where h.program_uid = p.uid ${hasMarket ? 'and h.market_uid = m.uid' : ''})`

/** Plays. */
export const played: Subject = (hasMarket) => ({
  exists: anyHour('play_hour', hasMarket),
  day: (way) => firstHour('play_hour', hasMarket, way),
})

/** Visits of trucks to SD addresses, and plays for them. */
export const directed: Subject = (hasMarket) => {
  const shifts = `s.program_uid = p.uid and s.deleted_at is null and driven_hours(s) is not null
    ${hasMarket ? 'and s.market_uid = m.uid' : ''}`
  const visited = (way: 'asc' | 'desc') => `(
    select (date_trunc('hour', a.at) at time zone z.zone)::date from shift s join market z on z.uid = s.market_uid
      cross join lateral (select ${way === 'asc' ? 'min' : 'max'}(entered_at) as at from shift_approach
                           where shift_uid = s.uid) a
     where ${shifts} and a.at is not null order by s.starts_at ${way} limit 1)`
  return {
    exists: `(${anyHour('play_address_hour', hasMarket)}
      or exists (select from shift s join shift_approach a on a.shift_uid = s.uid where ${shifts}))`,
    day: (way) =>
      `${way === 'asc' ? 'least' : 'greatest'}(${visited(way)}, ${firstHour('play_address_hour', hasMarket, way)})`,
  }
}

/** A page of what is found, by name; only of what it shows is it asked when it begins and ends. */
async function look<Row>(
  db: Db,
  { page, pageSize, sort }: Pick<ProgramQuery, 'page' | 'pageSize' | 'sort'>,
  { found, columns, joins, values }: { found: string; columns: string; joins: string; values: Values },
): Promise<Page<Row>> {
  const way = sort === '-name' ? 'desc' : 'asc'
  const statement = `
    with found as materialized (${found}), paged as (
      select * from found f order by f.name ${way}, f.uid ${way} limit ${pageSize} offset ${(page - 1) * pageSize}
    )
    select (select count(*) from found)::int as total,
           coalesce((select json_agg(json_build_object(${columns}) order by f.name ${way}, f.uid ${way})
                       from paged f ${joins}), '[]') as data`
  const { rows } = await db.executeQuery<{ total: number; data: Row[] }>(CompiledQuery.raw(statement, values.list))
  return { data: rows[0]?.data ?? [], page, pageSize, total: rows[0]?.total ?? 0 }
}

/** Programs that there is something of, deleted ones too: their past stays. */
export function lookUpPrograms(db: Db, scope: Scope, query: ProgramQuery, subject: Subject) {
  const values = new Values()
  const { exists, day } = subject(false)
  const conditions = [exists]
  const client = clientLimit(scope)
  if (client !== null) conditions.push(`p.client_uid = ${values.add(client)}`)
  if (query.uid) conditions.push(`p.uid = any(${values.add(query.uid)}::uuid[])`)
  const program = compileFragment(programText(scope.actor, 'p')).sql
  for (const word of searchPatterns(query.search)) {
    const pattern = values.add(word)
    conditions.push(`(${program} like lower(${pattern}) or lower(c.name collate "default") like lower(${pattern}))`)
  }
  return look<ReportProgram>(db, query, {
    found: `select p.uid, p.name, c.uid as client_uid, c.name as client
              from client_program p join client c on c.uid = p.client_uid where ${conditions.join(' and ')}`,
    columns: `'uid', f.uid, 'name', f.name, 'client', json_build_object('uid', f.client_uid, 'name', f.client),
              'firstDay', ${day('asc')}, 'lastDay', ${day('desc')}`,
    joins: 'join client_program p on p.uid = f.uid',
    values,
  })
}

/** Markets that there is something of a program in. */
export async function lookUpMarkets(db: Db, scope: Scope, query: MarketQuery, subject: Subject) {
  await requireProgram(db, scope, query.program)
  const values = new Values()
  const { exists, day } = subject(true)
  const ofProgram = `client_program p on p.uid = ${values.add(query.program)}`
  const conditions = [exists]
  if (query.uid) conditions.push(`m.uid = any(${values.add(query.uid)}::uuid[])`)
  for (const word of searchPatterns(query.search)) conditions.push(`m.search_text like lower(${values.add(word)})`)
  return look<ReportMarket>(db, query, {
    found: `select m.uid, m.name from market m join ${ofProgram} where ${conditions.join(' and ')}`,
    columns: `'uid', m.uid, 'name', m.name, 'zone', m.zone, 'firstDay', ${day('asc')}, 'lastDay', ${day('desc')}`,
    joins: `join market m on m.uid = f.uid join ${ofProgram}`,
    values,
  })
}
