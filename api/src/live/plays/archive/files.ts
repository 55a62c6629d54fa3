import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { rowsAsTable } from '../../../platform/db/rows-as-table.ts'
import type { FixedBlob } from '../../../platform/parquet/index.ts'
import { COLUMNS_VERSION, type DaySum } from './columns.ts'

/** A file of the archive. */
export interface ArchivedFile extends DaySum, FixedBlob {
  day: string
}

/** A file before it is recorded. */
export interface WrittenFile extends ArchivedFile {
  /** When its newest play arrived. */
  receivedUntil: string
}

/** The files of some days (UTC), both included. */
export async function filesOfDays(db: Db, from: string, to: string): Promise<ArchivedFile[]> {
  return db
    .selectFrom('play_archive')
    .select(['day', 'market_uid as market', 'blob', 'rows', 'checksum', 'bytes'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('market_uid')
    .execute()
}

/**
 * Locks days until the transaction ends. Moving plays of a day into or out of the archive excludes grading them, which
 * shares its lock.
 */
export async function lockDays(db: Db, days: readonly string[], mode: 'shared' | 'exclusive'): Promise<void> {
  const lock = sql.id(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`select ${lock}(hashtext('play archive'), day - date '2000-01-01')
              from unnest(${[...days].toSorted()}::date[]) day`.execute(db)
}

// A run that takes longer than this has lost its files, and tries again.
const UNRECORDED = sql.raw(`interval '1 day'`)
// A backup that is not older than this finds its files in the storage account.
const REPLACED = sql.raw(`interval '30 days'`)

/** Notes blobs before they are written: a crash leaves none that is unknown. */
export async function noteUnrecorded(db: Db, blobs: readonly string[]): Promise<void> {
  await sql`insert into play_archive_leftover (blob, remove_after)
            select blob, now() + ${UNRECORDED} from unnest(${blobs}::text[]) blob`.execute(db)
}

/** Makes written blobs part of the archive. Fails if one of them was removed meanwhile. */
export async function recordFiles(db: Db, files: readonly WrittenFile[]): Promise<void> {
  const blobs = files.map(({ blob }) => blob)
  const { numDeletedRows } = await db.deleteFrom('play_archive_leftover').where('blob', 'in', blobs).executeTakeFirst()
  if (Number(numDeletedRows) !== files.length)
    throw new Error('A file of the archive was removed before it was recorded.')
  const given = rowsAsTable('f', files, {
    day: ['date', ({ day }) => day],
    market_uid: ['uuid', ({ market }) => market],
    blob: ['text', ({ blob }) => blob],
    rows: ['int8', ({ rows }) => rows],
    checksum: ['text', ({ checksum }) => checksum],
    bytes: ['int8', ({ bytes }) => bytes],
    received_until: ['timestamptz', ({ receivedUntil }) => receivedUntil],
  })
  await sql`
    insert into play_archive (day, market_uid, blob, rows, checksum, bytes, received_until, columns_version)
    select f.day, f.market_uid, f.blob, f.rows, f.checksum, f.bytes, f.received_until, ${COLUMNS_VERSION}::int
      from ${given}`.execute(db)
}

/** Takes files out of the archive. Their blobs stay for a while, for readers and restored backups. */
export async function dismissFiles(db: Db, files: readonly FixedBlob[]): Promise<void> {
  await sql`
    with dismissed as (
      delete from play_archive where blob = any(${files.map(({ blob }) => blob)}::text[]) returning blob
    )
    insert into play_archive_leftover (blob, remove_after) select blob, now() + ${REPLACED} from dismissed`.execute(db)
}

/** Takes the files of days before a moment out of the archive for good. */
export async function dismissOldFiles({ db }: { db: Db }, before: string): Promise<boolean> {
  await sql`
    with dismissed as (
      delete from play_archive where day < ${before}::timestamptz::date returning blob
    )
    insert into play_archive_leftover (blob, remove_after)
    select blob, ${before}::timestamptz::date from dismissed`.execute(db)
  return false
}

export const LEFTOVERS_AT_ONCE = 1000

/** Blobs that are to be removed by a moment. */
export async function leftovers(db: Db, before: string): Promise<string[]> {
  const rows = await db
    .selectFrom('play_archive_leftover')
    .select('blob')
    .where('remove_after', '<=', before)
    .orderBy('remove_after')
    .limit(LEFTOVERS_AT_ONCE)
    .execute()
  return rows.map(({ blob }) => blob)
}

/** Removes a blob and then forgets it. A blob that was recorded meanwhile stays. */
export async function removeLeftover(db: Db, blob: string, remove: () => Promise<unknown>): Promise<void> {
  await db.transaction().execute(async (db) => {
    const gone = await db.deleteFrom('play_archive_leftover').where('blob', '=', blob).returning('blob').execute()
    if (gone.length > 0) await remove()
  })
}
