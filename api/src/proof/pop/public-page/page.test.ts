import { brotliDecompressSync } from 'node:zlib'
import { popDocument, type PopDocument, pops } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../../../app.ts'
import { writePages } from '@roadshow/test-kit/pages'
import { openWorld } from '@roadshow/test-kit/world'
import { OPENING_PHOTOS, toOpening } from '../publication/opening.ts'
import { popPage as wholePage, publicPictureUrl, type PopPageOptions } from './page.ts'
import { decodePolyline, encodePolyline } from '../publication/polyline.ts'
import { openPops } from '../test-pop.ts'

const figures = {
  metres: 1609344,
  seconds: 36e3,
  shifts: 2,
  trucks: 1,
  days: 2,
  plays: 2e3,
  verifiedPlays: 1999,
  conflictPlays: 1,
  playSeconds: 18510,
}
const pictureKey = (n: number) => n.toString(16).padStart(32, '0')
const photoOf = (n: number): PopDocument['chapters'][number]['photos'][number] => ({
  key: pictureKey(n),
  width: 2e3,
  height: 1500,
  sha256: '0'.repeat(64),
  widths: {
    small: 400,
    medium: 1e3,
    large: 2e3,
  },
  blur: 'data:image/webp;base64,AAAA',
  caption: `Photo ${n}`,
  takenAt: '2026-07-01 14:03:22',
  grade: 'verified',
  reason: '39 ft from the truck, 3 s apart.',
})
const route = [...Array(500).keys()].map((n) => [32.7 + n / 10_000, -96.8 + (n % 2) / 50] as const)

function documentOf(given: Partial<PopDocument> = {}, chapter: Partial<PopDocument['chapters'][number]> = {}) {
  const photos = chapter.photos ?? [1, 2].map(photoOf)
  return popDocument.parse({
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
    cover: photos[0]?.key ?? null,
    figures,
    milesAlgorithm: 1,
    photos: photos.length,
    verifiedPhotos: photos.length,
    chapters: [
      {
        slug: 'dallas-tx',
        name: 'Dallas',
        state: 'TX',
        zone: 'America/Chicago',
        headline: '',
        text: '',
        figures,
        startsOn: '2026-07-01',
        endsOn: '2026-07-31',
        perDay: [],
        routes: [],
        photos,
        ...chapter,
      },
    ],
    ...given,
  })
}

/** As browsers read it: the room between two elements is nothing. */
const popPage = (document: Parameters<typeof wholePage>[0], options: PopPageOptions) =>
  wholePage(document, options)
    .replace(/\s*\/>/g, '>')
    .replace(/>\s+</g, '><')

const sha256 = 'ab'.repeat(32)
const options = { publicUrl: 'https://x.test', pictureUrl: publicPictureUrl('summer tour'), isPreview: false, sha256 }
const pictures = '/api/v1/public/pop/summer%20tour/pictures'

test('the page says what it is about before anything else is loaded', () => {
  const page = popPage(documentOf(), options)
  expect(page).toContain('<title>Summer Tour · Zephyr Foods · Roadshow</title>')
  expect(page).toContain('<link rel="canonical" href="https://x.test/programs/summer%20tour">')
  expect(page).toContain(
    '<meta property="og:image" content="https://x.test/api/v1/public/pop/summer%20tour/share-image/3">',
  )
  expect(page).toMatch(/<img class="cover"[^>]+1000w[^>]+fetchpriority="high"/)
  expect(page).toContain('1,000 miles and 2,000 ad plays in Dallas')
  // Not all is never everything.
  expect(page).toContain('99% verified')
  expect(page).toContain(sha256)
})

test('what people write stays text', () => {
  const nasty = `<script>alert("x")</script>'&`
  const words = { headline: nasty, text: `${nasty}\n\n${nasty}` }
  const photo = { ...photoOf(1), caption: nasty, reason: nasty }
  const chapter = { ...words, name: nasty, photos: [photo, photoOf(2)], routes: [encodePolyline(route)] }
  const page = popPage(documentOf({ ...words, program: nasty, client: nasty, brand: nasty }, chapter), options)
  expect(page).not.toMatch(/<script|alert\("/)
  expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;')
})

test('a market with many photos begins with some, and the cover may be another', () => {
  const photos = [...Array(340).keys()].map(photoOf)
  const document = documentOf({ cover: pictureKey(300) }, { photos })
  const opening = toOpening(document)
  expect(opening.chapters[0]?.photos).toHaveLength(OPENING_PHOTOS)
  const page = popPage(opening, options)
  expect(page).toContain('Show all 340 photos')
  expect(page).toContain(`<img class="cover" src="${pictures}/${pictureKey(300)}`)
  expect(page.match(/<figure class="photo"/g)).toHaveLength(OPENING_PHOTOS)
  const preview = popPage(document, { ...options, isPreview: true })
  expect(preview).toContain('327 more photos')
  expect(preview).not.toContain('Show all')
})

test('long programs are charted by week, with every number in a table', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 5, 1 + n)).toISOString().slice(0, 10)
  const perDay = [...Array(90).keys()].map((n) => ({ day: day(n), metres: 16_093.44, plays: 10, verifiedPlays: 9 }))
  const page = popPage(documentOf({}, { perDay }), options)
  expect(page).toContain('90 days in 13 weeks as a table')
  expect(page).toContain('<th scope="row">Jun 1, 2026</th><td>7</td><td>70.0</td><td>–</td><td>70</td><td>63</td>')
  expect(popPage(documentOf({}, { perDay: perDay.slice(0, 9) }), options)).toContain('9 days as a table')
})

const dayOf = (n: number, plays = 10) => ({
  day: new Date(Date.UTC(2026, 5, 1 + n)).toISOString().slice(0, 10),
  metres: 16_093.44,
  plays,
  verifiedPlays: plays,
  seconds: 28_800,
})
const marketOf = (name: string, given: Partial<PopDocument['chapters'][number]> = {}) => ({
  ...documentOf({}, { name, slug: name.toLowerCase(), perDay: [dayOf(0)], photos: [], ...given }).chapters[0],
})

test('two markets stand side by side, and one of three can be chosen with a script', () => {
  const chapters = [marketOf('Dallas'), marketOf('Austin', { figures: { ...figures, plays: 0, verifiedPlays: 0 } })]
  const two = popPage(documentOf({ chapters } as Partial<PopDocument>), options)
  expect(two).toContain('<th scope="col">Dallas</th><th scope="col">Austin</th>')
  expect(two).toContain('<th scope="row">Plays</th><td>2,000</td><td>0</td>')
  expect(two).toContain('<th scope="row">Plays an hour</th><td>200</td><td>–</td>')
  expect(two).not.toContain('<select>')
  const three = popPage(documentOf({ chapters: [...chapters, marketOf('Waco')] } as Partial<PopDocument>), options)
  expect(three.match(/<select>/g)).toHaveLength(2)
  expect(popPage(documentOf(), options)).not.toContain('Compare markets')
})

test('each day tells its markets with hours, miles, plays, photos and planned stops', () => {
  const photos = [
    { ...photoOf(1), takenAt: '2026-06-01 14:00:00' },
    // Of the night shift that began the day before.
    { ...photoOf(2), takenAt: '2026-06-03 01:30:00' },
    { ...photoOf(3), takenAt: null },
  ]
  const stops = [
    {
      day: '2026-06-02',
      name: 'Stadium',
      from: '17:00',
      to: '19:00',
      state: 'onTime' as const,
      arrivedAt: '2026-06-02 17:02:10',
      leftAt: '2026-06-02 18:48:00',
      dwellMinutes: 106,
    },
  ]
  const chapters = [marketOf('Dallas', { perDay: [dayOf(0), dayOf(1, 1)], photos, stops }), marketOf('Austin')]
  const page = popPage(documentOf({ format: 3, chapters } as Partial<PopDocument>), options)
  const [, story = ''] = /<section class="story"(.*?)<\/section>/s.exec(page) ?? []
  const days = story.split('<li>').map((day) => day.replace(/<[^>]*>/g, '|').replace(/[|]+/g, '|'))
  expect(days).toHaveLength(3)
  expect(days[1]).toContain('Mon, Jun 1, 2026|Dallas|8.0 hours|10.0 miles|10 plays|1 photo|')
  expect(days[1]).toContain('Austin|8.0 hours|10.0 miles|10 plays|')
  expect(days[2]).toContain('Tue, Jun 2, 2026|Dallas|8.0 hours|10.0 miles|1 play|1 photo|')
  expect(days[2]).toContain('Stadium, 5:02–6:48 PM, 1 h 46 min')
})

test('photos of a day are counted though the page starts with few, and not guessed for versions without the count', () => {
  const photos = [...Array(40).keys()].map((n) => ({ ...photoOf(n), takenAt: '2026-06-01 14:00:00' }))
  const opening = toOpening(documentOf({}, { perDay: [dayOf(0)], photos }))
  expect(popPage(opening, options)).toContain('40 photos</span>')
  const before = { ...opening, chapters: opening.chapters.map((each) => ({ ...each, photosPerDay: undefined })) }
  expect(popPage(before, options)).not.toMatch(/photos<\/span><\/p>/)
})

test('more than two weeks are folded by week', () => {
  const page = popPage(documentOf({}, { perDay: [...Array(20).keys()].map((n) => dayOf(n)) }), options)
  expect(page).toContain('<summary>Jun 1, 2026 – Jun 7, 2026: 7 days</summary>')
  expect(page.match(/<details open>/g)).toHaveLength(1)
})

test('a route survives being written, and is drawn with fewer points where it has too many', () => {
  const line = [[32.78, -96.8] as const, [-33.5, 151.20001] as const]
  expect(decodePolyline(encodePolyline(line))).toEqual(line)
  expect(encodePolyline([[38.5, -120.2] as const, [40.7, -120.95] as const, [43.252, -126.453] as const])).toBe(
    '_p~iF~ps|U_ulLnnqC_mqNvxq`@',
  )
  const routes = Array.from({ length: 40 }, () => encodePolyline(route))
  const [chapter] = toOpening(documentOf({}, { routes })).chapters
  expect(chapter?.routes.reduce((sum, each) => sum + decodePolyline(each).length, 0)).toBeLessThanOrEqual(
    4000 + 2 * routes.length,
  )
  expect(popPage(documentOf({}, { routes }), options)).toMatch(/<path d="M\d+ \d+l-?\d+ /)
})

const world = await openWorld()
const { db } = world
const { addPop, addPhoto, publish, popOf, austin } = await openPops(world)
const { pages, removePages } = await writePages()
const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000', logLevel: 'silent', trustProxy: 0 }
const app = await buildApp({
  db,
  pages,
  blobs: world.app.blobs,
  mailer: { send: async () => undefined },
  env: {
    ...env,
    checkReplies: true,
  },
})
afterAll(async () => {
  await app.close()
  await removePages()
})
const open = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const viewsOf = async (uid: string) => (await popOf(uid)).views

test('the public version is found by its name only, and other names do not reveal it', async () => {
  const pop = await addPop([austin], { popUrl: 'Lemon Tour', name: 'Lemon Tour' })
  const photo = await addPhoto(pop.uid, austin)
  const unknown = await open('/programs/Nobody')
  expect(unknown.statusCode).toBe(404)
  const same = async (url: string) => {
    const { statusCode, body, headers } = await open(url)
    expect({ statusCode, body, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
      statusCode: 404,
      body: unknown.body,
      type: 'text/html; charset=utf-8',
      cache: 'no-cache',
    })
  }
  await same('/programs/Lemon%20Tour')

  await publish(pop.uid)
  const shown = await open('/programs/Lemon%20Tour', { 'accept-encoding': 'gzip, br' })
  expect(shown.statusCode).toBe(200)
  const page = brotliDecompressSync(shown.rawPayload).toString()
  expect(page).toContain('<h1>Lemon Tour</h1>')
  expect(page).toContain(`/api/v1/public/pop/Lemon%20Tour/pictures/${photo.key}/large`)
  for (const secret of [pop.uid, photo.uid, austin, pop.client.uid]) expect(page).not.toContain(secret)
  expect((await open('/pop/lemon%20tour')).body).toBe(page)
  expect(await viewsOf(pop.uid)).toBe(2)

  const again = await open('/pop/Lemon%20Tour', { 'if-none-match': String(shown.headers['etag']) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  await app.inject({ method: 'HEAD', url: '/pop/Lemon%20Tour' })
  expect(await viewsOf(pop.uid)).toBe(3)

  await sql`update pop set ends_on = current_date - 2 where uid = ${pop.uid}`.execute(db)
  await same('/pop/Lemon%20Tour')
  await sql`update pop set ends_on = null where uid = ${pop.uid}`.execute(db)
  const { version } = await popOf(pop.uid)
  await world.call(pops.withdraw, { body: { uid: pop.uid, version } })
  for (const url of ['/programs/Lemon%20Tour', '/pop/Lemon%20Tour', '/pop/a/b', '/pop/pop']) await same(url)
  expect((await open('/programs/pop')).body).toBe('index')
})
