import { buffer } from 'node:stream/consumers'
import { API_BASE, popDocument, pops, settings } from '@roadshow/contract'
import { aPicture } from '@roadshow/test-kit/media'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { at, drive, saidBy } from '../../../live/telemetry/test-fleet.ts'
import { popPdf } from '../pdf/pdf.ts'
import { textOfPdf } from '../pdf/test-pdf-text.ts'
import { popPage, publicPictureUrl } from '../public-page/page.ts'
import { openPops } from '../test-pop.ts'
import { documentHash, documentText } from './document.ts'
import { toOpening } from './opening.ts'

const world = await openWorld()
const { app, call, db } = world
const tried = await openPops(world)

async function turn(showImpressions: boolean): Promise<void> {
  const { version, values } = (await call(settings.get, {})).body.data
  // The day of the tests is kept, whenever they run.
  await call(settings.update, { body: { ...values, showImpressions, keepPositionsDays: 3650, version } })
}

/** A program whose truck drives north at 15 m/s for an hour. */
async function addDriven(popUrl: string) {
  const pop = await tried.addPop(undefined, { popUrl })
  const truck = await tried.addTruck()
  const driver = await world.addUser('driver')
  const placed = { programUid: pop.uid, marketUid: tried.austin, truckUid: truck.uid, driverUid: driver.uid }
  const shift = await tried.addShift({ ...placed, date: '2026-07-01', start: '15:00', end: '20:00' })
  const played = { plays: 3, duration_ms: 24_000, side: 'rear', day: '2026-07-01', hour: new Date(at('16:00:00')) }
  await db
    .insertInto('play_hour')
    .values({
      ...played,
      truck_uid: truck.uid,
      shift_uid: shift,
      program_uid: pop.uid,
      market_uid: tried.austin,
    })
    .execute()
  await tried.hear({ fixes: saidBy(truck.device, drive(at('16:00:00'), at('17:00:00'))) })
  return pop
}

const publicFile = (popUrl: string, path: string) => app.inject({ url: `${API_BASE}/public/pop/${popUrl}/${path}` })
const printed = async (document: ReturnType<typeof popDocument.parse>, sha256: string) => {
  const picture = await aPicture('webp', 40, 30)
  const printing = { readPicture: async () => picture, sha256, link: 'http://localhost/programs/x' }
  return textOfPdf(await buffer(popPdf(document, printing)))
    .join(' ')
    .replace(/\s+/g, ' ')
}
const pageOf = (document: ReturnType<typeof popDocument.parse>, sha256: string) =>
  popPage(document, { publicUrl: 'https://x.test', pictureUrl: publicPictureUrl('x'), isPreview: false, sha256 })

test('a version with estimates has format 4, says how they are made, and offers the method', async () => {
  await turn(true)
  const pop = await addDriven('estimated')
  expect((await tried.publish(pop.uid)).status).toBe(200)
  const text = (await publicFile('estimated', 'document')).body
  const document = popDocument.parse(JSON.parse(text))
  const sha256 = documentHash(text)
  const estimate = { low: 49, likely: 1215, high: 15_746, shifts: 1, shiftsWithout: 0, methods: [{ version: 2 }] }
  expect(document).toMatchObject({ format: 4, impressions: estimate, chapters: [{ impressions: estimate }] })
  const hash = document.impressions?.methods[0]?.sha256 ?? ''
  const method = await publicFile('estimated', 'impressions-method/2')
  expect(documentHash(method.body)).toBe(hash)
  expect((await publicFile('estimated', 'impressions-method/1')).statusCode).toBe(404)
  const [page, pdf] = [pageOf(document, sha256), await printed(document, sha256)]
  for (const words of ['1,220 estimated impressions', 'Between 49 and 15,700. Modeled, not measured.', hash]) {
    expect(page).toContain(words)
    expect(pdf).toContain(words)
  }
  expect(page).toContain('/public/pop/estimated/impressions-method/2"')
  expect((await call(pops.preview, { params: { uid: pop.uid } })).body.data.changes).toBe('No changes.')
  await turn(false)
  const { document: draft, changes } = (await call(pops.preview, { params: { uid: pop.uid } })).body.data
  expect([draft.format, changes]).toEqual([2, 'Estimated impressions changed.'])
  expect(draft).not.toHaveProperty('impressions')
})

test('the method of a page that is not public is not found', async () => {
  await turn(true)
  await addDriven('unpublished')
  expect((await publicFile('unpublished', 'impressions-method/1')).statusCode).toBe(404)
  expect((await publicFile('no-such-page', 'impressions-method/1')).statusCode).toBe(404)
})

/** Versions as they were published before there were estimates, with their hashes of then. */
const olderVersions: [format: number, sha256: string, text: string][] = [
  [
    2,
    'df75fb1ce58e31311061219772685c22e90d46c7c87a5d8d06fdff84526bc4b5',
    '{"format":2,"version":1,"publishedAt":"2026-07-05T00:00:00.000Z","brand":"Roadshow","client":"Zephyr Foods","logo":null,"program":"Summer Tour","popUrl":"old-format-2","startsOn":"2026-06-01","endsOn":"2026-06-30","headline":"Seen in Dallas","text":"","cover":null,"figures":{"metres":160934,"seconds":28800,"shifts":1,"trucks":1,"days":1,"plays":120,"verifiedPlays":118,"conflictPlays":0,"playSeconds":1800,"gaps":{"shiftsWithoutGps":0,"printedShifts":0,"printedTrucks":0,"playerOfflineSeconds":0,"runningShifts":0}},"photos":0,"verifiedPhotos":0,"milesAlgorithm":2,"chapters":[{"slug":"dallas-tx","name":"Dallas","state":"TX","zone":"America/Chicago","headline":"","text":"","startsOn":"2026-06-01","endsOn":"2026-06-30","figures":{"metres":160934,"seconds":28800,"shifts":1,"trucks":1,"days":1,"plays":120,"verifiedPlays":118,"conflictPlays":0,"playSeconds":1800,"gaps":{"shiftsWithoutGps":0,"printedShifts":0,"printedTrucks":0,"playerOfflineSeconds":0,"runningShifts":0}},"perDay":[{"day":"2026-06-02","metres":160934,"plays":120,"verifiedPlays":118,"seconds":28800,"shifts":1,"gaps":{"shiftsWithoutGps":0,"printedShifts":0,"printedTrucks":0,"playerOfflineSeconds":0,"runningShifts":0}}],"routes":["_p~iF~ps|U_ulLnnqC"],"photos":[]}]}',
  ],
  [
    3,
    'd4fc30882d814fca73e6b65fec8fb210d90a695d4ea2d1671d8a3576504b8d93',
    '{"format":3,"version":1,"publishedAt":"2026-07-05T00:00:00.000Z","brand":"Roadshow","client":"Zephyr Foods","logo":null,"program":"Summer Tour","popUrl":"old-format-3","startsOn":"2026-06-01","endsOn":"2026-06-30","headline":"Seen in Dallas","text":"","cover":null,"figures":{"metres":160934,"seconds":28800,"shifts":1,"trucks":1,"days":1,"plays":120,"verifiedPlays":118,"conflictPlays":0,"playSeconds":1800,"gaps":{"shiftsWithoutGps":0,"printedShifts":0,"printedTrucks":0,"playerOfflineSeconds":0,"runningShifts":0}},"photos":0,"verifiedPhotos":0,"milesAlgorithm":2,"chapters":[{"slug":"dallas-tx","name":"Dallas","state":"TX","zone":"America/Chicago","headline":"","text":"","startsOn":"2026-06-01","endsOn":"2026-06-30","figures":{"metres":160934,"seconds":28800,"shifts":1,"trucks":1,"days":1,"plays":120,"verifiedPlays":118,"conflictPlays":0,"playSeconds":1800,"gaps":{"shiftsWithoutGps":0,"printedShifts":0,"printedTrucks":0,"playerOfflineSeconds":0,"runningShifts":0}},"perDay":[{"day":"2026-06-02","metres":160934,"plays":120,"verifiedPlays":118,"seconds":28800,"shifts":1,"gaps":{"shiftsWithoutGps":0,"printedShifts":0,"printedTrucks":0,"playerOfflineSeconds":0,"runningShifts":0}}],"routes":["_p~iF~ps|U_ulLnnqC"],"stops":[{"day":"2026-06-02","name":"Stadium","from":"17:00","to":"19:00","state":"onTime","arrivedAt":"2026-06-02 17:10:00","leftAt":"2026-06-02 18:39:00","dwellMinutes":89}],"photos":[]}]}',
  ],
]

test.each(olderVersions)(
  'a version of format %d verifies as before, and shows no estimate',
  async (_, sha256, text) => {
    await turn(true)
    const document = popDocument.parse(JSON.parse(text))
    expect(documentText(document)).toBe(text)
    const pop = await tried.addPop(undefined, { popUrl: document.popUrl })
    await db
      .insertInto('pop_version')
      .values({
        program_uid: pop.uid,
        number: 1,
        published_at: document.publishedAt,
        note: '',
        changes: '',
        document: text,
        sha256,
        opening: documentText(toOpening(document)),
      })
      .execute()
    await db.updateTable('pop').set({ shown_version: 1 }).where('uid', '=', pop.uid).execute()
    const answer = await publicFile(document.popUrl, 'document')
    expect([documentHash(answer.body), answer.headers['etag']]).toEqual([sha256, `"${sha256}"`])
    expect((await publicFile(document.popUrl, 'impressions-method/1')).statusCode).toBe(404)
    expect(pageOf(document, sha256)).not.toContain('mpressions')
    expect(await printed(document, sha256)).not.toContain('mpressions')
  },
)
