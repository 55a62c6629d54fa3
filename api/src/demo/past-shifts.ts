import { MAX_BATCH, type Play, type PlayerData } from '@roadshow/contract'
import type { PastDrive, PlannedShift, PlannedTruck } from '@roadshow/simulator'
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import { artworkOfShifts } from '../live/players/index.ts'
import { storePlays } from '../live/plays/index.ts'
import { storeTelemetry } from '../live/telemetry/index.ts'
import { loadSimulator } from './load-simulator.ts'

/** A shift that was over before the demo began. Times in milliseconds since 1970. */
export interface PastShift {
  uid: string
  programUid: string
  marketUid: string
  truckUid: string
  driverUid: string
  zone: string
  startsAt: number
  endsAt: number
  /** When it was driven. */
  from: number
  to: number
}

const ms = (column: string) => sql.raw(`extract(epoch from ${column})::float8 * 1000`)

/**
 * What was completed before there were any shifts: the same on every start, whatever is driven meanwhile. The last hours
 * belong to the simulator, whose trucks have been on the road for a while when it starts; none drives twice at a time.
 */
export async function pastShifts(db: Db): Promise<PastShift[]> {
  const { rows } = await sql<PastShift>`
    select s.uid, s.program_uid as "programUid", s.market_uid as "marketUid", s.truck_uid as "truckUid",
           s.driver_uid as "driverUid", s.zone, ${ms('s.starts_at')} as "startsAt", ${ms('s.ends_at')} as "endsAt",
           ${ms('lower(driven_hours(s))')} as "from", ${ms('upper(driven_hours(s))')} as "to"
      from shift s
      join truck t on t.uid = s.truck_uid and t.kind = 'led' and t.geotab_device_id <> '' and t.deleted_at is null
     where s.deleted_at is null and s.status = 'completed'
       and upper(driven_hours(s)) < (select min(created_at) from shift) - interval '16 hours'
     order by s.starts_at, s.uid`.execute(db)
  return rows
}

const CURSOR = 'Demo'

/** Where the feed of what never was a feed stands; every page moves it on. */
async function cursorOf(db: Db): Promise<string | undefined> {
  const found = db.selectFrom('geotab_cursor').select('version').where('entity', '=', CURSOR)
  return (await found.executeTakeFirst())?.version
}

async function storeDrive(db: Db, { logs, readings }: PastDrive, truck: string): Promise<void> {
  const from = await cursorOf(db)
  await storeTelemetry(db, {
    cursor: { entity: CURSOR, from, to: String(Number(from ?? 0) + 1) },
    now: Date.now(),
    fixes: logs.map((log) => ({ ...log, truck })),
    statuses: [],
    readings: readings.map((reading) => ({ ...reading, truck })),
  })
}

async function storePlayed(db: Db, truckUid: string, plays: readonly Play[]): Promise<void> {
  const player = db
    .selectFrom('device')
    .select('uid')
    .where('truck_uid', '=', truckUid)
    .where('kind', '=', 'player')
    .where('deleted_at', 'is', null)
    .orderBy('mac_address')
  const device = await player.executeTakeFirst()
  if (!device) return
  for (let at = 0; at < plays.length; at += MAX_BATCH) {
    await storePlays(db, { uid: device.uid, truckUid }, plays.slice(at, at + MAX_BATCH))
  }
}

interface Road {
  truck: PlannedTruck
  shift: PlannedShift
  shown: PlayerData['shifts'][number]
}

async function roadOf(db: Db, { uid, startsAt, endsAt, from, to }: PastShift): Promise<Road | undefined> {
  const { readPlan } = await loadSimulator()
  const query = async <Row>(text: string, values: unknown[]) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
  const trucks = await readPlan(query, startsAt, endsAt)
  const [shown] = await artworkOfShifts(db, [uid])
  const truck = trucks.find(({ shifts }) => shifts.some((each) => each.uid === uid))
  const shift = truck?.shifts.find((each) => each.uid === uid)
  // Screens are on while the shift is.
  const hours = { startsAt: new Date(from).toISOString(), endsAt: new Date(to).toISOString() }
  return truck && shift && shown && { truck, shift, shown: { ...shown, ...hours } }
}

/**
 * Drives a shift of the past, and stores what tracker and player would have told by the ways on which it is stored when
 * they do. Twice does no harm: what is known already is noticed there.
 */
export async function recordPastDrive(db: Db, shift: PastShift): Promise<PastDrive['fixes']> {
  const { simulatePastDrive } = await loadSimulator()
  const road = await roadOf(db, shift)
  if (!road) return []
  const drive = await simulatePastDrive({ ...road, nextSequence: 1 })
  await storeDrive(db, drive, road.truck.geotabId)
  await storePlayed(db, shift.truckUid, drive.plays)
  return drive.fixes
}
