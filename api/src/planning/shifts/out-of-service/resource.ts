import { type Market, NIL_UUID, zoneOn } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { officeZone } from '../../../platform/db/office-zone.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
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

async function homeOf(db: Db, marketUid: string | null | undefined): Promise<Home | undefined> {
  if (!marketUid) return undefined
  const found = db.selectFrom('market').select(['zone', 'earlier_zones as earlierZones']).where('uid', '=', marketUid)
  return found.$narrowType<Home>().executeTakeFirst()
}

/** Drivers are at home where they drive: in the market of the shift that is nearest to a day. */
const nearestShift = (db: Db, driverUid: string, day: string) =>
  db
    .selectFrom('shift')
    .select('market_uid')
    .where('driver_uid', '=', driverUid)
    .where('deleted_at', 'is', null)
    .orderBy(sql`abs(local_date - ${day}::date)`)
    .orderBy('starts_at')
    .limit(1)
    .executeTakeFirst()

/** Finds the truck or the driver of a stretch. In a transaction it stays locked until it ends. */
export async function findResource(db: Db, { truckUid, driverUid, from }: NamedResource): Promise<Resource> {
  const zoneOf = async (home: Home | undefined) => (home ? zoneOn(home, from) : officeZone(db))
  if (truckUid !== null) {
    const truck = await db
      .selectFrom('truck')
      .select(['number', 'home_market_uid'])
      .where('uid', '=', truckUid)
      .where('deleted_at', 'is', null)
      .where('state', '<>', 'retired')
      .$if(db.isTransaction, (found) => found.forNoKeyUpdate())
      .executeTakeFirst()
    if (!truck) throw new AppError('badInput', { fields: { truckUid: 'Truck not found.' } })
    const zone = await zoneOf(await homeOf(db, truck.home_market_uid))
    return { over: 'truck', uid: truckUid, name: truck.number, zone }
  }
  const driver = await db
    .selectFrom('user_account')
    .select('name')
    .where('uid', '=', driverUid ?? NIL_UUID)
    .where('deleted_at', 'is', null)
    .where('role', '=', 'driver')
    .$if(db.isTransaction, (found) => found.forNoKeyUpdate())
    .executeTakeFirst()
  if (!driver || driverUid === null) throw new AppError('badInput', { fields: { driverUid: 'Driver not found.' } })
  const home = await homeOf(db, (await nearestShift(db, driverUid, from))?.market_uid)
  return { over: 'driver', uid: driverUid, name: driver.name, zone: await zoneOf(home) }
}
