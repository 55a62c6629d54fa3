import { randomBytes } from 'node:crypto'
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
import { AppError } from '../runtime/app-error.ts'
import { type Db, inTransaction } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import type { Kernel } from '../http/app.ts'
import { type FileFacts, inspectFile, reencodePicture } from './inspect.ts'
import { toFileRef } from './reference.ts'
import type { BlobStore } from './store.ts'

// The name a file is kept under is told to nobody, so nobody can write to it.
const newBlobName = () => randomBytes(16).toString('hex')
const thumbnailOf = (blob: string) => `${blob}-thumbnail`

/** Where a file's bytes arrive, before they are verified. */
const INCOMING = 'incoming-'
const incoming = (uid: string) => `${INCOMING}${uid}`

/** The file whose bytes arrive in a blob. */
export const fileUidOfIncoming = (blob: string): string | undefined =>
  blob.startsWith(INCOMING) ? blob.slice(INCOMING.length) : undefined

function checkAnnounced(purpose: FilePurpose, announced: Parameters<typeof uploadProblem>[1]): ContentType {
  const problem = uploadProblem(purpose, announced)
  if (!problem) return announced.contentType as ContentType
  const code = problem.field === 'size' ? 'tooLarge' : 'wrongMediaType'
  throw new AppError(code, { text: problem.text, fields: { [problem.field]: problem.text } })
}

/** Announces a file and answers where its bytes may be sent. */
export async function announceUpload(
  db: Db,
  store: BlobStore,
  { actor }: Scope,
  given: BodyOf<typeof files.getUploadSas>,
) {
  const { purpose, name, size } = given
  if (!rowAccessOf(actor, uploadRules[purpose].modules, 'edit')) throw new AppError('forbidden')
  const content_type = checkAnnounced(purpose, given)
  const { uid } = await db
    .insertInto('stored_file')
    .values({
      blob_name: newBlobName(),
      purpose,
      original_name: name,
      content_type,
      size_bytes: size,
      width: given.width ?? null,
      height: given.height ?? null,
      duration_ms: given.durationMs ?? null,
      announced_by: actor.uid,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return { fileUid: uid, ...(await store.uploadTarget(incoming(uid), size)) }
}

async function fileOf(db: Db, uid: string) {
  const row = await db.selectFrom('stored_file').selectAll().where('uid', '=', uid).executeTakeFirst()
  if (!row) throw new AppError('notFound')
  return row
}

/** Whether bytes are still to come for a file. */
export async function isAwaitingUpload(db: Db, uid: string): Promise<boolean> {
  const awaited = db.selectFrom('stored_file').select('uid').where('uid', '=', uid).where('stored_at', 'is', null)
  return (await awaited.executeTakeFirst()) !== undefined
}

/** Whether somebody may reach a file by its uid alone; everybody else reaches it through a record. */
const reaches = ({ actor }: Pick<Scope, 'actor'>, file: { announced_by: string | null; purpose: string }) =>
  file.announced_by === actor.uid ||
  rowAccessOf(actor, uploadRules[file.purpose as FilePurpose].modules, 'view') === 'all'

/** A verified file, with where its bytes are. */
export async function getStoredFile(db: Db, uid: string) {
  const row = await fileOf(db, uid)
  if (!row.stored_at) throw new AppError('notFound')
  return row
}

export async function getReachableFile(db: Db, who: Pick<Scope, 'actor'>, uid: string) {
  const row = await getStoredFile(db, uid)
  if (!reaches(who, row)) throw new AppError('notFound')
  return row
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

async function keepThumbnail(store: BlobStore, blob: string, { thumbnail }: FileFacts): Promise<string | null> {
  if (!thumbnail) return null
  await store.write(thumbnailOf(blob), thumbnail, 'image/webp')
  return thumbnailOf(blob)
}

const removeBlobs = ({ uid, blob_name }: { uid: string; blob_name: string }, store: BlobStore) =>
  Promise.all([incoming(uid), blob_name, thumbnailOf(blob_name)].map((blob) => store.remove(blob)))

/** Removes a file that nothing uses, row and bytes together: either both go or both stay. */
export async function discardFile(db: Db, store: BlobStore, uid: string): Promise<boolean> {
  return inTransaction(db, async (db) => {
    const gone = await db
      .deleteFrom('stored_file')
      .where('uid', '=', uid)
      .where('claimed_at', 'is', null)
      .returning(['uid', 'blob_name'])
      .executeTakeFirst()
    if (gone) await removeBlobs(gone, store)
    return gone !== undefined
  })
}

/** Moves what has arrived to the name it is kept under, where its sender can no longer change it. */
async function take(
  store: BlobStore,
  { uid, blob_name, size_bytes }: { uid: string; blob_name: string; size_bytes: number },
) {
  const arrived = await store.size(incoming(uid))
  if (arrived !== undefined) await store.move(incoming(uid), blob_name)
  // A verification that broke off half-way had moved it already.
  const size = arrived ?? (await store.size(blob_name))
  if (size === undefined) throw new AppError('uploadUnfinished')
  if (size !== size_bytes) {
    throw new AppError('fileRefused', { text: `The file has ${size} bytes, but ${size_bytes} were announced.` })
  }
}

/** Verifies an uploaded file. Only now it counts; what is refused leaves nothing behind. */
export async function completeUpload(
  db: Db,
  store: BlobStore,
  { actor }: Scope,
  uid: string,
  frame: Buffer | undefined,
): Promise<FileRef> {
  const row = await fileOf(db, uid)
  if (row.announced_by !== actor.uid) throw new AppError('notFound')
  if (row.stored_at) return toFileRef(row)
  try {
    await take(store, row)
    const told = { width: row.width, height: row.height, durationMs: row.duration_ms, frame }
    const facts = await inspectFile(store, row.blob_name, row.content_type as ContentType, row.size_bytes, told)
    const thumbnail = await keepThumbnail(store, row.blob_name, facts)
    const stored = await db
      .updateTable('stored_file')
      .set(factColumns(facts, thumbnail))
      .where('uid', '=', uid)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toFileRef(stored)
  } catch (error) {
    if (error instanceof AppError && error.code === 'fileRefused') await discardFile(db, store, uid)
    throw error
  }
}

/** Deletes a file that no record uses. */
export async function deleteUnclaimedFile(db: Db, store: BlobStore, scope: Scope, uid: string): Promise<void> {
  const row = await fileOf(db, uid)
  if (!reaches(scope, row)) throw new AppError('notFound')
  if (!(await discardFile(db, store, uid))) throw new AppError('fileUsed')
}

/** Makes a verified file part of a record, so that it stays. Call it in the transaction that saves the record. */
export async function claimFile(
  db: Db,
  scope: Scope,
  uid: string,
  purpose: FilePurpose,
  field = 'fileUid',
): Promise<void> {
  const row = await db
    .selectFrom('stored_file')
    .select(['uid', 'announced_by', 'purpose'])
    .where('uid', '=', uid)
    .where('purpose', '=', purpose)
    .where('stored_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row || !reaches(scope, row)) {
    throw new AppError('badInput', { fields: { [field]: 'There is no such file. Please upload it again.' } })
  }
  await db
    .updateTable('stored_file')
    .set({ claimed_at: sql`coalesce(claimed_at, now())` })
    .where('uid', '=', uid)
    .execute()
}

interface Received {
  purpose: FilePurpose
  name: string
  content: Buffer
}

/**
 * Keeps a picture that came with a call. It is written anew, so nothing but its pixels stays. The row is there at once,
 * whatever becomes of the call: unless the call claims it, the sweep takes it away again.
 */
export async function storeUploadedPicture(
  { blobs, kernel }: { blobs: BlobStore; kernel: Pick<Kernel, 'db'> },
  { actor }: Scope,
  { purpose, name, content }: Received,
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
  const thumbnail = await keepThumbnail(blobs, blob_name, facts)
  const row = await kernel.db
    .updateTable('stored_file')
    .set(factColumns(facts, thumbnail))
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toFileRef(row)
}

const UNCLAIMED_HOURS = 24

/** Removes what was announced or uploaded a day ago and never became part of a record. */
export async function removeUnclaimedFiles(db: Db, store: BlobStore, signal?: AbortSignal): Promise<number> {
  const old = await db
    .selectFrom('stored_file')
    .select('uid')
    .where('claimed_at', 'is', null)
    .where('announced_at', '<', sql<string>`now() - ${sql.lit(UNCLAIMED_HOURS)} * interval '1 hour'`)
    .limit(1000)
    .execute()
  let count = 0
  for (const { uid } of old) {
    if (signal?.aborted) break
    if (await discardFile(db, store, uid)) count++
  }
  return count
}
