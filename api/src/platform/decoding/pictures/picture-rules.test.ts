import { describe, expect, test } from 'vitest'
import { pictureProblem, type PictureHeader } from './picture-rules.js'

const MB = 1024 * 1024
const header = (given: Partial<PictureHeader>): PictureHeader => ({
  format: 'png',
  width: 4000,
  height: 3000,
  channels: 3,
  depth: 'uchar',
  isProgressive: false,
  hasAlpha: false,
  bytes: 5 * MB,
  ...given,
})
const problem = (given: Partial<PictureHeader>, isEncoded = false) =>
  pictureProblem(header(given), { heldBytes: 192 * MB, isEncoded })
const large = { width: 8900, height: 8900 }
const phone = { format: 'jpeg', width: 8160, height: 6120, chromaSubsampling: '4:2:0' } as const

describe('a picture is decoded', () => {
  test.each([
    ['a photo of 12 megapixels', { format: 'jpeg' } as const],
    ['a photo of 50 megapixels, turned', { ...phone, orientation: 6 }],
    ['a progressive photo of 50 megapixels', { ...phone, isProgressive: true }],
    ['lines of 8 bits, however many', large],
    ['lines of 16 bits, too', { ...large, channels: 4, depth: 'ushort' } as const],
    ['an interlaced PNG of 24 megapixels', { width: 6000, height: 4000, isProgressive: true }],
    ['a WebP of 40 megapixels', { format: 'webp', width: 8000, height: 5000 } as const],
  ])('%s', (_, given) => expect(problem(given)).toBeUndefined())

  test('and encoded again in its size, also if it is turned', () => {
    expect(problem({ ...phone, orientation: 6 }, true)).toBeUndefined()
    expect(problem({ format: 'webp', hasAlpha: false, width: 3000, height: 2000 }, true)).toBeUndefined()
  })
})

describe('a picture is refused by its header', () => {
  test.each([
    [
      'too many pixels',
      { width: 30_000, height: 30_000 },
      'This picture has more than 80 million pixels. Please make it smaller.',
    ],
    [
      'a line that is too long',
      { width: 60_000, height: 1 },
      'This picture is 60,000 pixels long. At most 30,000 are accepted.',
    ],
    [
      'interlaced, with 16 bits',
      { ...large, channels: 4, depth: 'ushort', isProgressive: true } as const,
      'This picture takes 610 MB of memory to open (8,900 × 8,900 pixels, 4 channels of 16 bits, interlaced); at most 192 MB are allowed. Please make it smaller, or export it without interlacing.',
    ],
    [
      'progressive with all of its colors',
      { ...large, format: 'jpeg', isProgressive: true, chromaSubsampling: '4:4:4' } as const,
      expect.stringMatching(/takes 459 MB .* interlaced\)/),
    ],
    [
      'WebP, which is held whole',
      { ...large, format: 'webp' } as const,
      expect.stringMatching(/takes 308 MB .*Please make it smaller\.$/),
    ],
    [
      'wide lines of 16 bits',
      { width: 30_000, height: 2600, channels: 4, depth: 'ushort' } as const,
      expect.stringMatching(/takes 463 MB/),
    ],
  ])('%s', (_, given, sentence) => expect(problem(given)).toEqual(sentence))

  test('for its encoding alone, where it is kept as it came otherwise', () => {
    const given = { format: 'webp', hasAlpha: true, width: 4000, height: 3000 } as const
    expect([problem(given), problem(given, true)]).toEqual([undefined, expect.stringMatching(/takes 326 MB/)])
  })
})
