import type { FileReply, FileRequest } from '../workers/file-messages.ts'
import type { WantedFile } from '../workers/artwork-folder.ts'

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

/** Why a file did not arrive, as the worker says it. */
export class DownloadError extends Error {
  readonly problem: Extract<FileReply, { problem: unknown }>['problem']

  constructor({ problem, text }: Extract<FileReply, { problem: unknown }>) {
    super(text)
    this.problem = problem
  }
}

interface Waiting {
  resolve: (done: unknown) => void
  reject: (error: Error) => void
  onBytes: ((bytes: number) => void) | undefined
}

/** Talks to the worker that keeps the files. */
export class FileWorker {
  readonly #worker = new Worker(new URL('../workers/file-worker.ts', import.meta.url), { type: 'module' })
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FileReply>) => this.#hear(data))
    this.#worker.addEventListener('error', ({ message }) => this.#failAll(message))
  }

  list(): Promise<string[]> {
    return this.#ask({ act: 'list' }) as Promise<string[]>
  }

  isIntact(sha256: string): Promise<boolean> {
    return this.#ask({ act: 'isIntact', sha256 }) as Promise<boolean>
  }

  async remove(sha256: string): Promise<void> {
    await this.#ask({ act: 'remove', sha256 })
  }

  async download(file: WantedFile, onBytes: (bytes: number) => void): Promise<void> {
    await this.#ask({ act: 'download', file }, onBytes)
  }

  close(): void {
    this.#worker.terminate()
  }

  #ask(request: WithoutId<FileRequest>, onBytes?: (bytes: number) => void): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onBytes })
      this.#worker.postMessage({ id, ...request }, [])
    })
  }

  #hear(reply: FileReply): void {
    const waiting = this.#waiting.get(reply.id)
    if ('bytes' in reply) return waiting?.onBytes?.(reply.bytes)
    this.#waiting.delete(reply.id)
    if ('done' in reply) waiting?.resolve(reply.done)
    else waiting?.reject(new DownloadError(reply))
  }

  #failAll(text: string): void {
    for (const [id, { reject }] of this.#waiting) reject(new DownloadError({ id, problem: 'failed', text }))
    this.#waiting.clear()
  }
}
