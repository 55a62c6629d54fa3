interface EncodeReply {
  id: number
  blob: Blob | null
}

const waiting = new Map<number, (made: Blob | null) => void>()
let lastId = 0
let encoder: Worker | undefined

function startEncoder(): Worker {
  const worker = new Worker(new URL('../worker/encode-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data: { id, blob } }: MessageEvent<EncodeReply>) => {
    waiting.get(id)?.(blob)
    waiting.delete(id)
  })
  worker.addEventListener('error', () => {
    if (encoder !== worker) return
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
    encoder = undefined
  })
  return worker
}

/**
 * A JPEG that is made beside the page: in the page, a browser begins with it only once nothing else is to be done, which
 * next to a running camera is a second later. Null where that cannot be done.
 */
export async function encodeAside(canvas: OffscreenCanvas, quality: number): Promise<Blob | null> {
  encoder ??= startEncoder()
  const worker = encoder
  const id = ++lastId
  const picture = canvas.transferToImageBitmap()
  return new Promise((settle) => {
    waiting.set(id, settle)
    worker.postMessage({ id, picture, quality }, [picture])
  })
}
