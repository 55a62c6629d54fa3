import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import { type PastExceptions, pastExceptions } from './past-exceptions.ts'
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

export interface Past {
  /** When the demo was loaded. */
  loadedAt: number
  /** By start. */
  shifts: PastShift[]
  exceptions: PastExceptions<PastShift>
}

const HOUR = 3_600_000
// Simulated players play the last hour when they start.
const PLAYED_LIVE_MS = HOUR

const ms = (column: string) => sql.raw(`extract(epoch from ${column})::float8 * 1000`)

/** The shifts that had begun when the demo was loaded: the same after every start, whatever is driven meanwhile. */
export async function loadPast(db: Db): Promise<Past> {
  const { rows } = await sql<PastShift & { loadedAt: number; until: number }>`
    select s.uid, s.program_uid as "programUid", s.market_uid as "marketUid", s.truck_uid as "truckUid",
           s.driver_uid as "driverUid", s.zone, t.kind = 'led' as "isLed", ${ms('s.starts_at')} as "startsAt",
           ${ms('s.ends_at')} as "endsAt", ${ms('coalesce(s.started_at, s.starts_at)')} as "from",
           ${ms('coalesce(s.stopped_at, s.ends_at)')} as "until", ${ms('s.created_at')} as "loadedAt"
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
