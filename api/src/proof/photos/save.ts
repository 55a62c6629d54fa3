import { type BodyOf, type PopPhoto, type pops, zoneOn } from '@roadshow/contract'
import { AppError, joinNames, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type Deletion, refuseToRestore } from '../../platform/deletion/index.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { endPosition } from './order.ts'
import { photoRecords } from './records.ts'
import { requireProgramMarket, WRONG_MARKET } from './placing.ts'
import { loadMarkets, loadShift } from './placing-facts.ts'
import { instantOfClock } from '../../platform/spreadsheet/local-time.ts'
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
    const { caption, status, rejection, shiftUid, marketUid } = input
    const isMoved = shiftUid !== (saved.shift?.uid ?? null) || marketUid !== (saved.market?.uid ?? null)
    const moved = isMoved ? await columnsOfMove(db, saved, input) : {}
    if (losesMarket(saved, input)) throw new AppError('photoNeedsMarket', { fields: { marketUid: 'Choose a market.' } })
    const changed = await photoRecords.update(db, scope, uid, version, {
      caption,
      status,
      rejection: status === 'hidden' ? (rejection ?? saved.rejection) : '',
      ...moved,
    })
    if (status === 'approved' && saved.status !== 'approved') await recordApproved(db, [uid])
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
  const placed = shift ? undefined : (await loadMarkets(db, program.uid)).find((each) => each.uid === market)
  const zoneOnDay = (day: string) => shift?.zone ?? (placed && zoneOn(placed, day))
  return {
    shift_uid: shiftUid,
    market_uid: market,
    ...(!isShiftKept && { truck_uid: shift?.truckUid ?? null }),
    ...(!isMarketKept && { position: await endPosition(db, program.uid, market) }),
    ...(await columnsOfZone(db, uid, zoneOnDay)),
  }
}

/** When a photo was taken, where its camera recorded only a local time: that depends on the zone. */
async function columnsOfZone(db: Db, uid: string, zoneOnDay: (day: string) => string | undefined) {
  const photo = await db
    .selectFrom('pop_photo')
    .select(['clock_time', 'time_source'])
    .where('uid', '=', uid)
    .executeTakeFirst()
  if (!photo?.clock_time || photo.time_source === 'typed') return {}
  const zone = zoneOnDay(photo.clock_time.slice(0, 10))
  if (!zone) return {}
  const at = instantOfClock(photo.clock_time, zone)
  return at === null ? {} : { taken_at: new Date(at).toISOString(), time_source: 'exif' }
}

/** Whether a photo would be approved without a market. One that was approved so long ago may still get a caption. */
const losesMarket = (saved: PopPhoto, { status, marketUid, shiftUid }: Input): boolean =>
  status === 'approved' &&
  marketUid === null &&
  shiftUid === null &&
  (saved.status !== 'approved' || saved.market !== null)

/** Approves, hides or resets photos; returns how many had another status. */
export const setPhotoStatus = (
  db: Db,
  { actor }: Scope,
  { uids, status, rejection, marketUid }: BodyOf<typeof pops.setPhotoStatus>,
): Promise<{ changed: number }> =>
  inTransaction(db, async (db) => {
    const change = { changed_by: actor.uid, changed_from: actor.address }
    const placed = status === 'approved' ? await placeInMarket(db, { uids, marketUid, change }) : []
    const changed = await db
      .updateTable('pop_photo')
      .set({ status, rejection: status === 'hidden' ? rejection : '', ...change })
      .where('uid', 'in', uids)
      .where('status', '<>', status)
      .where('deleted_at', 'is', null)
      .returning('uid')
      .execute()
    await regradePhotos(db, placed)
    const changedUids = changed.map(({ uid }) => uid)
    if (status === 'approved') await recordApproved(db, changedUids)
    return { changed: changed.length }
  })

/** Tells partners that photos were approved. */
const recordApproved = async (db: Db, uids: readonly string[]) =>
  recordPhotoEvents(db, 'photo.approved', await loadPhotoEvents(db, uids))

/** Tells partners what happened to a photo, if they were told of it: that it was approved. */
async function recordPhotoEvent(db: Db, type: PhotoEvent, uid: string): Promise<void> {
  const photos = await loadPhotoEvents(db, [uid])
  await recordPhotoEvents(
    db,
    type,
    photos.filter(({ status }) => status === 'approved'),
  )
}

type PhotoEvent = 'photo.approved' | 'photo.deleted' | 'photo.restored'

const loadPhotoEvents = async (db: Db, uids: readonly string[]) => {
  if (uids.length === 0) return []
  return db
    .selectFrom('pop_photo as t')
    .innerJoin('client_program as p', 'p.uid', 't.program_uid')
    .select(['t.uid as photoUid', 't.program_uid as programUid', 't.market_uid as marketUid'])
    .select(['t.shift_uid as shiftUid', 't.taken_at as takenAt', 'p.client_uid as clientUid', 't.status'])
    .where('t.uid', 'in', uids)
    .orderBy('t.position')
    .orderBy('t.uid')
    .execute()
}

const recordPhotoEvents = (db: Db, type: PhotoEvent, photos: Awaited<ReturnType<typeof loadPhotoEvents>>) =>
  recordEvents(
    db,
    photos.map(({ clientUid, status: _status, ...data }) => ({
      type,
      object: `photo ${data.photoUid}`,
      clientUid,
      data,
    })),
  )

interface MarketChoice {
  uids: string[]
  marketUid: string | undefined
  change: { changed_by: string | null; changed_from: string | null }
}

/** Gives photos that are about to be approved the chosen market, where they have none. Returns which. */
async function placeInMarket(db: Db, { uids, marketUid, change }: MarketChoice): Promise<string[]> {
  const without = await db
    .selectFrom('pop_photo')
    .select(['uid', 'program_uid', 'original_name'])
    .where('uid', 'in', uids)
    .where('market_uid', 'is', null)
    .where('status', '<>', 'approved')
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('uid')
    .forUpdate()
    .execute()
  if (without.length === 0) return []
  if (marketUid === undefined) {
    const names = joinNames(without.map((photo) => photo.original_name))
    throw new AppError('photoNeedsMarket', {
      text: `Choose a market for ${names}: an approved photo appears in its market.`,
    })
  }
  for (const { uid, program_uid } of without) {
    const market = await requireProgramMarket(db, program_uid, marketUid)
    const moved = {
      market_uid: marketUid,
      position: await endPosition(db, program_uid, marketUid),
      ...(await columnsOfZone(db, uid, (day) => zoneOn(market, day))),
    }
    await db
      .updateTable('pop_photo')
      .set({ ...moved, ...change })
      .where('uid', '=', uid)
      .execute()
  }
  return without.map(({ uid }) => uid)
}

/** The pictures of a deleted photo are kept for versions that show it, otherwise until the cleanup removes them. */
export const photoDeletion: Deletion = {
  kind: 'photo',
  records: photoRecords,
  needed: { program_uid: ['client_program', 'program'], market_uid: ['market', 'market'] },
  async refuse(db, scope, uid) {
    const { status } = await photoRecords.get(db, scope, uid)
    if (scope.rows === 'own' && status !== 'waiting') throw forbidden(REVIEWED)
  },
  afterRemove: (db, _scope, uid) => recordPhotoEvent(db, 'photo.deleted', uid),
  async refuseRestore(db, _scope, uid) {
    const { pictures } = await db
      .selectFrom('pop_photo')
      .select('pictures')
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow()
    if (pictures === 'removed') refuseToRestore('Its pictures are no longer kept.')
  },
  async afterRestore(db, _scope, uid) {
    await regradePhotos(db, [uid])
    await recordPhotoEvent(db, 'photo.restored', uid)
  },
}
