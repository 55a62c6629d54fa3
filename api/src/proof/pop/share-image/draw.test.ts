import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { PopOpening } from '../publication/opening.ts'
import { drawShareImage } from './draw.ts'
import { shorten, widthOfLine, wrapWords } from './letters.js'

const figures = {
  metres: 1_609_344,
  seconds: 36_000,
  shifts: 2,
  trucks: 1,
  days: 2,
  plays: 2000,
  verifiedPlays: 1999,
  conflictPlays: 1,
  playSeconds: 18_510,
}
const opening = (given: Partial<PopOpening> = {}): PopOpening => ({
  format: 2,
  version: 3,
  publishedAt: '2026-08-02T00:00:00.000Z',
  brand: 'Roadshow',
  client: 'Zephyr Foods',
  logo: null,
  program: 'Summer Tour',
  popUrl: 'summer tour',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  headline: '',
  text: '',
  cover: null,
  coverPhoto: null,
  figures,
  milesAlgorithm: 1,
  photos: 2,
  verifiedPhotos: 2,
  chapters: [],
  ...given,
})

const red = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#C00000' } })
  .webp()
  .toBuffer()
const pixel = async (image: Buffer, left: number, top: number) => [
  ...(await sharp(image).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
]

test('the picture is a JPEG of the size that previews ask for, with the photo beside the words', async () => {
  const image = await drawShareImage(opening(), red)
  expect(await sharp(image).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  const [r = 0, g = 255] = await pixel(image, 1100, 300)
  expect([r > 150, g < 60]).toEqual([true, true])
  expect(image.length).toBeLessThan(300_000)
})

test('other words are another picture, and a page without photos has one too', async () => {
  const [one, other] = [await drawShareImage(opening(), null), await drawShareImage(opening({ program: 'Fall' }), null)]
  expect(one.equals(other)).toBe(false)
  expect(one.equals(await drawShareImage(opening(), null))).toBe(true)
  // Light letters on asphalt.
  const { channels } = await sharp(one).stats()
  expect(channels[0]?.max).toBeGreaterThan(200)
})

test('long names fit: wrapped, and cut with an ellipsis where there is no space', async () => {
  const lines = wrapWords('The very long name of a program that never ends '.repeat(4), 46, { width: 508, lines: 3 })
  expect(lines).toHaveLength(3)
  expect(lines[2]).toMatch(/…$/)
  for (const line of lines) expect(widthOfLine(line, 46)).toBeLessThanOrEqual(508)
  expect(shorten('Supercalifragilisticexpialidocious', 40, 200)).toMatch(/^Super.*…$/)
  const name = `<script>alert(1)</script> & 東京 ${'W'.repeat(300)}`
  await expect(drawShareImage(opening({ program: name, client: name, brand: name }), red)).resolves.toBeInstanceOf(
    Buffer,
  )
})
