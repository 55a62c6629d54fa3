import type { BodyOf, PopPhoto, pops } from '@roadshow/contract'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { endPosition } from './order.ts'
import { photoRecords } from './records.ts'
import { requireProgramMarket, WRONG_MARKET } from './placing.ts'
import { loadMarkets, loadShift } from './placing-facts.ts'
import { instantOfClock } from './placing-rules.ts'
import { regradePhotos } from './regrade.ts'

type PhotoUpdate = BodyOf<typeof pops.updatePhoto>
type Input = Omit<PhotoUpdate, 'uid' | 'version'>

const forbidden = (text: string) => new AppError('forbidden', { text })

/** Changes a photo; with another shift or market it is graded again. */
export const updatePhoto = (db: Db, scope: Scope, { uid, version, ...input }: PhotoUpdate): Promise<PopPhoto> =>
  inTransaction(db, async (db) => {
    const saved = await photoRecords.get(db, scope, uid)
    if (saved.version !== version) throw new AppError('staleVersion')
    if (scope.rows === 'own') checkDriverMayChange(saved, input)
    const { caption, status, shiftUid, marketUid } = input
    const isMoved = shiftUid !== (saved.shift?.uid ?? null) || marketUid !== (saved.market?.uid ?? null)
    const moved = isMoved ? await columnsOfMove(db, saved, input) : {}
    const changed = await photoRecords.update(db, scope, uid, version, { caption, status, ...moved })
    if (!isMoved) return changed
    await regradePhotos(db, [uid])
    return photoRecords.get(db, scope, uid)
  })

/** Drivers change only captions of own photos, and only while the office has not reviewed them. */
function checkDriverMayChange(saved: PopPhoto, { status, marketUid, shiftUid }: Input): void {
  if (saved.status !== 'waiting') throw forbidden(REVIEWED)
  const isSame = status === saved.status && marketUid === (saved.market?.uid ?? null)
  if (!isSame || shiftUid !== (saved.shift?.uid ?? null))
    throw forbidden('Drivers can change only the captions of photos.')
}

const REVIEWED = 'The office has already reviewed this photo. Please contact the office.'

/** The columns of a photo that follow from its shift and market. */
async function columnsOfMove(db: Db, saved: PopPhoto, { shiftUid, marketUid }: Input) {
  const { uid, program } = saved
  const isShiftKept = shiftUid === (saved.shift?.uid ?? null)
  const shift = shiftUid === null ? undefined : await loadShift(db, shiftUid)
  if (!isShiftKept && shiftUid !== null && shift?.programUid !== program.uid) {
    refuseFields({ shiftUid: 'Shift not found in this program.' })
  }
  const market = marketUid ?? shift?.marketUid ?? null
  if (shift && shift.marketUid !== market) refuseFields({ marketUid: WRONG_MARKET })
  const isMarketKept = market === (saved.market?.uid ?? null)
  if (market !== null && !shift && !isMarketKept) await requireProgramMarket(db, program.uid, market)
  const zone = shift?.zone ?? (await loadMarkets(db, program.uid)).find((each) => each.uid === market)?.zone
  return {
    shift_uid: shiftUid,
    market_uid: market,
    ...(!isShiftKept && { truck_uid: shift?.truckUid ?? null }),
    ...(!isMarketKept && { position: await endPosition(db, program.uid, market) }),
    ...(await columnsOfZone(db, uid, zone)),
  }
}

/** When a photo was taken, where its camera recorded only a local time: that depends on the zone. */
async function columnsOfZone(db: Db, uid: string, zone: string | undefined) {
  const photo = await db
    .selectFrom('pop_photo')
    .select(['clock_time', 'time_source'])
    .where('uid', '=', uid)
    .executeTakeFirst()
  if (!photo?.clock_time || photo.time_source === 'typed' || !zone) return {}
  const at = instantOfClock(photo.clock_time, zone)
  return at === null ? {} : { taken_at: new Date(at).toISOString(), time_source: 'exif' }
}

/** Approves, hides or resets photos; returns how many had another status. */
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
    if (scope.rows === 'own' && status !== 'waiting') throw forbidden(REVIEWED)
    return photoRecords.remove(db, scope, uid)
  })
