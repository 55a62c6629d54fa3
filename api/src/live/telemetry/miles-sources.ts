import type { TrackPoint } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { advance, LONGEST_GAP_MS } from './miles.ts'
import { READING_COUNTS_MS } from './odometer.ts'
import { EMPTY_TRUCK_STATE } from './packed-track.ts'
import { readFixes } from './stored-fixes.ts'
import { startOfDay, type TimeRange } from './time-ranges.ts'
import { storedDays } from './truck-days.ts'

type Reading = [at: number, meters: number]

/** What the miles of some hours of a truck are computed from. */
interface MilesSources {
  fixes: TrackPoint[]
  readings: Reading[]
}

/** The stored positions and odometer readings that decide the miles of some hours: those within them and around. */
export async function readMilesSources(db: Db, truck: string, hours: TimeRange): Promise<MilesSources> {
  const from = await countedSince(db, truck, hours.from)
  const around = { from, to: hours.to + LONGEST_GAP_MS + 1 }
  const fixes = (await readFixes(db, [truck], around)).get(truck) ?? []
  const after = fixes.findIndex(({ at }) => at >= hours.to)
  return {
    fixes: after < 0 ? fixes : fixes.slice(0, after + 1),
    readings: await readReadings(db, truck, hours),
  }
}

/** The time of the fix from which distance is counted at a moment. A track that begins there goes on as the whole one does. */
async function countedSince(db: Db, truck: string, moment: number): Promise<number> {
  const day = startOfDay(moment)
  const stored = (await storedDays(db, [{ truck, from: day, to: day }])).get(truck)?.get(day)
  const state = stored && stored !== 'old' ? { ...stored.start } : { ...EMPTY_TRUCK_STATE }
  const fixes = await readFixes(db, [truck], { from: day, to: moment })
  for (const fix of fixes.get(truck) ?? []) advance(state, fix)
  return state.anchor?.at ?? moment
}

/** The readings from the last one before some hours to the first one after them, as far as they are near enough to count. */
async function readReadings(db: Db, truck: string, { from, to }: TimeRange): Promise<Reading[]> {
  const { rows } = await sql<{ at: number; metres: number }>`
    select (extract(epoch from at) * 1000)::float8 as at, metres from odometer_reading
     where truck_uid = ${truck} and at >= ${new Date(from - READING_COUNTS_MS)} and at <= ${new Date(to + READING_COUNTS_MS)}
     order by at`.execute(db)
  const readings = rows.map(({ at, metres }): Reading => [at, metres])
  const first = readings.findLastIndex(([at]) => at <= from)
  const last = readings.findIndex(([at]) => at >= to)
  return readings.slice(Math.max(0, first), last < 0 ? undefined : last + 1)
}
