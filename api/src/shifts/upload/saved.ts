import { dayAfter, type ShiftStatus } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { takes } from '../queries.ts'
import type { candidateOf } from '../rules.ts'
import type { Draft } from './drafts.ts'

export type Input = ReturnType<typeof candidateOf>

/** A shift of the database that rows of the file may mean, or may be in the way of. */
export interface Saved extends Input {
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

/** The shifts of the trucks and drivers that the rows name, on their days and the days around. */
export async function savedAround(db: Db, drafts: readonly Draft[]): Promise<Saved[]> {
  const uids = (field: 'truckUid' | 'driverUid') => [...new Set(drafts.flatMap(({ said }) => said[field] || []))]
  const dates = [...new Set(drafts.flatMap(({ said }) => said.date || []))]
  const days = [...new Set(dates.flatMap((date) => DAYS_AROUND.map((away) => dayAfter(date, away))))]
  const { rows } = await sql<Saved>`
    select t.uid, t.version, t.status, t.zone, t.truck_uid as "truckUid", t.driver_uid as "driverUid",
           t.program_uid as "programUid", t.market_uid as "marketUid", t.local_date as date,
           to_char(t.start_time, 'HH24:MI') as start, to_char(t.end_time, 'HH24:MI') as "end",
           t.artwork_set_uid as "artworkSetUid", t.address_set_uid as "addressSetUid", t.pay_option as "payOption", t.note,
           (extract(epoch from t.starts_at) * 1000)::int8 as "startsAt", (extract(epoch from t.ends_at) * 1000)::int8 as "endsAt",
           tr.number as truck, d.name as driver, p.name as program, m.name as market,
           a.name as "artworkSet", s.name as "addressSet"
      from shift t
      join truck tr on tr.uid = t.truck_uid
      join user_account d on d.uid = t.driver_uid
      join client_program p on p.uid = t.program_uid
      join market m on m.uid = t.market_uid
      left join artwork_set a on a.uid = t.artwork_set_uid
      left join address_set s on s.uid = t.address_set_uid
     where t.local_date = any(${days}::date[]) and ${sql.raw(takes('t'))}
       and (t.truck_uid = any(${uids('truckUid')}::uuid[]) or t.driver_uid = any(${uids('driverUid')}::uuid[]))`.execute(
    db,
  )
  return rows
}
