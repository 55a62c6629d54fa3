import type { PlayerFile } from '@roadshow/contract/live/device-events'
import type { PixelRectangle } from '@roadshow/contract/catalog/pixel-maps'
import type { Brush, FrameCounts, SideMedia } from './media.ts'
import { ImageMedia, VideoMedia } from './media.ts'

export type ShownFile = Pick<PlayerFile, 'side' | 'sha256' | 'contentType'>
type Sides = Record<string, PixelRectangle>

/** The same files on the same sides are the same picture. */
export const setKey = (files: readonly ShownFile[]): string =>
  files.map(({ side, sha256 }) => `${side} ${sha256}`).join(', ')

export interface PictureHost {
  /** The content of a file whose hash was checked; undefined while it is not here. */
  content(sha256: string): Promise<Blob | undefined>
  /** Where running videos lie, above the canvas. */
  layer: HTMLElement
  frames: FrameCounts
  isSoundOn(): boolean
  report(problem: string): void
}

/** What a set is decoded from. */
export interface SetSource {
  files: readonly ShownFile[]
  sides: Sides
  /** Another number once the files or the pixel map are not the same any more. */
  generation: number
}

/** All sides of one spot, ready to begin on the same frame. */
export class DecodedSet {
  readonly key: string
  readonly generation: number
  readonly #media: SideMedia[]

  private constructor({ files, generation }: SetSource, media: SideMedia[]) {
    this.key = setKey(files)
    this.generation = generation
    this.#media = media
  }

  /** Opens every side. If one cannot be decoded the set is not shown at all: half a set is no play. */
  static async open(source: SetSource, host: PictureHost): Promise<DecodedSet> {
    const { files, sides } = source
    const soundSide = files.find(({ contentType }) => contentType.startsWith('video/'))?.side
    const results = await Promise.allSettled(
      files.map((file) =>
        openMedia(file, sides[file.side], {
          ...host,
          isSoundOn: () => file.side === soundSide && host.isSoundOn(),
        }),
      ),
    )
    const media = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    const failed = results.find((result) => result.status === 'rejected')
    if (!failed) return new DecodedSet(source, media)
    for (const each of media) each.close()
    throw failed.reason
  }

  get isMoving(): boolean {
    return this.#media.some(({ isMoving }) => isMoving)
  }

  draw(brush: Brush): void {
    for (const media of this.#media) media.draw(brush)
  }

  /** Draws what is not on the canvas: running videos. */
  drawMoving(brush: Brush): void {
    for (const media of this.#media) if (media.isMoving) media.draw(brush)
  }

  start(): void {
    for (const media of this.#media) media.start()
  }

  async rewind(): Promise<void> {
    await Promise.all(this.#media.map((media) => media.rewind()))
  }

  check(now: number): void {
    for (const media of this.#media) if (media instanceof VideoMedia) media.check(now)
  }

  close(): void {
    for (const media of this.#media) media.close()
  }
}

async function openMedia(file: ShownFile, side: PixelRectangle | undefined, host: PictureHost): Promise<SideMedia> {
  const content = await host.content(file.sha256)
  if (!content || !side) throw new Error(`The ${file.side} has no file or no place.`)
  // A file of the private file system has no type of its own.
  const typed = content.slice(0, content.size, file.contentType)
  if (!file.contentType.startsWith('video/')) return ImageMedia.open(typed, side)
  return VideoMedia.open({
    content: typed,
    side,
    layer: host.layer,
    frames: host.frames,
    hasSound: () => host.isSoundOn(),
    onRebuilt: () => host.report(`The video of the ${file.side} hung and was started again.`),
  })
}
