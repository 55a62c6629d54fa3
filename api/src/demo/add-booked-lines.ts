import { addDays, type BookedUnit, daysBetween } from '@roadshow/contract'
import { sql } from 'kysely'
import { tookPlace } from '../planning/shifts/index.ts'
import type { Db } from '../platform/db/connection.ts'
import { PAST_DAYS } from './programs.ts'

interface MarketOfProgram {
  programUid: string
  marketUid: string
  startsOn: string
  endsOn: string
  truckDays: number
  hours: number
}

/** What each market in turn has delivered of what was expected: mostly on pace, some ahead, a few behind. */
const PACES = [1, 1.2, 0.97, 1.04, 0.7, 1, 1.15, 1.02, 0.98, 1, 1.25, 1.01]
const UNITS: readonly BookedUnit[] = ['truckDays', 'truckDays', 'hours']
const PRICE_CENTS = { truckDays: 62_500, hours: 8_000 }

/** The running markets of active programs, with what they delivered since their first recorded day. */
async function loadMarkets(db: Db, today: string): Promise<MarketOfProgram[]> {
  const starts = sql`greatest(p.starts_on, m.starts_on, ${addDays(today, -PAST_DAYS + 7)}::date)`
  const { rows } = await sql<MarketOfProgram>`
    select p.uid as "programUid", m.market_uid as "marketUid", ${starts} as "startsOn", p.ends_on as "endsOn",
           count(distinct (t.truck_uid, t.local_date))::int as "truckDays",
           (sum(extract(epoch from t.stopped_at - t.started_at)) / 3600)::float8 as hours
      from client_program p join program_market m on m.program_uid = p.uid
      join shift t on t.program_uid = p.uid and t.market_uid = m.market_uid
       and t.local_date >= ${starts} and t.local_date < ${today}::date and ${tookPlace('t')}
     where p.status = 'active' and ${starts} < ${today}::date and p.ends_on >= ${today}::date
     group by p.uid, p.pop_url, m.market_uid, m.position, m.starts_on
     order by p.pop_url, m.position`.execute(db)
  return rows
}

/** Adds booked lines to the programs that run, so that some campaigns are ahead and some behind. */
export async function addBookedLines(db: Db, today: string): Promise<void> {
  const markets = await loadMarkets(db, today)
  const lines = markets.map(({ programUid, marketUid, startsOn, endsOn, truckDays, hours }, index) => {
    const unit = UNITS[index % UNITS.length] === 'hours' ? 'hours' : 'truckDays'
    const delivered = unit === 'hours' ? hours : truckDays
    const isOver = daysBetween(startsOn, today)
    const all = daysBetween(startsOn, endsOn) + 1
    const amount = Math.max(1, Math.round(((delivered / isOver) * all) / (PACES[index % PACES.length] ?? 1)))
    const place = { program_uid: programUid, market_uid: marketUid, starts_on: startsOn, ends_on: endsOn }
    return { ...place, unit, amount, price_cents: amount * PRICE_CENTS[unit], position: index }
  })
  if (lines.length > 0) await db.insertInto('booked_line').values(lines).execute()
}

/** The trucks of each market in turn that a program to come is offered with. */
const OFFERED_TRUCKS = [2, 1, 3]

/** Adds booked lines to drafts: some trucks on five days of each week. */
export const addOfferedLines = (db: Db) =>
  sql`
    insert into booked_line (program_uid, market_uid, starts_on, ends_on, unit, amount, price_cents, position)
    select d.program_uid, d.market_uid, d.starts_on, d.ends_on, 'truckDays', d.amount, d.amount * ${PRICE_CENTS.truckDays}::int,
           d.position
      from (
        select p.uid as program_uid, m.market_uid, coalesce(m.starts_on, p.starts_on) as starts_on, p.ends_on, m.position,
               (${OFFERED_TRUCKS}::int[])[1 + m.position % ${OFFERED_TRUCKS.length}::int]
                 * ((p.ends_on - coalesce(m.starts_on, p.starts_on) + 1) * 5 / 7) as amount
          from client_program p join program_market m on m.program_uid = p.uid
         where p.status = 'draft') d`.execute(db)

/** What former programs delivered of what was booked, in turn. */
const FORMER_PACES = [1, 1.03, 0.98, 1, 1.06, 0.95, 1.01]

/** Adds booked lines to the completed programs that ended before a day. */
export const addFormerLines = (db: Db, before: string) =>
  sql`
    insert into booked_line (program_uid, market_uid, starts_on, ends_on, unit, amount, price_cents, position)
    select d.program_uid, d.market_uid, d.starts_on, d.ends_on, 'truckDays', a.amount, a.amount * ${PRICE_CENTS.truckDays}::int,
           d.position
      from (
        select p.uid as program_uid, m.market_uid, p.starts_on, p.ends_on, m.position,
               count(distinct (s.truck_uid, s.local_date)) as delivered,
               row_number() over (order by p.starts_on, p.pop_url, m.position) as place
          from client_program p join program_market m on m.program_uid = p.uid
          join shift s on s.program_uid = p.uid and s.market_uid = m.market_uid and ${tookPlace('s')}
         where p.status = 'completed' and p.ends_on < ${before}::date
           and not exists (select from booked_line b where b.program_uid = p.uid)
         group by p.uid, m.market_uid, m.position) d
     cross join lateral (
       select greatest(1, round(d.delivered / (${FORMER_PACES}::float8[])[1 + d.place % ${FORMER_PACES.length}::int]))::int as amount) a`.execute(
    db,
  )
