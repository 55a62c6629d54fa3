import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { aMovie, aPicture } from '../media.ts'
import type { HostileFile } from './files.ts'
import { workbookOf } from './tables.ts'
import { zipOf } from './zip.ts'

const PDF = `%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF`
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><image href="file:///etc/passwd"/><text>&lol;</text></svg>'

/** A font that Node can find: the one of the product. */
const aFont = () =>
  readFile(
    createRequire(import.meta.resolve('@roadshow/api/package.json')).resolve(
      '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    ),
  )

/** Kinds that are accepted nowhere. */
async function kinds(): Promise<Record<string, Buffer>> {
  const header = (hex: string, bytes = 5000) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(bytes, 1)])
  return {
    PDF: Buffer.from(PDF),
    'a font (WOFF2)': await aFont(),
    'a font (TrueType)': header('00010000000c0080000300'),
    'a font (OpenType)': Buffer.concat([Buffer.from('OTTO'), Buffer.alloc(4000, 255)]),
    'an archive (ZIP)': zipOf([{ name: 'a.txt', content: Buffer.from('hello') }]),
    'an archive (gzip)': gzipSync(Buffer.alloc(10_000_000)),
    'an archive (7z)': header('377abcaf271c0004'),
    'an archive (RAR)': header('526172211a0700'),
    'an archive (tar)': Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\0'), Buffer.alloc(249)]),
    'a program': header('7f454c4602010100'),
    'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
    'an SVG': Buffer.from(SVG),
    'a GIF': Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(100, 255)]),
    'a TIFF': header('49492a0008000000ffff'),
    'a BMP': header('424d36'),
    'a HEIC photo': Buffer.concat([
      Buffer.from('00000018', 'hex'),
      Buffer.from('ftypheic\0\0\0\0mif1heic'),
      Buffer.alloc(500),
    ]),
    'an AVIF': Buffer.concat([
      Buffer.from('0000001c', 'hex'),
      Buffer.from('ftypavif\0\0\0\0avifmif1miaf'),
      Buffer.alloc(500),
    ]),
    // The reader of its header would have to end by itself.
    'a sound (ASF)': header('3026b2758e66cf11a6d900aa0062ce6c0000000000000000'),
    'a video (Matroska)': Buffer.concat([Buffer.from('1a45dfa3ffffffffffffffff', 'hex'), Buffer.alloc(4000, 255)]),
    nothing: Buffer.alloc(1),
  }
}

const under = {
  artwork: ['art.png', 'image/png'],
  photo: ['IMG_1.jpg', 'image/jpeg'],
  table: ['plan.csv', 'text/csv'],
} as const

/** Two kinds in one file: each is what its first bytes say, and what follows is never read. */
async function polyglots(): Promise<HostileFile[]> {
  const [png, jpeg] = [await aPicture('png'), await aPicture('jpeg')]
  const archive = zipOf([{ name: 'run.js', content: Buffer.from('alert(1)') }])
  const artwork = { way: 'artwork' as const, name: 'art.png', contentType: 'image/png' }
  const photo = { way: 'photo' as const, name: 'IMG_2.jpg', contentType: 'image/jpeg' }
  return [
    { ...artwork, what: 'PNG and PDF', content: Buffer.concat([png, Buffer.from(PDF)]), outcome: 'stored' },
    { ...artwork, what: 'PNG and archive', content: Buffer.concat([png, archive]), outcome: 'stored' },
    {
      ...photo,
      what: 'JPEG and page',
      content: Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]),
      outcome: 'stored',
    },
    { ...photo, what: 'JPEG and archive', content: Buffer.concat([jpeg, archive]), outcome: 'stored' },
    { ...artwork, what: 'PDF and PNG', content: Buffer.concat([Buffer.from(PDF), png]), outcome: 'refused' },
    { ...artwork, what: 'MP4 as a PNG', content: aMovie(), outcome: 'refused' },
    { ...artwork, what: 'workbook as a PNG', content: workbookOf({}), outcome: 'refused' },
  ]
}

/** Files that are not what their names say, and files that are two things. */
export async function filesOfOtherKinds(): Promise<HostileFile[]> {
  const found = Object.entries(await kinds()).flatMap(([what, content]) =>
    Object.entries(under).map(([way, [name, contentType]]): HostileFile => ({
      what: `${what} as ${name}`,
      way: way as HostileFile['way'],
      name,
      contentType,
      content,
      outcome: 'refused',
    })),
  )
  return [...found, ...(await polyglots())]
}
