import { addDays } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'

const IN_SHOP_SINCE_DAYS = 11
const SHOP_REASONS = [
  ['T-13', 'Rear screen: two panels are replaced'],
  ['T-28', 'Brakes'],
] as const
/** Trucks that were in the shop for a day of the last weeks on which they had no shift. */
const WAS_IN_SHOP = [
  ['T-4', 'Generator service'],
  ['T-9', 'Tires'],
] as const
/** For as many drivers, in the order of their names. */
const REASONS_OFF = ['Vacation', 'Moving', 'Family', 'Vacation'] as const
const DAYS_OFF = 2
const WITHIN_DAYS = 10
const PAST_DAYS = 28

/**
 * Adds times in the shop, of which some have ended and some run, and days off of drivers in the coming days. All are at times
 * without shifts, as saving them insists.
 */
export async function addOutOfService(db: Db, changedBy: string, today: string): Promise<void> {
  for (const [number, reason] of SHOP_REASONS) {
    await sql`
      update out_of_service o
         set starts_at = n.at, starts_on = (n.at at time zone o.zone)::date, start_time = (n.at at time zone o.zone)::time,
             reason = ${reason}, changed_by = ${changedBy}
        from truck t, lateral (select date_trunc('hour', now()) - ${IN_SHOP_SINCE_DAYS}::int * interval '1 day' as at) n
       where t.uid = o.truck_uid and t.number = ${number} and o.ends_at is null`.execute(db)
  }
  for (const [number, reason] of WAS_IN_SHOP) {
    await sql`
      insert into out_of_service (truck_uid, starts_on, start_time, ends_on, end_time, zone, starts_at, ends_at, reason, changed_by)
      select t.uid, d.day, '08:00', d.day, '17:00', m.zone, (d.day + time '08:00') at time zone m.zone,
             (d.day + time '17:00') at time zone m.zone, ${reason}, ${changedBy}
        from truck t join market m on m.uid = t.home_market_uid
       cross join lateral (
         select x.day::date as day from generate_series(${addDays(today, -PAST_DAYS)}::date, ${addDays(today, -3)}::date, interval '1 day') x (day)
          where not exists (select from shift s where s.truck_uid = t.uid and s.deleted_at is null
                               and s.local_date between x.day::date - 1 and x.day::date)
          order by x.day desc limit 1) d
       where t.number = ${number}`.execute(db)
  }
  await sql`
    insert into out_of_service (driver_uid, starts_on, start_time, ends_on, end_time, zone, starts_at, ends_at, reason, changed_by)
    select f.driver, f.day, '00:00', f.day + ${DAYS_OFF - 1}::int, '24:00', f.zone, f.day::timestamp at time zone f.zone,
           (f.day + ${DAYS_OFF}::int)::timestamp at time zone f.zone, (${[...REASONS_OFF]}::text[])[f.place], ${changedBy}
      from (select g.*, row_number() over (order by g.name) as place from (
              select distinct on (u.uid) u.uid as driver, u.name, x.day::date as day, z.zone
                from user_account u
               cross join lateral (select s.zone from shift s where s.driver_uid = u.uid order by s.starts_at desc limit 1) z
               cross join generate_series(${today}::date + 1, ${addDays(today, WITHIN_DAYS)}::date, interval '1 day') x (day)
               where u.role = 'driver' and u.deleted_at is null
                 and not exists (select from shift s where s.driver_uid = u.uid and s.deleted_at is null
                                    and s.local_date between x.day::date - 1 and x.day::date + ${DAYS_OFF - 1}::int)
               order by u.uid, x.day) g) f
     where f.place <= ${REASONS_OFF.length}`.execute(db)
}
