import type { PlaysOfToday, PopGrade } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { limitOf, type PlayScope } from './play-scope.ts'
import { NO_UID } from './rollup.ts'
import type { DayTotalsQuery } from './play-filter.ts'
import { COUNTS, HOUR_SUMS, type PeriodTotals, type PlayCounts, totalsByDay } from './totals-by-day.ts'

/** Plays of a market, or with a day those of its shifts that started on that day. The totals of the program have neither. */
interface MarketTotal extends PlayCounts {
  isTotal: boolean
  market: string | null
  day: string | null
}

/** Plays of the shifts of a program that started on a day. */
interface ProgramDayTotal extends Pick<PlayCounts, 'plays' | 'verified'> {
  program: string
  day: string
}

/** Local days on which shifts started, and what their plays are filtered by. */
interface HourTotalsQuery {
  from: string
  to: string
  market?: string[] | undefined
  client?: string[] | undefined
  program?: string[] | undefined
}

interface HourTotal extends PlayCounts {
  hour: number
}

/** Local days of a program in a market. */
interface PlaySpan {
  /** Names the span among the others. */
  key: string
  program: string
  market: string
  from: string
  to: string
  /** The plays up to and with this day are counted by themselves; null for none. */
  through: string | null
}

interface SpanTotal {
  key: string
  /** The plays up to and with `through`, and those after it. */
  plays: number
  playsSince: number
}

interface TotalsQuery {
  /** The plays of all shifts that started on a day of their market. */
  oneDay: { by: 'oneDay'; day: string }
  /** The same plays by program and market. */
  oneDayByProgram: { by: 'oneDayByProgram'; day: string }
  /** Everything that was ever played in the shifts of a program: in all, by market, and by day of each market. */
  market: { by: 'market'; program: string }
  /** The plays of some programs by day, between two days. */
  programDay: { by: 'programDay'; programs: readonly string[]; from: string; to: string }
  /** The plays of some days of markets: by day, by side and by truck, with the numbers that are no plays. */
  day: DayTotalsQuery & { by: 'day' }
  /** The plays of the shifts of some days by hour, from 0 to 23, on the clocks of each market. */
  hourOfDay: HourTotalsQuery & { by: 'hourOfDay' }
  /** The plays of programs in markets between two days, for many at once. The caller knows whom it shows them. */
  span: { by: 'span'; spans: readonly PlaySpan[] }
}

interface Totals {
  oneDay: number
  oneDayByProgram: PlaysOfToday[]
  market: MarketTotal[]
  programDay: ProgramDayTotal[]
  day: PeriodTotals
  hourOfDay: HourTotal[]
  span: SpanTotal[]
}

type Count<By extends keyof Totals> = (db: Db, scope: PlayScope, query: TotalsQuery[By]) => Promise<Totals[By]>

const counts: { [By in keyof Totals]: Count<By> } = {
  oneDay: countDay,
  oneDayByProgram: countDayByProgram,
  market: countByMarket,
  programDay: countByProgramDay,
  day: (db, scope, query) => totalsByDay(db, limitOf(scope), query),
  hourOfDay: countByHour,
  span: countBySpan,
}

/**
 * How many plays there are. Every number of plays that is shown, exported or published comes from here or, where it is
 * a column of a list, from the functions below. docs/plays.md says which source each caller reads, and why.
 */
export const playTotals = <By extends keyof Totals>(
  db: Db,
  scope: PlayScope,
  query: TotalsQuery[By] & { by: By },
): Promise<Totals[By]> => (counts[query.by] as Count<By>)(db, scope, query)

const ofClients = (clients: string[]) =>
  sql`h.program_uid in (select uid from client_program where client_uid = any(${clients}::uuid[]))`

const ofClient = (scope: PlayScope) => {
  const client = limitOf(scope)
  return client === null ? sql`true` : ofClients([client])
}

/** Plays that belong to a shift: unassigned ones have no market. */
const isAssigned = sql`h.market_uid <> ${NO_UID}`

async function countDay(db: Db, scope: PlayScope, { day }: TotalsQuery['oneDay']): Promise<number> {
  const { rows } = await prepared(sql<{ plays: number }>`
    select coalesce(sum(h.plays), 0)::int as plays from play_hour h
     where h.day = ${day}::date and ${isAssigned} and ${ofClient(scope)}`).execute(db)
  return rows[0]?.plays ?? 0
}

async function countDayByProgram(
  db: Db,
  scope: PlayScope,
  { day }: TotalsQuery['oneDayByProgram'],
): Promise<PlaysOfToday[]> {
  const { rows } = await prepared(sql<PlaysOfToday>`
    select json_build_object('uid', p.uid, 'name', p.name) as program,
           json_build_object('uid', m.uid, 'name', m.name) as market, h.day, sum(h.plays)::int as plays
      from play_hour h join market m on m.uid = h.market_uid join client_program p on p.uid = h.program_uid
     where h.day = ${day}::date and ${ofClient(scope)}
     group by p.uid, m.uid, h.day having sum(h.plays) > 0
     order by sum(h.plays) desc, p.name, m.name, p.uid, m.uid`).execute(db)
  return rows
}

async function countByMarket(db: Db, scope: PlayScope, { program }: TotalsQuery['market']): Promise<MarketTotal[]> {
  const { rows } = await sql<MarketTotal>`
    with played as materialized (
      select h.market_uid, h.day, ${HOUR_SUMS}
        from play_hour h where h.program_uid = ${program} and ${isAssigned} and ${ofClient(scope)}
       group by h.market_uid, h.day)
    select grouping(market_uid) = 1 as "isTotal", market_uid as market, day, ${COUNTS}
      from played group by grouping sets ((), (market_uid), (market_uid, day))
    having sum(plays) > 0`.execute(db)
  return rows
}

async function countByProgramDay(
  db: Db,
  scope: PlayScope,
  { programs, from, to }: TotalsQuery['programDay'],
): Promise<ProgramDayTotal[]> {
  const { rows } = await prepared(sql<ProgramDayTotal>`
    select h.program_uid as program, h.day, sum(h.plays)::int as plays, sum(h.verified)::int as verified
      from play_hour h
     where h.program_uid = any(${programs}::uuid[]) and h.day between ${from}::date and ${to}::date and ${isAssigned}
       and ${ofClient(scope)}
     group by 1, 2 having sum(h.plays) > 0`).execute(db)
  return rows
}

/** Plays by hour of the day. An hour that clocks show twice counts both times, and one that they skip has no plays. */
async function countByHour(db: Db, scope: PlayScope, query: HourTotalsQuery): Promise<HourTotal[]> {
  const { from, to, market, client, program } = query
  const conditions = [
    isAssigned,
    sql`h.day between ${from}::date and ${to}::date`,
    ...(market ? [sql`h.market_uid = any(${market}::uuid[])`] : []),
    ofClient(scope),
    ...(client ? [ofClients(client)] : []),
    ...(program ? [sql`h.program_uid = any(${program}::uuid[])`] : []),
  ]
  const { rows } = await sql<HourTotal>`
    with played as materialized (
      select h.hour, h.market_uid, h.day, ${HOUR_SUMS}
        from play_hour h where ${allOf(conditions)} group by h.hour, h.market_uid, h.day)
    select extract(hour from p.hour at time zone zone_on(m.zone, m.earlier_zones, p.day))::int as hour, ${COUNTS}
      from played p join market m on m.uid = p.market_uid group by 1 having sum(p.plays) > 0 order by 1`.execute(db)
  return rows
}

/** The plays of many spans in one statement; spans without plays are left out. */
async function countBySpan(db: Db, _scope: PlayScope, { spans }: TotalsQuery['span']): Promise<SpanTotal[]> {
  if (spans.length === 0) return []
  const { rows } = await sql<SpanTotal>`
    with span as materialized (select * from ${rowsAsTable('s', spans, {
      key: ['uuid', ({ key }) => key],
      program: ['uuid', ({ program }) => program],
      market: ['uuid', ({ market }) => market],
      first_day: ['date', ({ from }) => from],
      last_day: ['date', ({ to }) => to],
      through: ['date', ({ through }) => through],
    })}),
    played as materialized (
      select h.program_uid, h.market_uid, h.day, sum(h.plays)::bigint as plays from play_hour h
       where h.program_uid = any(${[...new Set(spans.map(({ program }) => program))]}::uuid[])
         and h.day between ${spans.map(({ from }) => from).toSorted()[0]}::date
                       and ${spans
                         .map(({ to }) => to)
                         .toSorted()
                         .at(-1)}::date
       group by h.program_uid, h.market_uid, h.day)
    select s.key, coalesce(sum(p.plays) filter (where p.day <= s.through), 0)::bigint as plays,
           coalesce(sum(p.plays) filter (where not coalesce(p.day <= s.through, false)), 0)::bigint as "playsSince"
      from span s join played p
        on p.program_uid = s.program and p.market_uid = s.market and p.day between s.first_day and s.last_day
     group by s.key`.execute(db)
  return rows
}

/** The plays of each of these programs, all time; programs without plays are left out. */
export async function playsOfPrograms(db: Db, uids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await prepared(sql<{ uid: string; plays: number }>`
    select h.program_uid as uid, sum(h.plays)::int as plays from play_hour h
     where h.program_uid = any(${uids}::uuid[]) and ${isAssigned} group by 1`).execute(db)
  return new Map(rows.map(({ uid, plays }) => [uid, plays]))
}

/** The plays of each of these shifts by grade; shifts without plays are left out. */
export async function playsOfShifts(db: Db, uids: readonly string[]) {
  const { rows } = await prepared(sql<{ uid: string; count: number; verified: number; conflict: number }>`
    select h.shift_uid as uid, sum(h.plays)::int as count, sum(h.verified)::int as verified,
           sum(h.conflict)::int as conflict
      from play_hour h where h.shift_uid = any(${uids}::uuid[]) group by 1 having sum(h.plays) > 0`).execute(db)
  return new Map(rows.map(({ uid, ...plays }) => [uid, plays]))
}

/** The column of `play_hour` that counts the plays of a grade. */
const PLAYS_OF_GRADE: Record<PopGrade, SqlFragment> = {
  verified: sql`h.verified`,
  conflict: sql`h.conflict`,
  unverified: sql`h.plays - h.verified - h.conflict`,
}

/** How many plays of an hour `h` have one of the grades; without grades, all plays of the hour. */
export const playsOfGrades = (grades: readonly PopGrade[] | undefined): SqlFragment =>
  grades
    ? sql.join(
        [...new Set(grades)].map((grade) => PLAYS_OF_GRADE[grade]),
        sql` + `,
      )
    : sql`h.plays`
