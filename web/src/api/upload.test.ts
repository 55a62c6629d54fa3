import { files } from '@roadshow/contract/platform/files'
import type { FileRef, UploadTarget } from '@roadshow/contract/platform/files'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, refusal } from '../test-console.tsx'
import type { FakeApi } from '../test-console.tsx'
import { upload } from './upload.ts'

const uid = '01900000-0000-7000-8000-000000000001'
const stored: FileRef = {
  uid,
  url: '/f',
  thumbnailUrl: null,
  name: 'art.png',
  contentType: 'image/png',
  size: 3,
  width: 1,
  height: 1,
  durationMs: null,
  sha256: 'a'.repeat(64),
}

interface Put {
  url: string
  size: number
}
type Reply = (put: Put) => { status: number; text: string } | 'broken'

let api: FakeApi
let puts: Put[]
let reply: Reply

/** What an XMLHttpRequest does, answered by the test. */
class FakeRequest extends EventTarget {
  upload = new EventTarget()
  status = 0
  responseText = ''
  private url = ''

  open(_method: string, url: string) {
    this.url = url
  }
  setRequestHeader() {}
  abort() {
    this.dispatchEvent(new Event('abort'))
  }
  send(body: Blob) {
    const put = { url: this.url, size: body.size }
    puts.push(put)
    queueMicrotask(() => {
      const answer = reply(put)
      if (answer !== 'broken') {
        this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: body.size }))
        Object.assign(this, { status: answer.status, responseText: answer.text })
      }
      this.dispatchEvent(new Event(answer === 'broken' ? 'error' : 'load'))
      this.dispatchEvent(new Event('loadend'))
    })
  }
}

const MB = 1024 * 1024
const aFile = (size: number, name = 'art.png') => new File([new Uint8Array(size)], name, { type: 'image/png' })
const target = (protocol: UploadTarget['protocol']): UploadTarget => ({
  fileUid: uid,
  url: '/api/v1/blob-storage/blobs/incoming?size=1',
  method: 'PUT',
  protocol,
  headers: {},
  expiresAt: '2026-07-01T12:00:00.000Z',
})
const offsetOf = ({ url }: Put) => Number(/offset=(\d+)/.exec(url)?.[1])
const arrived = (put: Put) => ({
  status: 200,
  text: JSON.stringify({ data: { received: offsetOf(put) + put.size, size: 1 } }),
})
const send = (file: File, more: Partial<Parameters<typeof upload>[2]> = {}) =>
  upload(file, 'artwork', { signal: new AbortController().signal, ...more })

beforeEach(() => {
  api = fakeApi()
  puts = []
  reply = arrived
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  vi.stubGlobal('createImageBitmap', async () => ({ width: 640, height: 320, close: () => undefined }))
  api.answer(files.getUploadSas, () => ({ data: target('ranges') }))
  api.answer(files.complete, () => ({ data: stored }))
  api.answer(files.deleteBlob, () => ({ data: { fileUid: uid } }))
})

describe('an upload', () => {
  test('tells size and dimensions before it asks, then sends parts in order', async () => {
    const shares: number[] = []
    expect(await send(aFile(20 * MB), { onProgress: (share) => shares.push(share) })).toEqual(stored)
    expect(api.sentTo(files.getUploadSas)[0]?.body).toEqual({
      purpose: 'artwork',
      name: 'art.png',
      contentType: 'image/png',
      size: 20 * MB,
      width: 640,
      height: 320,
    })
    expect(puts.map(offsetOf)).toEqual([0, 8 * MB, 16 * MB])
    expect(shares.at(-1)).toBe(1)
  })

  test('goes on where the server has it, after the connection broke', async () => {
    const waits: boolean[] = []
    reply = (put) => (puts.length === 2 ? 'broken' : arrived(put))
    api.respond(files.received, () => Response.json({ data: { received: 10 * MB, size: 20 * MB } }))
    const bare = { ...target('ranges'), url: '/api/v1/blob-storage/blobs/abc?size=1' }
    api.answer(files.getUploadSas, () => ({ data: bare }))
    vi.stubGlobal('fetch', passReceived(10 * MB))
    await send(aFile(20 * MB), { onWaiting: (isWaiting) => waits.push(isWaiting) })
    expect(puts.map(offsetOf)).toEqual([0, 8 * MB, 10 * MB, 18 * MB])
    expect(waits).toEqual([true, false])
  })

  test('in blocks sends a broken one again, then the list', async () => {
    api.answer(files.getUploadSas, () => ({ data: target('blocks') }))
    reply = () => (puts.length === 1 ? 'broken' : { status: 201, text: '' })
    await send(aFile(9 * MB))
    expect(puts.map(({ url }) => /comp=\w+/.exec(url)?.[0])).toEqual([
      'comp=block',
      'comp=block',
      'comp=block',
      'comp=blocklist',
    ])
  })

  test('is refused here already when its kind or size is wrong', async () => {
    await expect(send(aFile(10, 'art.gif'))).rejects.toThrow('Please choose a JPEG, PNG, WebP, MP4 or WebM file.')
    expect(api.sentTo(files.getUploadSas)).toHaveLength(0)
  })

  test('says what the server has against it, and does not try again', async () => {
    api.respond(files.complete, () => refusal('fileRefused', { error: 'This is no PNG file.' }))
    await expect(send(aFile(3))).rejects.toThrow('This is no PNG file.')
    expect(api.sentTo(files.complete)).toHaveLength(1)
    expect(api.sentTo(files.deleteBlob)).toHaveLength(0)
  })

  test('that is canceled takes back what it sent', async () => {
    const stop = new AbortController()
    reply = (put) => {
      stop.abort()
      return arrived(put)
    }
    await expect(send(aFile(9 * MB), { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
    await vi.waitFor(() => expect(api.sentTo(files.deleteBlob)).toHaveLength(1), { timeout: 8_000 })
  })
})

/** The fake API, with a blob's address that no uid names. */
function passReceived(received: number) {
  const others = globalThis.fetch
  return (input: string, init?: RequestInit) =>
    input.includes('/blobs/') ? Promise.resolve(Response.json({ data: { received, size: 1 } })) : others(input, init)
}
