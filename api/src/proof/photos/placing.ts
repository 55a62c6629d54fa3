import type { BodyOf, pops } from '@roadshow/contract'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { programRecords } from '../../catalog/programs/index.ts'
import { shiftRecords, truckOfShiftAt, wasDriversShift } from '../../planning/shifts/index.ts'
import type { CameraData } from './camera.ts'
import { loadMarkets, loadShift, loadShiftsAround, locateTrucks } from './placing-facts.ts'
import {
  type CandidateShift,
  chooseShift,
  marketOfPlace,
  type PhoneData,
  photoData,
  type PhotoData,
  type PlacedMarket,
  type PlacedPhoto,
  placeInProgram,
  shiftsNearPhoto,
} from './placing-rules.ts'

type Upload = BodyOf<typeof pops.addPhotos>

export const WRONG_MARKET = 'The shift is in another market.'

/** Refuses an upload with unknown or contradicting program, market or shift; returns the shift that it names. */
export async function checkUpload(db: Db, scope: Scope, upload: Upload): Promise<CandidateShift | undefined> {
  const { programUid, marketUid, shiftUid } = upload
  const shift = shiftUid === undefined ? undefined : await findNamedShift(db, scope, shiftUid)
  if (shiftUid && !shift) refuseFields({ shiftUid: 'Shift not found.' })
  const { actor } = scope
  if (programUid && !(await programRecords.find(db, { rows: 'all', actor }, programUid))) {
    refuseFields({ programUid: 'Program not found.' })
  }
  if (shift && programUid && shift.programUid !== programUid) {
    refuseFields({ programUid: 'The shift belongs to another program.' })
  }
  if (shift && marketUid && shift.marketUid !== marketUid) refuseFields({ marketUid: WRONG_MARKET })
  if (programUid && marketUid && !shift) await requireProgramMarket(db, programUid, marketUid)
  return shift
}

/** A shift to which the sender may add photos. A phone may find its network after the shift was given to another driver. */
async function findNamedShift(db: Db, scope: Scope, shiftUid: string): Promise<CandidateShift | undefined> {
  if (await shiftRecords.find(db, scope, shiftUid)) return loadShift(db, shiftUid)
  const { role, uid } = scope.actor
  if (role !== 'driver' || !(await wasDriversShift(db, shiftUid, uid))) return undefined
  const shift = await loadShift(db, shiftUid)
  return shift && { ...shift, isOfAnother: true }
}

/** The named shift of a photo, with the truck that its former driver had. */
async function withTruckOf(db: Db, shift: CandidateShift, { instantIn }: PhotoData): Promise<CandidateShift> {
  const at = shift.isOfAnother ? instantIn(shift.zone) : null
  return at === null ? shift : { ...shift, truckUid: await truckOfShiftAt(db, shift, at) }
}

/** A market of a program; one that it does not run in is refused. */
export async function requireProgramMarket(db: Db, programUid: string, marketUid: string): Promise<PlacedMarket> {
  const market = (await loadMarkets(db, programUid)).find(({ uid }) => uid === marketUid)
  if (market) return market
  throw new AppError('badInput', { fields: { marketUid: 'The program does not run in this market.' } })
}

const NO_SHIFT = 'You had no shift when this photo was taken. Choose the shift it belongs to.'
const NO_PROGRAM = 'No truck was near this place at that time. Choose the program the photo belongs to.'

interface PhotoToPlace {
  upload: Upload
  /** The shift that the upload names. */
  namedShift: CandidateShift | undefined
  camera: CameraData
  phone: PhoneData
}

/** Finds where a photo belongs: as the upload says, otherwise from its sender, time and place. */
export async function placePhoto(
  db: Db,
  scope: Scope,
  { upload, namedShift, camera, phone }: PhotoToPlace,
): Promise<PlacedPhoto> {
  const data = photoData(camera, upload, phone)
  const findShift = () =>
    scope.rows === 'own' ? findShiftOfDriver(db, scope, upload, data) : findShiftOfOffice(db, upload, data)
  const shift = await (namedShift ? withTruckOf(db, namedShift, data) : findShift())
  const programUid = upload.programUid ?? shift?.programUid
  if (!programUid) throw new AppError('fileRefused', { text: NO_PROGRAM })
  const markets = await loadMarkets(db, programUid)
  return placeInProgram(data, { programUid, chosenMarketUid: upload.marketUid, shift, markets })
}

/** Drivers send photos right away: one without a time belongs to the shift that they are on. */
async function findShiftOfDriver(
  db: Db,
  { actor }: Scope,
  { programUid, marketUid }: Upload,
  { approximateInstant, instantIn }: PhotoData,
): Promise<CandidateShift> {
  const now = await sharedNow(db)
  const own = await loadShiftsAround(db, approximateInstant ?? now, { programUid, marketUid, driverUid: actor.uid })
  const [likeliest] = shiftsNearPhoto(own, approximateInstant === null ? () => now : instantIn)
  if (!likeliest) throw new AppError('fileRefused', { text: NO_SHIFT })
  return likeliest
}

async function findShiftOfOffice(db: Db, upload: Upload, data: PhotoData): Promise<CandidateShift | undefined> {
  const { approximateInstant, instantIn, place } = data
  if (approximateInstant === null) return undefined
  const { programUid } = upload
  const marketUid = upload.marketUid ?? marketOfPlace(await loadMarkets(db, programUid), place)?.uid
  const shifts = await loadShiftsAround(db, approximateInstant, { programUid, marketUid, driverUid: null })
  const candidates = await locateTrucks(db, shiftsNearPhoto(shifts, instantIn), data)
  return chooseShift(candidates, place, programUid !== undefined)
}
