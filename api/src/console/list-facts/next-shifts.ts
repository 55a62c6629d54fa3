import { sql } from 'kysely'
import { uidAndName } from '../../platform/db/records/fragments.ts'
import type { Db } from '../../platform/db/connection.ts'

interface NextShift {
  uid: string
  date: string
  start: string
  end: string
  zone: string
  market: string
  program: string
  driver: string
  truck: { uid: string; name: string }
  /** How many are planned in all. */
  total: number
}

/** The next planned shift of each of these trucks, programs or drivers, in one statement. */
export async function nextShiftOfEach(
  db: Db,
  of: 'truck_uid' | 'program_uid' | 'driver_uid',
  uids: readonly string[],
): Promise<Map<string, NextShift>> {
  const { rows } = await sql<NextShift & { of: string }>`
    select o.uid as "of", f.* from unnest(${[...uids]}::uuid[]) o (uid) cross join lateral (
      select s.uid, s.local_date as date, to_char(s.start_time, 'HH24:MI') as start,
             to_char(s.end_time, 'HH24:MI') as "end", s.zone, m.name as market,
             p.name as program, d.name as driver, ${uidAndName('tr', 'number')} as truck, (count(*) over ())::int as total
        from shift s join market m on m.uid = s.market_uid join client_program p on p.uid = s.program_uid
        join user_account d on d.uid = s.driver_uid join truck tr on tr.uid = s.truck_uid
       where s.${sql.ref(of)} = o.uid and s.deleted_at is null and s.status = 'planned' and s.starts_at > now()
       order by s.starts_at, s.uid limit 1) f`.execute(db)
  return new Map(rows.map(({ of, ...shift }) => [of, shift]))
}
