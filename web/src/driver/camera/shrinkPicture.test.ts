import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draw } from './shrinkPicture.ts'

// These tests have neither canvases nor workers; journeys take photos with true ones.

const brush = { fillStyle: '', fillRect: vi.fn<() => void>(), drawImage: vi.fn<() => void>() }
const picture = {} as ImageBitmap

class Canvas {
  getContext = () => brush
  transferToImageBitmap = () => picture
}

/** Answers each picture with its bytes, or breaks. */
class Encoder extends EventTarget {
  static started = 0
  static isBroken = false

  constructor() {
    super()
    Encoder.started++
  }

  postMessage({ id }: { id: number }) {
    const data = { id, blob: new Blob(['made aside']) }
    const event = Encoder.isBroken ? new Event('error') : new MessageEvent('message', { data })
    setTimeout(() => this.dispatchEvent(event))
  }
}

const drawn = async () => (await draw(picture, { width: 4, height: 3 }, 0.8)).text()

beforeEach(() => {
  const { prototype } = HTMLCanvasElement
  vi.spyOn(prototype, 'getContext').mockReturnValue(brush as never)
  vi.spyOn(prototype, 'toBlob').mockImplementation((settle) => settle(new Blob(['made in the page'])))
  vi.stubGlobal('Worker', Encoder)
  vi.stubGlobal('OffscreenCanvas', Canvas)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  Encoder.isBroken = false
})

test('a browser that draws on its pages only makes pictures there', async () => {
  vi.stubGlobal('OffscreenCanvas', undefined)
  expect(await drawn()).toBe('made in the page')
})

test('pictures are made aside where that can be done, all by the same worker', async () => {
  expect(await Promise.all([drawn(), drawn()])).toEqual(['made aside', 'made aside'])
  expect(await drawn()).toBe('made aside')
  expect(Encoder.started).toBe(1)
})

test('while it cannot be loaded, pictures are made in the page, and the next one tries again', async () => {
  Encoder.isBroken = true
  expect(await Promise.all([drawn(), drawn()])).toEqual(['made in the page', 'made in the page'])
  Encoder.isBroken = false
  expect(await drawn()).toBe('made aside')
  expect(Encoder.started).toBe(2)
})
