import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { inflateSync } from 'node:zlib'
import { DAY_MS, POP_FORMAT, type PopChapter, type PopDocument } from '@roadshow/contract'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { toPdfCharset } from '../../../platform/pdf/charset.ts'
import { popPdf } from './pdf.ts'
import { textOfPdf } from './test-pdf-text.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { PDF_ATTEMPTS } from '../publication/versions.ts'
import { makePdfs } from './job.ts'
import { encodePolyline } from '../publication/polyline.ts'

const { app, db, addProgram } = await openWorld()

const figures = {
  metres: 160934.4,
  seconds: 36e3,
  shifts: 2,
  trucks: 1,
  days: 2,
  plays: 1234,
  verifiedPlays: 1200,
  conflictPlays: 1,
  playSeconds: 18510,
}
const pictureKey = (n: number) => n.toString(16).padStart(32, '0')
const photo = (n: number): PopChapter['photos'][number] => ({
  key: pictureKey(n),
  width: 40,
  height: 30,
  sha256: '0'.repeat(64),
  widths: {
    small: 40,
    medium: 40,
    large: 40,
  },
  blur: '',
  caption: `Caption ${n}`,
  takenAt: '2026-07-01 14:03:22',
  grade: 'verified',
  reason: '39 ft from the truck, 3 s apart',
})
const chapter = (photos: number): PopChapter => ({
  slug: 'dallas-tx',
  name: 'Dallas',
  state: 'TX',
  zone: 'America/Chicago',
  headline: 'Deep Ellum',
  text: 'Words.',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  figures,
  perDay: [
    {
      day: '2026-07-01',
      metres: 1e3,
      plays: 10,
      verifiedPlays: 9,
    },
  ],
  routes: [encodePolyline([32.7, 32.8, 32.81].map((latitude) => [latitude, -96.8] as const))],
  photos: Array.from({ length: photos }, (_, n) => photo(n)),
})
const documentOf = (photos: number): PopDocument => ({
  format: POP_FORMAT,
  version: 3,
  publishedAt: '2026-08-01T00:00:00.000Z',
  brand: 'Roadshow',
  client: 'Zephyr Foods',
  logo: null,
  program: 'Summer Tour',
  popUrl: 'summer tour',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  headline: '',
  text: '',
  cover: photos > 0 ? pictureKey(0) : null,
  figures,
  photos,
  verifiedPhotos: photos,
  milesAlgorithm: 1,
  chapters: [chapter(photos)],
})

const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#888' } })
  .webp()
  .toBuffer()
const printing = { readPicture: async () => picture, sha256: 'ab'.repeat(32), link: 'http://localhost:3000/programs/x' }

test('a version is the same PDF every time, and every page says which version, hash, link and page it is', async () => {
  const pdf = await buffer(popPdf(documentOf(30), printing))
  expect(pdf.equals(await buffer(popPdf(documentOf(30), printing)))).toBe(true)
  const pages = textOfPdf(pdf)
  expect(pages.length).toBeGreaterThan(2)
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`Version 3 · SHA-256 ${printing.sha256}`)
    expect(page).toContain(printing.link)
    expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
  }
  const all = pages.join('\n')
  for (const said of ['Summer Tour', 'Zephyr Foods', 'Dallas, TX', '1,234', '97%', '30 photos', 'ab'.repeat(32)]) {
    expect(all).toContain(said)
  }
  for (const { caption } of documentOf(30).chapters[0]?.photos ?? []) expect(all).toContain(caption)
})

/** The drawing commands of each page. */
function contentsOf(pdf: Buffer): string[] {
  const found: string[] = []
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 1)) {
    const end = pdf.indexOf('\nendstream', at)
    if (end < 0 || pdf.subarray(at - 3, at).toString() === 'end') continue
    try {
      const content = inflateSync(pdf.subarray(at + 7, end)).toString('latin1')
      if (content.includes(' TJ')) found.push(content)
    } catch {
      // A picture.
    }
  }
  return found
}

test('screen readers find headings, tables and described pictures, and every mark is closed', async () => {
  const pdf = await buffer(popPdf(documentOf(3), printing))
  const text = pdf.toString('latin1')
  expect(text.slice(0, 8)).toBe('%PDF-1.7')
  for (const part of ['/Marked true', '/StructTreeRoot', '/Lang (en-US)', '/S /H1', '/S /H2', '/S /Table', '/S /TH'])
    expect(text).toContain(part)
  expect(text.match(/\/S \/Figure\s+\/Alt \(/g)?.length).toBe(1 + 2 + 3)
  expect(text).toContain('/Alt (Routes driven in Dallas)')
  const pages = contentsOf(pdf)
  for (const page of pages) {
    const [opened, closed] = [page.match(/\bB[DM]C\b/g)?.length, page.match(/\bEMC\b/g)?.length]
    expect(opened).toBe(closed)
    // What repeats on every page is not read out.
    expect(page).toMatch(/\/Artifact <<\s*\/Type \/Pagination/)
  }
  expect(pages.length).toBeGreaterThan(1)
})

test('markets with little to show share pages, and none of these is nearly empty', async () => {
  const small = (n: number): PopChapter => ({
    ...chapter(0),
    name: `Town ${n}`,
    routes: [],
    perDay: [],
    text: '',
    headline: '',
  })
  const chapters = Array.from({ length: 9 }, (_, n) => small(n))
  const pages = textOfPdf(await buffer(popPdf({ ...documentOf(0), chapters }, printing)))
  // The cover, three markets a page, and how it is measured.
  expect(pages.length).toBeLessThanOrEqual(5)
  for (const page of pages.slice(1, -1)) expect(page.match(/Town \d, TX/g)?.length).toBeGreaterThanOrEqual(2)
})

test('characters that PDF fonts lack lose their accents or are replaced, and the text remains', () => {
  expect(toPdfCharset('Škoda “Café” – 5 € · Łódź → Ångström 🎉')).toBe('Škoda “Café” – 5 € · Lódz -> Ångström ')
  expect(toPdfCharset('a\u0000b\u200Bc 東')).toBe('abc ?')
})

test('a picture that cannot be read fails the PDF instead of leaving it out', async () => {
  const readPicture = () => Promise.reject(new Error('gone'))
  await expect(buffer(popPdf(documentOf(1), { ...printing, readPicture }))).rejects.toThrow('gone')
})

async function publish(document: PopDocument): Promise<string> {
  const { uid } = await addProgram()
  const text = JSON.stringify(document)
  const sha256 = createHash('sha256').update(text).digest('hex')
  await db
    .insertInto('pop_version')
    .values({ program_uid: uid, number: 1, document: text, sha256, opening: '{}' })
    .execute()
  return uid
}
const stored = (uid: string) =>
  db
    .selectFrom('pop_version')
    .select(['pdf_blob', 'pdf_sha256', 'pdf_bytes', 'pdf_attempts', 'pdf_claimed_at'])
    .where('program_uid', '=', uid)
    .executeTakeFirstOrThrow()

test('each version gets its PDF once, from several nodes at a time; what fails is tried again later, five times', async () => {
  const errors: unknown[] = []
  const job = { db, blobs: app.blobs, publicUrl: 'http://localhost:3000', log: (error: unknown) => errors.push(error) }
  const run = (signal = new AbortController().signal) => makePdfs(job, signal)
  for (const size of ['medium', 'large']) await app.blobs.write(`pop-${pictureKey(0)}-${size}`, picture, 'image/webp')
  const good = await Promise.all([publish(documentOf(0)), publish(documentOf(1))])
  const bad = await publish({ ...documentOf(1), cover: pictureKey(9) })
  await Promise.all([run(), run(), run()])
  for (const uid of good) {
    const { pdf_blob, pdf_sha256, pdf_bytes, pdf_attempts } = await stored(uid)
    const content = await buffer(await app.blobs.read(pdf_blob ?? ''))
    expect([content.length, content.subarray(0, 5).toString(), pdf_attempts]).toEqual([pdf_bytes, '%PDF-', 1])
    expect(createHash('sha256').update(content).digest('hex')).toBe(pdf_sha256)
  }
  expect([errors.length, await stored(bad)]).toMatchObject([1, { pdf_blob: null, pdf_attempts: 1 }])
  await run()
  expect((await stored(bad)).pdf_attempts).toBe(1)
  const aDayAgo = new Date(Date.now() - DAY_MS)
  for (let attempt = 2; attempt <= PDF_ATTEMPTS + 1; attempt++) {
    await db.updateTable('pop_version').set({ pdf_claimed_at: aDayAgo }).where('program_uid', '=', bad).execute()
    await run()
  }
  expect((await stored(bad)).pdf_attempts).toBe(PDF_ATTEMPTS)
  expect(errors).toHaveLength(PDF_ATTEMPTS)
})

test('a node that stops gives back what it has begun', async () => {
  const uid = await publish(documentOf(1))
  const stopping = new AbortController()
  const blobs = {
    ...app.blobs,
    read: (blob: string) => {
      stopping.abort()
      return app.blobs.read(blob)
    },
  }
  await makePdfs({ db, blobs, publicUrl: '', log: () => {} }, stopping.signal)
  expect(await stored(uid)).toMatchObject({ pdf_blob: null, pdf_attempts: 0, pdf_claimed_at: null })
})

test('while the file storage is away, no attempt counts and the PDF waits', async () => {
  const uid = await publish(documentOf(1))
  const errors: unknown[] = []
  const away = { ...app.blobs, write: () => Promise.reject(new AppError('unavailable')) }
  const job = { db, publicUrl: '', log: (error: unknown) => errors.push(error) }
  const { signal } = new AbortController()
  for (let round = 0; round <= PDF_ATTEMPTS; round++) await makePdfs({ ...job, blobs: away }, signal)
  expect(await stored(uid)).toMatchObject({ pdf_blob: null, pdf_attempts: 0, pdf_claimed_at: null })
  await makePdfs({ ...job, blobs: app.blobs }, signal)
  expect(await stored(uid)).toMatchObject({ pdf_attempts: 1, pdf_blob: expect.any(String) as string })
  expect(errors).toEqual([])
})
