import { type fleet, localDay, type ReplyOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { TimeRange } from '../telemetry/index.ts'
import { milesByDay, type ShiftOfTruck, zoneAt } from './day-rules.ts'
import { trucksOfClient } from './client-view.ts'
import { liveTrucks } from './live-trucks.ts'
import { readTruckDay } from './truck-day.ts'

// A map cannot show more.
const MOST_POINTS = 1000

type Track = ReplyOf<typeof fleet.track>['data']
type TrackPoints = Track['points']

interface TrackQuery {
  /** The truck. */
  uid: string
  day: string | undefined
  now: number
}

/** The positions of a truck on a day of its market, today by default, with its distance. */
export async function trackOfDay(db: Db, scope: Scope, { uid, day, now }: TrackQuery): Promise<Track> {
  const isAll = scope.rows === 'all'
  const { clientUid } = scope.actor
  const [truck] = isAll ? await liveTrucks(db, now, [uid]) : await trucksOfClient(db, clientUid, now, uid)
  if (!truck) throw new AppError('notFound')
  // A client sees the miles and the route of its own shifts only, and other shifts do not decide what its day is.
  const isOwn = isAll ? undefined : (shift: ShiftOfTruck) => shift.clientUid === clientUid
  const { facts, date, hours } = await readTruckDay(db, uid, { day, at: now, now, isOwn })
  const isToday = localDay(zoneAt(now, facts), now) === date
  const [driven] = milesByDay(facts, date, date)
  const points = await pointsWithin(db, uid, hours, isAll ? undefined : await heldForClient(db, uid, clientUid, hours))
  // A truck that stands sends its state and no fixes.
  const isSeen = truck.positionAt !== null && isWithin(hours, truck.positionAt)
  const metres = driven?.metres ?? (isSeen ? 0 : null)
  return { truck, day: date, isToday, metres, points }
}

const isWithin = ({ from, to }: TimeRange, at: string): boolean => Date.parse(at) >= from && Date.parse(at) < to

/** The ranges of some hours in which a truck is held for a client. */
async function heldForClient(db: Db, truckUid: string, clientUid: string | null, { from, to }: TimeRange) {
  const held = await db
    .selectFrom('truck_hold')
    .select('during')
    .where('truck_uid', '=', truckUid)
    .where('client_uid', '=', clientUid)
    .where(sql<boolean>`during && tstzrange(${new Date(from)}, ${new Date(to)})`)
    .execute()
  return held.map(({ during }) => during)
}

/** The thinned positions within some hours, and only those in the `only` ranges. */
async function pointsWithin(db: Db, uid: string, hours: TimeRange, only?: readonly string[]): Promise<TrackPoints> {
  const isOwn = only ? sql`at <@ any(${only}::tstzrange[])` : sql`true`
  const { rows } = await sql<{ latitude: number; longitude: number; at: string }>`
    select latitude, longitude, at from (
      select latitude, longitude, at, row_number() over (order by at) as n, count(*) over () as total from position
       where truck_uid = ${uid} and at >= ${new Date(hours.from)} and at < ${new Date(hours.to)} and ${isOwn}) p
     where n = total or n % greatest(1, ceil(total / ${MOST_POINTS}::numeric))::int = 0
     order by at`.execute(db)
  return rows.map(({ latitude, longitude, at }) => [latitude, longitude, at])
}
