import { expect, test } from 'vitest'
import { findExif, setUpright, withExif } from './exif.ts'

/** A TIFF block with one directory: its orientation, and a width beside it. */
function tiff(order: 'II' | 'MM', orientation: number): number[] {
  const isLittle = order === 'II'
  const view = new DataView(new ArrayBuffer(8 + 2 + 2 * 12 + 4))
  view.setUint16(0, isLittle ? 0x4949 : 0x4d4d)
  view.setUint16(2, 42, isLittle)
  view.setUint32(4, 8, isLittle)
  view.setUint16(8, 2, isLittle)
  for (const [index, [tag, value]] of [
    [0x0100, 4000],
    [0x0112, orientation],
  ].entries()) {
    const at = 10 + index * 12
    view.setUint16(at, tag ?? 0, isLittle)
    view.setUint16(at + 2, 3, isLittle)
    view.setUint32(at + 4, 1, isLittle)
    view.setUint16(at + 8, value ?? 0, isLittle)
  }
  return [...new Uint8Array(view.buffer)]
}

const segment = (marker: number, content: number[]) => [
  0xff,
  marker,
  (content.length + 2) >> 8,
  (content.length + 2) & 0xff,
  ...content,
]
const exif = (block: number[]) => segment(0xe1, [0x45, 0x78, 0x69, 0x66, 0, 0, ...block])
const jfif = segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
const rest = [...segment(0xda, [0]), 1, 2, 3, 0xff, 0xd9]
const jpeg = (...segments: number[][]) => Uint8Array.from([0xff, 0xd8, ...segments.flat(), ...rest])

test.each(['II', 'MM'] as const)(
  'camera data of byte order %s is carried over and says that it is upright',
  (order) => {
    const found = findExif(jpeg(jfif, exif(tiff(order, 6))))
    expect([...(found ?? [])]).toEqual(exif(tiff(order, 6)))
    const made = withExif(jpeg(jfif), setUpright(found ?? new Uint8Array()))
    expect([...made]).toEqual([...jpeg(exif(tiff(order, 1)), jfif)])
  },
)

test.each([
  ['a picture without camera data', jpeg(jfif)],
  ['a picture with other data in the same kind of segment', jpeg(segment(0xe1, [0x68, 0x74, 0x74, 0x70, 0, 0]))],
  ['a PNG', Uint8Array.from([0x89, 0x50, 0x4e, 0x47])],
  ['a picture that ends within its segment', jpeg(exif(tiff('II', 1))).slice(0, 20)],
  ['a segment of no length', Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, 0, 1, 2, 3, 4])],
  ['nothing at all', new Uint8Array()],
])('%s gives no camera data', (_, bytes) => {
  expect(findExif(bytes)).toBeUndefined()
})

test('damaged camera data is carried over as it is', () => {
  for (const block of [[], [0x49, 0x49, 42, 0, 0xff, 0xff, 0xff, 0x7f], tiff('MM', 3).slice(0, 24)]) {
    const damaged = Uint8Array.from(exif(block))
    expect([...setUpright(damaged)]).toEqual([...damaged])
  }
})
