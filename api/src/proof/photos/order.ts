import type { BodyOf, pops } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { isGapTooSmall, POSITION_STEP, positionAfter, positionIn, type PositionGap } from './order-rules.ts'
import { photoRecords } from './records.ts'

/** Photos are ordered within a market of a program. */
interface Group {
  programUid: string
  marketUid: string | null
}

const inGroup = ({ programUid, marketUid }: Group) =>
  sql<boolean>`program_uid = ${programUid} and market_uid is not distinct from ${marketUid} and deleted_at is null`

/** The position after all photos of a program's market. */
export async function endPosition(db: Db, programUid: string, marketUid: string | null): Promise<number> {
  const photos = db.selectFrom('pop_photo').where(inGroup({ programUid, marketUid }))
  const last = await photos.select((eb) => eb.fn.max<number | null>('position').as('position')).executeTakeFirst()
  return positionAfter(last?.position ?? null)
}

/** Moves a photo within its market: in front of another, or to the end. */
export const movePhoto = (db: Db, scope: Scope, { uid, before }: BodyOf<typeof pops.movePhoto>) =>
  inTransaction(db, async (db) => {
    const { program, market } = await photoRecords.get(db, scope, uid)
    const group = { programUid: program.uid, marketUid: market?.uid ?? null }
    // Concurrent moves within a program run one after the other.
    await sql`select pg_advisory_xact_lock(hashtext(${`photos of ${program.uid}`}))`.execute(db)
    if (before === uid) return { uid }
    const position = before
      ? await positionInFrontOf(db, group, uid, before)
      : await endPosition(db, program.uid, group.marketUid)
    await db.updateTable('pop_photo').set({ position }).where('uid', '=', uid).execute()
    return { uid }
  })

async function positionInFrontOf(db: Db, group: Group, uid: string, before: string): Promise<number> {
  const gap = await gapBefore(db, group, uid, before)
  if (!isGapTooSmall(gap)) return positionIn(gap)
  await sql`
    update pop_photo t set position = n * ${POSITION_STEP}::float8
      from (select uid, row_number() over (order by position, uid) as n from pop_photo where ${inGroup(group)}) o
     where t.uid = o.uid`.execute(db)
  return positionIn(await gapBefore(db, group, uid, before))
}

/** The gap in front of a photo, without the photo that moves. */
async function gapBefore(db: Db, group: Group, uid: string, before: string): Promise<PositionGap> {
  const { rows } = await sql<PositionGap>`
    select b.position as before, (
      select position from pop_photo
       where ${inGroup(group)} and uid <> ${uid} and (position, uid) < (b.position, b.uid)
       order by position desc, uid desc limit 1) as after
      from (select position, uid from pop_photo where ${inGroup(group)} and uid = ${before}) b`.execute(db)
  const gap = rows[0]
  if (!gap) throw new AppError('badInput', { fields: { before: 'Photo not found in this market.' } })
  return gap
}
