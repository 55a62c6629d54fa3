import { createHash } from 'node:crypto'
import type { BodyOf, PopPhoto, pops, ReplyOf } from '@roadshow/contract'
import { DatabaseError } from 'pg'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { BlobStore } from '../../platform/files/index.ts'
import type { ReceivedFile } from '../../platform/http/multipart.ts'
import { marketRecords } from '../../catalog/markets/index.ts'
import { programRecords } from '../../catalog/programs/index.ts'
import { shiftRecords } from '../../planning/shifts/index.ts'
import { type CameraData, readCameraData } from './camera.ts'
import { photoRecords } from './records.ts'
import { endPosition } from './order.ts'
import { checkPhoto, newPictureKey, type Pictures, makePictures, removePictures, writePictures } from './pictures.ts'
import { checkUpload, type PlacedPhoto, placePhoto } from './placing.ts'
import { gradePhotos } from './regrade.ts'

type Given = BodyOf<typeof pops.addPhotos>
type Added = ReplyOf<typeof pops.addPhotos>['data'][number]
type Photo = Pick<ReceivedFile, 'name' | 'content'>

interface Stores {
  db: Db
  blobs: BlobStore
}

/** Adds photos that came with a call. One that cannot be used does not spoil the others. */
export async function addPhotos(
  stores: Stores,
  scope: Scope,
  given: Given,
  photos: readonly Photo[],
): Promise<Added[]> {
  const named = await checkUpload(stores.db, scope, given)
  const added: Added[] = []
  for (const photo of photos) {
    try {
      const says = await looked(photo)
      const placed = await placePhoto(stores.db, scope, given, named, says)
      added.push(await kept(stores, scope, given.caption, photo, says, placed))
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      const reasons = error.code === 'badInput' ? Object.values(error.fields ?? {}).join(' ') : error.message
      added.push({ name: photo.name, outcome: 'refused', error: reasons || error.message })
    }
  }
  return added
}

async function looked({ content }: Photo): Promise<CameraData> {
  await checkPhoto(content)
  return readCameraData(content)
}

/** The same file in a program, for whoever may see it. */
async function already(db: Db, scope: Scope, programUid: string, sha256: string, name: string) {
  const found = await db
    .selectFrom('pop_photo')
    .select('uid')
    .where('program_uid', '=', programUid)
    .where('original_sha256', '=', sha256)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) return undefined
  const photo = await photoRecords.find(db, scope, found.uid)
  return { name, outcome: 'already' as const, ...(photo && { photo }) }
}

async function kept(
  { db, blobs }: Stores,
  scope: Scope,
  caption: string,
  { name, content }: Photo,
  says: CameraData,
  placed: PlacedPhoto,
): Promise<Added> {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const known = await already(db, scope, placed.programUid, sha256, name)
  if (known) return known
  const pictures = await makePictures(content)
  const key = newPictureKey()
  try {
    await writePictures(blobs, key, pictures)
    const file = { key, original_name: name, original_sha256: sha256, caption }
    return { name, outcome: 'added', photo: await write(db, scope, file, says, placed, pictures) }
  } catch (error) {
    await removePictures(blobs, key)
    // Sent twice at the same moment, the other one was faster.
    const isTwice = error instanceof DatabaseError && error.constraint === 'pop_photo_once'
    const other = isTwice && (await already(db, scope, placed.programUid, sha256, name))
    if (other) return other
    throw error
  }
}

interface File {
  key: string
  original_name: string
  original_sha256: string
  caption: string
}

async function write(
  db: Db,
  { actor }: Scope,
  file: File,
  says: CameraData,
  placed: PlacedPhoto,
  { sizes, blur }: Pictures,
): Promise<PopPhoto> {
  const { programUid, marketUid, shift, at, timeSource, place, placeSource } = placed
  const truckUid = shift?.truckUid ?? null
  const claim = { at, timeSource, place, placeSource, truckUid, hasTruck: shift !== null, hours: shift }
  const [photoGrade] = await gradePhotos(db, [claim])
  // What it belongs to was found for its sender, who need not see all of that program or market.
  const scope = { rows: 'all', actor } as const
  return photoRecords.create(db, scope, {
    ...file,
    program_uid: programRecords.ref('programUid', programUid) ?? programUid,
    market_uid: marketRecords.ref('marketUid', marketUid),
    shift_uid: shiftRecords.ref('shiftUid', shift?.uid ?? null),
    truck_uid: truckUid,
    taken_by: actor.uid,
    sizes: JSON.stringify(sizes),
    blur,
    taken_at: at === null ? null : new Date(at).toISOString(),
    time_source: timeSource,
    clock_time: says.at === null ? says.clock : null,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    place_source: placeSource,
    position: await endPosition(db, programUid, marketUid),
    grade: photoGrade?.grade ?? 'unverified',
    reason: photoGrade?.reason ?? '',
    distance_m: photoGrade?.distanceM ?? null,
    seconds_apart: photoGrade?.secondsApart ?? null,
  })
}
