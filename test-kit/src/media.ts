import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export const jpeg = { name: 'art.jpg', contentType: 'image/jpeg' }
export const mp4 = { name: 'art.mp4', contentType: 'video/mp4' }
export const webm = { name: 'art.webm', contentType: 'video/webm' }

/** A picture that decodes. */
export const aPicture = (format: 'jpeg' | 'png' | 'webp', width = 320, height = 160) =>
  sharp({
    create: { width, height, channels: 3, noise: { type: 'gaussian', mean: 120, sigma: 40 }, background: '#888' },
  })
    .toFormat(format)
    .toBuffer()

/** A JPEG with these bytes where its camera data belongs. */
export function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(exif.length + 8, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from('Exif\0\0'), exif, jpeg.subarray(2)])
}

/** A box of an MP4 file. */
export const box = (type: string, ...content: Buffer[]) => {
  const inside = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(inside.length + 8, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, inside])
}

const movieHeader = (durationMs: number) => {
  const content = Buffer.alloc(100)
  content.writeUInt32BE(1000, 12)
  content.writeUInt32BE(durationMs, 16)
  return box('mvhd', content)
}

const trackHeader = (width: number, height: number, turned: boolean) => {
  const content = Buffer.alloc(84)
  content.writeInt32BE(turned ? 0 : 0x10000, 40)
  content.writeInt32BE(turned ? 0x10000 : 0, 44)
  content.writeUInt32BE(width * 0x10000, 76)
  content.writeUInt32BE(height * 0x10000, 80)
  return box('tkhd', content)
}

const handler = (kind: string) => box('hdlr', Buffer.concat([Buffer.alloc(8), Buffer.from(kind), Buffer.alloc(13)]))

interface Movie {
  width?: number
  height?: number
  durationMs?: number
  turned?: boolean
  kind?: string
  /** Bytes of picture data. */
  data?: number
}

/** An MP4 file as its header describes it, with nothing that could be played. */
export const aMovie = ({
  width = 640,
  height = 320,
  durationMs = 5000,
  turned = false,
  kind = 'vide',
  data = 1000,
}: Movie = {}) =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isommp42')),
    box('mdat', Buffer.alloc(data, 7)),
    box('moov', movieHeader(durationMs), box('trak', trackHeader(width, height, turned), box('mdia', handler(kind)))),
  ])

/** An element of a WebM file. */
export const element = (id: string, ...content: Buffer[]) => {
  const inside = Buffer.concat(content)
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(inside.length))
  length[0] = 0x01
  return Buffer.concat([Buffer.from(id, 'hex'), length, inside])
}

const float = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}

/** A WebM file as its header describes it; without a duration as browsers record it. */
export const aWebm = ({ width = 640, height = 320, durationMs }: Movie = {}) =>
  Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    element(
      '18538067',
      element('1549a966', ...(durationMs === undefined ? [] : [element('4489', float(durationMs))])),
      element(
        '1654ae6b',
        element(
          'ae',
          element('83', Buffer.from([1])),
          element(
            'e0',
            element('b0', Buffer.from([width >> 8, width & 255])),
            element('ba', Buffer.from([height >> 8, height & 255])),
          ),
        ),
      ),
    ),
  ])

export interface PngHeader {
  width: number
  height: number
  /** Bits of a sample. */
  depth?: 1 | 2 | 4 | 8 | 16
  /** As the format counts: gray, RGB, palette, gray with alpha, RGB with alpha. */
  color?: 0 | 2 | 3 | 4 | 6
  interlaced?: boolean
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A PNG with this header, whatever its lines, which are deflated, are. */
export function pngFile({ width, height, depth = 8, color = 2, interlaced = false }: PngHeader, lines: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, color, 0, 0, interlaced ? 1 : 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    ...(color === 3 ? [pngChunk('PLTE', Buffer.alloc(3 * 2 ** Math.min(depth, 8), 90))] : []),
    pngChunk('IDAT', lines),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG of a few kilobytes that would decode to gigabytes. */
export const aBomb = (width: number, height: number): Buffer =>
  pngFile({ width, height }, deflateSync(Buffer.alloc(10_000_000)))

/** Structure of each fineness, the finer the weaker, as streets have it too. */
const OCTAVES = [4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** A picture that takes about as many bytes as a photo; of noise alone it would be the largest file there is. */
export async function aPhoto(width: number, height: number) {
  const layers = await Promise.all(
    OCTAVES.map((cells, n) =>
      sharp(randomBytes(cells * cells * 3), { raw: { width: cells, height: cells, channels: 3 } })
        .resize(width, height, { kernel: 'cubic', fit: 'fill' })
        .ensureAlpha(0.92 ** n)
        .png({ compressionLevel: 0 })
        .toBuffer(),
    ),
  )
  return sharp({ create: { width, height, channels: 3, background: '#7a8088' } })
    .composite(layers.map((input) => ({ input, blend: 'overlay' })))
    .jpeg({ quality: 92 })
    .toBuffer()
}
