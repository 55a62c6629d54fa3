import { API_BASE, type ContentType, type FileRef } from '@roadshow/contract'
import { isExpired, isValidSignature, signCached } from './signature.ts'

const HOUR = 3600

/** A row of stored_file, as far as a reference needs it. */
export interface FileRow {
  uid: string
  original_name: string
  content_type: string
  size_bytes: number
  sha256: string | null
  width: number | null
  height: number | null
  duration_ms: number | null
  thumbnail_blob: string | null
}

// Ends on the hour after next: all references of an hour are the same address, which the browser then caches.
const addressExpiry = () => (Math.floor(Date.now() / 1000 / HOUR) + 2) * HOUR

function address(path: string, expires = addressExpiry()): string {
  return `${API_BASE}/${path}?expires=${expires}&signature=${signCached('GET', path, expires)}`
}

const addresses = (uid: string, hasThumbnail: boolean) => ({
  url: address(`files/${uid}`),
  thumbnailUrl: hasThumbnail ? address(`files/${uid}/thumbnail`) : null,
})

const HALF_DAY = 12 * HOUR

/** The address of something for a day at least, and the same for half of one: who has fetched it need not again. */
export const longLivedUrl = (path: string): string =>
  address(path, (Math.floor(Date.now() / 1000 / HALF_DAY) + 3) * HALF_DAY)

/** Where a device gets a file. */
export const longLivedFileUrl = (uid: string): string => longLivedUrl(`files/${uid}`)

/** Whether an address was signed here for this path and still holds. */
export const isValidSignedUrl = (path: string, expires: number, signature: string): boolean =>
  isValidSignature(signature, 'GET', path, expires) && !isExpired(expires)

/** A stored file as records show it. */
export const toFileRef = (row: FileRow): FileRef => ({
  uid: row.uid,
  ...addresses(row.uid, row.thumbnail_blob !== null),
  name: row.original_name,
  contentType: row.content_type as ContentType,
  size: row.size_bytes,
  width: row.width,
  height: row.height,
  durationMs: row.duration_ms,
  sha256: row.sha256 ?? '',
})

/**
 * A file as a column of a record's declaration, for a join of stored_file under this alias; `withAddresses` then signs
 * its addresses.
 */
export const fileColumn = (alias: string): string =>
  `case when ${alias}.uid is not null then json_build_object('uid', ${alias}.uid, 'url', '', ` +
  `'thumbnailUrl', case when ${alias}.thumbnail_blob is not null then '' end, 'name', ${alias}.original_name, ` +
  `'contentType', ${alias}.content_type, 'size', ${alias}.size_bytes, 'width', ${alias}.width, ` +
  `'height', ${alias}.height, 'durationMs', ${alias}.duration_ms, 'sha256', ${alias}.sha256) end`

/** Signs the addresses of a file that came by `fileColumn`. */
export const withSignedUrls = <F extends FileRef | null>(file: F): F =>
  file && { ...file, ...addresses(file.uid, file.thumbnailUrl !== null) }
