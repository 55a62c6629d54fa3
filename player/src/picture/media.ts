import { areaOnSide } from '@roadshow/contract/catalog/artwork'
import type { Canvas, PixelRectangle } from '@roadshow/contract/catalog/pixel-maps'

export type Brush = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** Frames of videos since the page started: shown ones, and those that came too late. */
export interface FrameCounts {
  shown: number
  dropped: number
}

/** What one side shows. */
export interface SideMedia {
  readonly isMoving: boolean
  /** Draws its first picture, once it is ready. */
  draw(brush: Brush): void
  /** Begins to run, from the picture that was drawn. */
  start(): void
  /** Leaves the screen at once, and goes back to its first picture, to be shown again. */
  rewind(): Promise<void>
  close(): void
}

/** The area of the canvas that a file of a given size covers on its side. */
const areaOf = (file: Canvas, side: PixelRectangle): PixelRectangle => {
  const area = areaOnSide(file, side)
  return { ...area, x: side.x + area.x, y: side.y + area.y }
}

/** A still picture, scaled once to the pixels of its side. */
export class ImageMedia implements SideMedia {
  readonly isMoving = false
  readonly #bitmap: ImageBitmap
  readonly #area: PixelRectangle

  private constructor(bitmap: ImageBitmap, area: PixelRectangle) {
    this.#bitmap = bitmap
    this.#area = area
  }

  static async open(content: Blob, side: PixelRectangle): Promise<ImageMedia> {
    const whole = await createImageBitmap(content)
    const area = areaOf(whole, side)
    if (whole.width === area.width && whole.height === area.height) return new ImageMedia(whole, area)
    const { width: resizeWidth, height: resizeHeight } = area
    const scaled = await createImageBitmap(whole, { resizeWidth, resizeHeight, resizeQuality: 'high' })
    whole.close()
    return new ImageMedia(scaled, area)
  }

  draw(brush: Brush): void {
    brush.drawImage(this.#bitmap, this.#area.x, this.#area.y)
  }

  start(): void {}

  async rewind(): Promise<void> {}

  close(): void {
    this.#bitmap.close()
  }
}

// A decoder that shows no new picture for this long is hung.
const HUNG_MS = 3000
const OPEN_MS = 15_000
const CHECK_MS = 1000
const SEEK_MS = 5000

export interface VideoOptions {
  content: Blob
  side: PixelRectangle
  /** Where running videos lie, above the canvas. */
  layer: HTMLElement
  frames: FrameCounts
  /** Whether its sound is to be heard. */
  hasSound: () => boolean
  onRebuilt: () => void
}

/**
 * A video, decoded ahead to its first picture; it repeats until the spot ends. The first picture is drawn on the canvas,
 * so that all sides change on one frame; the running video then covers it, without a script for each of its frames.
 */
export class VideoMedia implements SideMedia {
  readonly isMoving = true
  readonly #options: VideoOptions
  readonly #area: PixelRectangle
  #video: HTMLVideoElement
  #hung: HTMLVideoElement | undefined
  #isRunning = false
  #isClosed = false
  #shown = 0
  #dropped = 0
  #seenTime = -1
  #seenAt = 0
  #checkedAt = 0

  private constructor(video: HTMLVideoElement, options: VideoOptions) {
    this.#options = options
    this.#video = video
    this.#area = areaOf({ width: video.videoWidth, height: video.videoHeight }, options.side)
    this.#place(video)
  }

  static async open(options: VideoOptions): Promise<VideoMedia> {
    return new VideoMedia(await loadVideo(options.content), options)
  }

  draw(brush: Brush): void {
    const { x, y, width, height } = this.#area
    brush.drawImage(this.#video, x, y, width, height)
  }

  start(): void {
    // Pictures that the way back to the start has skipped were never due.
    this.#readFrames()
    this.#isRunning = true
    this.#seenAt = performance.now()
    this.#coverWhenRunning(this.#video)
    void this.#play()
  }

  async rewind(): Promise<void> {
    this.#count()
    this.#isRunning = false
    this.#releaseHung()
    this.#video.style.visibility = 'hidden'
    this.#video.pause()
    this.#video.muted = true
    this.#seenTime = -1
    await seek(this.#video, 0)
  }

  close(): void {
    this.#isClosed = true
    this.#isRunning = false
    this.#releaseHung()
    releaseVideo(this.#video)
  }

  /** Rebuilds a hung decoder, at the place where the video would be by now. */
  check(now: number): void {
    if (!this.#isRunning) return
    // Sound goes off at once. It comes back with the next spot: a browser may pause a running video that becomes audible.
    if (!this.#options.hasSound()) this.#video.muted = true
    if (now - this.#checkedAt < CHECK_MS) return
    this.#checkedAt = now
    this.#count()
    const { currentTime } = this.#video
    if (currentTime !== this.#seenTime) {
      this.#seenTime = currentTime
      this.#seenAt = now
    } else if (now - this.#seenAt >= HUNG_MS) {
      const behind = (now - this.#seenAt) / 1000
      this.#seenAt = now
      void this.#rebuild(currentTime + behind)
    }
  }

  #count(): void {
    if (!this.#isRunning) return
    const [shownBefore, droppedBefore] = [this.#shown, this.#dropped]
    this.#readFrames()
    this.#options.frames.shown += this.#shown - shownBefore
    this.#options.frames.dropped += this.#dropped - droppedBefore
  }

  #readFrames(): void {
    const { totalVideoFrames, droppedVideoFrames } = this.#video.getVideoPlaybackQuality()
    this.#shown = totalVideoFrames - droppedVideoFrames
    this.#dropped = droppedVideoFrames
  }

  /** Lays a video over its area of the canvas, unseen. */
  #place(video: HTMLVideoElement): void {
    const { x, y, width, height } = this.#area
    for (const [name, pixels] of Object.entries({ left: x, top: y, width, height })) {
      video.style.setProperty(name, `calc(var(--pixel) * ${pixels})`)
    }
    video.style.visibility = 'hidden'
    this.#options.layer.append(video)
  }

  /** Shows a video from the first of its running pictures on. */
  #coverWhenRunning(video: HTMLVideoElement): void {
    video.requestVideoFrameCallback(() => {
      if (video !== this.#video || !this.#isRunning) return
      video.style.visibility = 'visible'
      this.#releaseHung()
    })
  }

  #releaseHung(): void {
    if (this.#hung) releaseVideo(this.#hung)
    this.#hung = undefined
  }

  async #play(): Promise<void> {
    const video = this.#video
    video.muted = !this.#options.hasSound()
    try {
      await video.play()
    } catch {
      // A browser that is not set up as a kiosk refuses sound before a click.
      video.muted = true
      await video.play().catch(() => undefined)
    }
  }

  async #rebuild(time: number): Promise<void> {
    this.#options.onRebuilt()
    const video = await loadVideo(this.#options.content).catch(() => undefined)
    if (!video) return
    if (this.#isRunning && Number.isFinite(video.duration))
      await seek(video, time % video.duration).catch(() => undefined)
    if (this.#isClosed) return releaseVideo(video)
    this.#releaseHung()
    this.#hung = this.#video
    this.#video = video
    this.#readFrames()
    this.#place(video)
    if (!this.#isRunning) return this.#releaseHung()
    // The last picture of the hung one stays until then.
    this.#coverWhenRunning(video)
    await this.#play()
  }
}

async function loadVideo(content: Blob): Promise<HTMLVideoElement> {
  const video = document.createElement('video')
  video.muted = true
  video.loop = true
  video.playsInline = true
  video.preload = 'auto'
  video.src = URL.createObjectURL(content)
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The video did not open in time.')), OPEN_MS)
      video.addEventListener('canplaythrough', () => {
        clearTimeout(timer)
        resolve()
      })
      video.addEventListener('error', () => {
        clearTimeout(timer)
        reject(new Error(`The video cannot be decoded: ${video.error?.message ?? ''}`))
      })
      video.load()
    })
    return video
  } catch (error) {
    releaseVideo(video)
    throw error
  }
}

/** Goes to a time of a video. A decoder that has died says nothing any more. */
function seek(video: HTMLVideoElement, time: number): Promise<void> {
  if (video.currentTime === time && !video.seeking) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The video did not go back in time.')), SEEK_MS)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    video.addEventListener('seeked', end, { once: true })
    video.addEventListener('emptied', end, { once: true })
    video.currentTime = time
  })
}

/** Frees the decoder and the memory of a video at once instead of some day. */
function releaseVideo(video: HTMLVideoElement): void {
  const url = video.src
  video.remove()
  video.pause()
  video.removeAttribute('src')
  video.load()
  URL.revokeObjectURL(url)
}
