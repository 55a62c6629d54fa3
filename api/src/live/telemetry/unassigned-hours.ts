import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { dayOf } from '../../platform/db/partitions.ts'
import { LONGEST_GAP_MS, MILES_VERSION } from './miles.ts'
import { type PackedDay, unpackParts } from './packed-track.ts'
import type { TimeRange } from './time-ranges.ts'

/** Distance of a truck outside of any shift, within at most an hour (UTC) that begins at `from`. */
export interface UnassignedHour {
  from: number
  meters: number
}

const NOON_MS = 12 * 60 * 60_000

/** What a truck drove outside of any shift, hour by hour; only hours with data. */
export async function unassignedHours(db: Db, truckUid: string, { from, to }: TimeRange): Promise<UnassignedHour[]> {
  const ofTruck = db.selectFrom('truck_day_track').where('truck_uid', '=', truckUid).orderBy('day')
  const days = await ofTruck
    .select(['day', 'algorithm', 'unassigned_metres as unassigned', sql<PackedDay>`tracks`.as('tracks')])
    .where('day', '>=', dayOf(from))
    .where('day', '<=', dayOf(to + LONGEST_GAP_MS))
    .execute()
  return days
    .flatMap(({ day, algorithm, tracks, unassigned }) =>
      algorithm === MILES_VERSION
        ? unpackParts(tracks.parts).filter(({ shift }) => shift === null)
        : // Earlier versions knew the day only.
          [{ from: Date.parse(day) + NOON_MS, meters: unassigned }],
    )
    .filter((hour) => hour.from >= from && hour.from < to)
    .map((hour) => ({ from: hour.from, meters: hour.meters }))
}
