import type { TrackPoint } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { rowsAsTable } from '../../../platform/db/rows-as-table.ts'
import { groupBy } from '../../../platform/runtime/group-by.ts'
import { readDepots } from '../trucks.ts'
import { publicPlace, type PublicPlace, type TruckFixes } from './place-rules.ts'

const MINUTE = 60_000
// A truck that sent nothing for longer is not shown.
const RECENT_MS = 30 * MINUTE
// The first fix of a shift comes within this time, and so does its last one.
const EDGE_MS = 15 * MINUTE

/** A shift that held its truck at a moment; times are milliseconds since 1970. */
interface ShiftAt {
  truck: string
  market: string
  zone: string
  since: number
  until: number
}

export interface PastTruck {
  market: string
  zone: string
  /** Undefined if the public does not see it. */
  place: PublicPlace | undefined
}

/** The trucks on shifts of a program at a moment before now, with the places that the public sees. */
export async function trucksAt(db: Db, programUid: string, at: number, now: number): Promise<PastTruck[]> {
  const shifts = await shiftsAt(db, programUid, at)
  if (shifts.length === 0) return []
  const fixes = await fixesOf(db, shifts, at, now)
  const depots = await readDepots(db)
  return shifts.map(({ market, zone }, index) => {
    const known = fixes[index]
    return { market, zone, place: known && publicPlace(known, depots) }
  })
}

async function shiftsAt(db: Db, programUid: string, at: number): Promise<ShiftAt[]> {
  const moment = sql`to_timestamp(${at / 1000})`
  const msOf = (edge: 'lower' | 'upper') => sql`(extract(epoch from ${sql.raw(edge)}(h.during)) * 1000)::float8`
  const { rows } = await sql<ShiftAt>`
    select h.truck_uid as truck, m.name as market, s.zone, ${msOf('lower')} as since, ${msOf('upper')} as until
      from truck_hold h join shift s on s.uid = h.shift_uid join market m on m.uid = s.market_uid
     where h.program_uid = ${programUid} and upper(h.during) > ${moment} and lower(h.during) <= ${moment}
     order by m.name, s.starts_at, s.uid`.execute(db)
  return rows
}

/** A time in which fixes of a truck are looked for. */
interface Window {
  key: string
  truck: string
  from: number
  to: number
}

const windowsOf = (shifts: readonly ShiftAt[], at: number, now: number): Window[] =>
  shifts.flatMap(({ truck, since, until }, index) => [
    { key: `recent ${index}`, truck, from: Math.max(since, at - RECENT_MS), to: at },
    { key: `start ${index}`, truck, from: since, to: Math.min(at, since + EDGE_MS) },
    ...(until <= now ? [{ key: `end ${index}`, truck, from: Math.max(since, until - EDGE_MS), to: until }] : []),
  ])

/** The fixes of each shift that decide where the public sees its truck. */
async function fixesOf(db: Db, shifts: readonly ShiftAt[], at: number, now: number): Promise<TruckFixes[]> {
  const windows = windowsOf(shifts, at, now)
  const instantOf = (ms: number) => new Date(ms).toISOString()
  const given = rowsAsTable('g', windows, {
    key: ['text', ({ key }) => key],
    truck_uid: ['uuid', ({ truck }) => truck],
    since: ['timestamptz', ({ from }) => instantOf(from)],
    until: ['timestamptz', ({ to }) => instantOf(to)],
  })
  // Not prepared: with the outermost times known, the planner reads only their weeks.
  const { rows } = await sql<TrackPoint & { key: string }>`
    select g.key, (extract(epoch from p.at) * 1000)::float8 as at, p.latitude, p.longitude, p.speed_kmh as "speedKmh"
      from ${given} join position p on p.truck_uid = g.truck_uid and p.at >= g.since and p.at <= g.until
     where p.at >= ${instantOf(Math.min(...windows.map(({ from }) => from)))}
       and p.at <= ${instantOf(Math.max(...windows.map(({ to }) => to)))}
     order by p.at`.execute(db)
  const found = groupBy(rows, ({ key }) => key)
  return shifts.map((_, index) => ({
    recent: found.get(`recent ${index}`) ?? [],
    start: found.get(`start ${index}`)?.[0],
    end: found.get(`end ${index}`)?.at(-1),
  }))
}
