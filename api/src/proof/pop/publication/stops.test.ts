import { buffer } from 'node:stream/consumers'
import { API_BASE, popDocument, pops } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { aPicture } from '@roadshow/test-kit/media'
import { openWorld } from '@roadshow/test-kit/world'
import { at, saidBy } from '../../../live/telemetry/test-fleet.ts'
import { popPdf } from '../pdf/pdf.ts'
import { textOfPdf } from '../pdf/test-pdf-text.ts'
import { DEPOT, openPops } from '../test-pop.ts'
import { documentHash } from './document.ts'

const world = await openWorld()
const { app, db, call } = world
const tried = await openPops(world)
const market = await tried.addMarket('Fort Worth', [DEPOT])

const METER = 1 / 111_195
const STADIUM = { latitude: DEPOT.latitude + 20_000 * METER, longitude: DEPOT.longitude }
const stop = (given: object) => ({
  radiusM: 400,
  from: '17:00',
  to: '19:00',
  minMinutes: null,
  note: 'Secret gate',
  ...given,
})

const standing = (from: string, to: string, meters: number) =>
  Array.from({ length: (at(to) - at(from)) / 60_000 }, (_, minute) => ({
    at: at(from) + minute * 60_000,
    latitude: STADIUM.latitude + meters * METER,
    longitude: STADIUM.longitude,
    speedKmh: 0,
  }))

/** A program with one shift of a truck that stood at the stadium from 5:10 to 6:39 PM. */
async function addProgramWithStops(stops: object[]) {
  const pop = await tried.addPop([market], { popUrl: `stops-${Math.round(performance.now() * 1000)}` })
  const truck = await tried.addTruck()
  const driver = await world.addUser('driver')
  const placed = { programUid: pop.uid, marketUid: market, truckUid: truck.uid, driverUid: driver.uid }
  const shift = await tried.addShift({ ...placed, date: '2026-07-01', start: '15:00', end: '20:00' })
  await db
    .updateTable('shift')
    .set({ stops: JSON.stringify(stops) })
    .where('uid', '=', shift)
    .execute()
  const fixes = [...standing('15:00:00', '17:00:00', 6000), ...standing('17:10:00', '18:40:00', 0)]
  await tried.hear({ fixes: saidBy(truck.device, fixes) })
  await tried.addPhoto(pop.uid, market)
  return { pop, truck, driver }
}

const textOf = async (popUrl: string) => (await app.inject({ url: `${API_BASE}/public/pop/${popUrl}/document` })).body

test('a published version tells planned stops in words, without places, notes, trucks or drivers', async () => {
  const { pop, truck, driver } = await addProgramWithStops([
    stop({ ...STADIUM, name: 'Stadium' }),
    stop({ ...STADIUM, latitude: STADIUM.latitude + 4000 * METER, name: 'Mall', from: '15:00', to: '16:00' }),
    stop({ ...STADIUM, name: 'Late show', from: '19:30', to: '20:00' }),
    // At the depot, which is private.
    stop({ latitude: DEPOT.latitude, longitude: DEPOT.longitude, name: 'Refueling' }),
  ])
  expect((await tried.publish(pop.uid)).status).toBe(200)
  const text = await textOf(pop.popUrl)
  const document = popDocument.parse(JSON.parse(text))
  expect(document.format).toBe(3)
  expect(document.chapters[0]?.stops).toEqual([
    {
      day: '2026-07-01',
      name: 'Stadium',
      from: '17:00',
      to: '19:00',
      state: 'onTime',
      arrivedAt: '2026-07-01 17:10:00',
      leftAt: '2026-07-01 18:39:00',
      dwellMinutes: 89,
    },
    {
      day: '2026-07-01',
      name: 'Mall',
      from: '15:00',
      to: '16:00',
      state: 'missed',
      arrivedAt: null,
      leftAt: null,
      dwellMinutes: null,
    },
    {
      day: '2026-07-01',
      name: 'Late show',
      from: '19:30',
      to: '20:00',
      state: 'noData',
      arrivedAt: null,
      leftAt: null,
      dwellMinutes: null,
    },
  ])
  for (const hidden of ['Secret gate', 'Refueling', truck.uid, driver.uid]) expect(text).not.toContain(hidden)
  const { sha256 } = await db
    .selectFrom('pop_version')
    .select('sha256')
    .where('program_uid', '=', pop.uid)
    .executeTakeFirstOrThrow()
  expect(documentHash(text)).toBe(sha256)
  const summary = '1 of 3 planned stops reached, 1 h 29 min in all. 1 without GPS data.'
  const rows = [
    ['Wed, Jul 1, 2026', 'Stadium', '5:00–7:00 PM', '5:10 PM', '6:39 PM', '1 h 29 min', 'On time'],
    ['Wed, Jul 1, 2026', 'Mall', '3:00–4:00 PM', '–', '–', '–', 'Missed'],
    ['Wed, Jul 1, 2026', 'Late show', '7:30–8:00 PM', '–', '–', '–', 'No GPS data'],
  ]
  const { html } = (await call(pops.preview, { params: { uid: pop.uid } })).body.data
  const picture = await aPicture('webp', 40, 30)
  const printing = { readPicture: async () => picture, sha256, link: 'http://localhost/programs/x' }
  const printed = textOfPdf(await buffer(popPdf(document, printing))).join('\n')
  const shown = html.replace(/<[^>]*>/g, '\n').replace(/\s*\n\s*/g, '\n')
  for (const text of [shown, printed]) {
    expect(text).toContain(summary)
    for (const row of rows) expect(text).toContain(row.join('\n'))
  }
})

test('a program without planned stops is published in the format of before', async () => {
  const { pop } = await addProgramWithStops([])
  await tried.publish(pop.uid)
  const document = JSON.parse(await textOf(pop.popUrl))
  expect(document.format).toBe(2)
  expect(document.chapters[0]).not.toHaveProperty('stops')
})

test('a version says that planned stops changed', async () => {
  const { pop } = await addProgramWithStops([stop({ ...STADIUM, name: 'Stadium' })])
  await tried.publish(pop.uid)
  expect((await call(pops.preview, { params: { uid: pop.uid } })).body.data.changes).toBe('No changes.')
  await db
    .updateTable('shift')
    .set({ stops: JSON.stringify([stop({ ...STADIUM, name: 'Arena' })]) })
    .where('program_uid', '=', pop.uid)
    .execute()
  expect((await call(pops.preview, { params: { uid: pop.uid } })).body.data.changes).toBe('Planned stops changed.')
})
