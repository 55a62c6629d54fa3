import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { TOP_SPEED } from './miles.ts'
import type { TimeRange } from './time-ranges.ts'

interface Reading {
  at: number
  metres: number
}

/** The readings next to the edges of some hours, as far as there are any near enough. */
export interface ReadingsAround {
  /** The last one up to the start, and the first one from the start on. */
  start: { before: Reading | null; after: Reading | null }
  end: { before: Reading | null; after: Reading | null }
  /** Whether the odometer only went forward, and never faster than a truck can drive. */
  isSteady: boolean
}

/** A reading counts for an edge up to this far from it: beyond, nothing is known about the odometer at the edge. */
export const READING_COUNTS_MS = 12 * 60 * 60_000
// Odometers report whole miles.
const STEP_M = 2000

/** What the odometer showed at a moment, on the line between the readings around it. */
function odometerAt(moment: number, { before, after }: ReadingsAround['start']): number | null {
  if (!before || !after) return null
  if (after.at === before.at) return before.metres
  return before.metres + ((after.metres - before.metres) * (moment - before.at)) / (after.at - before.at)
}

/** The distance of some hours by odometer; null where the readings do not span them, or the odometer was replaced. */
export function odometerDistance({ start, end, isSteady }: ReadingsAround, { from, to }: TimeRange): number | null {
  const first = odometerAt(from, start)
  const last = odometerAt(to, end)
  return isSteady && first !== null && last !== null && last >= first ? last - first : null
}

/** The distances of hours of trucks by their stored readings. */
export async function odometerDistances<Hours extends TimeRange & { truck: string }>(
  db: Db,
  hours: readonly Hours[],
): Promise<Map<Hours, number | null>> {
  if (hours.length === 0) return new Map()
  const given = rowsAsTable(
    'g',
    hours,
    {
      truck_uid: ['uuid', ({ truck }) => truck],
      from_ms: ['float8', ({ from }) => from],
      to_ms: ['float8', ({ to }) => to],
    },
    { ordinality: 'n' },
  )
  const { rows } = await sql<{ n: number; around: ReadingsAround }>`
    select g.n::int4 as n, readings_around(g.truck_uid, to_timestamp(g.from_ms / 1000), to_timestamp(g.to_ms / 1000),
             make_interval(secs => ${READING_COUNTS_MS / 1000}), ${TOP_SPEED}, ${STEP_M}) as around
      from ${given}`.execute(db)
  return new Map(rows.map(({ n, around }) => [hours[n - 1] as Hours, odometerDistance(around, hours[n - 1] as Hours)]))
}
