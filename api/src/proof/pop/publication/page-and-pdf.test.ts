import { buffer } from 'node:stream/consumers'
import { type PopChapter, type PopDocument, popDocument, type PopFigures } from '@roadshow/contract'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { foreignFigures } from '@roadshow/test-kit/written-figures'
import { toPdfCharset } from '../../../platform/pdf/charset.ts'
import { popPdf } from '../pdf/pdf.ts'
import { textOfPdf } from '../pdf/test-pdf-text.ts'
import { popPage, publicPictureUrl } from '../public-page/page.ts'
import { encodePolyline } from './polyline.ts'

const gaps = { shiftsWithoutGps: 1, printedShifts: 1, printedTrucks: 1, playerOfflineSeconds: 10_800, runningShifts: 1 }
const figures: PopFigures = {
  metres: 160_934.4,
  seconds: 86_400,
  shifts: 3,
  trucks: 3,
  days: 2,
  plays: 1234,
  verifiedPlays: 1200,
  conflictPlays: 1,
  playSeconds: 18_510,
  gaps,
}
const photo = (key: string, takenAt: string | null): PopChapter['photos'][number] => ({
  key: key.repeat(32),
  width: 40,
  height: 30,
  sha256: '0'.repeat(64),
  widths: { small: 40, medium: 40, large: 40 },
  blur: '',
  caption: `Elm Street ${key}`,
  takenAt,
  grade: 'verified',
  reason: '39 ft from the truck, 3 s apart',
})
const chapter: PopChapter = {
  slug: 'denver-co',
  name: 'Denver',
  state: 'CO',
  zone: 'America/Denver',
  headline: 'Downtown',
  text: 'Around the stadium.',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  figures,
  perDay: [
    { day: '2026-07-01', metres: 160_934.4, plays: 1234, verifiedPlays: 1200, seconds: 57_600, shifts: 2, gaps },
    {
      day: '2026-07-04',
      metres: 0,
      plays: 0,
      verifiedPlays: 0,
      seconds: 28_800,
      shifts: 1,
      gaps: { ...gaps, printedShifts: 1, playerOfflineSeconds: 0 },
    },
  ],
  routes: [encodePolyline([39.7, 39.72, 39.74].map((latitude) => [latitude, -105] as const))],
  photos: [photo('a', '2026-07-01 14:03:22'), photo('b', null)],
}
const document: PopDocument = popDocument.parse({
  format: 2,
  version: 3,
  publishedAt: '2026-07-05T00:00:00.000Z',
  brand: 'Roadshow',
  client: 'Zephyr Foods',
  logo: null,
  program: 'Summer Tour',
  popUrl: 'summer tour',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  headline: 'Seen in Denver',
  text: 'Three trucks.',
  cover: chapter.photos[0]?.key ?? null,
  figures: { ...figures, plays: 1240 },
  photos: 2,
  verifiedPhotos: 2,
  milesAlgorithm: 1,
  chapters: [chapter],
})

/** The same document as it was published before gaps were recorded. */
function formatOne(): PopDocument {
  const { gaps: _, ...known } = figures
  const perDay = chapter.perDay.map(({ day, metres, plays, verifiedPlays }) => ({ day, metres, plays, verifiedPlays }))
  return popDocument.parse({
    ...document,
    format: 1,
    figures: known,
    chapters: [{ ...chapter, figures: known, perDay }],
  })
}

const sha256 = 'ab'.repeat(32)
const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#888' } })
  .webp()
  .toBuffer()
const readPdf = async (given: PopDocument) =>
  textOfPdf(
    await buffer(
      popPdf(given, { readPicture: async () => picture, sha256, link: 'https://x.test/programs/summer%20tour' }),
    ),
  )

/** What a reader sees, piece by piece: between two tags. */
function piecesOfPage(given: PopDocument): string[] {
  const options = { publicUrl: 'https://x.test', pictureUrl: publicPictureUrl('summer tour'), isPreview: false, sha256 }
  const [, body = ''] = /<body>(.*)<\/body>/s.exec(popPage(given, options)) ?? []
  return body
    .replace(/<dialog.*<\/dialog>/s, '')
    .replace(/<title>.*?<\/title>/gs, '')
    .split(/<[^>]*>/)
    .map((text) => toPdfCharset(text.replaceAll('&#39;', "'").replaceAll('&amp;', '&').trim()))
    .filter(Boolean)
}

const plain = (text: string) => text.replace(/\s+/g, ' ').toLowerCase()

describe('the public page and its PDF', () => {
  test('write days, times and figures as everywhere', async () => {
    for (const pieces of [piecesOfPage(document), await readPdf(document)])
      expect(foreignFigures(pieces.join('\n'))).toEqual([])
  })

  // Ways to move about, which paper does not have, and headings that a PDF draws otherwise.
  const ONLY_ON_PAGE = [
    /^download pdf$/i,
    /^document \(json\)$/i,
    /as a table$/,
    /^photos from /i,
    /^, /,
    /^2 mi$/,
    /^denver by day$/i,
  ]

  test('say the same: every sentence of the page is in the PDF', async () => {
    const pdf = plain((await readPdf(document)).join(' '))
    const missing = piecesOfPage(document)
      .filter((text) => !ONLY_ON_PAGE.some((pattern) => pattern.test(text)))
      .filter((text) => !pdf.includes(plain(text)))
    expect(missing).toEqual([])
  })

  test('say the same: every sentence of the PDF is on the page', async () => {
    const page = plain(piecesOfPage(document).join(' '))
    // The point of a decimal ends no sentence.
    const ends = /\.(?!\d)/
    const sentences = plain((await readPdf(document)).join(' '))
      .split(ends)
      .filter((text) => /\w{3,}/.test(text))
    // A footer comes between two pages, and headings before a sentence: its last words are compared.
    const lastWords = (text: string) => text.trim().split(' ').slice(-4).join(' ')
    const missing = sentences.filter((text) => !text.includes('page ') && !page.includes(lastWords(text)))
    expect(missing).toEqual([])
    expect(sentences.length).toBeGreaterThan(10)
  })

  test('name what was not recorded and the days they cover', async () => {
    for (const text of [piecesOfPage(document).join(' '), (await readPdf(document)).join(' ').replace(/\s+/g, ' ')]) {
      for (const sentence of [
        'So far: Jul 1, 2026 – Jul 4, 2026.',
        'There is no GPS data for 1 of 3 shifts',
        '1 of 3 shifts ran with a printed truck',
        'Players were offline for 3 h',
        '1 shift was still running.',
        'The totals also count 6 plays outside the markets shown below.',
        'No GPS data',
        'No play log (printed truck)',
      ])
        expect(text).toContain(toPdfCharset(sentence))
    }
  })

  test('print the whole hash on every page', async () => {
    for (const page of await readPdf(document)) expect(page).toContain(`SHA-256 ${sha256}`)
  })

  test('show versions from before gaps were recorded', async () => {
    const old = formatOne()
    const page = piecesOfPage(old).join(' ')
    expect(page).toContain('1,234')
    expect(page).toContain('2 days as a table')
    expect(page).not.toMatch(/printed truck for|offline for|undefined|NaN/)
    expect((await readPdf(old)).join(' ')).not.toMatch(/undefined|NaN/)
  })
})
