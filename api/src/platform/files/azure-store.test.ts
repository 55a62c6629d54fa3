import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { API_BASE, files, type FileRef, type UploadTarget } from '@roadshow/contract'
import { BlobServiceClient } from '@azure/storage-blob'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { azureSigningSecret } from './azure-account.ts'
import { openAzureStore } from './azure-store.ts'
import { AppError } from '../runtime/app-error.ts'
import { listBlobs } from './local-blobs.ts'
import { openLocalStore } from './local-store.ts'
import { moveBlobs } from './move-blobs.ts'
import { incomingBlobName } from './queries.ts'
import type { BlobStore } from './store.ts'
import { AZURITE_KEY, startAzurite } from './test-azurite.ts'
import sharp from 'sharp'
import { aMovie, aPicture } from '@roadshow/test-kit/media'

const WEB = 'http://localhost:3000'
const world = await openWorld()
const azurite = await startAzurite()
afterAll(() => azurite.stop())
const { connection } = azurite
const store = await openAzureStore(connection, 'roadshow', WEB)
const env = { brandName: 'Roadshow', publicUrl: WEB, logLevel: 'silent', trustProxy: 0, checkReplies: true }
const app = await buildApp({ db: world.db, env, blobs: store, mailer: { send: async () => {} } })
afterAll(() => app.close())

const token = world.people.sales.token
const post = (path: string, payload: object) =>
  app.inject({ method: 'POST', url: `${API_BASE}/${path}`, payload, headers: { authorization: `Bearer ${token}` } })
const announce = async (size: number, name = 'art.png', contentType = 'image/png') => {
  const answer = await post(files.getUploadSas.path, { purpose: 'artwork', name, contentType, size })
  return answer.json<{ data: UploadTarget }>().data
}
const complete = async (fileUid: string) => {
  const answer = await post(files.complete.path, { fileUid })
  return { status: answer.statusCode, ...answer.json<{ data: FileRef; error: string }>() }
}

const idOf = (index: number) => Buffer.from(String(index).padStart(6, '0')).toString('base64')
const putBlock = (url: string, index: number, body: Buffer) =>
  fetch(`${url}&comp=block&blockid=${encodeURIComponent(idOf(index))}`, { method: 'PUT', body: new Uint8Array(body) })
const putList = (url: string, count: number) => {
  const ids = Array.from({ length: count }, (_, index) => `<Latest>${idOf(index)}</Latest>`).join('')
  return fetch(`${url}&comp=blocklist`, {
    method: 'PUT',
    body: `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids}</BlockList>`,
  })
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const blobNames = async () => {
  const found: string[] = []
  for await (const { name } of BlobServiceClient.fromConnectionString(connection)
    .getContainerClient('roadshow')
    .listBlobsFlat()) {
    found.push(name)
  }
  return found.toSorted()
}

describe('with files in Azure', () => {
  test('an upload is sent in blocks, verified and read again', async () => {
    const content = await aPicture('png', 900, 450)
    const { fileUid, url, protocol } = await announce(content.length)
    expect(protocol).toBe('blocks')
    const half = Math.floor(content.length / 2)
    expect((await putBlock(url, 0, content.subarray(0, half))).status).toBe(201)
    expect(await complete(fileUid)).toMatchObject({ status: 409 })
    // The second block breaks off and is sent again.
    await putBlock(url, 1, content.subarray(half, half + 10))
    expect((await putBlock(url, 1, content.subarray(half))).status).toBe(201)
    expect((await putList(url, 2)).status).toBe(201)
    const { status, data: stored, error } = await complete(fileUid)
    expect(status, error).toBe(200)
    expect(stored).toMatchObject({
      width: 900,
      height: 450,
      sha256: createHash('sha256').update(content).digest('hex'),
    })
    // The address still writes where the file arrived, not where it is kept.
    await putBlock(url, 0, Buffer.from('<html>'))
    await putList(url, 1)
    const read = await app.inject(stored.url)
    expect(read.rawPayload.equals(content)).toBe(true)
    expect(read.headers['content-type']).toBe('image/png')
    expect((await app.inject(stored.thumbnailUrl ?? '')).headers['content-type']).toBe('image/webp')
    const part = await app.inject({ url: stored.url, headers: { range: 'bytes=10-19' } })
    expect(part.statusCode).toBe(206)
    expect(part.rawPayload.equals(content.subarray(10, 20))).toBe(true)
  })

  test('a video is measured from its header', async () => {
    const movie = aMovie({ width: 1280, height: 320, durationMs: 9000, data: 100_000 })
    const { fileUid, url } = await announce(movie.length, 'art.mp4', 'video/mp4')
    await putBlock(url, 0, movie)
    await putList(url, 1)
    expect((await complete(fileUid)).data).toMatchObject({ width: 1280, height: 320, durationMs: 9000 })
  })

  test('what is refused leaves nothing behind', async () => {
    const before = await blobNames()
    for (const [announced, sent] of [
      [20, '<html></html>12345678'],
      [21, '<html></html>12345678'],
    ] as const) {
      const { fileUid, url } = await announce(announced)
      await putBlock(url, 0, Buffer.from(sent))
      await putList(url, 1)
      const answer = await complete(fileUid)
      expect(answer.status).toBe(422)
      expect(answer.error).toMatch(announced === 20 ? /has 21 bytes instead of 20/ : /not a PNG file/)
    }
    expect(await blobNames()).toEqual(before)
  })

  test('a logo keeps only its pixels, and its upload address does not reach them', async () => {
    const content = await sharp(await aPicture('jpeg'))
      .withExif({ IFD0: { Copyright: 'Somebody' } })
      .toBuffer()
    const announced = { purpose: 'logo', name: 'logo.jpg', contentType: 'image/jpeg', size: content.length }
    const { fileUid, url } = (await post(files.getUploadSas.path, announced)).json<{ data: UploadTarget }>().data
    await putBlock(url, 0, content)
    await putList(url, 1)
    const { data } = await complete(fileUid)
    const kept = (await app.inject(data.url)).rawPayload
    expect(kept.length).toBe(data.size)
    expect((await sharp(kept).metadata()).exif).toBeUndefined()
  })

  test('what an address lets in beyond its file is swept: too much, too late, or for a file that is gone', async () => {
    const [large, deleted, waiting] = [await announce(10), await announce(10), await announce(10)]
    for (const [{ url }, bytes] of [
      [large, 5000],
      [deleted, 10],
      [waiting, 10],
    ] as const) {
      await putBlock(url, 0, Buffer.alloc(bytes))
      await putList(url, 1)
    }
    await world.db.deleteFrom('stored_file').where('uid', '=', deleted.fileUid).execute()
    await world.sweep(['stored_file'], { blobs: store })
    const left = (await blobNames()).filter((name) => name.startsWith('incoming-'))
    expect(left).toContain(`incoming-${waiting.fileUid}`)
    for (const { fileUid } of [large, deleted]) expect(left).not.toContain(`incoming-${fileUid}`)
  })

  test('an address opens one blob and nothing else', async () => {
    const [one, other] = [await announce(10), await announce(10)]
    expect((await putBlock(one.url.replace(one.fileUid, other.fileUid), 0, Buffer.alloc(10))).status).toBe(403)
    expect(
      (await putBlock(one.url.replace(/se=[^&]+/, 'se=2020-01-01T00%3A00%3A00Z'), 0, Buffer.alloc(10))).status,
    ).toBe(403)
    expect((await fetch(one.url)).status).toBe(403)
    expect((await fetch(one.url, { method: 'DELETE' })).status).toBe(403)
  })

  test('the browser may send from the web app, and only from there', async () => {
    const { url } = await announce(10)
    const preflight = (origin: string) =>
      fetch(url, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
      })
    expect((await preflight(WEB)).status).toBe(200)
    expect((await preflight('https://elsewhere.example')).status).toBe(403)
    const policy = String((await app.inject('/healthz')).headers['content-security-policy'])
    expect(policy.match(/connect-src ([^;]*)/)?.[1]?.split(' ')).toContain(new URL(url).origin)
    // Starting again neither fails nor adds the rule twice.
    const again = await openAzureStore(connection, 'roadshow', WEB)
    expect(await again.size('none')).toBeUndefined()
    expect((await BlobServiceClient.fromConnectionString(connection).getProperties()).cors).toHaveLength(1)
  })

  test('the local upload address takes nothing', async () => {
    const url = `${API_BASE}/blob-storage/blobs/incoming-x?expires=9999999999&size=1&signature=x`
    const headers = { 'content-type': 'application/octet-stream' }
    expect((await app.inject({ method: 'PUT', url, payload: Buffer.alloc(1), headers })).statusCode).toBe(403)
  })
})

test('a wrong connection string stops the start with a sentence that names it', async () => {
  await expect(openAzureStore('nonsense', 'roadshow', WEB)).rejects.toThrow(/AZURE_STORAGE_CONNECTION_STRING/)
  await expect(openAzureStore(`AccountKey=${AZURITE_KEY}`, 'roadshow', WEB)).rejects.toThrow(
    /AZURE_STORAGE_CONNECTION_STRING/,
  )
  expect(azureSigningSecret(connection)).toEqual(azureSigningSecret(connection))
})

describe('moving files', () => {
  const CONTAINER = 'moved'
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-moving-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const contents: Record<string, Buffer> = {
    artwork: randomBytes(300_000),
    'artwork-thumbnail': randomBytes(500),
    empty: Buffer.alloc(0),
    'plays/day=2026-11-15/market=a/one': randomBytes(70_000),
    'plays/day=2026-11-15/market=a/two.parquet': randomBytes(9000),
  }
  const sums = Object.fromEntries(Object.entries(contents).map(([blob, bytes]) => [blob, sha256(bytes)]))
  const never = new AbortController().signal

  async function sumsOf(from: BlobStore, blobs: AsyncIterable<{ blob: string }>) {
    const found: Record<string, string> = {}
    for await (const { blob } of blobs) found[blob] = sha256(await buffer(await from.read(blob)))
    return found
  }

  /** A folder with the blobs, an upload under way and what is no blob; an account; and both ways between them. */
  async function open() {
    const blobFolder = path.join(folder, randomUUID())
    const local = await openLocalStore(blobFolder)
    for (const [blob, content] of Object.entries(contents)) await local.write(blob, content, 'image/png')
    await local.write(incomingBlobName(randomUUID()), Buffer.from('under way'), 'image/png')
    await writeFile(path.join(blobFolder, 'artwork2.part'), 'half')
    const account = await openAzureStore(connection, `${CONTAINER}-${randomUUID()}`, WEB)
    const said: string[] = []
    const shared = { folder, isRemoving: false, say: (sentence: string) => said.push(sentence), signal: never }
    const toAccount = (changed: Partial<Parameters<typeof moveBlobs>[0]> = {}) =>
      moveBlobs({
        ...shared,
        from: local,
        blobs: listBlobs(blobFolder),
        to: account,
        journal: path.join(blobFolder, 'in-account.sha256'),
        ...changed,
      })
    const inAccount = () => sumsOf(account, account.list?.('') ?? listBlobs(blobFolder))
    return { blobFolder, local, account, said, shared, toAccount, inAccount }
  }

  test('copies every complete blob to the account and compares it; a second run copies what was added', async () => {
    const { blobFolder, local, toAccount, inAccount } = await open()
    const bytes = Object.values(contents).reduce((sum, { length }) => sum + length, 0)
    expect(await toAccount()).toEqual({ copied: 5, bytes, found: 0, removed: 0, failed: [] })
    expect(await inAccount()).toEqual(sums)
    // A run that was killed may leave half a line.
    await appendFile(path.join(blobFolder, 'in-account.sha256'), 'abc')
    await local.write('added', Buffer.from('later'), 'image/png')
    expect(await toAccount()).toEqual({ copied: 1, bytes: 5, found: 5, removed: 0, failed: [] })
    expect(await toAccount()).toMatchObject({ copied: 0, found: 6 })
    const listed = (await readFile(path.join(blobFolder, 'in-account.sha256'), 'utf8')).split('\n')
    expect(listed).toContain(`${sums['artwork']}  artwork`)
  })

  test('goes on after a run that was stopped, and removes originals only with their copies there', async () => {
    const { blobFolder, local, account, toAccount, inAccount } = await open()
    const stopping = new AbortController()
    const copied: string[] = []
    const stopAtThird = {
      ...account,
      writeFile: async (blob: string, file: string, type: string) => {
        if (copied.push(blob) === 3) stopping.abort()
        return account.writeFile(blob, file, type)
      },
    }
    const first = await toAccount({ to: stopAtThird, signal: stopping.signal })
    expect(first.copied).toBeGreaterThanOrEqual(3)
    expect(await toAccount({ isRemoving: true })).toMatchObject({
      copied: 5 - first.copied,
      found: first.copied,
      removed: 5,
    })
    expect(await inAccount()).toEqual(sums)
    expect(Object.keys(await sumsOf(local, listBlobs(blobFolder)))).toEqual([expect.stringMatching(/^incoming-/)])
  })

  test('keeps the original of a copy that differs, says so, and stops when the account is away', async () => {
    const { local, account, said, toAccount } = await open()
    const spoiling = {
      ...account,
      writeFile: async (blob: string, file: string, type: string) =>
        blob === 'artwork' ? account.write(blob, randomBytes(300_000), type) : account.writeFile(blob, file, type),
    }
    const { failed, removed } = await toAccount({ to: spoiling, isRemoving: true })
    expect({ failed, removed }).toEqual({ failed: ['artwork'], removed: 4 })
    expect(said).toEqual(['The file artwork could not be moved: its copy has another content'])
    expect(await local.size('artwork')).toBe(300_000)
    const away = { ...account, writeFile: async () => Promise.reject(new AppError('unavailable')) }
    await expect(toAccount({ to: away })).rejects.toBeInstanceOf(AppError)
    expect(await toAccount({ isRemoving: true })).toMatchObject({ copied: 1, removed: 1, failed: [] })
  })

  test('brings everything back into a folder', async () => {
    const { account, shared, toAccount } = await open()
    await toAccount()
    const blobFolder = path.join(folder, randomUUID())
    const local = await openLocalStore(blobFolder)
    const back = { ...shared, from: account, to: local, journal: `${blobFolder}.sha256` }
    const all = () => account.list?.('') ?? listBlobs(blobFolder)
    expect(await moveBlobs({ ...back, blobs: all() })).toMatchObject({ copied: 5, failed: [] })
    expect(await sumsOf(local, listBlobs(blobFolder))).toEqual(sums)
    expect(await moveBlobs({ ...back, blobs: all(), isRemoving: true })).toMatchObject({ found: 5, removed: 5 })
    expect(await sumsOf(account, all())).toEqual({})
    expect((await readdir(folder)).filter((name) => name.startsWith('moving-'))).toEqual([])
  })
})
