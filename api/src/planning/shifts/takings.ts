import type { ShiftClash } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { blocksTruckSql } from './rest.ts'

/** The time that a shift takes of its truck and its driver. */
export interface Booking {
  uid: string
  truckUid: string
  driverUid: string
  /** In milliseconds since 1970. */
  startsAt: number
  endsAt: number
  /** The shift in words. */
  name: string
}

/** A shift in words: truck, driver, hours, program. */
export const describeShift = (shift: {
  truck: string
  driver: string
  date: string
  start: string
  end: string
  program: string
}) => `${shift.truck}, ${shift.driver}, ${shift.date} ${shift.start}–${shift.end}, ${shift.program}`

interface Sought {
  truckUids: string[]
  driverUids: string[]
  from: number
  to: number
}

/** What takes any of these trucks or drivers between two instants. */
export async function loadBookings(db: Db, { truckUids, driverUids, from, to }: Sought): Promise<Booking[]> {
  const between = sql`tstzrange(t.starts_at, t.ends_at) && tstzrange(to_timestamp(${from / 1000}), to_timestamp(${to / 1000}))`
  // Two searches, each by the index that keeps overlaps out.
  const { rows } = await sql<Omit<Booking, 'name'> & Parameters<typeof describeShift>[0]>`
    select t.uid, t.truck_uid as "truckUid", t.driver_uid as "driverUid",
           (extract(epoch from t.starts_at) * 1000)::int8 as "startsAt", (extract(epoch from t.ends_at) * 1000)::int8 as "endsAt",
           tr.number as truck, d.name as driver, p.name as program, t.local_date as date,
           to_char(t.start_time, 'HH24:MI') as start, to_char(t.end_time, 'HH24:MI') as "end"
      from (select * from shift t where t.truck_uid = any(${truckUids}::uuid[]) and ${between} and ${sql.raw(blocksTruckSql('t'))}
            union
            select * from shift t where t.driver_uid = any(${driverUids}::uuid[]) and ${between} and ${sql.raw(blocksTruckSql('t'))}) t
      join truck tr on tr.uid = t.truck_uid
      join user_account d on d.uid = t.driver_uid
      join client_program p on p.uid = t.program_uid
     order by t.starts_at, t.uid`.execute(db)
  return rows.map((row) => ({ ...row, name: describeShift(row) }))
}

/** Takings by truck and by driver, to be asked what is in the way of another. */
export class BookingIndex {
  private readonly ofTruck = new Map<string, Booking[]>()
  private readonly ofDriver = new Map<string, Booking[]>()

  constructor(takings: Iterable<Booking>) {
    for (const taking of takings) this.add(taking)
  }

  add(taking: Booking): void {
    const into = (map: Map<string, Booking[]>, uid: string) => {
      const known = map.get(uid)
      if (known) known.push(taking)
      else map.set(uid, [taking])
    }
    into(this.ofTruck, taking.truckUid)
    into(this.ofDriver, taking.driverUid)
  }

  /** What overlaps a taking, other than the shift itself. */
  clashesWith({ uid, truckUid, driverUid, startsAt, endsAt }: Omit<Booking, 'name'>): ShiftClash[] {
    const clashing = (over: ShiftClash['over'], found: Booking[] = []) =>
      found
        .filter((other) => other.uid !== uid && other.startsAt < endsAt && startsAt < other.endsAt)
        .map((other) => ({ uid: other.uid, over, name: other.name }))
    return [...clashing('truck', this.ofTruck.get(truckUid)), ...clashing('driver', this.ofDriver.get(driverUid))]
  }
}
