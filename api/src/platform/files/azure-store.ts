import { createHmac } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  BlobSASPermissions,
  BlobServiceClient,
  type BlockBlobClient,
  RestError,
  SASProtocol,
} from '@azure/storage-blob'
import { StartError } from '../runtime/start-error.ts'
import { type BlobStore, type BlobTarget, type ByteRange, uploadTargetExpiry } from './store.ts'

const accountKeyOf = (connection: string) => /(?:^|;)AccountKey=([^;]+)/i.exec(connection)?.[1]

/** A secret that all nodes with this connection string share, so that each accepts the URLs that another signed. */
export function azureSigningSecret(connection: string): Buffer {
  return createHmac('sha256', accountKeyOf(connection) ?? '')
    .update('addresses of files')
    .digest()
}

const isMissing = (error: unknown) => error instanceof RestError && error.statusCode === 404

/** Azure Blob Storage: browsers send their blocks straight to it. Sets up the container and CORS if needed. */
export async function openAzureStore(connection: string, container: string, webOrigin: string): Promise<BlobStore> {
  if (!accountKeyOf(connection)) {
    throw new StartError('The setting AZURE_STORAGE_CONNECTION_STRING must hold an AccountKey: upload links need it.')
  }
  const service = createServiceClient(connection)
  const blobs = service.getContainerClient(container)
  try {
    await blobs.createIfNotExists()
    await allowOrigin(service, webOrigin)
  } catch (error) {
    const { message } = error as Error
    throw new StartError(`Cannot use the storage of AZURE_STORAGE_CONNECTION_STRING: ${message.split('\n')[0]}`)
  }
  const blobOf = (blob: string) => blobs.getBlockBlobClient(blob)
  const isHttps = service.url.startsWith('https:')
  return {
    origin: new URL(service.url).origin,
    uploadTarget: (blob) => uploadTarget(blobOf(blob), isHttps),
    async write(blob, content, contentType) {
      await blobOf(blob).uploadData(content, { blobHTTPHeaders: { blobContentType: contentType } })
    },
    read: (blob, range) => readBlob(blobOf(blob), range),
    size: (blob) => sizeOf(blobOf(blob)),
    async move(from, to) {
      // Within one account this copies no bytes.
      const copying = await blobOf(to).beginCopyFromURL(blobOf(from).url, { intervalInMs: 200 })
      await copying.pollUntilDone()
      await blobOf(from).deleteIfExists()
    },
    async *list(prefix) {
      for await (const { name, properties } of blobs.listBlobsFlat({ prefix })) {
        yield { blob: name, size: properties.contentLength ?? 0 }
      }
    },
    async remove(blob) {
      await blobOf(blob).deleteIfExists({ deleteSnapshots: 'include' })
    },
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

async function readBlob(blob: BlockBlobClient, range?: ByteRange): Promise<Readable> {
  const { readableStreamBody } = range
    ? await blob.download(range.start, range.end - range.start + 1)
    : await blob.download()
  return readableStreamBody as Readable
}

async function sizeOf(blob: BlockBlobClient): Promise<number | undefined> {
  try {
    return (await blob.getProperties()).contentLength
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function createServiceClient(connection: string): BlobServiceClient {
  try {
    return BlobServiceClient.fromConnectionString(connection)
  } catch {
    throw new StartError(
      'The setting AZURE_STORAGE_CONNECTION_STRING must be a connection string of an Azure storage account.',
    )
  }
}

/** Browsers ask the storage, not this server, whether the web app may send to it. */
async function allowOrigin(service: BlobServiceClient, origin: string): Promise<void> {
  const { cors = [] } = await service.getProperties()
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
  await service.setProperties({ cors: [...cors, rule] })
}
