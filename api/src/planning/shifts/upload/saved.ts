import { addDays, shiftRange, type ShiftStatus } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { ShiftFacts } from '../facts.ts'
import { blocksTruckSql } from '../rest.ts'
import type { toShiftInput } from '../rules.ts'
import type { DraftRow } from './drafts.ts'

export type UploadInput = ReturnType<typeof toShiftInput>

/** A shift of the database that rows of the file mean, or that is in the way of one. */
export interface SavedShift extends UploadInput {
  uid: string
  version: number
  status: ShiftStatus
  zone: string
  /** In milliseconds since 1970. */
  startsAt: number
  endsAt: number
  /** The names of what it refers to. */
  truck: string
  driver: string
  program: string
  market: string
  artworkSet: string | null
  addressSet: string | null
}

// A night, and the zones of the country: further from its local day no shift reaches.
const DAYS_AROUND = [-2, -1, 0, 1, 2]

/** A row as the search for its shifts needs it; without an end it is only looked for by its key. */
function soughtOf({ truckUid, driverUid, marketUid, date, start, end }: DraftRow['said'], facts: ShiftFacts) {
  const zone = facts.markets.get(marketUid)?.zone
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
 * The shifts that rows mean, being of the same truck, day and start, and those that overlap a row of their truck or
 * driver. In one statement, and no more of them than that: around 10,000 rows of a large fleet there are many others.
 */
export async function loadSavedShifts(db: Db, drafts: readonly DraftRow[], facts: ShiftFacts): Promise<SavedShift[]> {
  const sought = drafts.flatMap(({ said }) => (said.date === '' || said.start === '' ? [] : [soughtOf(said, facts)]))
  const dates = [...new Set(sought.map(({ day }) => day))]
  const days = [...new Set(dates.flatMap((date) => DAYS_AROUND.map((away) => addDays(date, away))))]
  const overlaps = sql`t.starts_at < to_timestamp(c.to / 1000) and t.ends_at > to_timestamp(c.from / 1000)`
  const { rows } = await sql<SavedShift>`
    with c as materialized (
      select * from json_to_recordset(${JSON.stringify(sought)}::json)
        as c (truck uuid, driver uuid, day date, start time, "from" float8, "to" float8)
    ), near as materialized (
      select uid, truck_uid, driver_uid, local_date, start_time, starts_at, ends_at from shift t
       where local_date = any(${days}::date[]) and ${sql.raw(blocksTruckSql('t'))}
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
           t.program_uid as "programUid", t.market_uid as "marketUid", t.local_date as date,
           to_char(t.start_time, 'HH24:MI') as start, to_char(t.end_time, 'HH24:MI') as "end",
           t.artwork_set_uid as "artworkSetUid", t.address_set_uid as "addressSetUid", t.pay_option as "payOption", t.note,
           (extract(epoch from t.starts_at) * 1000)::int8 as "startsAt", (extract(epoch from t.ends_at) * 1000)::int8 as "endsAt",
           tr.number as truck, d.name as driver, p.name as program, m.name as market,
           a.name as "artworkSet", s.name as "addressSet"
      from meant join shift t on t.uid = meant.uid
      join truck tr on tr.uid = t.truck_uid
      join user_account d on d.uid = t.driver_uid
      join client_program p on p.uid = t.program_uid
      join market m on m.uid = t.market_uid
      left join artwork_set a on a.uid = t.artwork_set_uid
      left join address_set s on s.uid = t.address_set_uid`.execute(db)
  return rows
}
