import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { photoRecords } from './records.ts'

/** How far photos are apart: halved dozens of times before there is no number left between two. */
const STEP = 1024
const TOO_DENSE = 1e-6

interface Group {
  programUid: string
  marketUid: string | null
}

const inGroup = ({ programUid, marketUid }: Group) =>
  sql`program_uid = ${programUid} and market_uid is not distinct from ${marketUid} and deleted_at is null`

/** The place after all photos of a program's market. */
export async function endPosition(db: Db, programUid: string, marketUid: string | null): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(position) as last from pop_photo where ${inGroup({ programUid, marketUid })}`.execute(db)
  return (rows[0]?.last ?? 0) + STEP
}

/** Moves a photo within its market: in front of another, or to the end. */
export const movePhoto = (db: Db, scope: Scope, uid: string, before: string | null): Promise<{ uid: string }> =>
  inTransaction(db, async (db) => {
    const { program, market } = await photoRecords.get(db, scope, uid)
    const group = { programUid: program.uid, marketUid: market?.uid ?? null }
    // Two who drag at the same moment do so one after the other.
    await sql`select pg_advisory_xact_lock(hashtext(${`photos of ${program.uid}`}))`.execute(db)
    if (before === uid) return { uid }
    const position = before
      ? await inFront(db, group, uid, before)
      : await endPosition(db, program.uid, group.marketUid)
    await sql`update pop_photo set position = ${position} where uid = ${uid}`.execute(db)
    return { uid }
  })

async function inFront(db: Db, group: Group, uid: string, before: string): Promise<number> {
  const gap = await gapBefore(db, group, uid, before)
  if (gap.after === null || gap.to - gap.after > TOO_DENSE) return middleOf(gap)
  await sql`
    update pop_photo t set position = n * ${STEP}::float8
      from (select uid, row_number() over (order by position, uid) as n from pop_photo where ${inGroup(group)}) o
     where t.uid = o.uid`.execute(db)
  return middleOf(await gapBefore(db, group, uid, before))
}

interface Gap {
  /** The place of the photo in front of the gap; null where there is none. */
  after: number | null
  to: number
}

const middleOf = ({ after, to }: Gap) => (after === null ? to - STEP : (after + to) / 2)

/** The gap in front of a photo, as if the one that moves were not there. */
async function gapBefore(db: Db, group: Group, uid: string, before: string): Promise<Gap> {
  const { rows } = await sql<Gap>`
    select b.position as "to", (
      select position from pop_photo
       where ${inGroup(group)} and uid <> ${uid} and (position, uid) < (b.position, b.uid)
       order by position desc, uid desc limit 1) as after
      from (select position, uid from pop_photo where ${inGroup(group)} and uid = ${before}) b`.execute(db)
  const gap = rows[0]
  if (!gap) throw new AppError('badInput', { fields: { before: 'There is no such photo in this market.' } })
  return gap
}
