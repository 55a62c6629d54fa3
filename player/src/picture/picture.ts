import { testPatterns } from '@roadshow/contract/catalog/test-patterns'
import type { Canvas, PixelSides } from '@roadshow/contract/catalog/pixel-maps'
import type { PlayerData } from '@roadshow/contract/live/device-events'
import { DecodedSet, type PictureHost, setKey, type SetSource, type ShownFile } from './decoded-set.ts'

export type PixelMapOfTruck = NonNullable<PlayerData['pixelMap']>

// Besides the running set: the same again for its next spot, and the set that follows.
const MAX_DECODED = 2
// Artwork that could not be decoded is tried again after this long.
const RETRY_MS = 60_000
// Each still test pattern is shown for this long.
const PATTERN_MS = 7500

/** What covers the artwork for a while, on command. */
type Cover = { kind: 'pattern'; since: number } | { kind: 'blank' } | null

/** The picture of the whole truck: one canvas, pixel for pixel as the pixel map says, and running videos above it. */
export class Picture {
  readonly element: HTMLElement
  readonly #canvas: HTMLCanvasElement
  readonly #brush: CanvasRenderingContext2D
  readonly #host: PictureHost
  readonly #decoded = new Map<string, DecodedSet>()
  readonly #opening = new Map<string, Promise<void>>()
  readonly #tried = new Map<string, 'opening' | 'decoded' | { retryAt: number }>()
  // Sets that run well, but could not be opened once more for their next spot.
  readonly #withoutSpare = new Set<string>()
  #map: PixelMapOfTruck | null = null
  // What was decoded from other files or for another pixel map is of an earlier one, and is not shown again.
  #generation = 0
  #shown: DecodedSet | null = null
  #wanted: readonly ShownFile[] | null = null
  #cover: Cover = null
  #isStale = true
  #isClosed = false

  constructor(host: Omit<PictureHost, 'layer'>) {
    this.element = document.createElement('main')
    this.#canvas = document.createElement('canvas')
    this.element.append(this.#canvas)
    this.#host = { ...host, layer: this.element }
    const brush = this.#canvas.getContext('2d', { alpha: false })
    if (!brush) throw new Error('This browser cannot draw.')
    this.#brush = brush
    this.#fit()
    addEventListener('resize', this.#fit)
  }

  /** Follows the truck's pixel map. What was decoded for another one is decoded again. */
  set pixelMap(map: PixelMapOfTruck | null) {
    if (JSON.stringify(map) === JSON.stringify(this.#map)) return
    this.#map = map
    this.#shown?.close()
    this.#shown = null
    this.#forgetDecoded()
    this.#fit()
  }

  get pixelMap(): PixelMapOfTruck | null {
    return this.#map
  }

  /** Decodes a set ahead, so that it can begin within one frame. */
  async prepare(files: readonly ShownFile[]): Promise<void> {
    const key = setKey(files)
    if (!this.#map || this.#decoded.has(key)) return
    const { sides } = this.#map
    const opening = this.#opening.get(key) ?? this.#open(key, { files, sides, generation: this.#generation })
    this.#opening.set(key, opening)
    await opening
  }

  /** Whether a set could be decoded for this pixel map. One that was not tried yet is tried now. */
  canShow(files: readonly ShownFile[], now: number): boolean {
    const key = setKey(files)
    const known = this.#tried.get(key)
    if (known === 'decoded') return true
    if (this.#map && (known === undefined || (known !== 'opening' && now >= known.retryAt))) {
      this.#tried.set(key, 'opening')
      void this.prepare(files)
    }
    return false
  }

  /** Begins a spot with the next frame, on all sides at once; null is black. */
  show(files: readonly ShownFile[] | null): void {
    this.#wanted = files
    if (files) return
    this.#replace(null)
  }

  cover(cover: 'pattern' | 'blank' | null): void {
    this.#cover = cover === 'pattern' ? { kind: 'pattern', since: performance.now() } : cover && { kind: cover }
    this.#isStale = true
  }

  get isCovered(): boolean {
    return this.#cover !== null
  }

  /** Files were deleted: what is decoded of them must not be shown again. */
  forgetFiles(): void {
    this.#forgetDecoded()
  }

  /** Draws what has changed. Called once a frame. */
  draw(now: number): void {
    this.#begin()
    this.#shown?.check(now)
    if (this.#cover) this.#drawCover(this.#cover, now)
    else if (this.#isStale) this.#drawAll()
    this.#isStale = false
  }

  /** Black until the next picture is drawn. */
  blacken(): void {
    // The canvas lies above the videos until then.
    this.#canvas.style.zIndex = '1'
    this.#brush.fillStyle = '#000'
    this.#brush.fillRect(0, 0, this.#canvas.width, this.#canvas.height)
    this.#isStale = true
  }

  /** What the screen shows, in a given size. */
  copy(width: number, height: number): OffscreenCanvas {
    const copy = new OffscreenCanvas(width, height)
    const brush = copy.getContext('2d', { alpha: false })
    brush?.scale(width / this.#canvas.width, height / this.#canvas.height)
    brush?.drawImage(this.#canvas, 0, 0)
    if (brush && !this.#cover) this.#shown?.drawMoving(brush)
    return copy
  }

  get size(): Canvas {
    return { width: this.#canvas.width, height: this.#canvas.height }
  }

  /** Nothing but black, from now on. */
  close(): void {
    this.#isClosed = true
    removeEventListener('resize', this.#fit)
    this.#wanted = null
    this.#shown?.close()
    this.#shown = null
    this.#forgetDecoded()
    this.#drawAll()
  }

  async #open(key: string, source: SetSource): Promise<void> {
    try {
      this.#keep(await DecodedSet.open(source, this.#host))
    } catch (error) {
      if (this.#isOld(source)) return
      if (this.#shown?.key === key || this.#decoded.has(key)) this.#withoutSpare.add(key)
      else this.#tried.set(key, { retryAt: performance.now() + RETRY_MS })
      this.#host.report(error instanceof Error ? error.message : String(error))
    } finally {
      if (!this.#isOld(source)) this.#opening.delete(key)
    }
  }

  /** Begins the wanted spot as soon as its set is decoded; the one before stays until then. */
  #begin(): void {
    const files = this.#wanted
    if (!files) return
    const key = setKey(files)
    const next = this.#decoded.get(key)
    if (next) {
      this.#decoded.delete(key)
      this.#replace(next)
    } else if (this.#shown?.key === key && !this.#isOld(this.#shown) && this.#goesOn(this.#shown)) {
      this.#isStale = true
    } else {
      void this.prepare(files)
      return
    }
    this.#wanted = null
    // The same files may be shown again right after this.
    if (this.#shown?.isMoving) void this.prepare(files)
  }

  /** Whether a set stays as it is for its next spot: still pictures do, and a video that is here only once runs on. */
  #goesOn({ key, isMoving }: DecodedSet): boolean {
    return !isMoving || this.#withoutSpare.has(key)
  }

  /** The set before goes back to its first picture and waits: its files are often shown again. */
  #replace(next: DecodedSet | null): void {
    const before = this.#shown
    this.#shown = next
    this.#isStale = true
    next?.start()
    if (!before) return
    const rewinding = this.#rewind(before)
    if (before.isMoving && !this.#isOld(before) && !this.#opening.has(before.key))
      this.#opening.set(before.key, rewinding)
  }

  async #rewind(set: DecodedSet): Promise<void> {
    try {
      await set.rewind()
      this.#keep(set)
    } catch {
      // A video that does not go back is opened again when it is needed.
      set.close()
    } finally {
      if (!this.#isOld(set)) this.#opening.delete(set.key)
    }
  }

  #keep(set: DecodedSet): void {
    if (this.#isClosed || this.#isOld(set) || this.#decoded.has(set.key)) return set.close()
    this.#decoded.set(set.key, set)
    this.#tried.set(set.key, 'decoded')
    this.#withoutSpare.delete(set.key)
    for (const [key, oldest] of this.#decoded) {
      if (this.#decoded.size <= MAX_DECODED) break
      this.#decoded.delete(key)
      oldest.close()
    }
  }

  #isOld({ generation }: Pick<SetSource, 'generation'>): boolean {
    return generation !== this.#generation
  }

  #forgetDecoded(): void {
    this.#generation++
    for (const set of this.#decoded.values()) set.close()
    this.#decoded.clear()
    this.#tried.clear()
    this.#withoutSpare.clear()
    this.#opening.clear()
  }

  #drawAll(): void {
    this.blacken()
    this.#shown?.draw(this.#brush)
    this.#canvas.style.zIndex = ''
  }

  #drawCover(cover: NonNullable<Cover>, now: number): void {
    // Not every pattern draws beside the sides.
    this.blacken()
    if (cover.kind === 'blank') return
    const elapsed = now - cover.since
    const pattern = testPatterns[Math.floor(elapsed / PATTERN_MS) % testPatterns.length]
    pattern?.draw(this.#brush, screenOf(this.#map, this.size), elapsed / 1000)
  }

  /** One pixel of the canvas is one pixel of the output, whatever the window calls a pixel. */
  readonly #fit = (): void => {
    const { width, height } = this.#map ?? windowSize()
    // Setting a size also clears the canvas.
    if (this.#canvas.width !== width) this.#canvas.width = width
    if (this.#canvas.height !== height) this.#canvas.height = height
    this.element.style.setProperty('--pixel', `${1 / devicePixelRatio}px`)
    this.#canvas.style.width = `${width / devicePixelRatio}px`
    this.#canvas.style.height = `${height / devicePixelRatio}px`
    this.#isStale = true
  }
}

const windowSize = (): Canvas => ({
  width: Math.max(1, Math.round(innerWidth * devicePixelRatio)),
  height: Math.max(1, Math.round(innerHeight * devicePixelRatio)),
})

/** What test patterns are drawn on; a truck without a pixel map has one side, the window. */
function screenOf(map: PixelMapOfTruck | null, canvas: Canvas) {
  if (map) return { canvas: map, sides: map.sides as unknown as PixelSides }
  const { width, height } = canvas
  const whole = { x: 0, y: 0, width, height }
  const none = { x: 0, y: 0, width: 0, height: 0 }
  return { canvas: { width, height }, sides: { driverSide: whole, passengerSide: none, rear: none } }
}
