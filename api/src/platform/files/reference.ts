import { API_BASE, type ContentType, type FileRef } from '@roadshow/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DB } from '../db/schema.ts'
import { isExpired, isValidSignature, signCached } from './signature.ts'

const HOUR = 3600

type FileColumn = 'original_name' | 'content_type' | 'size_bytes' | 'sha256' | 'width' | 'height' | 'duration_ms'

/** The columns of stored_file that a reference needs. */
export type FileRow = Pick<Selectable<DB['stored_file']>, 'uid' | 'thumbnail_blob' | FileColumn>

// Expires on the hour after next: all references within an hour have the same URL, which the browser caches.
const urlExpiry = () => (Math.floor(Date.now() / 1000 / HOUR) + 2) * HOUR

function signedUrl(path: string, expires = urlExpiry()): string {
  return `${API_BASE}/${path}?expires=${expires}&signature=${signCached('GET', path, expires)}`
}

const signedUrls = (uid: string, hasThumbnail: boolean) => ({
  url: signedUrl(`files/${uid}`),
  thumbnailUrl: hasThumbnail ? signedUrl(`files/${uid}/thumbnail`) : null,
})

const HALF_DAY = 12 * HOUR

/** A URL that is valid for at least a day and stays the same for half a day, so that it can be cached. */
export const longLivedUrl = (path: string): string =>
  signedUrl(path, (Math.floor(Date.now() / 1000 / HALF_DAY) + 3) * HALF_DAY)

/** The URL from which a device loads a file. */
export const longLivedFileUrl = (uid: string): string => longLivedUrl(`files/${uid}`)

/** Whether a signature is valid for this path and has not expired. */
export const isValidSignedUrl = (path: string, expires: number, signature: string): boolean =>
  isValidSignature(signature, 'GET', path, expires) && !isExpired(expires)

/** A stored file as records show it. */
export const toFileRef = (row: FileRow): FileRef => ({
  uid: row.uid,
  ...signedUrls(row.uid, row.thumbnail_blob !== null),
  name: row.original_name,
  contentType: row.content_type as ContentType,
  size: row.size_bytes,
  width: row.width,
  height: row.height,
  durationMs: row.duration_ms,
  sha256: row.sha256 ?? '',
})

/** A file as a column of a record, for a join of stored_file with this alias. `withSignedUrls` adds its URLs. */
export const fileColumn = (alias: string): RawBuilder<unknown> => {
  const f = sql.id(alias)
  return sql`case when ${f}.uid is not null then json_build_object('uid', ${f}.uid, 'url', '',
    'thumbnailUrl', case when ${f}.thumbnail_blob is not null then '' end, 'name', ${f}.original_name,
    'contentType', ${f}.content_type, 'size', ${f}.size_bytes, 'width', ${f}.width,
    'height', ${f}.height, 'durationMs', ${f}.duration_ms, 'sha256', ${f}.sha256) end`
}

/** Adds signed URLs to a file that `fileColumn` selected. */
export const withSignedUrls = <F extends FileRef | null>(file: F): F =>
  file && { ...file, ...signedUrls(file.uid, file.thumbnailUrl !== null) }
