import { addDays, API_BASE, campaigns, localDay, pops, programs } from '@roadshow/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { programToday } from '../../../catalog/in-use/index.ts'
import { openPops } from '../test-pop.ts'

const world = await openWorld()
const { app, call, db } = world
const { addMarket, addPop, addPhoto, popOf, publish } = await openPops(world)

async function addMarketIn(zone: string, name = zone): Promise<string> {
  const uid = await addMarket(name)
  await db.updateTable('market').set({ zone }).where('uid', '=', uid).execute()
  return uid
}

const LOS_ANGELES = await addMarketIn('America/Los_Angeles')
const NEW_YORK = await addMarketIn('America/New_York')
const HONOLULU = await addMarketIn('Pacific/Honolulu')
const PHOENIX = await addMarketIn('America/Phoenix')
// 26 hours apart: at any moment, the one has a later day than the other, and UTC shares its day with one of them.
const EAST = await addMarketIn('Pacific/Kiritimati')
const WEST = await addMarketIn('Etc/GMT+12')

test.each([
  // Clocks go forward on March 8 and back on November 1: the day is one hour shorter, then one hour longer.
  ['in Los Angeles', [LOS_ANGELES], '2026-03-08', '2026-03-09T07:00:00Z'],
  ['in Los Angeles', [LOS_ANGELES], '2026-11-01', '2026-11-02T08:00:00Z'],
  ['in New York', [NEW_YORK], '2026-11-01', '2026-11-02T05:00:00Z'],
  ['in Los Angeles after New York', [NEW_YORK, LOS_ANGELES], '2026-11-01', '2026-11-02T08:00:00Z'],
  ['in Honolulu', [LOS_ANGELES, HONOLULU, NEW_YORK], '2026-03-08', '2026-03-09T10:00:00Z'],
  ['in Phoenix, which keeps its clocks', [PHOENIX], '2026-03-08', '2026-03-09T07:00:00Z'],
  ['east of UTC', [EAST], '2026-03-08', '2026-03-08T10:00:00Z'],
  ['in the default zone without a market', [], '2026-11-01', '2026-11-02T06:00:00Z'],
])('a day ends %s', async (_where, marketUids, day, end) => {
  const { uid } = await addPop(marketUids)
  const dayAt = async (at: string) => {
    const { rows } = await sql<{ day: string }>`
      select ${programToday(sql`${uid}`, sql`${at}::timestamptz`)} as day`.execute(db)
    return rows[0]?.day
  }
  expect(await dayAt(new Date(Date.parse(end) - 1).toISOString())).toBe(day)
  expect(await dayAt(end)).toBe(addDays(day, 1))
})

test('the day of a program is that of its last market at any hour of 800 days', async () => {
  const { uid } = await addPop([NEW_YORK, LOS_ANGELES])
  const { rows } = await sql<{ at: string; day: string }>`
    select at, ${programToday(sql`${uid}`, sql`at`)} as day
      from generate_series(timestamptz '2026-01-01', timestamptz '2026-01-01' + interval '800 days', '1 hour') at`.execute(
    db,
  )
  expect(rows).toHaveLength(800 * 24 + 1)
  expect(rows.filter(({ at, day }) => day !== localDay('America/Los_Angeles', Date.parse(at)))).toEqual([])
})

/** A published page with this last day, as everyone finds it. */
async function stateOn(marketUids: string[], shownUntil: string) {
  const { uid, popUrl } = await addPop(marketUids)
  await addPhoto(uid, marketUids[0] ?? '')
  await publish(uid)
  const { version } = await popOf(uid)
  const saved = (await call(pops.update, { body: { uid, version, shownUntil } })).body.data
  const listed = (await call(pops.list, { query: { uid: [uid], state: [saved.state] } })).body.data
  const page = await app.inject({ url: `${API_BASE}/public/pop/${encodeURIComponent(popUrl)}/document` })
  const campaign = (await call(campaigns.list, { query: { uid: [uid] } })).body.data[0]
  const deletion = await call(programs.remove, { params: { uid }, query: { confirmed: 'yes' } })
  return {
    state: saved.state,
    listed: listed.length,
    page: page.statusCode,
    hasLink: campaign?.popUrl === popUrl,
    deletion: deletion.status,
  }
}

test('page, list, campaign and deletion agree that the last day ends in the last market of the program', async () => {
  const lastDay = localDay('Etc/GMT+12')
  const isPublic = { state: 'published', listed: 1, page: 200, hasLink: true, deletion: 409 }
  expect(await stateOn([WEST], lastDay)).toEqual(isPublic)
  expect(await stateOn([EAST, WEST], lastDay)).toEqual(isPublic)
  const isOver = { state: 'ended', listed: 1, page: 404, hasLink: false, deletion: 200 }
  expect(await stateOn([EAST], lastDay)).toEqual(isOver)
  expect(await stateOn([EAST, WEST], addDays(lastDay, -1))).toEqual(isOver)
})

test('the total of public pages is counted again when a day has ended and nothing was written', async () => {
  const clientUid = (await world.addClient()).uid
  const moving = await addMarketIn('Etc/GMT+12', 'Moving')
  for (let made = 0; made < 2; made += 1) {
    const { uid } = await addPop([moving], { clientUid })
    await addPhoto(uid, moving)
    await publish(uid)
    const { version } = await popOf(uid)
    const shownUntil = addDays(localDay('Etc/GMT+12'), made * 5)
    await call(pops.update, { body: { uid, version, shownUntil } })
  }
  const total = async () =>
    (await call(pops.list, { query: { client: [clientUid], state: ['published'], pageSize: '1' } })).body.total
  expect(await total()).toBe(2)
  await db.updateTable('market').set({ zone: 'Pacific/Kiritimati' }).where('uid', '=', moving).execute()
  expect(await total()).toBe(1)
})
