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
import { sql } from 'kysely'
import { buffer } from 'node:stream/consumers'
import { AppError } from '../runtime/app-error.ts'
import { type Db, inTransaction } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import type { Kernel } from '../http/app.ts'
import { type FileFacts, inspectFile, reencodePicture } from './inspect.ts'
import { discardFile, getFileRow, incomingBlobName, newBlobName, thumbnailBlobName } from './queries.ts'
import { type FileRow, toFileRef } from './reference.ts'
import type { BlobStore } from './store.ts'

function checkAnnounced(purpose: FilePurpose, announced: Parameters<typeof uploadProblem>[1]): ContentType {
  const problem = uploadProblem(purpose, announced)
  if (!problem) return announced.contentType as ContentType
  const code = problem.field === 'size' ? 'tooLarge' : 'wrongMediaType'
  throw new AppError(code, { text: problem.text, fields: { [problem.field]: problem.text } })
}

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
    const { uid } = await db
      .insertInto('stored_file')
      .values({
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
      .returning('uid')
      .executeTakeFirstOrThrow()
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

/** Moves arrived bytes to the final name of their blob, which the sender's upload target cannot write to. */
async function moveToFinalName(
  store: BlobStore,
  { uid, blob_name, size_bytes }: { uid: string; blob_name: string; size_bytes: number },
) {
  const arrived = await store.size(incomingBlobName(uid))
  if (arrived !== undefined) await store.move(incomingBlobName(uid), blob_name)
  // An earlier verification may have moved the blob and then failed.
  const size = arrived ?? (await store.size(blob_name))
  if (size === undefined) throw new AppError('uploadUnfinished')
  if (size !== size_bytes) {
    throw new AppError('fileRefused', {
      text: `The file has ${size} bytes instead of ${size_bytes}. Please upload it again.`,
    })
  }
}

/** Verifies an uploaded file and makes it usable. A refused file is removed. */
export async function completeUpload(
  db: Db,
  store: BlobStore,
  { actor }: Scope,
  { fileUid, frame }: { fileUid: string; frame: Buffer | undefined },
): Promise<FileRef> {
  const row = await getFileRow(db, fileUid)
  if (row.announced_by !== actor.uid) throw new AppError('notFound')
  if (row.stored_at) return toFileRef(row)
  try {
    await moveToFinalName(store, row)
    // Artwork is kept byte for byte: its hash is what players report and what a client has approved.
    if (row.purpose !== 'artwork') return toFileRef(await storeReencoded(db, store, row))
    const declared = { width: row.width, height: row.height, durationMs: row.duration_ms, frame }
    const type = row.content_type as ContentType
    const facts = await inspectFile({ store, blob: row.blob_name, type, size: row.size_bytes, declared })
    const thumbnail = await storeThumbnail(store, row.blob_name, facts)
    const stored = await db
      .updateTable('stored_file')
      .set(factColumns(facts, thumbnail))
      .where('uid', '=', fileUid)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toFileRef(stored)
  } catch (error) {
    if (error instanceof AppError && error.code === 'fileRefused') await discardFile(db, store, fileUid)
    throw error
  }
}

/** Keeps only the pixels of an arrived picture, under a new name, and removes what arrived. */
async function storeReencoded(db: Db, store: BlobStore, row: FileRow & { blob_name: string }): Promise<FileRow> {
  const type = row.content_type as ContentType
  const { content, facts } = await reencodePicture(await buffer(await store.read(row.blob_name)), type)
  const blob_name = newBlobName()
  await store.write(blob_name, content, type)
  const thumbnail = await storeThumbnail(store, blob_name, facts)
  const stored = await db
    .updateTable('stored_file')
    .set({ ...factColumns(facts, thumbnail), blob_name, size_bytes: content.length })
    .where('uid', '=', row.uid)
    .where('stored_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  // Of two verifications at once the first one counts.
  for (const blob of stored ? [row.blob_name] : [blob_name, thumbnailBlobName(blob_name)]) await store.remove(blob)
  return stored ?? getFileRow(db, row.uid)
}

interface ReceivedPicture {
  purpose: FilePurpose
  name: string
  content: Buffer
}

/**
 * Stores a picture that came with a call, re-encoded, so that only its pixels are kept. The row is committed at once;
 * if the call does not claim the file, the daily cleanup removes it.
 */
export async function storeUploadedPicture(
  { blobs, kernel }: { blobs: BlobStore; kernel: Pick<Kernel, 'db'> },
  { actor }: Scope,
  { purpose, name, content }: ReceivedPicture,
): Promise<FileRef> {
  const type = checkAnnounced(purpose, { name, contentType: contentTypeOfName(name) ?? '', size: content.length })
  if (fileTypes[type].isVideo) throw new AppError('wrongMediaType')
  const { content: clean, facts } = await reencodePicture(content, type)
  const blob_name = newBlobName()
  const { uid } = await kernel.db
    .insertInto('stored_file')
    .values({
      blob_name,
      purpose,
      original_name: name,
      content_type: type,
      size_bytes: clean.length,
      announced_by: actor.uid,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  await blobs.write(blob_name, clean, type)
  const thumbnail = await storeThumbnail(blobs, blob_name, facts)
  const row = await kernel.db
    .updateTable('stored_file')
    .set(factColumns(facts, thumbnail))
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toFileRef(row)
}
