import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { planDayTracks, saveDayTracks } from './day-miles.ts'
import { shiftDistance, MILES_VERSION, type TrackProgress } from './miles.ts'
import { groupByTruck, daysAround, type MeasuredShift, type TrackUpdate, type TruckUpdate } from './track-updates.ts'
import { odometerDistances, readTracks, type TrackSection } from './track-sections.ts'
import { type PackedTrack, packTrack, unpackTrack } from './packed-track.ts'
import { extendTrack, rangesOverlap, type TimeRange, pointsWithin } from './time-ranges.ts'

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/**
 * Updates the miles of shifts and days. A track is extended by new fixes; it is computed again from the stored positions
 * where a fix is late or the hours of a shift have changed. Both ways give the same result.
 */
export async function updateMiles(db: Db, update: TrackUpdate): Promise<void> {
  const touched = groupByTruck(update)
  if (touched.length === 0) return
  const shifts = await shiftsOf(db, touched)
  const shiftWork = touched.flatMap((one) => workOf(one, shifts.get(one.truck) ?? []))
  const dayWork = await planDayTracks(db, touched, shifts)
  await readTracks(db, [...shiftWork, ...dayWork.flatMap(({ day, between }) => [day, ...between])])
  await saveShifts(db, shiftWork, update.now)
  await saveDayTracks(db, dayWork)
}

/** The shifts of trucks around the days of their updates. */
async function shiftsOf(db: Db, touched: readonly TruckUpdate[]): Promise<Map<string, MeasuredShift[]>> {
  const around = touched.map(daysAround)
  interface Row extends TimeRange {
    uid: string
    truck: string
    track: PackedTrack | null
    odometerMetres: number | null
  }
  // Actual hours are near the planned ones, which the index covers.
  const { rows } = await sql<Row>`
    select s.uid, s.truck_uid as truck, ${ms('lower(driven_hours(s))')} as "from",
           ${ms('upper(driven_hours(s))')} as "to", t.track, t.odometer_metres as "odometerMetres"
      from unnest(${touched.map(({ truck }) => truck)}::uuid[], ${around.map(({ from }) => from)}::float8[],
                  ${around.map(({ to }) => to)}::float8[]) g (truck_uid, from_ms, to_ms)
      join shift s on s.truck_uid = g.truck_uid and s.deleted_at is null
       and s.starts_at > to_timestamp(g.from_ms / 1000) - interval '3 days'
       and s.starts_at < to_timestamp(g.to_ms / 1000) + interval '2 days'
       and driven_hours(s) && tstzrange(to_timestamp(g.from_ms / 1000), to_timestamp(g.to_ms / 1000))
      left join shift_track t on t.shift_uid = s.uid and t.truck_uid = s.truck_uid and t.algorithm = ${MILES_VERSION}
       and t.starts_at = lower(driven_hours(s)) and t.ends_at = upper(driven_hours(s))`.execute(db)
  const shifts = new Map<string, MeasuredShift[]>()
  for (const { track, odometerMetres, ...row } of rows) {
    const stored = track && { track: unpackTrack(track), odometerMetres }
    shifts.set(row.truck, [...(shifts.get(row.truck) ?? []), { ...row, stored }])
  }
  return shifts
}

interface ShiftWork extends TrackSection {
  uid: string
  /** Undefined until it is read. */
  odometerMetres: number | null | undefined
}

/** The shifts that an update touches, with their tracks as far as they can be extended. */
function workOf({ truck, fixes, readings, hours }: TruckUpdate, shifts: readonly MeasuredShift[]): ShiftWork[] {
  return shifts.flatMap((shift) => {
    const { uid, from, to, stored } = shift
    const mine = pointsWithin(shift, fixes)
    const isRead = pointsWithin(shift, readings).length > 0
    if (mine.length === 0 && !isRead && !hours.some((span) => rangesOverlap(span, shift))) return []
    const track = stored ? extendTrack(stored.track, mine) : undefined
    return [{ uid, truck, from, to, track, odometerMetres: stored && !isRead ? stored.odometerMetres : undefined }]
  })
}

async function saveShifts(db: Db, work: readonly ShiftWork[], now: number): Promise<void> {
  if (work.length === 0) return
  const odometers = await odometerDistances(
    db,
    work.filter(({ odometerMetres }) => odometerMetres === undefined),
  )
  const measured = work.map((shift) => {
    const track = shift.track as TrackProgress
    const metres = shift.odometerMetres === undefined ? (odometers.get(shift) ?? null) : shift.odometerMetres
    const elapsed = Math.min(now, shift.to) - shift.from
    const coverage = elapsed > 0 ? Math.min(1, track.heardMs / elapsed) : 0
    return { ...shift, track, coverage, ...shiftDistance(track, metres === null ? null : { firstM: 0, lastM: metres }) }
  })
  // Without any data from a truck, its distance is unknown, not zero.
  const rows = measured.filter(({ track, odometerMetres }) => track.fixes > 0 || odometerMetres !== null)
  if (rows.length === 0) return
  await sql`
    insert into shift_track (shift_uid, truck_uid, starts_at, ends_at, track, heard_ms, gps_metres, odometer_metres, metres, source,
                             estimated_metres, coverage, algorithm, computed_at)
    select shift_uid, truck_uid, to_timestamp(from_ms / 1000), to_timestamp(to_ms / 1000), track, heard_ms, gps_metres,
           odometer_metres, metres, source, estimated_metres, coverage, ${MILES_VERSION},
           to_timestamp(${now}::float8 / 1000)
      from unnest(${rows.map(({ uid }) => uid)}::uuid[], ${rows.map(({ truck }) => truck)}::uuid[],
                  ${rows.map(({ from }) => from)}::float8[], ${rows.map(({ to }) => to)}::float8[],
                  ${rows.map(({ track }) => JSON.stringify(packTrack(track)))}::json[],
                  ${rows.map(({ track }) => track.heardMs)}::float8[],
                  ${rows.map(({ gpsMetres }) => gpsMetres)}::float8[],
                  ${rows.map(({ odometerMetres }) => odometerMetres)}::float8[],
                  ${rows.map(({ metres }) => metres)}::float8[], ${rows.map(({ source }) => source)}::text[],
                  ${rows.map(({ estimatedMetres }) => estimatedMetres)}::float8[],
                  ${rows.map(({ coverage }) => coverage)}::real[])
           g (shift_uid, truck_uid, from_ms, to_ms, track, heard_ms, gps_metres, odometer_metres, metres, source,
              estimated_metres, coverage)
        on conflict (shift_uid) do update
       set truck_uid = excluded.truck_uid, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
           track = excluded.track, heard_ms = excluded.heard_ms, gps_metres = excluded.gps_metres, odometer_metres = excluded.odometer_metres,
           metres = excluded.metres, source = excluded.source, estimated_metres = excluded.estimated_metres,
           coverage = excluded.coverage, algorithm = excluded.algorithm, computed_at = excluded.computed_at`.execute(db)
}
