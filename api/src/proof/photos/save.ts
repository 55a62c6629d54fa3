import type { BodyOf, PopPhoto, pops } from '@roadshow/contract'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { endPosition } from './order.ts'
import { photoRecords } from './records.ts'
import { ANOTHER_MARKET, requireProgramMarket, instantOfClock, loadMarkets, loadShift } from './placing.ts'
import { regradePhotos } from './regrade.ts'

type Input = Omit<BodyOf<typeof pops.updatePhoto>, 'uid' | 'version'>

const refusedTo = (text: string) => new AppError('forbidden', { text })

/** Changes a photo; with another shift or market it is judged anew. */
export const updatePhoto = (db: Db, scope: Scope, uid: string, version: number, input: Input): Promise<PopPhoto> =>
  inTransaction(db, async (db) => {
    const saved = await photoRecords.get(db, scope, uid)
    if (saved.version !== version) throw new AppError('staleVersion')
    if (scope.rows === 'own') refuseDriver(saved, input)
    const { caption, status, shiftUid, marketUid } = input
    const isMoved = shiftUid !== (saved.shift?.uid ?? null) || marketUid !== (saved.market?.uid ?? null)
    const moved = isMoved ? await movedTo(db, saved, input) : {}
    const changed = await photoRecords.update(db, scope, uid, version, { caption, status, ...moved })
    if (!isMoved) return changed
    await regradePhotos(db, [uid])
    return photoRecords.get(db, scope, uid)
  })

/** Drivers write captions of own photos, until somebody has decided about them. */
function refuseDriver(saved: PopPhoto, { status, marketUid, shiftUid }: Input): void {
  if (saved.status !== 'waiting') throw refusedTo(DECIDED)
  const isSame = status === saved.status && marketUid === (saved.market?.uid ?? null)
  if (!isSame || shiftUid !== (saved.shift?.uid ?? null)) throw refusedTo('Drivers change only the captions of photos.')
}

const DECIDED = 'The office has decided about this photo. Please ask there.'

/** What of a photo follows from its shift and market. */
async function movedTo(db: Db, saved: PopPhoto, { shiftUid, marketUid }: Input) {
  const { uid, program } = saved
  const isShiftKept = shiftUid === (saved.shift?.uid ?? null)
  const shift = shiftUid === null ? undefined : await loadShift(db, shiftUid)
  if (!isShiftKept && shiftUid !== null && shift?.programUid !== program.uid) {
    refuseFields({ shiftUid: 'The program has no such shift.' })
  }
  const market = marketUid ?? shift?.marketUid ?? null
  if (shift && shift.marketUid !== market) refuseFields({ marketUid: ANOTHER_MARKET })
  const isMarketKept = market === (saved.market?.uid ?? null)
  if (market !== null && !shift && !isMarketKept) await requireProgramMarket(db, program.uid, market)
  const zone = shift?.zone ?? (await loadMarkets(db, program.uid)).find((each) => each.uid === market)?.zone
  return {
    shift_uid: shiftUid,
    market_uid: market,
    ...(!isShiftKept && { truck_uid: shift?.truckUid ?? null }),
    ...(!isMarketKept && { position: await endPosition(db, program.uid, market) }),
    ...(await takenIn(db, uid, zone)),
  }
}

/** When a photo was taken, if all that its camera said is what its clock showed. */
async function takenIn(db: Db, uid: string, zone: string | undefined) {
  const photo = await db
    .selectFrom('pop_photo')
    .select(['clock_time', 'time_source'])
    .where('uid', '=', uid)
    .executeTakeFirst()
  if (!photo?.clock_time || photo.time_source === 'typed' || !zone) return {}
  const at = instantOfClock(photo.clock_time, zone)
  return at === null ? {} : { taken_at: new Date(at).toISOString(), time_source: 'exif' }
}

/** Approves, hides or sets back photos; says how many were otherwise before. */
export async function setPhotoStatus(
  db: Db,
  { actor }: Scope,
  { uids, status }: BodyOf<typeof pops.setPhotoStatus>,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('pop_photo')
    .set({ status, changed_by: actor.uid, changed_from: actor.address })
    .where('uid', 'in', uids)
    .where('status', '<>', status)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes a photo. Its pictures are kept for versions that show it, otherwise until the cleanup removes them. */
export const removePhoto = (db: Db, scope: Scope, uid: string): Promise<{ uid: string }> =>
  inTransaction(db, async (db) => {
    await photoRecords.lockRow(db, uid)
    const { status } = await photoRecords.get(db, scope, uid)
    if (scope.rows === 'own' && status !== 'waiting') throw refusedTo(DECIDED)
    return photoRecords.remove(db, scope, uid)
  })
