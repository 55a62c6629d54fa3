import { addDays } from '@roadshow/contract'
import type { RunSql } from './sql.ts'

/** Trucks that are planned, each with a driver of its own. */
export const PLANNED_TRUCKS = 1_000
const DAYS = 700
/** Most of them are over. */
const PAST_DAYS = 500
const today = new Date().toISOString().slice(0, 10)
export const FIRST_DAY = addDays(today, -PAST_DAYS)
/** A day far enough ahead that nothing on it has begun anywhere. */
export const NEXT_WEEK = addDays(today, 7)

const PEOPLE = `
  insert into user_account (email, name, role, modules)
  select 'driver-' || i || '@bench.example', 'Bench Driver ' || i, 'driver', '{schedule}' from generate_series(1, $1::int) i`

const CLIENT = `insert into client (name) values ('Bench Client')`

const PROGRAMS = `
  insert into client_program (client_uid, name, status, starts_on, ends_on, pop_url)
  select uid, 'Bench Program ' || i, 'active', date '2020-01-01', date '2035-12-31', 'bench-program-' || i
    from client, generate_series(1, 2) i where name = 'Bench Client'`

const PROGRAM_MARKETS = `
  insert into program_market (program_uid, market_uid, position)
  select p.uid, m.uid, 0 from client_program p, market m where p.name like 'Bench Program %'`

/** Who drives what, where and for whom. */
export const CREWS = `
  select t.n, t.uid as truck, t.number, d.uid as driver, d.name as driver_name, p.uid as program, p.name as program_name,
         m.uid as market, m.name as market_name, m.zone
    from (select uid, number, row_number() over (order by uid) as n from truck where state = 'active' limit ${PLANNED_TRUCKS}) t
    join (select uid, name, row_number() over (order by uid) as n from user_account where email like 'driver-%@bench.example') d
      on d.n = t.n
    join (select uid, name, zone, row_number() over (order by uid) as n from market) m on m.n = 1 + t.n % 10
    join client_program p on p.name = 'Bench Program ' || case when t.n <= ${PLANNED_TRUCKS / 2} then 1 else 2 end`

export const FIELDS =
  'truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at, ends_at, note'

// Ten days of every fourteen, from eight to four, planned a week before: 500,000 shifts, 5,000 of them for a program in
// two weeks.
const SHIFTS = `
  insert into shift (created_at, updated_at, ${FIELDS})
  select planned, planned, truck, driver, program, market, day, '08:00', '16:00', zone, (day + time '08:00') at time zone zone,
         (day + time '16:00') at time zone zone, case when (n + i) % 9 = 0 then 'Park behind the stadium.' else '' end
    from (${CREWS}) c, generate_series(0, ${DAYS - 1}) i, lateral (select date '${FIRST_DAY}' + i as day) w,
         lateral (select least(now(), day - interval '7 days') as planned) a
   where (n * 7 + i) % 14 < 10`

interface Index extends Record<string, unknown> {
  name: string
  made: string
  rule: string | null
}

/** Fills a table before it has indexes, which are made in the end: a row at a time would take minutes. */
async function withoutIndexes(sql: RunSql, table: string, fill: () => Promise<unknown>): Promise<void> {
  const indexes = await sql<Index>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made, pg_get_constraintdef(c.oid) as rule
       from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.conrelid = i.indrelid
      where i.indrelid = $1::regclass and not i.indisprimary`,
    [table],
  )
  for (const { name, rule } of indexes) {
    await sql(rule === null ? `drop index ${name}` : `alter table ${table} drop constraint ${name}`)
  }
  await fill()
  for (const { name, made, rule } of indexes) {
    await sql(rule === null ? made : `alter table ${table} add constraint ${name} ${rule}`)
  }
}

/** A business that has planned a thousand trucks for two years; filled once, however many measures need it. */
export async function fillShifts(sql: RunSql): Promise<void> {
  if ((await sql(`select from client where name = 'Bench Client'`)).length > 0) return
  await sql(PEOPLE, [PLANNED_TRUCKS])
  await sql(CLIENT)
  await sql(PROGRAMS)
  await sql(PROGRAM_MARKETS)
  // Without statistics, the trucks are numbered again for each driver.
  await sql('analyze')
  // Neither history nor references of half a million rows that are known to be right are of interest here.
  await sql('alter table shift disable trigger all')
  await withoutIndexes(sql, 'shift', () => sql(SHIFTS))
  await sql(`insert into list_change (list, delta) select 'shift', count(*) from shift`)
  await sql('alter table shift enable trigger all')
  await sql('vacuum analyze')
}

/** Changes trucks without their history; what is measured meanwhile has every trigger. */
async function quietly(sql: RunSql, statement: string): Promise<void> {
  await sql('alter table truck disable trigger user')
  await sql(statement)
  await sql('alter table truck enable trigger user')
}

/** Retires the trucks that are not planned: a board shows the whole fleet, and a hundred thousand trucks are none. */
export async function retireUnplanned(sql: RunSql): Promise<void> {
  await sql(
    `create table bench_retired as
       select uid, state from truck where state <> 'retired' and uid not in (select truck from (${CREWS}) c)`,
  )
  await quietly(sql, `update truck set state = 'retired' where uid in (select uid from bench_retired)`)
}

export async function returnUnplanned(sql: RunSql): Promise<void> {
  await quietly(sql, 'update truck t set state = r.state from bench_retired r where r.uid = t.uid')
  await sql('drop table bench_retired')
}
