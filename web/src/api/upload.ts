import { files, contentTypeOfName, uploadProblem } from '@roadshow/contract/platform/files'
import type { FilePurpose, FileRef, UploadTarget } from '@roadshow/contract/platform/files'
import type { ErrorBody } from '@roadshow/contract/platform/errors'
import { ApiError, call } from './call.ts'
import { measureMedia } from './measureMedia.ts'
import { withProgress } from './with-progress.ts'

const PART = 8 * 1024 * 1024
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
const TRIES = 10

interface Reports {
  /** How much has been sent, from 0 to 1. */
  onProgress?: (share: number) => void
  /** The connection is broken and will be tried again, or is back. */
  onWaiting?: (isWaiting: boolean) => void
  signal: AbortSignal
}

const UNREACHABLE = { error: 'The connection was lost. Check it and try again.' }

const bodyOf = (text: string) => {
  try {
    return JSON.parse(text) as Partial<ErrorBody>
  } catch {
    return undefined
  }
}

interface PutOptions {
  headers: Record<string, string>
  onSent: (bytes: number) => void
  signal: AbortSignal
}

/** One PUT, with its progress. */
async function put(url: string, body: Blob, { headers, onSent, signal }: PutOptions) {
  const response = await withProgress(onSent)(url, { method: 'PUT', headers, body, signal }).catch(() => {
    signal.throwIfAborted()
    throw new ApiError(0, UNREACHABLE)
  })
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, bodyOf(text))
  return text
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })

// A broken connection and a tired server pass; what the server refuses, it will refuse again.
const isPassing = (error: unknown) =>
  error instanceof ApiError &&
  (error.status === 0 || error.status >= 500 || error.code === 'uploadOffset' || error.code === 'uploadUnfinished')

/** Tries until it succeeds, waiting longer each time; gives up after a few minutes without a success. */
async function persist<T>(work: () => Promise<T>, { onWaiting, signal }: Reports): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      const done = await work()
      if (tries > 1) onWaiting?.(false)
      return done
    } catch (error) {
      if (!isPassing(error) || tries === TRIES) throw error
      onWaiting?.(true)
      await pause(Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS), signal)
    }
  }
}

/** How much has arrived; everything, when the address says that it was used up. */
async function receivedOf(url: string, size: number, signal: AbortSignal): Promise<number> {
  const response = await fetch(url, { signal, cache: 'no-store' }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new ApiError(0, { ...UNREACHABLE, error: error instanceof Error ? UNREACHABLE.error : '' })
  })
  const answer = (await response.json().catch(() => undefined)) as { data?: { received: number } } & Partial<ErrorBody>
  if (answer?.code === 'uploadLink') return size
  if (!response.ok || !answer?.data) throw new ApiError(response.status, answer)
  return answer.data.received
}

/** Parts in order, each at the place where the last one ended; after a break, at the place the server names. */
async function sendRanges(file: Blob, { url, headers }: UploadTarget, reports: Reports): Promise<void> {
  const { onProgress, signal } = reports
  let offset = 0
  let isBroken = false
  while (offset < file.size) {
    offset = await persist(async () => {
      if (isBroken) offset = await receivedOf(url, file.size, signal)
      if (offset === file.size) return offset
      isBroken = true
      const part = file.slice(offset, offset + PART)
      const onSent = (sent: number) => onProgress?.((offset + sent) / file.size)
      const answer = await put(`${url}&offset=${offset}`, part, { headers, onSent, signal })
      isBroken = false
      return (JSON.parse(answer) as { data: { received: number } }).data.received
    }, reports)
    onProgress?.(offset / file.size)
  }
}

/** Azure's blocks, then the list of them. A block that broke off is simply sent again. */
async function sendBlocks(file: Blob, { url, headers }: UploadTarget, reports: Reports): Promise<void> {
  const { onProgress, signal } = reports
  const ids: string[] = []
  for (let offset = 0; offset < file.size; offset += PART) {
    const id = btoa(String(ids.length).padStart(6, '0'))
    const part = file.slice(offset, offset + PART)
    const block = `${url}&comp=block&blockid=${encodeURIComponent(id)}`
    const onSent = (sent: number) => onProgress?.((offset + sent) / file.size)
    await persist(() => put(block, part, { headers, onSent, signal }), reports)
    ids.push(id)
  }
  const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`
  const xml = new Blob([list], { type: 'application/xml' })
  await persist(() => put(`${url}&comp=blocklist`, xml, { headers, onSent: () => undefined, signal }), reports)
}

/** Looks at a file, announces it, sends it straight to the store and has it verified. */
export async function upload(file: File, purpose: FilePurpose, reports: Reports): Promise<FileRef> {
  const contentType = contentTypeOfName(file.name) ?? file.type
  const announced = { purpose, name: file.name, contentType, size: file.size }
  const problem = uploadProblem(purpose, announced)
  if (problem) throw new ApiError(415, { error: problem.text })
  const type = contentTypeOfName(file.name)
  const { frame, ...size } = type ? await measureMedia(file, type) : {}
  const { data: target } = await call(
    files.getUploadSas,
    { body: { ...announced, ...size } },
    { signal: reports.signal },
  )
  const { fileUid } = target
  try {
    await (target.protocol === 'blocks' ? sendBlocks : sendRanges)(file, target, reports)
    const finish = () =>
      call(files.complete, { body: { fileUid, ...(frame && { frame }) } }, { signal: reports.signal, isOnce: true })
    return (await persist(finish, reports)).data
  } catch (error) {
    // What was sent is of no use any more, unless the server has removed it itself. Should this not arrive, it is swept
    // away in a day.
    const isGone = error instanceof ApiError && error.code === 'fileRefused'
    if (!isGone) void call(files.deleteBlob, { body: { fileUid } }).catch(() => undefined)
    throw error
  }
}
