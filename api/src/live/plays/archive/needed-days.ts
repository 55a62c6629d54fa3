import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { lockDays } from './files.ts'
import { daysBetween } from './rules.ts'

/** Which of these days (UTC) have files. */
async function archivedDaysOf(db: Db, days: readonly string[]): Promise<string[]> {
  if (days.length === 0) return []
  const rows = await db.selectFrom('play_archive').select('day').distinct().where('day', 'in', days).execute()
  return rows.map(({ day }) => day)
}

/** Moments of a truck, in milliseconds since 1970. */
interface TruckMoments {
  truckUid: string
  from: number
  to: number
}

/**
 * The days on which archived plays of a truck lie between two moments. Until the transaction ends, no plays of these days
 * move into or out of the archive.
 */
export async function lockArchivedDays(db: Db, { truckUid, from, to }: TruckMoments): Promise<string[]> {
  const days = daysBetween(from, to)
  await lockDays(db, days, 'shared')
  const archived = await archivedDaysOf(db, days)
  const [first, last] = [archived.toSorted()[0], archived.toSorted().at(-1)]
  if (first === undefined || last === undefined) return []
  // Files are of all trucks: most changes of evidence are about a truck that has no plays there.
  const { rows } = await sql<{ day: string }>`
    select distinct to_char(h.hour, 'YYYY-MM-DD') as day from play_hour h
     where h.truck_uid = ${truckUid} and h.hour >= ${first}::timestamptz
       and h.hour < ${last}::timestamptz + interval '1 day' and h.plays > 0`.execute(db)
  const played = new Set(rows.map(({ day }) => day))
  return archived.filter((day) => played.has(day))
}

interface LatePlay {
  at: number
  durationMs: number
}

/** The late ones among plays: those that may overlap archived plays. */
export async function playsNearArchive<P extends LatePlay>(
  db: Db,
  plays: readonly P[],
  longestMs: number,
): Promise<P[]> {
  const daysOf = ({ at, durationMs }: P) => daysBetween(at - longestMs, at + durationMs)
  const archived = new Set(await archivedDaysOf(db, [...new Set(plays.flatMap(daysOf))]))
  return plays.filter((play) => daysOf(play).some((day) => archived.has(day)))
}
