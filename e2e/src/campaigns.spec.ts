import { API_BASE, localDay } from '@roadshow/contract'
import type { Page } from '@playwright/test'
import { afternoonZone } from './test-player.ts'
import {
  addClient,
  addTruck,
  addUser,
  callAs,
  dataOf,
  enter,
  expect,
  expectAccessible,
  expectFits,
  PHONE,
  png,
  signInWith,
  test,
  unique,
} from './world.ts'

type Row = { uid: string; version: number }

/** A running campaign with a shift of this afternoon, an approved photo and a user of its client. */
async function addCampaign(page: Page) {
  await enter(page, 'admin')
  const post = <T = Row>(call: string, body: object) => dataOf<T>(callAs(page, 'POST', call, body))
  const zone = afternoonZone()
  const today = localDay(zone)
  const market = await post('markets/', { name: unique('Zephyr City'), zone })
  const client = await addClient(page)
  const name = unique('Zephyr Parade')
  const program = await post('client-programs/', {
    clientUid: client.uid,
    name,
    status: 'active',
    startsOn: today,
    endsOn: today,
    popUrl: name,
    markets: [{ marketUid: market.uid }],
  })
  const truck = await addTruck(page)
  const driver = await addUser(page, { role: 'driver', modules: ['schedule', 'pop'] })
  await post('program-schedule/', {
    programUid: program.uid,
    marketUid: market.uid,
    truckUid: truck.uid,
    driverUid: driver.userUid,
    date: today,
    start: '12:00',
    end: '20:00',
    note: '',
  })
  const token = (await page.context().cookies()).find((cookie) => cookie.name === 'token')?.value ?? ''
  const answer = await page.request.post(`${API_BASE}/client-pop/`, {
    headers: { authorization: `Bearer ${token}` },
    multipart: {
      data: JSON.stringify({ programUid: program.uid, marketUid: market.uid, caption: 'On Main Street' }),
      photos: png('main-street.png', 900, 600, [180, 90, 40]),
    },
  })
  const { data } = (await answer.json()) as { data: { photo: Row }[] }
  await dataOf(
    callAs(page, 'PUT', 'client-pop/photos/status', { uids: data.map(({ photo }) => photo.uid), status: 'approved' }),
  )
  const reader = await addUser(page, { role: 'client', modules: ['pop'], clientUid: client.uid })
  return { program, name, truck, driver, reader, client }
}

test('a client signs in on a phone and sees where trucks are, whether it is on pace, and a photo', async ({
  page,
  browser,
}) => {
  const admin = await browser.newPage()
  const { name, reader, truck, driver } = await addCampaign(admin)
  await admin.close()
  await page.setViewportSize(PHONE)
  await signInWith(page, reader.email)
  await page.waitForURL('/campaigns')
  const card = page.getByRole('article', { name })
  await expect(card.getByText(/^1 truck on the road/)).toBeVisible()
  await expect(card.getByRole('heading', { name: 'Pace' })).toBeVisible()
  const photo = card.getByRole('img', { name: /On Main Street/ })
  await expect(photo).toBeVisible()
  // Trucks, pace and a photo are within three screens of a phone.
  const bottom = await photo.evaluate((picture) => picture.getBoundingClientRect().bottom + scrollY)
  expect(bottom).toBeLessThanOrEqual(3 * PHONE.height)
  await expectAccessible(page)
  await expectFits(page)
  for (const secret of [truck.number, driver.name]) await expect(page.getByText(secret)).toHaveCount(0)
  const file = page.waitForEvent('download')
  await card.getByRole('button', { name: 'Download ad log (CSV)' }).click()
  expect((await file).suggestedFilename()).toMatch(/^ad-log_.*\.csv$/)
  await expect(card.getByRole('button', { name: 'Share' })).toHaveCount(0)
})

test('staff shares a link, anybody opens it, and it closes when it is revoked', async ({ page, browser }) => {
  const { program, name, truck, driver } = await addCampaign(page)
  await page.goto(`/campaigns?search=${encodeURIComponent(name)}`)
  await page.getByRole('article', { name }).getByRole('button', { name: 'Share' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'New link' }).click()
  await drawer.getByLabel('For whom').fill('The agency')
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Create link' }).click()
  const link = await drawer.getByLabel('Campaign link').inputValue()
  expect(link).toMatch(/\/c\/[\w-]{43}$/)
  await drawer.getByRole('button', { name: 'Done' }).click()
  await expect(drawer.getByText('The agency')).toBeVisible()

  const anybody = await browser.newPage({ viewport: PHONE })
  const { pathname } = new URL(link)
  expect((await anybody.goto(pathname))?.status()).toBe(200)
  await expect(anybody.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(anybody.getByText('miles this week')).toBeVisible()
  await expect(anybody.getByRole('img', { name: 'On Main Street' }).first()).toBeVisible()
  await expectAccessible(anybody)
  await expectFits(anybody)
  const bytes = await anybody.content()
  for (const secret of [truck.number, driver.name, program.uid]) expect(bytes).not.toContain(secret)

  // The figures need no script.
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const still = await plain.newPage()
  await still.goto(pathname)
  await expect(still.getByText('ad plays this week')).toBeVisible()
  await expect(still.getByText(/on the road|No truck was out/)).toBeVisible()
  await plain.close()

  // The pictures of another visitor hang, so that the page is never loaded whole.
  const slow = await browser.newPage({ viewport: PHONE })
  let hanging = 0
  await slow.route(`**${API_BASE}/shared-campaigns/*/pictures/**`, () => {
    hanging++
  })
  await slow.goto(pathname, { waitUntil: 'commit' })
  await expect(slow.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect.poll(() => hanging).toBeGreaterThan(0)

  await drawer.getByRole('button', { name: 'Revoke' }).click()
  await page
    .getByRole('dialog', { name: /^Revoke/ })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await expect(drawer.getByText('Revoked', { exact: true })).toBeVisible()
  // The open page is told, and nothing of the campaign stays on it.
  await expect(anybody.getByRole('heading', { name: 'This link has ended.' })).toBeVisible({ timeout: 30_000 })
  await expect(anybody.getByText(name)).toHaveCount(0)
  await expect(slow.getByRole('heading', { name: 'This link has ended.' })).toBeVisible({ timeout: 30_000 })
  expect((await anybody.goto(pathname))?.status()).toBe(404)
  await expect(anybody.getByRole('heading', { name: 'This link has ended.' })).toBeVisible()
  await expectAccessible(anybody)
})
