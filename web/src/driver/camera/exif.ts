// Phones write when and where a picture was taken into its EXIF segment. Drawing the picture smaller loses the segment, so it
// is carried over.

const SOI = 0xd8
const APP1 = 0xe1
const START_OF_SCAN = 0xda
const EXIF_NAME = [0x45, 0x78, 0x69, 0x66, 0, 0]
const SEGMENT_HEAD = 4
const TIFF_AT = SEGMENT_HEAD + EXIF_NAME.length
const ORIENTATION = 0x0112
const ENTRY = 12

const isJpeg = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === SOI

const isExif = (bytes: Uint8Array, at: number) =>
  bytes[at + 1] === APP1 && EXIF_NAME.every((byte, index) => bytes[at + SEGMENT_HEAD + index] === byte)

/** The EXIF segment of a JPEG with its marker; undefined where there is none. */
export function findExif(jpeg: Uint8Array): Uint8Array | undefined {
  if (!isJpeg(jpeg)) return undefined
  let at = 2
  while (at + SEGMENT_HEAD <= jpeg.length && jpeg[at] === 0xff && jpeg[at + 1] !== START_OF_SCAN) {
    const length = ((jpeg[at + 2] ?? 0) << 8) | (jpeg[at + 3] ?? 0)
    const end = at + 2 + length
    if (length < 2 || end > jpeg.length) return undefined
    if (isExif(jpeg, at)) return jpeg.slice(at, end)
    at = end
  }
  return undefined
}

/** Says in an EXIF segment that the picture stands upright: the browser has turned it while drawing. */
export function setUpright(segment: Uint8Array): Uint8Array {
  const made = segment.slice()
  if (made.length < TIFF_AT + 8) return made
  const tiff = new DataView(made.buffer, made.byteOffset + TIFF_AT, made.byteLength - TIFF_AT)
  const isLittle = tiff.getUint16(0) === 0x4949
  const directory = tiff.getUint32(4, isLittle)
  if (directory + 2 > tiff.byteLength) return made
  const entries = tiff.getUint16(directory, isLittle)
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * ENTRY
    if (entry + ENTRY > tiff.byteLength) return made
    if (tiff.getUint16(entry, isLittle) === ORIENTATION) tiff.setUint16(entry + 8, 1, isLittle)
  }
  return made
}

/** A JPEG with an EXIF segment of another picture in front. */
export function withExif(jpeg: Uint8Array, segment: Uint8Array): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(jpeg.length + segment.length)
  made.set(jpeg.subarray(0, 2))
  made.set(segment, 2)
  made.set(jpeg.subarray(2), 2 + segment.length)
  return made
}
