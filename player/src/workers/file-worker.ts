import { ArtworkFolder, FileError } from './artwork-folder.ts'
import type { FileReply, FileRequest } from './file-messages.ts'

/** Keeps the artwork: writing in place and hashing would hold up the picture on the page's own thread. */

declare const self: DedicatedWorkerGlobalScope

const PROGRESS_MS = 250

const opened = (async () => {
  const root = await navigator.storage.getDirectory()
  return new ArtworkFolder(await root.getDirectoryHandle('artwork', { create: true }))
})()

const reply = (message: FileReply) => self.postMessage(message, [])

async function perform(request: FileRequest): Promise<unknown> {
  const folder = await opened
  switch (request.act) {
    case 'list':
      return folder.list()
    case 'isIntact':
      return folder.isIntact(request.sha256)
    case 'remove':
      return folder.remove(request.sha256)
    case 'download': {
      let toldAt = 0
      return folder.download(request.file, (bytes) => {
        if (performance.now() - toldAt < PROGRESS_MS) return
        toldAt = performance.now()
        reply({ id: request.id, bytes })
      })
    }
  }
}

self.addEventListener('message', ({ data }: MessageEvent<FileRequest>) => {
  perform(data).then(
    (done) => reply({ id: data.id, done }),
    (error: unknown) =>
      reply({ id: data.id, problem: error instanceof FileError ? error.problem : 'failed', text: String(error) }),
  )
})
