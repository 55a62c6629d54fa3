import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { dayOf } from '../../platform/db/partitions.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { LONGEST_GAP_MS, MILES_VERSION } from './miles.ts'
import { type PackedDay, unpackParts } from './packed-track.ts'
import type { TimeRange } from './time-ranges.ts'

/** Distance of a truck outside of any shift, within at most an hour (UTC) that begins at `from`. */
export interface UnassignedHour {
  from: number
  meters: number
}

const NOON_MS = 12 * 60 * 60_000

/** What trucks drove outside of any shift, hour by hour; only hours with data. */
export async function unassignedHours(
  db: Db,
  truckUids: readonly string[],
  { from, to }: TimeRange,
): Promise<Map<string, UnassignedHour[]>> {
  const days = await db
    .selectFrom('truck_day_track')
    .where('truck_uid', '=', anyOf(truckUids))
    .orderBy('truck_uid')
    .orderBy('day')
    .select([
      'truck_uid as truckUid',
      'day',
      'algorithm',
      'unassigned_metres as unassigned',
      sql<PackedDay>`tracks`.as('tracks'),
    ])
    .where('day', '>=', dayOf(from))
    .where('day', '<=', dayOf(to + LONGEST_GAP_MS))
    .execute()
  const hours = days
    .flatMap(({ truckUid, day, algorithm, tracks, unassigned }) =>
      (algorithm === MILES_VERSION
        ? unpackParts(tracks.parts).filter(({ shift }) => shift === null)
        : // Earlier versions knew the day only.
          [{ from: Date.parse(day) + NOON_MS, meters: unassigned }]
      ).map((hour) => ({ truckUid, from: hour.from, meters: hour.meters })),
    )
    .filter((hour) => hour.from >= from && hour.from < to)
  return groupBy(hours, ({ truckUid }) => truckUid)
}
