import { type PlannedStop, type ShiftStatus, stopRange, type StopVisit } from '@roadshow/contract'
import { sql } from 'kysely'
import { heldHours, heldHoursJson } from '../../planning/shifts/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { plainArray } from '../../platform/db/plain-array.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import { type BacklogContext, defineJob, type JobContext } from '../../platform/jobs/define-job.ts'
import { recentThenOld } from '../../platform/jobs/work-through.ts'
import { readFixes } from './stored-fixes.ts'
import { STOP_VISITS_VERSION, type StopTrack, stopTracks, type StopZone } from './stop-visits.ts'
import type { TimeRange } from './time-ranges.ts'

/** A track of a stop, with the place and window that it was found for. */
type StoredTrack = StopTrack & { key: string }

interface ShiftWithStops {
  uid: string
  version: number
  truck: string
  date: string
  start: string
  end: string
  zone: string
  startsAt: number
  endsAt: number
  status: ShiftStatus
  stops: PlannedStop[]
  /** When the track of the truck's days was measured last. */
  trackAt: string | null
  /** The hours in which the shift holds its truck. */
  hours: [from: number, to: number][]
  stored: StoredTrack[] | null
  isCurrent: boolean
}

const TRACK_AT = sql`(
  select max(d.computed_at) from truck_day_track d
   where d.truck_uid = s.truck_uid and d.day between (lower(${heldHours('s')}) at time zone 'UTC')::date
                                                 and (upper(${heldHours('s')}) at time zone 'UTC')::date)`

/** Visits that were found in this version of the shift, in the present track, by the present rules. */
const IS_CURRENT = sql`(k.shift_version = s.version and k.algorithm = ${sql.lit(STOP_VISITS_VERSION)}
  and k.track_at is not distinct from ${TRACK_AT})`

async function readShifts(db: Db, condition: SqlFragment): Promise<ShiftWithStops[]> {
  const { rows } = await sql<ShiftWithStops>`
    select s.uid, s.version, s.truck_uid as truck, s.local_date as date, to_char(s.start_time, 'HH24:MI') as start,
           to_char(s.end_time, 'HH24:MI') as "end", s.zone, s.status, s.stops,
           (extract(epoch from s.starts_at) * 1000)::float8 as "startsAt",
           (extract(epoch from s.ends_at) * 1000)::float8 as "endsAt", ${TRACK_AT}::text as "trackAt",
           ${heldHoursJson('s')} as hours,
           k.visits as stored, coalesce(${IS_CURRENT}, false) as "isCurrent"
      from shift s left join shift_stop_track k on k.shift_uid = s.uid
     where s.stops <> '[]' and s.deleted_at is null and ${condition}`.execute(db)
  return rows
}

const rangesOf = ({ hours }: ShiftWithStops): TimeRange[] => hours.map(([from, to]) => ({ from, to }))

/** A planned stop as a zone. Where clocks skip a time of its window, the edge of the shift counts. */
function zoneOf(shift: ShiftWithStops, stop: PlannedStop): StopZone {
  const { opensAt = shift.startsAt, closesAt = shift.endsAt } = stopRange(shift, stop)
  const { latitude, longitude, radiusM } = stop
  return { latitude, longitude, radiusM, from: opensAt, to: closesAt }
}

const stopKey = ({ latitude, longitude, radiusM, from, to }: StopZone) =>
  [latitude, longitude, radiusM, from, to].join(' ')

/** The tracks of a shift's stops, from its positions. Once these are deleted, what was found in them stays. */
async function findTracks(db: Db, shift: ShiftWithStops): Promise<StoredTrack[]> {
  const hours = rangesOf(shift)
  const [first, last] = [hours[0], hours.at(-1)]
  const fixes = first && last && (await readFixes(db, [shift.truck], { from: first.from, to: last.to }))
  const own = (fixes && fixes.get(shift.truck)) ?? []
  const zones = shift.stops.map((stop) => zoneOf(shift, stop))
  const known = new Map(shift.stored?.map((track) => [track.key, track]))
  const keys = zones.map(stopKey)
  return stopTracks(own, zones, hours).map((track, index) => {
    const key = keys[index] ?? ''
    return (own.length === 0 && known.get(key)) || { key, ...track }
  })
}

const textOf = (at: number) => new Date(at).toISOString()
const minutesOf = (ms: number) => Math.round(ms / 60_000)

function stateOf(shift: ShiftWithStops, zone: StopZone, track: StopTrack, now: number): StopVisit['state'] {
  if (shift.status === 'cancelled' || shift.status === 'noShow') return null
  if (track.arrivedAt !== null) return track.isLate ? 'late' : 'onTime'
  if (now < zone.to) return 'upcoming'
  return track.isKnown ? 'missed' : 'noData'
}

/** A planned stop with its visit, in the words of every screen and file. */
function toVisit(shift: ShiftWithStops, stop: PlannedStop, track: StopTrack, now: number): StopVisit {
  const zone = zoneOf(shift, stop)
  const { arrivedAt, leftAt, isThere, dwellMs, windowMs } = track
  const state = stateOf(shift, zone, track, now)
  const isVisited = state === 'onTime' || state === 'late'
  const goesOn = isThere && now < (shift.hours.at(-1)?.[1] ?? 0)
  return {
    ...stop,
    opensAt: textOf(zone.from),
    closesAt: textOf(zone.to),
    state,
    arrivedAt: isVisited && arrivedAt !== null ? textOf(arrivedAt) : null,
    leftAt: isVisited && leftAt !== null && !goesOn ? textOf(leftAt) : null,
    dwellMinutes: isVisited ? minutesOf(dwellMs) : null,
    isShort: isVisited && !goesOn && stop.minMinutes !== null && minutesOf(windowMs) < stop.minMinutes,
  }
}

/**
 * The planned stops of shifts with their visits, by the uid of the shift; shifts without stops are absent. Visits of a
 * track that has grown since they were stored are found again from its positions.
 */
export async function loadStopVisits(db: Db, uids: readonly string[]): Promise<Map<string, StopVisit[]>> {
  if (uids.length === 0) return new Map()
  const shifts = await readShifts(db, sql`s.uid = any(${plainArray(uids)}::uuid[])`)
  if (shifts.length === 0) return new Map()
  const now = await sharedNow(db)
  const visits = new Map<string, StopVisit[]>()
  for (const shift of shifts) {
    const tracks = shift.isCurrent && shift.stored ? shift.stored : await findTracks(db, shift)
    visits.set(
      shift.uid,
      shift.stops.flatMap((stop, index) => {
        const track = tracks[index]
        return track ? [toVisit(shift, stop, track, now)] : []
      }),
    )
  }
  return visits
}

const AT_ONCE = 50

/**
 * Stores the visits of shifts whose track or plan changed since the last time; answers whether there may be more. Shifts
 * that ended long ago are included only now and then, because few of them change.
 */
export async function storeStopVisits(db: Db, isLongAgo = false, signal?: AbortSignal): Promise<boolean> {
  const since = isLongAgo ? sql`true` : sql`s.starts_at > now() - interval '3 days'`
  const due = await readShifts(
    db,
    sql`s.starts_at < now() + interval '3 hours' and ${since} and (${IS_CURRENT}) is not true
        and (k.shift_uid is not null or ${TRACK_AT} is not null)
      order by k.computed_at nulls first limit ${sql.lit(AT_ONCE)}`,
  )
  for (const shift of due) if (!signal?.aborted) await storeVisits(db, shift)
  return due.length === AT_ONCE
}

async function storeVisits(db: Db, shift: ShiftWithStops): Promise<void> {
  const found = {
    shift_version: shift.version,
    track_at: shift.trackAt,
    visits: JSON.stringify(await findTracks(db, shift)),
    algorithm: STOP_VISITS_VERSION,
    computed_at: sql<Date>`now()`,
  }
  await db
    .insertInto('shift_stop_track')
    .values({ shift_uid: shift.uid, ...found })
    .onConflict((conflict) => conflict.column('shift_uid').doUpdateSet(found))
    .execute()
}

// Tracks of running shifts grow all the time: a run must end although there are always more.
const MOST_BATCHES = 10

async function storeRecent({ db, timeUp }: JobContext & BacklogContext): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch++) if (!(await storeStopVisits(db, false, timeUp))) return
}

export const storeStopVisitsJob = defineJob(
  'stop-visits',
  recentThenOld({ recent: storeRecent, old: ({ db, timeUp }) => storeStopVisits(db, true, timeUp) }),
)
