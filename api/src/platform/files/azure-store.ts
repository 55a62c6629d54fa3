import { createHmac } from 'node:crypto'
import type { Readable } from 'node:stream'
import { BlobSASPermissions, BlobServiceClient, RestError, SASProtocol } from '@azure/storage-blob'
import { StartError } from '../runtime/start-error.ts'
import { type BlobStore, uploadTargetExpiry } from './store.ts'

const accountKeyOf = (connection: string) => /(?:^|;)AccountKey=([^;]+)/i.exec(connection)?.[1]

/** A secret that every node with this connection string has: a file's address signed by one is valid at all. */
export function azureSigningSecret(connection: string): Buffer {
  return createHmac('sha256', accountKeyOf(connection) ?? '')
    .update('addresses of files')
    .digest()
}

const isMissing = (error: unknown) => error instanceof RestError && error.statusCode === 404

/** Azure Blob Storage: browsers send their blocks straight there. Makes sure that the container and CORS are set up. */
export async function openAzureStore(connection: string, container: string, webOrigin: string): Promise<BlobStore> {
  if (!accountKeyOf(connection)) {
    throw new StartError('The setting AZURE_STORAGE_CONNECTION_STRING must hold an AccountKey: upload links need it.')
  }
  const service = open(connection)
  const blobs = service.getContainerClient(container)
  try {
    await blobs.createIfNotExists()
    await allowOrigin(service, webOrigin)
  } catch (error) {
    const { message } = error as Error
    throw new StartError(
      `The storage that AZURE_STORAGE_CONNECTION_STRING names cannot be used: ${message.split('\n')[0]}`,
    )
  }
  const blobOf = (blob: string) => blobs.getBlockBlobClient(blob)
  const isHttps = service.url.startsWith('https:')

  return {
    origin: new URL(service.url).origin,

    async uploadTarget(blob) {
      const expiresOn = uploadTargetExpiry()
      const url = await blobOf(blob).generateSasUrl({
        // Blocks need the right to write; `move` then takes the blob to a name that this address does not open.
        permissions: BlobSASPermissions.parse('cw'),
        protocol: isHttps ? SASProtocol.Https : SASProtocol.HttpsAndHttp,
        expiresOn,
      })
      return { url, method: 'PUT', protocol: 'blocks', headers: {}, expiresAt: expiresOn.toISOString() }
    },

    async write(blob, content, contentType) {
      await blobOf(blob).uploadData(content, { blobHTTPHeaders: { blobContentType: contentType } })
    },

    async read(blob, range) {
      const { readableStreamBody } = range
        ? await blobOf(blob).download(range.start, range.end - range.start + 1)
        : await blobOf(blob).download()
      return readableStreamBody as Readable
    },

    async size(blob) {
      try {
        return (await blobOf(blob).getProperties()).contentLength
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },

    async move(from, to) {
      // Within one account this copies no bytes.
      const copying = await blobOf(to).beginCopyFromURL(blobOf(from).url, { intervalInMs: 200 })
      await copying.pollUntilDone()
      await blobOf(from).deleteIfExists()
    },

    async remove(blob) {
      await blobOf(blob).deleteIfExists({ deleteSnapshots: 'include' })
    },
  }
}

function open(connection: string): BlobServiceClient {
  try {
    return BlobServiceClient.fromConnectionString(connection)
  } catch {
    throw new StartError(
      'The setting AZURE_STORAGE_CONNECTION_STRING must be a connection string of an Azure storage account.',
    )
  }
}

/** Browsers ask the storage itself whether this web app may send to it. */
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
