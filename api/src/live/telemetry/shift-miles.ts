import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { shiftDistance, LONGEST_GAP_MS, MILES_VERSION, type TrackTotals } from './miles.ts'
import { odometerDistances, READING_COUNTS_MS } from './odometer.ts'
import { rangesOverlap, startOfDay, type TimeRange } from './time-ranges.ts'
import { hasData, sumTotals, type TrackPart } from './track-parts.ts'
import { daysOf, groupByTruck, timeAround, type TrackUpdate, type TruckUpdate } from './track-updates.ts'
import {
  measureDays,
  queueFollowingDays,
  saveDays,
  saveDrives,
  storedDays,
  type TruckDay,
  type TruckDays,
} from './truck-days.ts'

/** The stored miles of a shift. */
interface ShiftMiles {
  heardMs: number
  gpsMetres: number
  odometerMetres: number | null
  metres: number
  source: 'gps' | 'odometer'
  estimatedMetres: number
  coverage: number
}

/** A shift that holds its truck, from the beginning of its hours to their end. */
interface MeasuredShift extends TimeRange {
  uid: string
  truck: string
  /** The hours in which it holds the truck: another shift may have it in between. */
  held: TimeRange[]
  stored: ShiftMiles | null
  /** Whether they were measured by these rules, for this truck and these hours. */
  isCurrent: boolean
}

/**
 * Updates the miles of trucks and shifts. A truck has one continuous track, which is divided at the edges of its shifts:
 * shifts and the time between them add up to the whole. A day's track is extended by new fixes; it is computed again from
 * the stored positions where a fix is late or the hours of a shift have changed. Both ways give the same result.
 */
export async function updateMiles(db: Db, update: TrackUpdate): Promise<void> {
  const touched = groupByTruck(update)
  if (touched.length === 0) return
  const shifts = await shiftsOf(db, touched)
  const days = await storedDays(
    db,
    touched.map((one) => daysAround(one, shifts.get(one.truck) ?? [])),
  )
  const works = touched.flatMap((one) =>
    daysOf(one).map((day) => ({
      truck: one.truck,
      day,
      fixes: one.fixes,
      holds: (shifts.get(one.truck) ?? []).flatMap(({ uid, held }) => held.map((hours) => ({ uid, ...hours }))),
      days: days.get(one.truck) ?? new Map(),
      isStale: one.staleDays.has(day),
    })),
  )
  const changed = await measureDays(db, works)
  await saveDays(db, changed)
  await queueFollowingDays(db, changed, days)
  await saveDrives(db, changed)
  await saveShifts(
    db,
    touched.flatMap((one) => touchedShifts(one, shifts.get(one.truck) ?? [], days.get(one.truck) ?? new Map())),
    update.now,
  )
}

/** The days that an update of a truck and its shifts needs: those of the shifts, the day before and the day after. */
function daysAround(update: TruckUpdate, shifts: readonly MeasuredShift[]): TimeRange & { truck: string } {
  const around = timeAround(update)
  const ends = shifts.map(({ to }) => startOfDay(to + LONGEST_GAP_MS))
  return {
    truck: update.truck,
    from: [around.from, ...shifts.map(({ from }) => from)].reduce((one, other) => Math.min(one, other)),
    to: [around.to, ...ends].reduce((one, other) => Math.max(one, other)),
  }
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/** The shifts of trucks around their updates. */
async function shiftsOf(db: Db, touched: readonly TruckUpdate[]): Promise<Map<string, MeasuredShift[]>> {
  const given = rowsAsTable(
    'g',
    touched.map((one) => ({ truck: one.truck, ...timeAround(one) })),
    {
      truck_uid: ['uuid', ({ truck }) => truck],
      from_ms: ['float8', ({ from }) => from],
      to_ms: ['float8', ({ to }) => to],
    },
  )
  const { rows } = await sql<MeasuredShift>`
    with touched as (
      select distinct h.shift_uid from ${given}
        join truck_hold h on h.truck_uid = g.truck_uid
         and h.during && tstzrange(to_timestamp(g.from_ms / 1000), to_timestamp(g.to_ms / 1000))
    )
    select h.shift_uid as uid, h.truck_uid as truck, ${ms('min(lower(h.during))')} as "from",
           ${ms('max(upper(h.during))')} as "to",
           json_agg(json_build_object('from', ${ms('lower(h.during)')}, 'to', ${ms('upper(h.during)')}) order by h.during) as held,
           case when t.shift_uid is not null then json_build_object(
             'heardMs', t.heard_ms, 'gpsMetres', t.gps_metres, 'odometerMetres', t.odometer_metres, 'metres', t.metres,
             'source', t.source, 'estimatedMetres', t.estimated_metres, 'coverage', t.coverage) end as stored,
           coalesce(t.algorithm = ${MILES_VERSION} and t.truck_uid = h.truck_uid
                    and t.starts_at = min(lower(h.during)) and t.ends_at = max(upper(h.during)), false) as "isCurrent"
      from touched x join truck_hold h on h.shift_uid = x.shift_uid left join shift_track t on t.shift_uid = h.shift_uid
     group by h.shift_uid, h.truck_uid, t.shift_uid`.execute(db)
  return groupBy(rows, ({ truck }) => truck)
}

interface ShiftWork extends MeasuredShift {
  totals: TrackTotals
  /** Whether its odometer miles must be read. */
  isRead: boolean
}

/** The shifts that an update may have changed, with what their parts of the truck's days amount to. */
function touchedShifts(update: TruckUpdate, shifts: readonly MeasuredShift[], days: TruckDays): ShiftWork[] {
  return shifts.flatMap((shift) => {
    const measured = daysOfShift(shift, days)
    // A day of an earlier version is measured again first; if its positions are gone, the miles stay.
    if (measured.includes('old')) return []
    const parts = measured.flatMap((day) => (day === 'old' ? [] : partsOfShift(day, shift.uid)))
    const isHeard = update.readings.some(
      ({ at }) => at >= shift.from - READING_COUNTS_MS && at <= shift.to + READING_COUNTS_MS,
    )
    const isDue = update.hours.some((hours) => rangesOverlap(hours, shift))
    const hasParts = parts.some(hasData)
    if (!hasParts && !isHeard && !isDue && !shift.stored) return []
    return [{ ...shift, totals: sumTotals(parts), isRead: isHeard || isDue || !shift.isCurrent }]
  })
}

function daysOfShift({ from, to }: TimeRange, days: TruckDays): (TruckDay | 'old')[] {
  const found: (TruckDay | 'old')[] = []
  for (let day = startOfDay(from); day < to + LONGEST_GAP_MS; day += DAY_MS) {
    const stored = days.get(day)
    if (stored) found.push(stored)
  }
  return found
}

const partsOfShift = ({ parts }: TruckDay, uid: string): TrackPart[] => parts.filter(({ shift }) => shift === uid)

interface MilesRow extends ShiftMiles, TimeRange {
  uid: string
  truck: string
}

async function saveShifts(db: Db, works: readonly ShiftWork[], now: number): Promise<void> {
  const odometers = await readOdometers(db, works)
  const rows: MilesRow[] = []
  const gone: string[] = []
  for (const work of works) {
    const odometer = work.isRead ? (odometers.get(work.uid) ?? null) : (work.stored?.odometerMetres ?? null)
    // Without any data from a truck, its distance is unknown, not zero.
    if (!hasData(work.totals) && odometer === null) {
      if (work.stored) gone.push(work.uid)
      continue
    }
    const row = milesOf(work, odometer, now)
    const { uid, truck, from, to } = work
    if (!work.isCurrent || !isStored(row, work.stored)) rows.push({ uid, truck, from, to, ...row })
  }
  if (gone.length > 0) await db.deleteFrom('shift_track').where('shift_uid', '=', anyOf(gone)).execute()
  if (rows.length > 0) await writeMiles(db, rows, now)
}

/** The distances of shifts by odometer; null where the readings do not span their hours. */
async function readOdometers(db: Db, works: readonly ShiftWork[]): Promise<Map<string, number | null>> {
  const parts = works
    .filter(({ isRead }) => isRead)
    .flatMap(({ uid, truck, held }) => held.map((hours) => ({ uid, truck, ...hours })))
  const distances = new Map<string, number | null>()
  for (const [{ uid }, meters] of await odometerDistances(db, parts)) {
    const sum = distances.get(uid)
    distances.set(uid, meters === null || sum === null ? null : meters + (sum ?? 0))
  }
  return distances
}

function milesOf({ totals, held }: ShiftWork, odometer: number | null, now: number): ShiftMiles {
  const elapsed = held.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(now, to) - from), 0)
  const coverage = elapsed > 0 ? Math.min(1, totals.heardMs / elapsed) : 0
  return { heardMs: totals.heardMs, coverage, ...shiftDistance(totals, odometer) }
}

const EXACT = ['heardMs', 'gpsMetres', 'odometerMetres', 'metres', 'source', 'estimatedMetres'] as const

const isStored = (miles: ShiftMiles, stored: ShiftMiles | null): boolean =>
  stored !== null &&
  EXACT.every((field) => stored[field] === miles[field]) &&
  Math.fround(stored.coverage) === Math.fround(miles.coverage)

async function writeMiles(db: Db, rows: readonly MilesRow[], now: number): Promise<void> {
  const given = rowsAsTable('g', rows, {
    shift_uid: ['uuid', ({ uid }) => uid],
    truck_uid: ['uuid', ({ truck }) => truck],
    from_ms: ['float8', ({ from }) => from],
    to_ms: ['float8', ({ to }) => to],
    heard_ms: ['float8', ({ heardMs }) => heardMs],
    gps_metres: ['float8', ({ gpsMetres }) => gpsMetres],
    odometer_metres: ['float8', ({ odometerMetres }) => odometerMetres],
    metres: ['float8', ({ metres }) => metres],
    source: ['text', ({ source }) => source],
    estimated_metres: ['float8', ({ estimatedMetres }) => estimatedMetres],
    coverage: ['float4', ({ coverage }) => coverage],
  })
  await sql`
    insert into shift_track (shift_uid, truck_uid, starts_at, ends_at, heard_ms, gps_metres, odometer_metres, metres,
                             source, estimated_metres, coverage, algorithm, computed_at)
    select shift_uid, truck_uid, to_timestamp(from_ms / 1000), to_timestamp(to_ms / 1000), heard_ms, gps_metres,
           odometer_metres, metres, source, estimated_metres, coverage, ${MILES_VERSION},
           to_timestamp(${now}::float8 / 1000)
      from ${given}
        on conflict (shift_uid) do update
       set truck_uid = excluded.truck_uid, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
           heard_ms = excluded.heard_ms, gps_metres = excluded.gps_metres, odometer_metres = excluded.odometer_metres,
           metres = excluded.metres, source = excluded.source, estimated_metres = excluded.estimated_metres,
           coverage = excluded.coverage, algorithm = excluded.algorithm, computed_at = excluded.computed_at`.execute(db)
}
