import { createHash } from 'node:crypto'
import type { BodyOf, PopPhoto, pops, ReplyOf } from '@roadshow/contract'
import { DatabaseError } from 'pg'
import { AppError } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { BlobStore } from '../../platform/files/index.ts'
import type { ReceivedFile } from '../../platform/http/multipart.ts'
import { marketRecords } from '../../catalog/markets/index.ts'
import { programRecords } from '../../catalog/programs/index.ts'
import { shiftRecords } from '../../planning/shifts/index.ts'
import { type CameraData, cameraDataOf } from './camera.ts'
import { photoRecords } from './records.ts'
import { endPosition } from './order.ts'
import { inspectPhoto, makePictures, newPictureKey, type Pictures, removePictures, writePictures } from './pictures.ts'
import { checkUpload, placePhoto } from './placing.ts'
import { phoneData, type PlacedPhoto } from './placing-rules.ts'
import { gradePhotos } from './regrade.ts'

type Upload = BodyOf<typeof pops.addPhotos>
type UploadResult = ReplyOf<typeof pops.addPhotos>['data'][number]
type PhotoFile = Pick<ReceivedFile, 'name' | 'content'>

interface Stores {
  db: Db
  blobs: BlobStore
}

interface PhotoUpload {
  upload: Upload
  files: readonly PhotoFile[]
  /** How long the upload took to arrive, the wait for its turn included. */
  receivingMs: number
}

/** Adds the photos of an upload. A photo that cannot be used is refused alone; the others are added. */
export async function addPhotos(
  stores: Stores,
  scope: Scope,
  { upload, files, receivingMs }: PhotoUpload,
): Promise<UploadResult[]> {
  const namedShift = await checkUpload(stores.db, scope, upload)
  const phone = phoneData(upload.phone, await sharedNow(stores.db), receivingMs)
  const results: UploadResult[] = []
  for (const file of files) {
    try {
      const camera = cameraDataOf(await inspectPhoto(file.content))
      const placed = await placePhoto(stores.db, scope, { upload, namedShift, camera, phone })
      results.push(await addPhoto(stores, scope, { file, upload, camera, placed }))
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      const reasons = error.code === 'badInput' ? Object.values(error.fields ?? {}).join(' ') : error.message
      results.push({ name: file.name, outcome: 'refused', error: reasons || error.message, code: error.code })
    }
  }
  return results
}

interface NewPhoto {
  file: PhotoFile
  upload: Upload
  camera: CameraData
  placed: PlacedPhoto
}

async function addPhoto({ db, blobs }: Stores, scope: Scope, photo: NewPhoto): Promise<UploadResult> {
  const { name, content } = photo.file
  const sha256 = createHash('sha256').update(content).digest('hex')
  const findSame = () => findSameFile(db, scope, { name, sha256, programUid: photo.placed.programUid })
  const same = await findSame()
  if (same) return same
  const pictures = await makePictures(content)
  const key = newPictureKey()
  await writePictures(blobs, key, pictures)
  try {
    return { name, outcome: 'added', photo: await insertPhoto(db, scope, { ...photo, key, sha256, pictures }) }
  } catch (error) {
    if (isRefusedInsert(error)) await removePictures(blobs, key)
    // The same file was uploaded twice at once, and the other upload was first.
    const isRepeated = error instanceof DatabaseError && error.constraint === 'pop_photo_once'
    const other = isRepeated && (await findSame())
    if (other) return other
    throw error
  }
}

/**
 * Whether an error is the database's answer that a photo was not stored. After any other error, such as a broken
 * connection, the photo may be stored, now or in a moment, and needs its pictures.
 */
const isRefusedInsert = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof DatabaseError && error.severity === 'ERROR')

/** The result for a file that the program has already; its photo is included if the caller may see it. */
async function findSameFile(
  db: Db,
  scope: Scope,
  { name, sha256, programUid }: { name: string; sha256: string; programUid: string },
): Promise<UploadResult | undefined> {
  const found = await db
    .selectFrom('pop_photo')
    .select('uid')
    .where('program_uid', '=', programUid)
    .where('original_sha256', '=', sha256)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) return undefined
  const photo = await photoRecords.find(db, scope, found.uid)
  return { name, outcome: 'already', ...(photo && { photo }) }
}

interface StoredPhoto extends NewPhoto {
  key: string
  sha256: string
  pictures: Pictures
}

async function insertPhoto(db: Db, { actor }: Scope, photo: StoredPhoto): Promise<PopPhoto> {
  const { file, upload, camera, key, sha256, pictures } = photo
  const { programUid, marketUid, shift, at, timeSource, place, placeSource, accuracyM } = photo.placed
  const truckUid = shift?.truckUid ?? null
  const hours = shift?.isOfAnother ? null : shift
  // Drivers send photos of their own shifts only.
  const isOfDriver = actor.role === 'driver'
  const claim = { at, timeSource, place, placeSource, accuracyM, isOfDriver, truckUid, hours }
  const [photoGrade] = await gradePhotos(db, [claim])
  // Program and market were found for the sender, who may not have access to all of their rows.
  const scope = { rows: 'all', actor } as const
  return photoRecords.create(db, scope, {
    key,
    original_name: file.name,
    original_sha256: sha256,
    caption: upload.caption,
    side: upload.side ?? null,
    program_uid: programRecords.ref('programUid', programUid) ?? programUid,
    market_uid: marketRecords.ref('marketUid', marketUid),
    shift_uid: shiftRecords.ref('shiftUid', shift?.uid ?? null),
    truck_uid: truckUid,
    taken_by: actor.uid,
    sizes: JSON.stringify(pictures.sizes),
    blur: pictures.blur,
    taken_at: at === null ? null : new Date(at).toISOString(),
    time_source: timeSource,
    phone_taken_at: timeSource === 'phone' ? (upload.phone?.takenAt ?? null) : null,
    clock_time: camera.at === null ? camera.clock : null,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    place_source: placeSource,
    accuracy_m: accuracyM,
    position: await endPosition(db, programUid, marketUid),
    grade: photoGrade?.grade ?? 'unverified',
    reason: photoGrade?.reason ?? '',
    distance_m: photoGrade?.distanceM ?? null,
    seconds_apart: photoGrade?.secondsApart ?? null,
  })
}
