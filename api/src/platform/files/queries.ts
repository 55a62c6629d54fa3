import { randomBytes } from 'node:crypto'
import { type FilePurpose, rowAccessOf, uploadRules } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../runtime/app-error.ts'
import { type Db, inTransaction } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import type { SweepContext } from '../lifetimes/lifetime.ts'
import type { BlobStore } from './store.ts'

// The final name of a blob is never sent to a browser, so no upload target can write to it.
export const newBlobName = () => randomBytes(16).toString('hex')
export const thumbnailBlobName = (blob: string) => `${blob}-thumbnail`

/** Bytes arrive in a blob with this prefix and are moved once they are verified. */
const INCOMING = 'incoming-'
export const incomingBlobName = (uid: string) => `${INCOMING}${uid}`

/** The uid of the file whose bytes arrive in a blob. */
export const fileUidOfIncoming = (blob: string): string | undefined =>
  blob.startsWith(INCOMING) ? blob.slice(INCOMING.length) : undefined

export const findFileRow = (db: Db, uid: string) =>
  db.selectFrom('stored_file').selectAll().where('uid', '=', uid).executeTakeFirst()

/** Locks a file, so that two verifications do not begin at once. */
export const lockFileRow = (db: Db, uid: string) =>
  db.selectFrom('stored_file').selectAll().where('uid', '=', uid).forNoKeyUpdate().executeTakeFirst()

/** Whether a file still waits for its bytes. */
export const isAwaitingUpload = async (db: Db, uid: string): Promise<boolean> =>
  (await findFileRow(db, uid))?.stored_at === null

/** Whether an actor may use a file by its uid alone; others see it through a record that uses it. */
const canReach = ({ actor }: Pick<Scope, 'actor'>, file: { announced_by: string | null; purpose: string }) =>
  file.announced_by === actor.uid ||
  rowAccessOf(actor, uploadRules[file.purpose as FilePurpose].modules, 'view') === 'all'

/** A verified file with the names of its blobs. */
export async function getStoredFile(db: Db, uid: string) {
  const row = await findFileRow(db, uid)
  if (!row?.stored_at) throw new AppError('notFound')
  return row
}

export async function getReachableFile(db: Db, scope: Pick<Scope, 'actor'>, uid: string) {
  const row = await getStoredFile(db, uid)
  if (!canReach(scope, row)) throw new AppError('notFound')
  return row
}

/**
 * Removes the row and the bytes of a file that no record uses, in one transaction. False when a record uses it, or when an
 * `unverified` one was verified meanwhile.
 */
const discardFile = (db: Db, store: BlobStore, uid: string, which?: 'unverified'): Promise<boolean> =>
  inTransaction(db, async (db) => {
    const removed = await db
      .deleteFrom('stored_file')
      .where('uid', '=', uid)
      .where('claimed_at', 'is', null)
      .$if(which === 'unverified', (files) => files.where('stored_at', 'is', null))
      .returning(['blob_name', 'thumbnail_blob'])
      .executeTakeFirst()
    if (!removed) return false
    const { blob_name, thumbnail_blob } = removed
    const blobs = [incomingBlobName(uid), blob_name, thumbnail_blob ?? thumbnailBlobName(blob_name)]
    await Promise.all(blobs.map((blob) => store.remove(blob)))
    return true
  })

/** Removes the row and the bytes of a file that was refused, unless other bytes of it were verified meanwhile. */
export const discardRefusedFile = (db: Db, store: BlobStore, uid: string): Promise<boolean> =>
  discardFile(db, store, uid, 'unverified')

export async function deleteUnclaimedFile(db: Db, store: BlobStore, scope: Scope, uid: string): Promise<void> {
  const row = await findFileRow(db, uid)
  if (!row || !canReach(scope, row)) throw new AppError('notFound')
  if (!(await discardFile(db, store, uid))) throw new AppError('fileUsed')
}

interface ClaimedFile {
  uid: string
  purpose: FilePurpose
  /** The form field that reports a problem. */
  field?: string
}

/** Makes a verified file part of a record, so that it is kept. Call it in the transaction that saves the record. */
export async function claimFile(db: Db, scope: Scope, { uid, purpose, field = 'fileUid' }: ClaimedFile): Promise<void> {
  const row = await db
    .selectFrom('stored_file')
    .select(['uid', 'announced_by', 'purpose'])
    .where('uid', '=', uid)
    .where('purpose', '=', purpose)
    .where('stored_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row || !canReach(scope, row)) {
    throw new AppError('badInput', { fields: { [field]: 'File not found. Please upload it again.' } })
  }
  await db
    .updateTable('stored_file')
    .set({ claimed_at: sql`coalesce(claimed_at, now())` })
    .where('uid', '=', uid)
    .execute()
}

type FileSweep = Pick<SweepContext, 'db' | 'blobs' | 'signal'>

/**
 * Removes blobs that an upload link of a remote store let in and that no announced file waits for: the link stays valid
 * after its file was refused or deleted, and the store accepts more bytes than were announced.
 */
export async function removeStrayUploads({ db, blobs, signal }: FileSweep): Promise<boolean> {
  for await (const { blob, size } of blobs.list?.(INCOMING) ?? []) {
    if (signal.aborted) break
    const awaited = await db
      .selectFrom('stored_file')
      .select('uid')
      .where(sql`uid::text`, '=', fileUidOfIncoming(blob) ?? '')
      .where('stored_at', 'is', null)
      .where('size_bytes', '>=', size)
      .executeTakeFirst()
    if (!awaited) await blobs.remove(blob)
  }
  return false
}

const AT_ONCE = 1000

/** Removes files that were announced before a moment and that no record uses. Answers whether more may be left. */
export async function removeUnclaimedFiles({ db, blobs, signal }: FileSweep, before: string): Promise<boolean> {
  const old = await db
    .selectFrom('stored_file')
    .select('uid')
    .where('claimed_at', 'is', null)
    .where('announced_at', '<', before)
    .orderBy('announced_at')
    .limit(AT_ONCE)
    .execute()
  for (const { uid } of old) {
    if (signal.aborted) break
    await discardFile(db, blobs, uid)
  }
  return old.length === AT_ONCE
}
