import {
  addDays,
  DAY_MS,
  daysBetween,
  type fleet,
  type Page,
  type QueryOf,
  type TruckDayMiles,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Download } from '../../platform/http/download.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { exportSheet } from '../../platform/spreadsheet/sheet.ts'
import { blocksTruckSql, heldHours } from '../../planning/shifts/index.ts'
import { unassignedHours } from '../telemetry/index.ts'
import { type DayFacts, milesByDay, presentDay, type ShiftOfTruck, zoneAt } from './day-rules.ts'
import { dayMilesSheet } from './export.ts'

// A shift of a day begins within this many days of it in UTC, whatever its zone and its actual start.
const NEAR_DAYS = 3
const USUAL_DAYS = 30
const MOST_DAYS = 366

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/** The shifts of a truck that take place around some days, the one before them and the one after them. */
async function shiftsOfTruck(
  db: Db,
  truckUid: string,
  { first, last }: { first: string; last: string },
): Promise<ShiftOfTruck[]> {
  const ofTruck = sql`s.truck_uid = ${truckUid} and ${blocksTruckSql('s')}`
  const [from, to] = [sql`${addDays(first, -NEAR_DAYS)}::date`, sql`${addDays(last, NEAR_DAYS)}::date`]
  const { rows } = await sql<ShiftOfTruck>`
    select s.uid, p.client_uid as "clientUid", p.name as program, s.local_date::text as date, s.zone,
           to_char(s.start_time, 'HH24:MI') as start, to_char(s.end_time, 'HH24:MI') as "end",
           ${ms('coalesce(lower(h.hours), s.starts_at)')} as "from", ${ms('coalesce(upper(h.hours), s.starts_at)')} as "to",
           k.metres, k.gps_metres as "gpsMetres", k.source
      from shift s join client_program p on p.uid = s.program_uid cross join lateral (select ${heldHours('s')} as hours) h
      left join shift_track k on k.shift_uid = s.uid
     where ${ofTruck} and (
       s.starts_at >= ${from} and s.starts_at < ${to}
       or s.uid = (select s.uid from shift s where ${ofTruck} and s.starts_at < ${from} order by s.starts_at desc limit 1)
       or s.uid = (select s.uid from shift s where ${ofTruck} and s.starts_at >= ${to} order by s.starts_at limit 1))
     order by "from", s.uid`.execute(db)
  return rows
}

/** What the days of a truck are put together from. Shifts that have not begun are left out. */
export async function dayFacts(
  db: Db,
  truckUid: string,
  { first, last, now }: { first: string; last: string; now: number },
): Promise<DayFacts> {
  const shifts = await shiftsOfTruck(db, truckUid, { first, last })
  // Wherever the truck is, its local days lie within a day of those of UTC.
  const span = { from: Date.parse(first) - DAY_MS, to: Date.parse(last) + 2 * DAY_MS }
  return {
    shifts: shifts.filter(({ from }) => from <= now),
    hours: await unassignedHours(db, truckUid, span),
    homeZone: await homeZoneOf(db, truckUid, last),
  }
}

/** The zone that a truck's home market has on a day. */
async function homeZoneOf(db: Db, truckUid: string, day: string): Promise<string> {
  const truck = await db
    .selectFrom('truck as t')
    .leftJoin('market as m', 'm.uid', 't.home_market_uid')
    .select(sql<string | null>`zone_on(m.zone, m.earlier_zones, ${day}::date)`.as('zone'))
    .where('t.uid', '=', truckUid)
    .where('t.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!truck) throw new AppError('notFound')
  return truck.zone ?? 'UTC'
}

type Query = QueryOf<typeof fleet.truckDays>

/** The days that a query asks for; the last 30 by default. */
async function daysAsked(db: Db, { truck, from, to }: Query, now: number): Promise<{ first: string; last: string }> {
  const today = new Date(now).toISOString().slice(0, 10)
  const last = to ?? presentDay(await dayFacts(db, truck, { first: today, last: today, now }), now)
  const first = from ?? addDays(last, 1 - USUAL_DAYS)
  if (first > last) refuseFields({ to: 'Must not be before the first day.' })
  if (daysBetween(first, last) >= MOST_DAYS) refuseFields({ to: `Choose at most ${MOST_DAYS} days.` })
  return { first, last }
}

/** The miles of a truck by day: a page, newest first, or with `format` all of them as a file. */
export async function truckDayMiles(db: Db, query: Query): Promise<Page<TruckDayMiles> | Download> {
  const now = await sharedNow(db)
  const { first, last } = await daysAsked(db, query, now)
  const facts = await dayFacts(db, query.truck, { first, last, now })
  const days = milesByDay(facts, first, last)
  const sorted = query.sort === 'date' ? days : days.toReversed()
  const { format, page, pageSize } = query
  if (!format)
    return { data: sorted.slice((page - 1) * pageSize, page * pageSize), page, pageSize, total: sorted.length }
  const truck = await db.selectFrom('truck').select('number').where('uid', '=', query.truck).executeTakeFirstOrThrow()
  return exportSheet(format, dayMilesSheet, sorted, {
    filters: [`truck: ${truck.number}`, `from: ${first}`, `to: ${last}`],
    zone: zoneAt(now, facts),
    now: new Date(now),
    filename: exportFileName({ name: dayMilesSheet.name, of: [truck.number], days: [first, last] }),
  })
}
