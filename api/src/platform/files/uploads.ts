import {
  type BodyOf,
  type ContentType,
  type FilePurpose,
  type FileRef,
  type files,
  fileTypes,
  rowAccessOf,
  contentTypeOfName,
  uploadProblem,
  uploadRules,
} from '@roadshow/contract'
import { type Insertable, sql } from 'kysely'
import { sourceOf } from '../decoding/task-file.ts'
import { AppError } from '../runtime/app-error.ts'
import { type Db, inTransaction } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import type { DB } from '../db/schema.ts'
import type { Kernel } from '../http/app.ts'
import { openBlob } from './blob-source.ts'
import { type FileFacts, inspectFile, reencodePicture } from './inspect.ts'
import {
  discardRefusedFile,
  findFileRow,
  incomingBlobName,
  lockFileRow,
  newBlobName,
  thumbnailBlobName,
} from './queries.ts'
import { type FileRow, toFileRef } from './reference.ts'
import type { BlobStore } from './store.ts'

function checkAnnounced(purpose: FilePurpose, announced: Parameters<typeof uploadProblem>[1]): ContentType {
  const problem = uploadProblem(purpose, announced)
  if (!problem) return announced.contentType as ContentType
  const code = problem.field === 'size' ? 'tooLarge' : 'wrongMediaType'
  throw new AppError(code, { text: problem.text, fields: { [problem.field]: problem.text } })
}

const addFileRow = (db: Db, row: Insertable<DB['stored_file']>) =>
  db.insertInto('stored_file').values(row).returning('uid').executeTakeFirstOrThrow()

/** Announces a file; answers where the browser sends its bytes. */
export async function announceUpload(
  db: Db,
  store: BlobStore,
  { actor }: Scope,
  announced: BodyOf<typeof files.getUploadSas>,
) {
  const { purpose, name, size } = announced
  if (!rowAccessOf(actor, uploadRules[purpose].modules, 'edit')) throw new AppError('forbidden')
  const content_type = checkAnnounced(purpose, announced)
  // In one transaction: while the storage is away, no announced file stays behind.
  return inTransaction(db, async (db) => {
    const { uid } = await addFileRow(db, {
      blob_name: newBlobName(),
      purpose,
      original_name: name,
      content_type,
      size_bytes: size,
      width: announced.width ?? null,
      height: announced.height ?? null,
      duration_ms: announced.durationMs ?? null,
      announced_by: actor.uid,
    })
    return { fileUid: uid, ...(await store.uploadTarget(incomingBlobName(uid), size)) }
  })
}

const factColumns = (facts: FileFacts, thumbnail_blob: string | null) => ({
  sha256: facts.sha256,
  width: facts.width,
  height: facts.height,
  duration_ms: facts.durationMs,
  measured_by: facts.measuredBy,
  thumbnail_blob,
  stored_at: sql<string>`now()`,
})

async function storeThumbnail(store: BlobStore, blob: string, { thumbnail }: FileFacts): Promise<string | null> {
  if (!thumbnail) return null
  await store.write(thumbnailBlobName(blob), thumbnail, 'image/webp')
  return thumbnailBlobName(blob)
}

type ArrivedFile = NonNullable<Awaited<ReturnType<typeof findFileRow>>> & {
  /** A blob that an earlier verification of other bytes has left, or still reads. */
  earlierBlob?: string
}

function refuseWrongSize(size: number, { size_bytes }: Pick<ArrivedFile, 'size_bytes'>): void {
  if (size === size_bytes) return
  const text = `The file has ${size} bytes instead of ${size_bytes}. Please upload it again.`
  throw new AppError('fileRefused', { text })
}

/**
 * Moves arrived bytes to a name that the sender's upload target cannot write to, and that no other bytes of the file have:
 * a sender may upload again while the first bytes are verified. Two calls at once wait for each other.
 */
const moveArrived = (db: Db, store: BlobStore, { actor }: Scope, fileUid: string): Promise<ArrivedFile> =>
  inTransaction(db, async (db) => {
    const row = await lockFileRow(db, fileUid)
    if (row?.announced_by !== actor.uid) throw new AppError('notFound')
    if (row.stored_at) return row
    const arrived = await store.size(incomingBlobName(fileUid))
    const earlier = await store.size(row.blob_name)
    // Another verification may have moved the bytes, and may have failed.
    const size = arrived ?? earlier
    if (size === undefined) throw new AppError('uploadUnfinished')
    refuseWrongSize(size, row)
    if (arrived === undefined) return row
    const blob_name = earlier === undefined ? row.blob_name : newBlobName()
    await store.move(incomingBlobName(fileUid), blob_name)
    if (earlier === undefined) return row
    await db.updateTable('stored_file').set({ blob_name }).where('uid', '=', fileUid).execute()
    return { ...row, blob_name, earlierBlob: row.blob_name }
  })

const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'fileRefused'

/** Verifies an uploaded file and makes it usable. A refused file is removed. */
export async function completeUpload(
  db: Db,
  store: BlobStore,
  scope: Scope,
  { fileUid, frame }: { fileUid: string; frame: Buffer | undefined },
): Promise<FileRef> {
  try {
    const row = await moveArrived(db, store, scope, fileUid)
    return toFileRef(row.stored_at ? row : await verifyArrived(db, store, row, frame))
  } catch (error) {
    if (isRefusal(error)) await discardRefusedFile(db, store, fileUid)
    throw error
  }
}

/** Of several verifications at once the first one counts. The others remove their bytes and answer what it stored. */
async function verifyArrived(db: Db, store: BlobStore, row: ArrivedFile, frame: Buffer | undefined): Promise<FileRow> {
  const { uid, blob_name, earlierBlob } = row
  try {
    // Artwork is kept byte for byte: its hash is what players report and what a client has approved.
    const isArtwork = row.purpose === 'artwork'
    const stored = await (isArtwork ? storeUnchanged(db, store, row, frame) : storeReencoded(db, store, row))
    if (stored && earlierBlob !== undefined) await store.remove(earlierBlob)
    if (stored) return stored
  } catch (error) {
    const current = await findFileRow(db, uid)
    // The file was stored or removed meanwhile, which also takes the bytes away that were read here.
    const isTooLate = current ? current.stored_at !== null : !isRefusal(error)
    if (!isTooLate && isRefusal(error)) await store.remove(blob_name)
    if (!isTooLate) throw error
  }
  const current = await findFileRow(db, uid)
  if (current?.blob_name !== blob_name) await store.remove(blob_name)
  if (!current) throw new AppError('notFound')
  return current
}

type StoredColumns = ReturnType<typeof factColumns> & { blob_name: string; size_bytes: number }

/** Undefined if other bytes of the file were verified first, or the file was removed. */
const markStored = (db: Db, uid: string, columns: StoredColumns): Promise<FileRow | undefined> =>
  db
    .updateTable('stored_file')
    .set(columns)
    .where('uid', '=', uid)
    .where('stored_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

async function storeUnchanged(db: Db, store: BlobStore, row: ArrivedFile, frame: Buffer | undefined) {
  const { blob_name, size_bytes } = row
  const declared = { width: row.width, height: row.height, durationMs: row.duration_ms, frame }
  const type = row.content_type as ContentType
  const facts = await inspectFile({ store, blob: blob_name, type, size: size_bytes, declared })
  // Two calls may verify the same bytes at once, each with a thumbnail of its own.
  const thumbnail = await storeThumbnail(store, newBlobName(), facts)
  const stored = await markStored(db, row.uid, { ...factColumns(facts, thumbnail), blob_name, size_bytes })
  if (!stored && thumbnail !== null) await store.remove(thumbnail)
  return stored
}

/** Keeps only the pixels of an arrived picture, under a new name, and removes what arrived. */
async function storeReencoded(db: Db, store: BlobStore, row: ArrivedFile): Promise<FileRow | undefined> {
  const type = row.content_type as ContentType
  const { content, facts } = await reencodePicture(await openBlob(store, row.blob_name), type)
  const blob_name = newBlobName()
  await store.write(blob_name, content, type)
  const thumbnail = await storeThumbnail(store, blob_name, facts)
  const columns = { ...factColumns(facts, thumbnail), blob_name, size_bytes: content.length }
  const stored = await markStored(db, row.uid, columns)
  for (const blob of stored ? [row.blob_name] : [blob_name, thumbnailBlobName(blob_name)]) await store.remove(blob)
  return stored
}

/**
 * Stores a picture that came with a call, re-encoded, so that only its pixels are kept. The row is committed at once;
 * if the call does not claim the file, the daily cleanup removes it.
 */
export async function storeUploadedPicture(
  { blobs, kernel }: { blobs: BlobStore; kernel: Pick<Kernel, 'db'> },
  { actor }: Scope,
  { purpose, name, content }: { purpose: FilePurpose; name: string; content: Buffer },
): Promise<FileRef> {
  const type = checkAnnounced(purpose, { name, contentType: contentTypeOfName(name) ?? '', size: content.length })
  if (fileTypes[type].isVideo) throw new AppError('wrongMediaType')
  const { content: clean, facts } = await reencodePicture(sourceOf(content), type)
  const blob_name = newBlobName()
  const size_bytes = clean.length
  const { uid } = await addFileRow(kernel.db, {
    blob_name,
    purpose,
    original_name: name,
    content_type: type,
    size_bytes,
    announced_by: actor.uid,
  })
  await blobs.write(blob_name, clean, type)
  const thumbnail = await storeThumbnail(blobs, blob_name, facts)
  const row = await markStored(kernel.db, uid, { ...factColumns(facts, thumbnail), blob_name, size_bytes })
  if (!row) throw new AppError('notFound')
  return toFileRef(row)
}
