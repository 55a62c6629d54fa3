import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import { playsOfHours } from './past-plays.ts'

/** A shift that had begun when the demo was loaded. Times in milliseconds since 1970. */
export interface PastShift {
  uid: string
  programUid: string
  marketUid: string
  truckUid: string
  driverUid: string
  zone: string
  isLed: boolean
  startsAt: number
  endsAt: number
  /** The hours of its screens that the demo records; a running shift goes on with the simulator. */
  from: number
  to: number
}

/** How much is recorded: the newest weeks of the trucks of the first client, all weeks of them, or everything. */
export type PastPart = 'newest' | 'first' | 'all'

export const WEEK = 7 * DAY_MS
/** How many weeks are the newest. */
export const NEWEST_WEEKS = 2

/** What went wrong on single shifts of the demo, so that every screen has something to say. */
interface PastExceptions {
  /** Its track arrives after its plays: they are graded again. */
  lateTrack: PastShift | undefined
  /** Its tracker was off: no GPS data. */
  withoutTrack: PastShift | undefined
  /** Its screens stayed dark: miles and no plays. */
  withoutPlays: PastShift | undefined
  /** Its player lost some plays: missing numbers. */
  withLostPlays: PastShift | undefined
}

export interface Past {
  /** When the demo was loaded. */
  loadedAt: number
  /** By start. */
  shifts: PastShift[]
  exceptions: PastExceptions
}

// Simulated players play the last hour when they start.
const PLAYED_LIVE_MS = 3_600_000

/** A moment in milliseconds since 1970. */
export const msOf = (moment: string) => sql.raw(`(extract(epoch from ${moment}) * 1000)::float8`)

/** The shifts that had begun when the demo was loaded: the same after every start, whatever is driven meanwhile. */
export async function loadPast(db: Db): Promise<Past> {
  const { rows } = await sql<Omit<PastShift, 'to'> & { loadedAt: number; until: number }>`
    select s.uid, s.program_uid as "programUid", s.market_uid as "marketUid", s.truck_uid as "truckUid",
           s.driver_uid as "driverUid", s.zone, t.kind = 'led' as "isLed", ${msOf('s.starts_at')} as "startsAt",
           ${msOf('s.ends_at')} as "endsAt", ${msOf('coalesce(s.started_at, s.starts_at)')} as "from",
           ${msOf('coalesce(s.stopped_at, s.ends_at)')} as "until", ${msOf('s.created_at')} as "loadedAt"
      from shift s join truck t on t.uid = s.truck_uid and t.geotab_device_id <> '' and t.deleted_at is null
     where s.deleted_at is null and s.status in ('completed', 'out') and s.starts_at < s.created_at
       and s.created_at = (select min(created_at) from shift)
     order by s.starts_at, s.uid`.execute(db)
  const loadedAt = rows[0]?.loadedAt ?? Date.now()
  const shifts = rows.map(({ until, ...shift }) => ({
    ...shift,
    to: shift.endsAt > loadedAt ? Math.min(until, loadedAt - PLAYED_LIVE_MS) : until,
  }))
  return { loadedAt, shifts, exceptions: pastExceptions(shifts, loadedAt) }
}

/** Picks one shift of an LED truck for each exception, each some days ago. The shifts come by start. */
function pastExceptions(shifts: readonly PastShift[], loadedAt: number): PastExceptions {
  const chosen = new Set<PastShift>()
  const daysAgo = (days: number) => {
    const found = shifts.findLast((each) => each.isLed && each.endsAt < loadedAt - days * DAY_MS && !chosen.has(each))
    if (found) chosen.add(found)
    return found
  }
  return { lateTrack: daysAgo(4), withoutTrack: daysAgo(6), withoutPlays: daysAgo(3), withLostPlays: daysAgo(2) }
}

/** How many plays in a row the player lost, and after how many. */
export const LOST = { from: 60, count: 24 }

/** The first sequence number of each shift on its truck's player. Screens that stayed dark used no numbers. */
export function firstSequences({ shifts, exceptions }: Past): Map<PastShift, number> {
  const next = new Map<string, number>()
  const firsts = new Map<PastShift, number>()
  for (const shift of shifts.filter((each) => each.isLed && each !== exceptions.withoutPlays)) {
    const first = next.get(shift.truckUid) ?? 1
    firsts.set(shift, first)
    next.set(shift.truckUid, first + playsOfHours(shift))
  }
  return firsts
}

/** The number with which each truck's player goes on after its past. */
export function nextSequences(past: Past): Map<string, number> {
  const next = new Map<string, number>()
  for (const [shift, first] of firstSequences(past)) next.set(shift.truckUid, first + playsOfHours(shift))
  return next
}
