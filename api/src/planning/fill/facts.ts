import { addDays, countedMinutes, shiftRange, workweekOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { selectList } from '../../platform/db/records/fragments.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { blocksTruckSql, bookedUntil, minuteColumns } from '../shifts/index.ts'
import type { BookedTime, Span } from './problem.ts'

/** A saved shift as far as a fill proposal has to keep clear of it. */
export interface BookedShift extends BookedTime {
  truckUid: string
  driverUid: string
  programUid: string
  date: string
  plannedMinutes: number
  actualMinutes: number | null
}

interface Days {
  from: string
  to: string
}

// The way from a market at one end of the country to the other takes less.
const DAYS_AROUND = 3

/** The days whose shifts matter to a fill proposal: whole workweeks, and a way before and after. */
const daysAround = ({ from, to }: Days): Days => ({
  from: addDays(workweekOf(from), -DAYS_AROUND),
  to: addDays(workweekOf(to), 6 + DAYS_AROUND),
})

/** The shifts of all trucks and drivers around some days, in the order of their starts. */
export async function loadBookedShifts(db: Db, days: Days): Promise<BookedShift[]> {
  const { from, to } = daysAround(days)
  const { rows } = await sql<BookedShift>`
    select t.truck_uid as "truckUid", t.driver_uid as "driverUid", t.program_uid as "programUid", t.market_uid as "marketUid",
           t.local_date as date, (extract(epoch from t.starts_at) * 1000)::int8 as "startsAt",
           (extract(epoch from ${bookedUntil('t')}) * 1000)::int8 as "endsAt", ${selectList(minuteColumns)}
      from shift t
     where t.local_date between ${from} and ${to} and ${blocksTruckSql('t')}
     order by t.starts_at, t.uid`.execute(db)
  return rows
}

/** The counted minutes of drivers by workweek. */
export function minutesByWeek(shifts: readonly BookedShift[]): Map<string, Map<string, number>> {
  const weeks = new Map<string, Map<string, number>>()
  for (const shift of shifts) {
    const ofDriver = weeks.get(shift.driverUid) ?? new Map<string, number>()
    const week = workweekOf(shift.date)
    ofDriver.set(week, (ofDriver.get(week) ?? 0) + countedMinutes(shift))
    weeks.set(shift.driverUid, ofDriver)
  }
  return weeks
}

/** The hours at which drivers declined a shift and did not change their mind, on some days and shortly around them. */
export async function loadDeclinedHours(db: Db, { from, to }: Days): Promise<Map<string, Span[]>> {
  const { rows } = await sql<{ driverUid: string; date: string; start: string; end: string; zone: string }>`
    select a.driver_uid as "driverUid", a.local_date as date, to_char(a.start_time, 'HH24:MI') as start,
           to_char(a.end_time, 'HH24:MI') as "end", t.zone
      from shift t join shift_answer a on a.shift_uid = t.uid and a.answer = 'declined'
     where t.local_date between ${addDays(from, -1)} and ${addDays(to, 1)} and t.deleted_at is null
       and not exists (select from shift_answer n
                        where n.shift_uid = a.shift_uid and n.driver_uid = a.driver_uid and n.answer <> 'declined'
                          and (n.at, n.act_id) > (a.at, a.act_id))`.execute(db)
  const declined = rows.flatMap(({ driverUid, ...hours }) => {
    const { startsAt, endsAt } = shiftRange(hours)
    return startsAt === undefined || endsAt === undefined ? [] : [{ driverUid, startsAt, endsAt }]
  })
  return groupBy(declined, ({ driverUid }) => driverUid)
}
