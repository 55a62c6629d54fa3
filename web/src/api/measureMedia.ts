import { fileTypes } from '@roadshow/contract/platform/files'
import type { ContentType } from '@roadshow/contract/platform/files'

/** What the browser can tell of a file before it is sent. */
export interface MediaFacts {
  width?: number
  height?: number
  durationMs?: number
  /** A frame of a video as a JPEG in base64. */
  frame?: string
}

const FRAME_WIDTH = 480
const PATIENCE_MS = 10_000

const event = (target: EventTarget, name: string) =>
  new Promise<void>((resolve, reject) => {
    target.addEventListener(name, () => resolve(), { once: true })
    target.addEventListener('error', () => reject(new Error('The file cannot be shown.')), { once: true })
    setTimeout(() => reject(new Error('The file cannot be shown in time.')), PATIENCE_MS)
  })

async function measureImage(file: File): Promise<MediaFacts> {
  const picture = await createImageBitmap(file)
  const { width, height } = picture
  picture.close()
  return { width, height }
}

function frameOf(video: HTMLVideoElement): string | undefined {
  const canvas = document.createElement('canvas')
  canvas.width = FRAME_WIDTH
  canvas.height = Math.max(1, Math.round((FRAME_WIDTH * video.videoHeight) / video.videoWidth))
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/jpeg', 0.8).split(',')[1]
}

async function measureVideo(file: File): Promise<MediaFacts> {
  const video = document.createElement('video')
  const address = URL.createObjectURL(file)
  video.muted = true
  video.preload = 'auto'
  video.src = address
  try {
    await event(video, 'loadeddata')
    const { videoWidth: width, videoHeight: height, duration } = video
    const known: MediaFacts = {
      width,
      height,
      ...(Number.isFinite(duration) && { durationMs: Math.round(duration * 1000) }),
    }
    // The very first frame is often black.
    video.currentTime = Math.min(1, Number.isFinite(duration) ? duration / 2 : 0)
    await event(video, 'seeked')
    const frame = frameOf(video)
    return frame ? { ...known, frame } : known
  } finally {
    video.removeAttribute('src')
    URL.revokeObjectURL(address)
  }
}

/** Size and length of a picture or video. What this browser cannot show is left to the server to judge. */
export async function measureMedia(file: File, type: ContentType): Promise<MediaFacts> {
  try {
    return await (fileTypes[type].isVideo ? measureVideo(file) : measureImage(file))
  } catch {
    return {}
  }
}
