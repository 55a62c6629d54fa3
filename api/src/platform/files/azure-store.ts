import type { Readable } from 'node:stream'
import {
  BlobSASPermissions,
  BlobServiceClient,
  type BlockBlobClient,
  RestError,
  SASProtocol,
} from '@azure/storage-blob'
import { accountKeyOf } from './azure-account.ts'
import { ExternalServices } from '../runtime/external-services.ts'
import { withSignal } from '../runtime/promises.ts'
import { StartError } from '../runtime/start-error.ts'
import { type BlobStore, type BlobTarget, type ByteRange, uploadTargetExpiry } from './store.ts'

const isMissing = (error: unknown) => error instanceof RestError && error.statusCode === 404

// A key that was replaced refuses every call, as an account that is away does.
const REFUSING = [403, 408, 429]

/** Whether an operation failed because of the account or the way to it, and not because of the blob. */
function isAbsence(error: unknown): boolean {
  if ((error as Error).name === 'AbortError') return true
  if (!(error instanceof RestError)) return false
  const { statusCode } = error
  return statusCode === undefined || statusCode >= 500 || REFUSING.includes(statusCode)
}

// Callers wait: an account that does not answer is tried again by the probe.
const RETRIES = { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 1000 }
const ANSWER_MS = 15_000
const TRANSFER_MS = 10 * 60_000

/**
 * Azure Blob Storage: browsers send their blocks straight to it. Container and CORS are set up when the account first
 * answers, which may be after the start of the node.
 */
export async function openAzureStore(
  connection: string,
  container: string,
  webOrigin: string,
  services = new ExternalServices(),
): Promise<BlobStore> {
  if (!accountKeyOf(connection)) {
    throw new StartError('The setting AZURE_STORAGE_CONNECTION_STRING must hold an AccountKey: upload links need it.')
  }
  const service = createServiceClient(connection)
  const blobs = service.getContainerClient(container)
  const storage = services.watch({
    name: 'storage',
    label: 'The file storage',
    effect: "Files can't be opened or uploaded; everything else works.",
    async probe(abortSignal) {
      await blobs.createIfNotExists({ abortSignal })
      await allowOrigin(service, webOrigin, abortSignal)
    },
  })
  // Work that takes too long to begin its answer is ended: the client itself waits for any time.
  const through = <T>(afterMs: number, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> =>
    storage.run(() => withSignal(work, { afterMs }), isAbsence)
  const blobOf = (blob: string) => blobs.getBlockBlobClient(blob)
  const isHttps = service.url.startsWith('https:')
  return {
    origin: new URL(service.url).origin,
    uploadTarget: (blob) => through(ANSWER_MS, () => uploadTarget(blobOf(blob), isHttps)),
    write: (blob, content, contentType) =>
      through(TRANSFER_MS, (abortSignal) =>
        blobOf(blob).uploadData(content, { blobHTTPHeaders: { blobContentType: contentType }, abortSignal }),
      ),
    writeFile: (blob, file, contentType) =>
      through(TRANSFER_MS, (abortSignal) =>
        blobOf(blob).uploadFile(file, { blobHTTPHeaders: { blobContentType: contentType }, abortSignal }),
      ),
    read: (blob, range) => through(ANSWER_MS, (abortSignal) => readBlob(blobOf(blob), range, abortSignal)),
    size: (blob) => through(ANSWER_MS, (abortSignal) => sizeOf(blobOf(blob), abortSignal)),
    move: (from, to) =>
      through(TRANSFER_MS, async (abortSignal) => {
        // Within one account this copies no bytes.
        const copying = await blobOf(to).beginCopyFromURL(blobOf(from).url, { intervalInMs: 200, abortSignal })
        await copying.pollUntilDone()
        await blobOf(from).deleteIfExists({ abortSignal })
      }),
    async *list(prefix) {
      const pages = blobs.listBlobsFlat({ prefix }).byPage()
      for (;;) {
        const { done, value } = await through(ANSWER_MS, () => pages.next())
        if (done) return
        for (const { name, properties } of value.segment.blobItems) {
          yield { blob: name, size: properties.contentLength ?? 0 }
        }
      }
    },
    remove: (blob) =>
      through(ANSWER_MS, (abortSignal) => blobOf(blob).deleteIfExists({ deleteSnapshots: 'include', abortSignal })),
  }
}

async function uploadTarget(blob: BlockBlobClient, isHttps: boolean): Promise<BlobTarget> {
  const expiresOn = uploadTargetExpiry()
  const url = await blob.generateSasUrl({
    // Blocks need the right to write. `move` later gives the blob a name that this URL does not open.
    permissions: BlobSASPermissions.parse('cw'),
    protocol: isHttps ? SASProtocol.Https : SASProtocol.HttpsAndHttp,
    expiresOn,
  })
  return { url, method: 'PUT', protocol: 'blocks', headers: {}, expiresAt: expiresOn.toISOString() }
}

async function readBlob(blob: BlockBlobClient, range: ByteRange | undefined, abortSignal: AbortSignal) {
  const count = range && range.end - range.start + 1
  const { readableStreamBody } = await blob.download(range?.start ?? 0, count, { abortSignal })
  return readableStreamBody as Readable
}

async function sizeOf(blob: BlockBlobClient, abortSignal: AbortSignal): Promise<number | undefined> {
  const found = await blob.getProperties({ abortSignal }).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  return found?.contentLength
}

function createServiceClient(connection: string): BlobServiceClient {
  try {
    return BlobServiceClient.fromConnectionString(connection, { retryOptions: RETRIES })
  } catch {
    throw new StartError(
      'The setting AZURE_STORAGE_CONNECTION_STRING must be a connection string of an Azure storage account.',
    )
  }
}

/** Browsers ask the storage, not this server, whether the web app may send to it. */
async function allowOrigin(service: BlobServiceClient, origin: string, abortSignal: AbortSignal): Promise<void> {
  const { cors = [] } = await service.getProperties({ abortSignal })
  const isAllowed = cors.some(({ allowedOrigins, allowedMethods }) => {
    return allowedOrigins.split(',').includes(origin) && allowedMethods.split(',').includes('PUT')
  })
  if (isAllowed) return
  const rule = {
    allowedOrigins: origin,
    allowedMethods: 'PUT,OPTIONS',
    allowedHeaders: 'content-type,x-ms-*',
    exposedHeaders: 'x-ms-*',
    maxAgeInSeconds: 3600,
  }
  await service.setProperties({ cors: [...cors, rule] }, { abortSignal })
}
