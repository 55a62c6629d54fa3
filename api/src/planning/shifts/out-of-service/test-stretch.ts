import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'

interface Given {
  truckUid?: string
  driverUid?: string
  /** Whole days by the clocks of Chicago; without a last day until further notice. */
  from: string
  to?: string
}

/** Takes a truck or a driver out of service without asking about shifts. */
export async function addStretch(db: Db, { truckUid, driverUid, from, to }: Given): Promise<string> {
  const { rows } = await sql<{ uid: string }>`
    insert into out_of_service (truck_uid, driver_uid, starts_on, start_time, ends_on, end_time, zone, starts_at, ends_at)
    values (${truckUid ?? null}, ${driverUid ?? null}, ${from}, '00:00', ${to ?? null}, ${to === undefined ? null : '24:00'},
            'America/Chicago', ${from}::timestamp at time zone 'America/Chicago', (${to ?? null}::timestamp + interval '1 day') at time zone 'America/Chicago')
    returning uid`.execute(db)
  return rows[0]?.uid ?? ''
}
