import { Readable } from 'node:stream'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type BlobStore, sendBlob } from '../../../platform/files/index.ts'
import { Download } from '../../../platform/http/download.ts'
import { PDF_ATTEMPTS } from './versions.ts'

interface WithDocument {
  number: number
  sha256: string
  /** Null if the reader has it already. */
  document: string | null
  /** Whether the page asks for a password. */
  isPrivate?: boolean
}

/** The document of a version as a file, byte for byte as hashed. */
export function documentDownload(popUrl: string, { number, sha256, document, isPrivate }: WithDocument): Download {
  const bytes = Buffer.from(document ?? '')
  // A version can be withdrawn at any time, so caches must revalidate.
  const headers = { etag: `"${sha256}"`, 'cache-control': isPrivate ? 'private, no-cache' : 'no-cache' }
  return new Download(`${popUrl}-v${number}.json`, 'application/json; charset=utf-8', Readable.from([bytes]), {
    inline: true,
    status: document === null ? 304 : 200,
    headers: document === null ? headers : { ...headers, 'content-length': String(bytes.length) },
  })
}

interface WithPdf {
  number: number
  pdf_blob: string | null
  pdf_bytes: number | null
  pdf_attempts: number
}

const SOON_SECONDS = 5

/** The PDF of a version, once it exists. */
export async function pdfDownload(
  blobs: BlobStore,
  popUrl: string,
  { number, pdf_blob, pdf_bytes, pdf_attempts }: WithPdf,
  range: string | undefined,
): Promise<Download> {
  if (pdf_blob === null) {
    const isGivenUp = pdf_attempts >= PDF_ATTEMPTS
    const text = isGivenUp ? 'The PDF could not be created.' : 'The PDF is being created. Please try again in a moment.'
    throw new AppError('unavailable', isGivenUp ? { text } : { text, retryAfter: SOON_SECONDS })
  }
  return sendBlob(blobs, pdf_blob, {
    name: `${popUrl}-v${number}.pdf`,
    type: 'application/pdf',
    ...(pdf_bytes !== null && { size: pdf_bytes }),
    range,
    cacheSeconds: 0,
  })
}
