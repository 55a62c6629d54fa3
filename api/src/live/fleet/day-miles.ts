import {
  addDays,
  DAY_MS,
  daysBetween,
  type fleet,
  type Page,
  type QueryOf,
  type TruckDayMiles,
  workweekOf,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Download } from '../../platform/http/download.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
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

interface Days {
  first: string
  last: string
}

/** The shifts of trucks that take place around some days, and of each truck the one before them and the one after them. */
async function shiftsOfTrucks(
  db: Db,
  truckUids: readonly string[],
  { first, last }: Days,
): Promise<Map<string, ShiftOfTruck[]>> {
  const ofTruck = sql`s.truck_uid = o.uid and ${blocksTruckSql('s')}`
  const [from, to] = [sql`${addDays(first, -NEAR_DAYS)}::date`, sql`${addDays(last, NEAR_DAYS)}::date`]
  const { rows } = await sql<ShiftOfTruck & { truckUid: string }>`
    select o.uid as "truckUid", f.* from unnest(${[...truckUids]}::uuid[]) o (uid) cross join lateral (
      select s.uid, p.client_uid as "clientUid", p.name as program, s.local_date::text as date, s.zone,
             to_char(s.start_time, 'HH24:MI') as start, to_char(s.end_time, 'HH24:MI') as "end",
             ${ms('coalesce(lower(h.hours), s.starts_at)')} as "from", ${ms('coalesce(upper(h.hours), s.starts_at)')} as "to",
             k.metres, k.gps_metres as "gpsMetres", k.source
        from (
          select s.* from shift s where ${ofTruck} and s.starts_at >= ${from} and s.starts_at < ${to}
          union all
          (select s.* from shift s where ${ofTruck} and s.starts_at < ${from} order by s.starts_at desc limit 1)
          union all
          (select s.* from shift s where ${ofTruck} and s.starts_at >= ${to} order by s.starts_at limit 1)) s
        join client_program p on p.uid = s.program_uid cross join lateral (select ${heldHours('s')} as hours) h
        left join shift_track k on k.shift_uid = s.uid) f
     order by f."from", f.uid`.execute(db)
  return groupBy(rows, ({ truckUid }) => truckUid)
}

/** What the days of trucks are put together from. Shifts that have not begun are left out. */
async function dayFactsOf(
  db: Db,
  truckUids: readonly string[],
  { first, last, now }: Days & { now: number },
): Promise<Map<string, DayFacts>> {
  const shifts = await shiftsOfTrucks(db, truckUids, { first, last })
  // Wherever a truck is, its local days lie within a day of those of UTC.
  const span = { from: Date.parse(first) - DAY_MS, to: Date.parse(last) + 2 * DAY_MS }
  const hours = await unassignedHours(db, truckUids, span)
  const homeZones = await homeZonesOf(db, truckUids, last)
  return new Map(
    [...homeZones].map(([uid, homeZone]) => [
      uid,
      {
        shifts: (shifts.get(uid) ?? []).filter(({ from }) => from <= now),
        hours: hours.get(uid) ?? [],
        homeZone,
      },
    ]),
  )
}

/** The same of one truck. */
export async function dayFacts(db: Db, truckUid: string, days: Days & { now: number }): Promise<DayFacts> {
  const found = (await dayFactsOf(db, [truckUid], days)).get(truckUid)
  if (!found) throw new AppError('notFound')
  return found
}

/** The zones that the home markets of trucks have on a day; deleted trucks are left out. */
async function homeZonesOf(db: Db, truckUids: readonly string[], day: string): Promise<Map<string, string>> {
  const trucks = await db
    .selectFrom('truck as t')
    .leftJoin('market as m', 'm.uid', 't.home_market_uid')
    .select('t.uid')
    .select(sql<string | null>`zone_on(m.zone, m.earlier_zones, ${day}::date)`.as('zone'))
    .where('t.uid', '=', anyOf(truckUids))
    .where('t.deleted_at', 'is', null)
    .execute()
  return new Map(trucks.map(({ uid, zone }) => [uid, zone ?? 'UTC']))
}

/** What trucks drove from Monday to now, by the days of each; those without data are left out. */
export async function weekMilesOfTrucks(
  db: Db,
  truckUids: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const utcToday = new Date(now).toISOString().slice(0, 10)
  const facts = await dayFactsOf(db, truckUids, { first: addDays(utcToday, -8), last: addDays(utcToday, 1), now })
  return new Map(
    [...facts].flatMap(([uid, ofTruck]): [string, number][] => {
      const today = presentDay(ofTruck, now)
      const known = milesByDay(ofTruck, workweekOf(today), today).flatMap(({ metres }) => metres ?? [])
      return known.length === 0 ? [] : [[uid, known.reduce((sum, metres) => sum + metres, 0)]]
    }),
  )
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
