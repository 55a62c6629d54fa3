import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { dayOf } from '../../platform/db/days.ts'
import type { TrackPoint } from '@roadshow/contract'
import { MILES_VERSION, startOfTrack, type Track } from './miles.ts'
import type { DrivenShift, Touched } from './track-updates.ts'
import { type Packed, packed, unpacked } from './packed-track.ts'
import { DAY_MS, goneOn, sameSpan, type Span, type SpanTrack, startOfDay, within, without } from './time-ranges.ts'
import type { Stretch } from './track-sections.ts'

/** A day (UTC) of a truck: the whole of it, and what lies between its shifts. */
interface DayWork {
  day: Stretch
  between: Stretch[]
}

/** What is kept of a day, so that it goes on. */
interface DayTracks {
  day: Track
  between: SpanTrack[]
}
interface Kept {
  day: Packed
  between: (Span & { track: Packed })[]
}
const kept = ({ day, between }: DayWork): Kept => ({
  day: packed(day.track ?? startOfTrack),
  between: between.map(({ from, to, track }) => ({ from, to, track: packed(track ?? startOfTrack) })),
})
const taken = ({ day, between }: Kept): DayTracks => ({
  day: unpacked(day),
  between: between.map(({ track, ...span }) => ({ ...span, track: unpacked(track) })),
})

/** What is to be done for each day that the news are about. */
export async function dayWorkOf(
  db: Db,
  touched: readonly Touched[],
  shifts: ReadonlyMap<string, readonly DrivenShift[]>,
): Promise<DayWork[]> {
  const days = touched.flatMap((one) => daysOf(one).map((from) => ({ ...one, from, to: from + DAY_MS })))
  const stored = await storedDays(db, days)
  return days.flatMap(({ truck, fixes, ...day }, index) => {
    const mine = within(day, fixes)
    const known = stored[index]
    // Hours of a changed shift in which the truck was never heard.
    if (!known && mine.length === 0) return []
    const between = without(day, shifts.get(truck) ?? [])
    return [
      {
        day: { truck, from: day.from, to: day.to, track: known && goneOn(known.day, mine) },
        between: between.map((span) => ({ truck, ...span, track: trackBetween(known, span, mine) })),
      },
    ]
  })
}

function daysOf({ fixes, hours }: Touched): number[] {
  const days = new Set(fixes.map(({ at }) => startOfDay(at)))
  for (const { from, to } of hours) for (let day = startOfDay(from); day < to; day += DAY_MS) days.add(day)
  return [...days]
}

function trackBetween(known: DayTracks | undefined, span: Span, fixes: readonly TrackPoint[]): Track | undefined {
  const before = known?.between.find((each) => sameSpan(each, span))
  return before && goneOn(before.track, within(span, fixes))
}

async function storedDays(db: Db, days: readonly (Span & { truck: string })[]): Promise<(DayTracks | undefined)[]> {
  const { rows } = await sql<{ n: number; tracks: Kept }>`
    select n::int4 as n, t.tracks
      from unnest(${days.map(({ truck }) => truck)}::uuid[], ${days.map(({ from }) => dayOf(from))}::date[])
           with ordinality g (truck_uid, day, n)
      join truck_day_track t on t.truck_uid = g.truck_uid and t.day = g.day and t.algorithm = ${MILES_VERSION}`.execute(
    db,
  )
  const stored: (DayTracks | undefined)[] = days.map(() => undefined)
  for (const { n, tracks } of rows) stored[n - 1] = taken(tracks)
  return stored
}

export async function saveDays(db: Db, work: readonly DayWork[]): Promise<void> {
  if (work.length === 0) return
  const rows = work.map(({ day, between }) => ({
    truck: day.truck,
    day: dayOf(day.from),
    metres: day.track?.metres ?? 0,
    unassigned: between.reduce((sum, { track }) => sum + (track?.metres ?? 0), 0),
    tracks: JSON.stringify(kept({ day, between })),
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
