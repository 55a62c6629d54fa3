import { type BookedLine, type DeliveryFacts, lastDayOver, toMiles } from '@roadshow/contract'
import { sql } from 'kysely'
import { bookedLineJson } from '../../catalog/programs/index.ts'
import { clientLimit, type PlayScope, playTotals } from '../../live/plays/index.ts'
import { workedShifts } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'

/** A program with one of its booked lines; null for a program without any. */
interface BookedProgram {
  uid: string
  name: string
  line: BookedLine | null
}

/** Prices are for staff and the program's own client. Links, mails and messages are read by others, too. */
const maySeePrices = (scope: PlayScope) => scope !== 'all' && scope.actor.role !== 'driver'

/** The programs that a reader may see, each with its lines in their order. */
export async function loadBooked(db: Db, scope: PlayScope, uids: readonly string[]): Promise<BookedProgram[]> {
  const client = scope === 'all' ? null : clientLimit(scope)
  const { rows } = await sql<BookedProgram>`
    select p.uid, p.name, case when b.uid is not null then ${bookedLineJson('b', 'm')} end as line
      from client_program p
      left join booked_line b on b.program_uid = p.uid
      left join market m on m.uid = b.market_uid
     where p.uid = any(${uids}::uuid[]) and p.deleted_at is null
       and ${client === null ? sql`true` : sql`p.client_uid = ${client}`}
     order by p.uid, b.position, b.uid`.execute(db)
  if (maySeePrices(scope)) return rows
  return rows.map((row) => (row.line ? { ...row, line: { ...row.line, priceCents: null } } : row))
}

interface ProgramLine {
  programUid: string
  line: BookedLine
}

/** What shifts of a line did on its days that are over, or on those that are not. */
interface Driven {
  key: string
  isOver: boolean
  truckDays: number
  seconds: number
  meters: number
  shifts: number
  shiftsWithoutGps: number
}

/** The last day of a line that counts; null before its first one is over. */
const throughOf = ({ market, startsOn, endsOn }: BookedLine, now: number): string | null => {
  const last = lastDayOver(market.zone, now)
  return last < startsOn ? null : last < endsOn ? last : endsOn
}

/** What shifts of many lines did, in one statement, by line and whether the days are over: `line true`. */
async function loadDriven(db: Db, lines: readonly ProgramLine[], now: number): Promise<Map<string, Driven>> {
  if (lines.length === 0) return new Map()
  const programs = [...new Set(lines.map(({ programUid }) => programUid))]
  const starts = lines.map(({ line }) => line.startsOn).toSorted()
  const ends = lines.map(({ line }) => line.endsOn).toSorted()
  const ofLines = sql`t.program_uid = any(${programs}::uuid[]) and t.local_date between ${starts[0]}::date and ${ends.at(-1)}::date`
  const { rows } = await sql<Driven>`
    with line as materialized (select * from ${rowsAsTable('l', lines, {
      key: ['uuid', ({ line }) => line.uid],
      program: ['uuid', ({ programUid }) => programUid],
      market: ['uuid', ({ line }) => line.market.uid],
      first_day: ['date', ({ line }) => line.startsOn],
      last_day: ['date', ({ line }) => line.endsOn],
      through: ['date', ({ line }) => throughOf(line, now)],
    })}),
    worked as materialized (
      select program, market, day, truck_uid, seconds, metres, has_no_gps from (${workedShifts(ofLines)}) w),
    truck_day as (
      select l.key, w.truck_uid, w.day, coalesce(w.day <= l.through, false) as is_over, sum(w.seconds) as seconds,
             sum(w.metres) as meters, count(*) as shifts, count(*) filter (where w.has_no_gps) as without_gps
        from line l join worked w
          on w.program = l.program and w.market = l.market and w.day between l.first_day and l.last_day
       group by l.key, w.truck_uid, w.day, l.through)
    select key, is_over as "isOver", count(*)::int as "truckDays", coalesce(sum(seconds), 0)::bigint as seconds,
           coalesce(sum(meters), 0)::bigint as meters, sum(shifts)::int as shifts,
           sum(without_gps)::int as "shiftsWithoutGps"
      from truck_day group by key, is_over`.execute(db)
  return new Map(rows.map((row) => [`${row.key} ${row.isOver}`, row]))
}

async function loadPlayed(db: Db, lines: readonly ProgramLine[], now: number) {
  const spans = lines
    .filter(({ line }) => line.unit === 'plays')
    .map(({ programUid, line }) => ({
      key: line.uid,
      program: programUid,
      market: line.market.uid,
      from: line.startsOn,
      to: line.endsOn,
      through: throughOf(line, now),
    }))
  const totals = await playTotals(db, 'all', { by: 'span', spans })
  return new Map(totals.map((total) => [total.key, total]))
}

const NOTHING_DRIVEN = { truckDays: 0, seconds: 0, meters: 0, shifts: 0, shiftsWithoutGps: 0 }

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits
const hours = (seconds: number) => round(seconds / 3600, 2)
const miles = (meters: number) => round(toMiles(meters), 1)

/** What is known of each line, by its uid. The number of statements does not depend on the number of lines. */
export async function loadDeliveryFacts(
  db: Db,
  lines: readonly ProgramLine[],
  now: number,
): Promise<Map<string, DeliveryFacts>> {
  const played = await loadPlayed(db, lines, now)
  // The shifts of a line of plays tell only why there are none.
  const needed = lines.filter(({ line: { uid, unit } }) => unit !== 'plays' || !played.get(uid)?.plays)
  const driven = await loadDriven(db, needed, now)
  return new Map(
    lines.map(({ line: { uid, unit } }) => {
      const over = driven.get(`${uid} true`) ?? NOTHING_DRIVEN
      const since = driven.get(`${uid} false`) ?? NOTHING_DRIVEN
      const { plays = 0, playsSince = 0 } = played.get(uid) ?? {}
      const facts = {
        truckDays: [over.truckDays, since.truckDays, 0],
        hours: [hours(over.seconds), hours(since.seconds), 0],
        miles: [miles(over.meters), miles(since.meters), over.shiftsWithoutGps],
        // Single shifts without plays have issues of their own; here it matters whether anything was logged at all.
        plays: [plays, playsSince, plays === 0 ? over.shifts : 0],
      } as const satisfies Record<BookedLine['unit'], readonly [number, number, number]>
      const [delivered, deliveredSince, shiftsWithoutData] = facts[unit]
      return [uid, { delivered, deliveredSince, shiftsWithoutData }]
    }),
  )
}
