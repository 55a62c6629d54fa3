import { incidents } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import type { AppContext } from '../../platform/context.ts'
import { connect, type Db } from '../../platform/db/connection.ts'
import { ExternalServices } from '../../platform/runtime/external-services.ts'
import { statusPages } from './status-page.ts'

const world = await openWorld()
const { call, people } = world
const services = new ExternalServices()
const HOUR = 3_600_000
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()

/** The status page as text, its tags left out. */
async function statusText(db: Db = world.db, status = 200): Promise<string> {
  const env = { brandName: 'Big Trucks', publicUrl: 'https://console.example.com' }
  const pages = await statusPages({ db, env, services } as AppContext)
  expect(['/status', '/status/', '/statuses', '/'].map((path) => pages.matches(path))).toEqual([
    true,
    true,
    false,
    false,
  ])
  const page = await pages.render('/status', true, { headers: {} })
  expect(page).toMatchObject({ isPrivate: true, status })
  return String(page?.plain)
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

const add = async (title: string, startsAt: string, endsAt: string | null = null, text = '') =>
  (await call(incidents.create, { body: { title, text, startsAt, endsAt } })).body.data

test('the status page says that everything works, and what does not in plain words', async () => {
  expect(await statusText()).toContain('Big Trucks Everything works As of')
  const [storage, redis] = ['storage', 'redis'].map((name) => services.watch({ name, label: name, effect: `${name}.` }))
  redis?.failed(new Error('Redis at 10.0.0.9 is away'))
  expect(await statusText()).toContain('Everything works')
  storage?.failed(new Error('The account fleet is away'))
  const text = await statusText()
  expect(text).toContain('Some parts are affected Files and photos can’t be opened or uploaded.')
  // Neither machines nor services of the operator are named.
  expect(text).not.toMatch(/10\.0\.0\.9|redis|account fleet/i)
  storage?.answered()
  redis?.answered()
})

test('an incident is on the page from when it is written, and in its history once it is over', async () => {
  const open = await add('Uploads are <slow>', hoursAgo(2), null, 'We know why.\nIt ends soon.')
  await add('Maintenance next week', hoursAgo(-100))
  await add('Long ago', hoursAgo(24 * 91), hoursAgo(24 * 91))
  let text = await statusText()
  expect(text).toContain('Some parts are affected')
  expect(text).toMatch(/Maintenance next week .* Uploads are &lt;slow&gt; .* We know why\. It ends soon\./)
  expect(text).not.toMatch(/Long ago|Last 90 days/)

  const { uid, version, title } = open
  const body = { uid, version, title, text: 'Fixed.', startsAt: open.startsAt, endsAt: hoursAgo(1) }
  expect((await call(incidents.update, { body })).body.data).toMatchObject({ version: 2, text: 'Fixed.' })
  expect((await call(incidents.update, { body })).status).toBe(409)
  text = await statusText()
  expect(text).toMatch(
    /Everything works Maintenance next week .* Last 90 days Uploads are &lt;slow&gt; .* · over Fixed\./,
  )
  expect((await call(incidents.history, { params: { uid }, query: {} })).body.total).toBe(2)

  expect((await call(incidents.remove, { params: { uid } })).status).toBe(200)
  expect(await statusText()).not.toContain('slow')
  expect((await call(incidents.list, { query: {} })).body.data.map((each) => each.title)).toEqual([
    'Maintenance next week',
    'Long ago',
  ])
})

test('an end before the start is refused, and so is everyone but those who keep the settings', async () => {
  const body = { title: 'Wrong', startsAt: hoursAgo(1), endsAt: hoursAgo(2) }
  expect(await call(incidents.create, { body })).toMatchObject({ status: 400 })
  for (const who of [people.sales, people.driver, people.client]) {
    const mine = { title: 'Not mine', startsAt: hoursAgo(1) }
    expect((await call(incidents.create, { body: mine }, { token: who.token })).status).toBe(403)
  }
})

test('while the database is away the page says so', async () => {
  const { db, close } = connect('postgres://nobody@127.0.0.1:1/none', { max: 1 })
  expect(await statusText(db, 503)).toContain(
    'Not available right now Nothing can be opened or saved until it is back.',
  )
  await close()
})
