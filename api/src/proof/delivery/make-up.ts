import type { FillResult, LineDelivery } from '@roadshow/contract'
import { sql } from 'kysely'
import { proposeShifts } from '../../planning/fill/index.ts'
import { blocksTruckSql, tookPlace } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type LineShifts, makeUpRequest, missingShifts } from './make-up-rules.ts'

/** The hours of shifts where a line has none to learn from. */
const USUAL = { start: '10:00', end: '18:00', hours: 8 }

async function loadLineShifts(db: Db, programUid: string, { line }: LineDelivery): Promise<LineShifts> {
  const ofLine = sql`t.program_uid = ${programUid} and t.market_uid = ${line.market.uid}
    and t.local_date between ${line.startsOn}::date and ${line.endsOn}::date and ${blocksTruckSql('t')}`
  const length = sql`extract(epoch from t.ends_at - t.starts_at) / 3600`
  const { rows: usual } = await sql<Pick<LineShifts, 'start' | 'end' | 'hours'>>`
    select to_char(t.start_time, 'HH24:MI') as start, to_char(t.end_time, 'HH24:MI') as "end",
           avg(${length})::float8 as hours
      from shift t where ${ofLine} group by t.start_time, t.end_time
     order by count(*) desc, t.start_time, t.end_time limit 1`.execute(db)
  const { rows: planned } = await sql<LineShifts['planned'][number]>`
    select t.local_date as date, count(*)::int as shifts, sum(${length})::float8 as hours
      from shift t where ${ofLine} and t.status = 'planned' and t.starts_at > now() group by t.local_date`.execute(db)
  const { rows: counted } = await sql<{ worked: number }>`
    select count(*)::int as worked from shift t where ${ofLine} and ${tookPlace('t')}`.execute(db)
  return { worked: counted[0]?.worked ?? 0, ...(usual[0] ?? USUAL), planned }
}

export type MakeUp = Pick<FillResult, 'shifts' | 'artworkSet'>

const NO_SHIFTS: MakeUp = { shifts: [], artworkSet: null }

/** Asks Fill for shifts. A program or market that cannot be planned has none. */
async function proposeOrNone(db: Db, request: Parameters<typeof proposeShifts>[1], signal: AbortSignal) {
  try {
    return await proposeShifts(db, request, signal)
  } catch (error) {
    if (error instanceof AppError) return NO_SHIFTS
    throw error
  }
}

/** How many shifts a line is short of, and those for which a truck and a driver are free, the earliest first. */
export async function findMakeUp(
  db: Db,
  programUid: string,
  delivery: LineDelivery,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<{ missing: number | null; proposal: MakeUp }> {
  const shifts = await loadLineShifts(db, programUid, delivery)
  const missing = missingShifts(delivery, shifts, now)
  const request = missing === null ? undefined : makeUpRequest(programUid, delivery, shifts, { missing, now })
  if (missing === null || !request) return { missing, proposal: NO_SHIFTS }
  const found = await proposeOrNone(db, request, signal)
  const earliest = found.shifts.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt)).slice(0, missing)
  return { missing, proposal: { shifts: earliest, artworkSet: found.artworkSet } }
}
