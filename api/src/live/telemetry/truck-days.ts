import { DAY_MS, type TrackPoint } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { dayOf } from '../../platform/db/partitions.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { MILES_VERSION } from './miles.ts'
import {
  EMPTY_TRUCK_STATE,
  isSameState,
  packParts,
  packShifts,
  packState,
  type PackedDay,
  unpackParts,
  unpackState,
} from './packed-track.ts'
import { readFixes } from './stored-fixes.ts'
import type { TimeRange } from './time-ranges.ts'
import {
  addFixes,
  hasData,
  type HeldHours,
  holdsWithin,
  partsOf,
  sumTotals,
  timesOfDay,
  type TrackPart,
  type TruckState,
} from './track-parts.ts'

/**
 * What the fixes of one day (UTC) add to the continuous track of a truck. It begins where the day before ended, so that
 * the days of a truck add up to its whole way.
 */
export interface TruckDay {
  truck: string
  day: number
  start: TruckState
  end: TruckState
  /** The hours of shifts by which it is divided. */
  shifts: readonly HeldHours[]
  /** The parts with data. */
  parts: readonly TrackPart[]
}

/** The days of a truck by their start; 'old' is a day that an earlier version of the rules has measured. */
export type TruckDays = Map<number, TruckDay | 'old'>

/** A day after an update. */
interface ChangedDay extends TruckDay {
  /** Whether the truck drives outside of any shift, or may have done so before. */
  isDriving: boolean
}

interface DayWork {
  truck: string
  day: number
  /** New fixes of any day. */
  fixes: readonly TrackPoint[]
  holds: readonly HeldHours[]
  days: TruckDays
  /** Whether it lost fixes, so that it is computed from all its positions. */
  isStale: boolean
}

// A day of a busy truck has some ten thousand positions.
const READ_AT_ONCE = 10

/** Measures days, one after the other for each truck, and answers those that changed. */
export async function measureDays(db: Db, works: readonly DayWork[]): Promise<ChangedDay[]> {
  const changed: ChangedDay[] = []
  const keep = (work: DayWork, measured: TruckDay | undefined) => {
    if (!measured) return
    const before = work.days.get(work.day)
    work.days.set(work.day, measured)
    const isDriving = !before || before === 'old' || before.end.drive !== null || measured.end.drive !== null
    changed.push({ ...measured, isDriving })
  }
  for (const round of inRounds(works)) {
    const toRead: DayWork[] = []
    for (const work of round) {
      const extended = extendDay(work)
      if (extended === 'read') toRead.push(work)
      else keep(work, extended)
    }
    for (const some of fewOfOneDay(toRead)) {
      const trucks = some.map(({ truck }) => truck)
      const fixes = await readFixes(db, trucks, { from: some[0].day, to: some[0].day + DAY_MS })
      for (const work of some) keep(work, dayFrom(work, fixes.get(work.truck) ?? []))
    }
  }
  return changed
}

/** Works of one day each, and not too many: a statement reads the positions of one day only. */
function fewOfOneDay(works: readonly DayWork[]): [DayWork, ...DayWork[]][] {
  const groups: [DayWork, ...DayWork[]][] = []
  for (const work of works) {
    const last = groups.at(-1)
    if (last && last[0].day === work.day && last.length < READ_AT_ONCE) last.push(work)
    else groups.push([work])
  }
  return groups
}

/** A day begins where the one before ended, so only one day of each truck is measured at a time. */
function inRounds(works: readonly DayWork[]): DayWork[][] {
  const rounds: DayWork[][] = []
  const counts = new Map<string, number>()
  for (const work of works.toSorted((one, other) => one.day - other.day)) {
    const round = counts.get(work.truck) ?? 0
    counts.set(work.truck, round + 1)
    const others = rounds[round]
    if (others) others.push(work)
    else rounds.push([work])
  }
  return rounds
}

const startOf = ({ days, day }: DayWork): TruckState => {
  const before = days.get(day - DAY_MS)
  return before && before !== 'old' ? before.end : EMPTY_TRUCK_STATE
}

/** A day with its new fixes; undefined if nothing changed, and 'read' if it must be computed from all its positions. */
function extendDay(work: DayWork): TruckDay | 'read' | undefined {
  const { day, days } = work
  const stored = days.get(day)
  const fixes = work.fixes.filter(({ at }) => at >= day && at < day + DAY_MS)
  if (!stored || stored === 'old' || work.isStale) return 'read'
  const shifts = holdsWithin(timesOfDay(day), work.holds)
  const isSame = isSameHolds(stored.shifts, shifts) && isSameState(stored.start, startOf(work))
  const [first] = fixes
  if (!isSame || (first && first.at <= (stored.end.last?.at ?? 0))) return 'read'
  return first && withDayFixes(stored, fixes)
}

const isSameHolds = (some: readonly HeldHours[], others: readonly HeldHours[]): boolean =>
  some.length === others.length &&
  some.every(({ uid, from, to }, index) => {
    const other = others[index]
    return other?.uid === uid && other.from === from && other.to === to
  })

/** A day computed from all its positions; undefined without any. */
function dayFrom(work: DayWork, fixes: readonly TrackPoint[]): TruckDay | undefined {
  if (fixes.length === 0) return undefined
  const { truck, day } = work
  const start = startOf(work)
  const shifts = holdsWithin(timesOfDay(day), work.holds)
  return withDayFixes({ truck, day, start, end: start, shifts, parts: [] }, fixes)
}

function withDayFixes(before: TruckDay, fixes: readonly TrackPoint[]): TruckDay {
  const end = { ...before.end }
  const times = timesOfDay(before.day)
  // The first step begins at the last fix, unless the track begins again.
  const near = { from: Math.max(times.from, end.last?.at ?? times.from), to: (fixes.at(-1)?.at ?? times.from) + 1 }
  const known = new Map(before.parts.map((part) => [part.from, part]))
  const touched = partsOf(times, before.shifts, near).map((part) => ({ ...part, ...known.get(part.from) }))
  addFixes(end, touched, fixes)
  for (const part of touched) if (hasData(part)) known.set(part.from, part)
  return { ...before, end, parts: [...known.values()].toSorted((one, other) => one.from - other.from) }
}

/** The stored days of trucks within ranges of time. */
export async function storedDays(
  db: Db,
  ranges: readonly (TimeRange & { truck: string })[],
): Promise<Map<string, TruckDays>> {
  const given = rowsAsTable('g', ranges, {
    truck_uid: ['uuid', ({ truck }) => truck],
    first: ['date', ({ from }) => dayOf(from)],
    last: ['date', ({ to }) => dayOf(to)],
  })
  const { rows } = await sql<{ truck: string; day: string; algorithm: number; tracks: PackedDay }>`
    select t.truck_uid as truck, t.day::text as day, t.algorithm, t.tracks
      from ${given} join truck_day_track t on t.truck_uid = g.truck_uid and t.day between g.first and g.last`.execute(
    db,
  )
  const found = new Map<string, TruckDays>(ranges.map(({ truck }) => [truck, new Map()]))
  for (const { truck, day, algorithm, tracks } of rows) {
    const start = Date.parse(day)
    found.get(truck)?.set(start, algorithm === MILES_VERSION ? unpackDay(truck, start, tracks) : 'old')
  }
  return found
}

const unpackDay = (truck: string, day: number, { start, end, shifts, parts }: PackedDay): TruckDay => ({
  truck,
  day,
  start: unpackState(start),
  end: unpackState(end),
  shifts: shifts.map(([from, to, uid]) => ({ from, to, uid })),
  parts: unpackParts(parts),
})

const packDay = ({ start, end, shifts, parts }: TruckDay): PackedDay => ({
  start: packState(start),
  end: packState(end),
  shifts: packShifts(shifts),
  parts: packParts(parts),
})

export async function saveDays(db: Db, days: readonly TruckDay[]): Promise<void> {
  if (days.length === 0) return
  const given = rowsAsTable('g', days, {
    truck_uid: ['uuid', ({ truck }) => truck],
    day: ['date', ({ day }) => dayOf(day)],
    metres: ['float8', ({ parts }) => sumTotals(parts).meters],
    unassigned_metres: ['float8', ({ parts }) => sumTotals(parts.filter(({ shift }) => shift === null)).meters],
    tracks: ['json', (day) => JSON.stringify(packDay(day))],
  })
  await sql`
    insert into truck_day_track (truck_uid, day, metres, unassigned_metres, tracks, algorithm)
    select truck_uid, day, metres, unassigned_metres, tracks, ${MILES_VERSION} from ${given}
        on conflict (truck_uid, day) do update
       set metres = excluded.metres, unassigned_metres = excluded.unassigned_metres, tracks = excluded.tracks,
           algorithm = excluded.algorithm, computed_at = now()`.execute(db)
}

/** Has the days measured again that begin where a changed day has ended before. */
export async function queueFollowingDays(
  db: Db,
  changed: readonly TruckDay[],
  days: ReadonlyMap<string, TruckDays>,
): Promise<void> {
  const due = changed.flatMap(({ truck, day, end }) => {
    const next = days.get(truck)?.get(day + DAY_MS)
    const isStale = next && next !== 'old' && !isSameState(next.start, end)
    return isStale ? [{ truck, from: day + DAY_MS, to: day + DAY_MS + 1 }] : []
  })
  await queueHours(db, due)
}

/** Adds hours of trucks to those that are measured again. */
async function queueHours(db: Db, due: readonly (TimeRange & { truck: string })[]): Promise<void> {
  if (due.length === 0) return
  const given = rowsAsTable('g', due, {
    truck_uid: ['uuid', ({ truck }) => truck],
    starts_at: ['timestamptz', ({ from }) => new Date(from).toISOString()],
    ends_at: ['timestamptz', ({ to }) => new Date(to).toISOString()],
  })
  await sql`insert into miles_due (truck_uid, starts_at, ends_at)
            select truck_uid, starts_at, ends_at from ${given}`.execute(db)
}

/** Stores the present drive outside of shifts with the newest state of each truck. */
export async function saveDrives(db: Db, changed: readonly ChangedDay[]): Promise<void> {
  const driving = changed.filter(({ isDriving }) => isDriving)
  if (driving.length === 0) return
  const newest = new Map<string, TruckDay>()
  for (const day of driving) if (day.day >= (newest.get(day.truck)?.day ?? 0)) newest.set(day.truck, day)
  const instant = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())
  const given = rowsAsTable('g', [...newest.values()], {
    truck_uid: ['uuid', ({ truck }) => truck],
    day: ['date', ({ day }) => dayOf(day)],
    since: ['timestamptz', ({ end }) => instant(end.drive?.since)],
    until: ['timestamptz', ({ end }) => instant(end.drive?.until)],
    metres: ['float8', ({ end }) => end.drive?.meters ?? null],
  })
  await sql`
    update truck_now n
       set off_shift_since = g.since, off_shift_until = g.until, off_shift_m = g.metres, updated_at = clock_timestamp()
      from ${given}
     where n.truck_uid = g.truck_uid
       and (n.off_shift_since, n.off_shift_until, n.off_shift_m) is distinct from (g.since, g.until, g.metres)
       and not exists (select 1 from truck_day_track t where t.truck_uid = g.truck_uid and t.day > g.day)`.execute(db)
}
