import { DEFAULT_ZONE, type Market, zoneOn } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { refuseFields } from '../../../platform/runtime/app-error.ts'
import type { BookedResource } from '../bookings.ts'

/** The truck or the driver that is out of service. */
export interface Resource {
  over: BookedResource
  uid: string
  /** Its number, or the driver's name. */
  name: string
  /** In which its days are meant: that of its home market. */
  zone: string
}

interface NamedResource {
  truckUid: string | null
  driverUid: string | null
  from: string
}

type Home = Pick<Market, 'zone' | 'earlierZones'>

const homeOf = async (db: Db, market: ReturnType<typeof sql>): Promise<Home | undefined> => {
  const { rows } = await sql<Home>`
    select m.zone, m.earlier_zones as "earlierZones" from market m where m.uid = (${market})`.execute(db)
  return rows[0]
}

/** Finds the truck or the driver of a stretch. In a transaction it stays locked until it ends. */
export async function findResource(db: Db, { truckUid, driverUid, from }: NamedResource): Promise<Resource> {
  const lock = db.isTransaction ? sql`for no key update` : sql``
  if (truckUid !== null) {
    const { rows } = await sql<{ name: string }>`
      select number as name from truck where uid = ${truckUid} and deleted_at is null and state <> 'retired' ${lock}`.execute(
      db,
    )
    if (!rows[0]) refuseFields({ truckUid: 'Truck not found.' })
    const home = await homeOf(db, sql`select home_market_uid from truck where uid = ${truckUid}`)
    return { over: 'truck', uid: truckUid, name: rows[0]?.name ?? '', zone: home ? zoneOn(home, from) : DEFAULT_ZONE }
  }
  const { rows } = await sql<{ name: string }>`
    select name from user_account where uid = ${driverUid} and deleted_at is null and role = 'driver' ${lock}`.execute(
    db,
  )
  if (!rows[0]) refuseFields({ driverUid: 'Driver not found.' })
  // Drivers are at home where they drive: in the market of the shift that is nearest to the first day.
  const home = await homeOf(
    db,
    sql`select s.market_uid from shift s where s.driver_uid = ${driverUid} and s.deleted_at is null
         order by abs(s.local_date - ${from}::date), s.starts_at limit 1`,
  )
  return {
    over: 'driver',
    uid: driverUid ?? '',
    name: rows[0]?.name ?? '',
    zone: home ? zoneOn(home, from) : DEFAULT_ZONE,
  }
}
