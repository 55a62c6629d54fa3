import { buffer } from 'node:stream/consumers'
import {
  type BodyOf,
  formatDistance,
  type PopDocument,
  type pops,
  type PopVersion,
  formatCount,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { sharedNow } from '../../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import type { BlobStore } from '../../../platform/files/index.ts'
import { recordEvents } from '../../../platform/outbox/index.ts'
import { describeChanges } from './changes.ts'
import { draftDocument, documentHash, documentText } from './document.ts'
import { findDifference, loadPopFigures } from './figures.ts'
import { toOpening } from './opening.ts'
import { finishGrading } from '../../../live/plays/index.ts'
import { finishMiles } from '../../../live/telemetry/index.ts'
import { parquetOf } from '../../../platform/parquet/index.ts'
import { finishImpressions } from '../../impressions/index.ts'
import { pictureBlob, regradePhotosOfProgram } from '../../photos/index.ts'
import { popRows } from './pop-rows.ts'
import { publicationBlocker, shownVersionAfter } from './rules.ts'
import { newestVersion, listVersions } from './versions.ts'

interface Publisher {
  blobs: BlobStore
  brandName: string
}

/**
 * Freezes text, photos and figures of a program as its next version, and makes it public. Miles, grades and estimates
 * are finished first, by all data that has arrived.
 */
export const publishPop = async (
  db: Db,
  scope: Scope,
  { uid, version, note }: BodyOf<typeof pops.publish>,
  { blobs, brandName }: Publisher,
): Promise<PopVersion> => {
  await requireVersion(db, scope, uid, version)
  await finishMiles(db, uid)
  await finishGrading({ db, parquet: parquetOf({ blobs }) }, { program: uid })
  await regradePhotosOfProgram(db, uid)
  await finishImpressions(db, uid)
  return inTransaction(db, async (db) => {
    await lockPop(db, scope, uid, version)
    const before = await newestVersion(db, uid)
    const number = (before?.number ?? 0) + 1
    const publishedAt = new Date(await sharedNow(db)).toISOString()
    const document = await draftDocument(db, uid, { brand: brandName, version: number, publishedAt })
    await refuseDifference(db, uid)
    const blocker = publicationBlocker(document)
    if (blocker) throw new AppError(blocker)
    const logoType = await storeLogo(db, blobs, document)
    const text = documentText(document)
    await db
      .insertInto('pop_version')
      .values({
        program_uid: uid,
        number,
        published_at: publishedAt,
        published_by: scope.actor.uid,
        note,
        changes: changesFrom(before, document),
        document: text,
        sha256: documentHash(text),
        opening: documentText(toOpening(document)),
      })
      .execute()
    await recordPictures(db, uid, document, logoType)
    await popRows.update(db, scope, uid, version, { shown_version: number })
    await recordPublished(db, uid, { version: number, publishedAt })
    const [published] = await listVersions(db, uid, number)
    if (!published) throw new AppError('notFound')
    return published
  })
}

/** Refuses figures whose days, markets and totals do not add up, and says which. */
async function refuseDifference(db: Db, uid: string): Promise<void> {
  const found = findDifference(await loadPopFigures(db, uid))
  if (!found) return
  const { market, parts, whole } = found
  const named = market && (await db.selectFrom('market').select('name').where('uid', '=', market).executeTakeFirst())
  const [some, all] = named ? ['its days', named.name] : ['the markets', 'the program']
  const words = ({ plays, metres, seconds }: typeof parts) =>
    `${formatCount(plays)} plays, ${formatDistance(metres)} and ${formatCount(seconds)} seconds`
  throw new AppError('figuresDiffer', {
    text: `The figures of ${all} don't add up: ${words(whole)}, but ${some} have ${words(parts)}. Try again in a minute, and look for shifts that were canceled or moved.`,
  })
}

/** Records for partners that a version was published. */
async function recordPublished(db: Db, programUid: string, version: { version: number; publishedAt: string }) {
  const { client_uid: clientUid } = await db
    .selectFrom('client_program')
    .select('client_uid')
    .where('uid', '=', programUid)
    .executeTakeFirstOrThrow()
  const data = { programUid, ...version }
  await recordEvents(db, [{ type: 'pop.published', object: `program ${programUid}`, clientUid, data }])
}

/** Locks a POP, its program and its client until the transaction ends. */
async function lockPop(db: Db, scope: Scope, uid: string, version: number): Promise<void> {
  const { rows } = await sql`
    select p.uid from client_program p join client c on c.uid = p.client_uid
     where p.uid = ${uid} and p.deleted_at is null for share of p, c`.execute(db)
  if (rows.length === 0) throw new AppError('notFound')
  await popRows.lockRow(db, uid)
  await requireVersion(db, scope, uid, version)
}

async function requireVersion(db: Db, scope: Scope, uid: string, version: number): Promise<void> {
  const { version: current } = await popRows.get(db, scope, uid)
  if (current !== version) throw new AppError('staleVersion')
}

/** The changes since the newest version, in a sentence; empty without a version. */
export const describeChangesSince = async (db: Db, uid: string, document: PopDocument): Promise<string> =>
  changesFrom(await newestVersion(db, uid), document)

const changesFrom = (before: { document: string } | undefined, document: PopDocument): string =>
  before ? describeChanges(JSON.parse(before.document) as PopDocument, document) : ''

/** Copies the logo of a document to its permanent place and returns its content type. */
async function storeLogo(db: Db, blobs: BlobStore, { logo }: PopDocument): Promise<string | undefined> {
  if (!logo) return undefined
  const { rows } = await sql<{ blob: string; type: string }>`
    select blob_name as blob, content_type as type from stored_file
     where sha256 = ${logo.sha256} and purpose = 'logo' and claimed_at is not null limit 1`.execute(db)
  const [file] = rows
  const name = pictureBlob(logo.key, 'large')
  if (file && (await blobs.size(name)) === undefined) {
    await blobs.write(name, await buffer(await blobs.read(file.blob)), file.type)
  }
  return file?.type
}

/** Records which pictures a version shows: only these are public. */
async function recordPictures(
  db: Db,
  uid: string,
  { logo, version, chapters }: PopDocument,
  logoType: string | undefined,
): Promise<void> {
  const keys = chapters.flatMap((chapter) => chapter.photos.map(({ key }) => key))
  await sql`insert into pop_version_picture (program_uid, number, key)
            select ${uid}, ${version}, key from unnest(${keys}::text[]) key`.execute(db)
  if (!logo || !logoType) return
  const { key } = logo
  await db
    .insertInto('pop_version_picture')
    .values({ program_uid: uid, number: version, key, content_type: logoType })
    .execute()
}

/** Withdraws the public page, or shows its newest version again. */
export const setPagePublic = (
  db: Db,
  scope: Scope,
  { uid, version, isShown }: BodyOf<typeof pops.withdraw>,
): Promise<unknown> =>
  inTransaction(db, async (db) => {
    await lockPop(db, scope, uid, version)
    const newest = await newestVersion(db, uid)
    const verdict = shownVersionAfter(isShown, newest?.number)
    if ('error' in verdict) throw new AppError(verdict.error)
    return popRows.update(db, scope, uid, version, { shown_version: verdict.shown })
  })
