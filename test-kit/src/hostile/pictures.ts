import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { aBomb, aPicture, pngFile, type PngHeader, withExif } from '../media.ts'
import { seeded } from '../random.ts'
import type { HostileFile, Way } from './files.ts'

const WORDS = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }
const WAYS: readonly Way[] = ['artwork', 'logo', 'photo']
let count = 0

/** A picture on one of the ways in turn. */
function picture(
  what: string,
  ending: keyof typeof WORDS,
  content: Buffer,
  outcome?: HostileFile['outcome'],
): HostileFile {
  const way = WAYS[count++ % WAYS.length] ?? 'artwork'
  return {
    what,
    way,
    name: `file-${count}.${ending}`,
    contentType: WORDS[ending],
    content,
    ...(outcome && { outcome }),
  }
}

const channelsOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const depthsOf = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] } as const

/** The bytes of all lines of a picture, of each pass of an interlaced one. */
function lineBytes({ width, height, depth = 8, color = 2, interlaced = false }: PngHeader): number {
  const bits = depth * channelsOf[color]
  const pass = (columns: number, rows: number) => (columns === 0 ? 0 : rows * (1 + Math.ceil((columns * bits) / 8)))
  if (!interlaced) return pass(width, height)
  const passes = [
    [0, 8, 0, 8],
    [4, 8, 0, 8],
    [0, 4, 4, 8],
    [2, 4, 0, 4],
    [0, 2, 2, 4],
    [1, 2, 0, 2],
    [0, 1, 1, 2],
  ] as const
  return passes.reduce(
    (sum, [left, across, top, down]) =>
      sum + pass(Math.max(0, Math.ceil((width - left) / across)), Math.max(0, Math.ceil((height - top) / down))),
    0,
  )
}

const PIECE = 1_000_000
const ADLER_BASE = 65_521

/** So many zeros, deflated: one piece many times, which takes no time however many there are. */
function deflatedZeros(bytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(PIECE), { finishFlush: constants.Z_FULL_FLUSH })
  const pieces = Array.from({ length: Math.floor(bytes / PIECE) }, () => piece)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt16BE(bytes % ADLER_BASE, 0)
  checksum.writeUInt16BE(1, 2)
  return Buffer.concat([Buffer.from([0x78, 0x01]), ...pieces, deflateRawSync(Buffer.alloc(bytes % PIECE)), checksum])
}

/** A whole PNG of one color: small as a file, however large. */
const blankPng = (header: PngHeader): Buffer => pngFile(header, deflatedZeros(lineBytes(header)))

function pngsOfEachKind(): HostileFile[] {
  const found: HostileFile[] = []
  for (const [color, depths] of Object.entries(depthsOf)) {
    for (const depth of depths) {
      for (const interlaced of [false, true]) {
        const header = { depth, color: Number(color) as keyof typeof depthsOf, interlaced }
        const what = `PNG, color ${color}, ${depth} bits${interlaced ? ', interlaced' : ''}`
        found.push(picture(what, 'png', blankPng({ ...header, width: 60, height: 40 }), 'stored'))
        const few = deflateSync(Buffer.alloc(100_000))
        found.push(
          picture(
            `${what}, of 79 million pixels, cut off`,
            'png',
            pngFile({ ...header, width: 8900, height: 8900 }, few),
          ),
        )
      }
    }
  }
  return found.map((file) => (file.outcome ? file : { ...file, outcome: 'refused' as const }))
}

function largePngs(): HostileFile[] {
  const deep = blankPng({ width: 8900, height: 8900, depth: 16, color: 6, interlaced: true })
  const wide = blankPng({ width: 30_000, height: 2600, depth: 16, color: 6 })
  const line = pngFile({ width: 79_000_000, height: 1 }, deflateSync(Buffer.alloc(1000)))
  return [
    ...Array.from({ length: 4 }, () =>
      picture('PNG, 16 bits, interlaced, of 79 million pixels', 'png', deep, 'refused'),
    ),
    picture('PNG, 16 bits, of 78 million pixels in wide lines', 'png', wide, 'refused'),
    picture('PNG of one line', 'png', line, 'refused'),
    picture('PNG of 900 million pixels', 'png', aBomb(30_000, 30_000), 'refused'),
    picture('PNG of 2^31 pixels a line', 'png', aBomb(0x7fffffff, 0x7fffffff), 'refused'),
    picture('PNG without lines', 'png', pngFile({ width: 0, height: 0 }, Buffer.alloc(0)), 'refused'),
  ]
}

/** The same JPEG with another size in its header. */
function resized(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg)
  for (let at = 2; at < copy.length - 9;) {
    const [marker, length] = [copy[at + 1] ?? 0, copy.readUInt16BE(at + 2)]
    if (marker >= 0xc0 && marker <= 0xc2) {
      copy.writeUInt16BE(height, at + 5)
      copy.writeUInt16BE(width, at + 7)
      return copy
    }
    at += 2 + length
  }
  return copy
}

async function jpegs(): Promise<HostileFile[]> {
  const plain = await aPicture('jpeg', 400, 300)
  const progressive = await sharp(plain).jpeg({ progressive: true }).toBuffer()
  const kinds = {
    'JPEG, 4:4:4': sharp(plain).jpeg({ chromaSubsampling: '4:4:4' }),
    'JPEG, progressive, 4:4:4': sharp(plain).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    'JPEG, gray': sharp(plain).grayscale().jpeg(),
    'JPEG, CMYK': sharp(plain).toColourspace('cmyk').jpeg(),
  }
  const found = await Promise.all(
    Object.entries(kinds).map(async ([what, made]) => picture(what, 'jpg', await made.toBuffer(), 'stored')),
  )
  for (let orientation = 1; orientation <= 8; orientation++) {
    const turned = await sharp(plain).withMetadata({ orientation }).jpeg().toBuffer()
    found.push(picture(`JPEG, orientation ${orientation}`, 'jpg', turned, 'stored'))
  }
  for (const [what, whole] of Object.entries({ JPEG: plain, 'JPEG, progressive': progressive })) {
    found.push(picture(what, 'jpg', whole, 'stored'))
    found.push(picture(`${what}, named 65,500 × 65,500`, 'jpg', resized(whole, 65_500, 65_500), 'refused'))
    found.push(picture(`${what}, named 8,900 × 8,900`, 'jpg', resized(whole, 8900, 8900)))
    for (const share of [0.1, 0.5, 0.8]) {
      found.push(
        picture(`${what}, cut at ${share}`, 'jpg', whole.subarray(0, Math.floor(whole.length * share)), 'refused'),
      )
    }
  }
  for (const exif of [Buffer.alloc(200, 0x41), Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1'), endlessExif()]) {
    found.push(picture('JPEG, damaged camera data', 'jpg', withExif(plain, exif)))
  }
  return found
}

/** Camera data whose directory names itself as the next one. */
function endlessExif(): Buffer {
  const exif = Buffer.alloc(40)
  exif.write('II*\0', 0, 'latin1')
  exif.writeUInt32LE(8, 4)
  exif.writeUInt16LE(1, 8)
  exif.writeUInt32LE(8, 22)
  return exif
}

async function webps(): Promise<HostileFile[]> {
  const plain = await aPicture('webp', 400, 300)
  const lossless = await sharp(plain).webp({ lossless: true, effort: 0 }).toBuffer()
  const alpha = await sharp(plain).ensureAlpha(0.4).webp().toBuffer()
  // The header of a lossless one has 14 bits for either side, behind the container's and one byte.
  const large = Buffer.from(lossless)
  large.writeUInt32LE((9000 - 1) | ((8800 - 1) << 14), 21)
  return [
    picture('WebP', 'webp', plain, 'stored'),
    picture('WebP, lossless', 'webp', lossless, 'stored'),
    picture('WebP with alpha', 'webp', alpha, 'stored'),
    picture('WebP, lossless, named 9,000 × 8,800', 'webp', large, 'refused'),
    picture('WebP, cut off', 'webp', plain.subarray(0, plain.length / 2), 'refused'),
  ]
}

const DAMAGED = 8

/** Pictures in which some bytes are others. */
async function damagedPictures(): Promise<HostileFile[]> {
  const random = seeded(7)
  const wholes = { jpg: await aPicture('jpeg'), png: await aPicture('png'), webp: await aPicture('webp') }
  return Object.entries(wholes).flatMap(([ending, whole]) =>
    Array.from({ length: DAMAGED }, (_, n) => {
      const copy = Buffer.from(whole)
      for (let changed = 0; changed <= n; changed++) {
        copy[16 + random(copy.length - 16)] = random(256)
      }
      return picture(`${ending.toUpperCase()} with ${n + 1} other bytes`, ending as keyof typeof WORDS, copy)
    }),
  )
}

export const hostilePictures = async (): Promise<HostileFile[]> => [
  ...pngsOfEachKind(),
  ...largePngs(),
  ...(await jpegs()),
  ...(await webps()),
  ...(await damagedPictures()),
]
