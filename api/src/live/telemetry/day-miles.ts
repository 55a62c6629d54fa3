import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { dayOf } from '../../platform/db/days.ts'
import type { TrackPoint } from '@roadshow/contract'
import { MILES_VERSION, EMPTY_TRACK, type TrackProgress } from './miles.ts'
import type { MeasuredShift, TruckUpdate } from './track-updates.ts'
import { type PackedTrack, packTrack, unpackTrack } from './packed-track.ts'
import {
  DAY_MS,
  extendTrack,
  isSameRange,
  type TimeRange,
  type RangeTrack,
  startOfDay,
  pointsWithin,
  subtractRanges,
} from './time-ranges.ts'
import type { TrackSection } from './track-sections.ts'

/** A day (UTC) of a truck: the whole day, and the hours between its shifts. */
interface DayWork {
  day: TrackSection
  between: TrackSection[]
}

/** The stored tracks of a day, which later fixes extend. */
interface DayTracks {
  day: TrackProgress
  between: RangeTrack[]
}
interface PackedDay {
  day: PackedTrack
  between: (TimeRange & { track: PackedTrack })[]
}
const packDay = ({ day, between }: DayWork): PackedDay => ({
  day: packTrack(day.track ?? EMPTY_TRACK),
  between: between.map(({ from, to, track }) => ({ from, to, track: packTrack(track ?? EMPTY_TRACK) })),
})
const unpackDay = ({ day, between }: PackedDay): DayTracks => ({
  day: unpackTrack(day),
  between: between.map(({ track, ...span }) => ({ ...span, track: unpackTrack(track) })),
})

/** The days that updates touch, with their tracks as far as they can be extended. */
export async function planDayTracks(
  db: Db,
  touched: readonly TruckUpdate[],
  shifts: ReadonlyMap<string, readonly MeasuredShift[]>,
): Promise<DayWork[]> {
  const days = touched.flatMap((one) => daysOf(one).map((from) => ({ ...one, from, to: from + DAY_MS })))
  const stored = await storedDays(db, days)
  return days.flatMap(({ truck, fixes, ...day }, index) => {
    const mine = pointsWithin(day, fixes)
    const known = stored[index]
    // Hours of a changed shift without any data from the truck.
    if (!known && mine.length === 0) return []
    const between = subtractRanges(day, shifts.get(truck) ?? [])
    return [
      {
        day: { truck, from: day.from, to: day.to, track: known && extendTrack(known.day, mine) },
        between: between.map((span) => ({ truck, ...span, track: trackBetween(known, span, mine) })),
      },
    ]
  })
}

function daysOf({ fixes, hours }: TruckUpdate): number[] {
  const days = new Set(fixes.map(({ at }) => startOfDay(at)))
  for (const { from, to } of hours) for (let day = startOfDay(from); day < to; day += DAY_MS) days.add(day)
  return [...days]
}

function trackBetween(
  known: DayTracks | undefined,
  span: TimeRange,
  fixes: readonly TrackPoint[],
): TrackProgress | undefined {
  const before = known?.between.find((each) => isSameRange(each, span))
  return before && extendTrack(before.track, pointsWithin(span, fixes))
}

async function storedDays(
  db: Db,
  days: readonly (TimeRange & { truck: string })[],
): Promise<(DayTracks | undefined)[]> {
  const { rows } = await sql<{ n: number; tracks: PackedDay }>`
    select n::int4 as n, t.tracks
      from unnest(${days.map(({ truck }) => truck)}::uuid[], ${days.map(({ from }) => dayOf(from))}::date[])
           with ordinality g (truck_uid, day, n)
      join truck_day_track t on t.truck_uid = g.truck_uid and t.day = g.day and t.algorithm = ${MILES_VERSION}`.execute(
    db,
  )
  const stored: (DayTracks | undefined)[] = days.map(() => undefined)
  for (const { n, tracks } of rows) stored[n - 1] = unpackDay(tracks)
  return stored
}

export async function saveDayTracks(db: Db, work: readonly DayWork[]): Promise<void> {
  if (work.length === 0) return
  const rows = work.map(({ day, between }) => ({
    truck: day.truck,
    day: dayOf(day.from),
    metres: day.track?.metres ?? 0,
    unassigned: between.reduce((sum, { track }) => sum + (track?.metres ?? 0), 0),
    tracks: JSON.stringify(packDay({ day, between })),
  }))
  await sql`
    insert into truck_day_track (truck_uid, day, metres, unassigned_metres, tracks, algorithm)
    select truck_uid, day, metres, unassigned_metres, tracks, ${MILES_VERSION}
      from unnest(${rows.map(({ truck }) => truck)}::uuid[], ${rows.map(({ day }) => day)}::date[],
                  ${rows.map(({ metres }) => metres)}::float8[], ${rows.map(({ unassigned }) => unassigned)}::float8[],
                  ${rows.map(({ tracks }) => tracks)}::json[])
           g (truck_uid, day, metres, unassigned_metres, tracks)
        on conflict (truck_uid, day) do update
       set metres = excluded.metres, unassigned_metres = excluded.unassigned_metres, tracks = excluded.tracks,
           algorithm = excluded.algorithm, computed_at = now()`.execute(db)
}
