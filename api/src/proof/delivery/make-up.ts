import type { FillResult, LineDelivery } from '@roadshow/contract'
import { sql } from 'kysely'
import { proposeShifts } from '../../planning/fill/index.ts'
import { blocksTruckSql, tookPlace } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { deliveriesOf } from './deliveries.ts'
import { type LineShifts, makeUpRequest, missingShifts } from './rules.ts'

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

/** How many shifts a line is short of, and those for which a truck and a driver are free, the earliest first. */
async function findMakeUp(
  db: Db,
  programUid: string,
  delivery: LineDelivery,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<{ missing: number | null; proposal: MakeUp }> {
  const shifts = await loadLineShifts(db, programUid, delivery)
  const missing = missingShifts(delivery, shifts, now)
  const request = missing === null ? undefined : makeUpRequest(programUid, delivery, shifts, { missing, now })
  if (missing === null || !request) return { missing, proposal: NO_SHIFTS }
  // A program or market that cannot be planned has no shifts.
  const found = await proposeShifts(db, request, signal).catch((error: unknown) => {
    if (error instanceof AppError) return NO_SHIFTS
    throw error
  })
  const earliest = found.shifts.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt)).slice(0, missing)
  return { missing, proposal: { shifts: earliest, artworkSet: found.artworkSet } }
}

/** Each search for shifts keeps a core busy for seconds; the others have their turn in the next run. */
const SEARCHES_AT_ONCE = 5

/** Looks for the shifts that would make up the lines of issues, once for each day that counts. */
export async function findMakeUps(db: Db, now: number, signal: AbortSignal): Promise<void> {
  const issues = await db
    .selectFrom('campaign_issue as i')
    .innerJoin('booked_line as b', 'b.uid', 'i.line_uid')
    .select(['i.uid', 'i.line_uid as lineUid', 'b.program_uid as programUid'])
    .where('i.resolved_at', 'is', null)
    .where('i.looked_at', 'is', null)
    .orderBy('i.raised_at')
    .orderBy('i.uid')
    .limit(SEARCHES_AT_ONCE)
    .execute()
  if (issues.length === 0) return
  const uids = issues.map(({ programUid }) => programUid)
  const deliveries = await deliveriesOf(db, 'all', uids, now)
  for (const { uid, lineUid, programUid } of issues) {
    if (signal.aborted) return
    const line = deliveries.get(programUid)?.lines.find((each) => each.line.uid === lineUid)
    if (line?.state !== 'behind') continue
    const { missing, proposal } = await findMakeUp(db, programUid, line, { now, signal })
    const open = db.updateTable('campaign_issue').where('uid', '=', uid).where('resolved_at', 'is', null)
    await open.set({ looked_at: sql`now()`, missing, proposal: JSON.stringify(proposal) }).execute()
  }
}

export const findMakeUpsJob = defineJob('find-make-up-shifts', ({ db, now, signal }) => findMakeUps(db, now, signal))
