import type { fleet, ReplyOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { liveTrucks, visibleTrucks } from './live-trucks.ts'

// A map cannot show more.
const MOST_POINTS = 1000

type Track = ReplyOf<typeof fleet.track>['data']

interface TrackQuery {
  /** The truck. */
  uid: string
  day: string | undefined
  now: number
}

/** The positions of a truck on a day (UTC), today by default, with its distance. */
export async function trackOfDay(db: Db, scope: Scope, { uid, day, now }: TrackQuery): Promise<Track> {
  const visible = await visibleTrucks(db, scope)
  const [truck] = visible === 'all' || visible.has(uid) ? await liveTrucks(db, now, [uid]) : []
  if (!truck) throw new AppError('notFound')
  const on = day ?? new Date(now).toISOString().slice(0, 10)
  const { rows } = await sql<{ latitude: number; longitude: number; at: string }>`
    select latitude, longitude, at from (
      select latitude, longitude, at, row_number() over (order by at) as n, count(*) over () as total from position
       where truck_uid = ${uid} and at >= ${on}::date::timestamp at time zone 'UTC'
         and at < (${on}::date + 1)::timestamp at time zone 'UTC') p
     where n = total or n % greatest(1, ceil(total / ${MOST_POINTS}::numeric))::int = 0
     order by at`.execute(db)
  const driven = await db
    .selectFrom('truck_day_track')
    .select('metres')
    .where('truck_uid', '=', uid)
    .where('day', '=', on)
    .executeTakeFirst()
  return {
    truck,
    metres: driven?.metres ?? 0,
    points: rows.map(({ latitude, longitude, at }) => [latitude, longitude, at]),
  }
}
