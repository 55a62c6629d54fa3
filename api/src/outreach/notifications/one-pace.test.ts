import {
  addDays,
  type BookedUnit,
  campaignLinks,
  campaignMails,
  campaigns,
  DAY_MS,
  deliveredWords,
  delivery,
  forecastWords,
  type LineDelivery,
  localDay,
  paceSentence,
  paceWords,
  publicCampaign,
} from '@roadshow/contract'
import { writePages } from '@roadshow/test-kit/pages'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { fleetOf, zoneWhereItIs } from '../../live/players/test-fleet.ts'
import { deliveryWatch } from '../../proof/delivery/index.ts'
import { openOutreach } from './test-outreach.ts'

const world = await openWorld()
const { call, db, people } = world
const { handle } = openOutreach(world)
const fleet = fleetOf(world)

const HOUR = 3_600_000
const NOON = zoneWhereItIs(12)
const now = Date.now()
const today = localDay(NOON.name, now)

const { pages, removePages } = await writePages()
const env = {
  brandName: 'Roadshow',
  publicUrl: 'http://localhost:3000',
  logLevel: 'silent',
  trustProxy: 0,
  checkReplies: true,
  allowIndexing: true,
}
const app = await buildApp({ db, pages, blobs: world.app.blobs, mailer: { send: async () => undefined }, env })
afterAll(async () => {
  await app.close()
  await removePages()
})

const marketUid = await fleet.addMarket()
await db.updateTable('market').set({ zone: NOON.name }).where('uid', '=', marketUid).execute()

/** Twenty days, of which ten are over. */
const bookedLine = (unit: BookedUnit, amount: number) => ({
  marketUid,
  unit,
  amount,
  startsOn: addDays(today, -10),
  endsOn: addDays(today, 9),
  priceCents: 123_456,
})

async function addShift(programUid: string, daysAgo: number) {
  const truckUid = await fleet.addTruck({ home_market_uid: marketUid })
  const from = now - daysAgo * DAY_MS - 2 * HOUR
  const hours = { from, to: from + 3 * HOUR, started_at: new Date(from), stopped_at: new Date(from + 3 * HOUR) }
  const shift = await fleet.addShift({
    truckUid,
    programUid,
    marketUid,
    ...hours,
    status: 'completed',
    fixedZone: NOON,
  })
  return { uid: shift.uid, truckUid, from }
}

/** The miles of a shift, which arrive when its tracker has signal again. */
const addMiles = ({ uid, truckUid, from }: Awaited<ReturnType<typeof addShift>>, miles: number) =>
  db
    .insertInto('shift_track')
    .values({
      shift_uid: uid,
      truck_uid: truckUid,
      starts_at: new Date(from),
      ends_at: new Date(from + 3 * HOUR),
      heard_ms: 3 * HOUR,
      gps_metres: miles * 1609.344,
      metres: miles * 1609.344,
      source: 'gps',
      coverage: 1,
      algorithm: 1,
    })
    .execute()

const { uid, client } = await world.addProgram({
  name: 'One Pace',
  startsOn: addDays(today, -30),
  endsOn: addDays(today, 30),
  markets: [{ marketUid }],
  bookedLines: [bookedLine('miles', 4000), bookedLine('truckDays', 18)],
})
const own = await world.addUser('client', ['pop'], client.uid)
const { url } = (await call(campaignLinks.create, { body: { programUid: uid } })).body.data
const token = url.split('/c/')[1] ?? ''

/** What each line shows to people: the same sentences wherever it stands. */
const wordsOf = (line: LineDelivery) => [paceSentence(line.pace), deliveredWords(line), forecastWords(line)]

/** Compares the pace of the program on every surface with that of its tab Delivery, which it returns. */
async function expectOnePace() {
  const shown = (await call(delivery.program, { params: { uid } })).body.data
  const { asOf: _asOf, ...values } = shown
  const behind = (await call(delivery.behind, {})).body.data.find((each) => each.delivery.program.uid === uid)
  expect(behind?.delivery, 'Overview').toMatchObject(values)
  for (const reader of [people.admin, own]) {
    const { data } = (await call(campaigns.list, { query: { uid: [uid] } }, { token: reader.token })).body
    expect(data[0]?.delivery, 'campaigns').toMatchObject(values)
  }

  const { texts } = (await call(publicCampaign.live, { params: { token } }, { token: '' })).body.data
  const html = (await app.inject({ url: `/c/${token}` })).body
  const mail = (await call(campaignMails.preview, { params: { uid }, query: { occasion: 'weekly' } })).body.data
  for (const [index, line] of shown.lines.entries()) {
    const [pace, delivered, forecast] = wordsOf(line)
    expect([texts[`line-${index}-pace`], texts[`line-${index}`]], 'link').toEqual([pace, delivered])
    expect(texts[`line-${index}-forecast`], 'link').toContain(forecast)
    for (const words of wordsOf(line)) expect(html, 'page of the link').toContain(words)
    expect(mail.text, 'mail').toContain(delivered)
    expect(mail.text, 'mail').toContain(`pace ${paceWords(line.pace)}`)
  }
  return shown
}

test('a program has one pace on its tab, the Overview, the campaigns, the link, in mails and webhooks, before and after late data', async () => {
  const driven = await Promise.all([1, 2, 4, 5, 7].map((daysAgo) => addShift(uid, daysAgo)))
  const [late, ...told] = driven
  for (const [index, shift] of told.entries()) await addMiles(shift, 101.27 + index)
  const before = await expectOnePace()
  expect(before.lines.map(({ delivered, pace }) => [delivered, pace])).toEqual([
    [411.1, 411.1 / 2000],
    [5, 5 / 9],
  ])
  expect(before.lines[0]?.shiftsWithoutData).toBe(1)

  if (late) await addMiles(late, 99.9)
  const after = await expectOnePace()
  expect(after.lines[0]).toMatchObject({ delivered: 511, pace: 511 / 2000, shiftsWithoutData: 0, state: 'behind' })
  expect(after).toMatchObject({ pace: 511 / 2000, state: 'behind' })

  await deliveryWatch.look({ db, env, now: Date.now() })
  const event = await db
    .selectFrom('outbound_event')
    .select('data')
    .where('type', '=', 'delivery.behind')
    .where('object', '=', `program ${uid}`)
    .executeTakeFirstOrThrow()
  const inWebhook = ({ delivered, expected, pace, forecast, through }: LineDelivery) => ({
    delivered,
    expected,
    pace,
    forecast,
    through,
  })
  expect(event.data).toMatchObject({ pace: after.pace, lines: after.lines.map(inWebhook) })
  await handle()
  const notice = await db
    .selectFrom('notification')
    .select('text')
    .where('kind', '=', 'campaignBehind')
    .where('object', '=', `program ${uid}`)
    .where('user_uid', '=', people.sales.uid)
    .executeTakeFirstOrThrow()
  for (const words of after.lines.flatMap(wordsOf)) expect(notice.text).toContain(words)
})
