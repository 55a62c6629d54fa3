import { addDays, shiftRange, type ShiftStatus } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { PLANNED_JOINS, WORD_COLUMNS } from '../queries.ts'
import { blocksTruckSql, bookedUntil } from '../shift-sql.ts'
import { type ShiftFacts, type ShiftValues, zoneOfPlace } from '../rules.ts'
import type { DraftRow } from './draft-rows.ts'

/** A saved shift that a row of the file changes or overlaps. */
export interface SavedShift extends ShiftValues {
  uid: string
  version: number
  status: ShiftStatus
  zone: string
  /** In milliseconds since 1970. */
  startsAt: number
  endsAt: number
  /** The names of the records it refers to. */
  truck: string
  driver: string
  program: string
  market: string
  artworkSet: string | null
  addressSet: string | null
}

// A shift reaches at most this far from its local day: a night, and the zones of the country.
const DAYS_AROUND = [-2, -1, 0, 1, 2]

/** The search for the saved shifts of a row. Without an end, it finds only the shift with the same key. */
function toSearch({ truckUid, driverUid, marketUid, date, start, end }: DraftRow['values'], facts: ShiftFacts) {
  const zone = zoneOfPlace({ marketUid, date }, facts)
  const range = zone && end !== '' ? shiftRange({ date, start, end, zone }) : undefined
  return {
    truck: truckUid || null,
    driver: driverUid || null,
    day: date,
    start,
    from: range?.startsAt ?? null,
    to: range?.endsAt ?? null,
  }
}

/**
 * Loads the saved shifts with the truck, day and start of a row, and those that overlap a row of the same truck or
 * driver. One statement loads only these: around 10,000 rows of a large fleet there are many other shifts.
 */
export async function loadSavedShifts(db: Db, drafts: readonly DraftRow[], facts: ShiftFacts): Promise<SavedShift[]> {
  const searches = drafts.flatMap(({ values }) =>
    values.date === '' || values.start === '' ? [] : [toSearch(values, facts)],
  )
  const dates = [...new Set(searches.map(({ day }) => day))]
  const days = [...new Set(dates.flatMap((date) => DAYS_AROUND.map((away) => addDays(date, away))))]
  const overlaps = sql`t.starts_at < to_timestamp(c.to / 1000) and t.ends_at > to_timestamp(c.from / 1000)`
  const { rows } = await sql<SavedShift>`
    with c as materialized (
      select * from json_to_recordset(${JSON.stringify(searches)}::json)
        as c (truck uuid, driver uuid, day date, start time, "from" float8, "to" float8)
    ), near as materialized (
      select uid, truck_uid, driver_uid, local_date, start_time, starts_at, ${bookedUntil('t')} as ends_at from shift t
       where local_date = any(${days}::date[]) and ${blocksTruckSql('t')}
    ), meant as (
      select t.uid from c join near t on t.truck_uid = c.truck and t.local_date = c.day and t.start_time = c.start
      union
      select t.uid from c cross join unnest(${DAYS_AROUND}::int[]) away
        join near t on t.truck_uid = c.truck and t.local_date = c.day + away and ${overlaps}
      union
      select t.uid from c cross join unnest(${DAYS_AROUND}::int[]) away
        join near t on t.driver_uid = c.driver and t.local_date = c.day + away and ${overlaps}
    )
    select t.uid, t.version, t.status, t.zone, t.truck_uid as "truckUid", t.driver_uid as "driverUid",
           t.program_uid as "programUid", t.market_uid as "marketUid",
           t.artwork_set_uid as "artworkSetUid", t.address_set_uid as "addressSetUid", t.pay_option as "payOption", t.note, t.stops,
           (extract(epoch from t.starts_at) * 1000)::int8 as "startsAt", (extract(epoch from ${bookedUntil('t')}) * 1000)::int8 as "endsAt",
           ${WORD_COLUMNS}, m.name as market, a.name as "artworkSet", s.name as "addressSet"
      from meant join shift t on t.uid = meant.uid
      ${PLANNED_JOINS}
      left join artwork_set a on a.uid = t.artwork_set_uid
      left join address_set s on s.uid = t.address_set_uid`.execute(db)
  return rows
}
