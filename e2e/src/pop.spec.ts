import type { Browser, Page } from '@playwright/test'
import { addDays, API_BASE, localDay } from '@roadshow/contract'
import {
  addClient,
  addTruck,
  addUser,
  callAs,
  enter,
  enterWith,
  expect,
  expectAccessible,
  expectFits,
  goOn,
  PHONE,
  png,
  test,
  unique,
} from './world.ts'

const elsewhere = async (browser: Browser) => (await browser.newContext()).newPage()

/** A program that runs now in one market, made by an admin, and on demand a driver who has a shift today. */
async function aCampaign(admin: Page) {
  await enter(admin, 'admin')
  const call = async <T = { uid: string }>(path: string, body: object) => {
    const answer = (await (await callAs(admin, 'POST', path, body)).json()) as { data: T }
    expect(answer).toMatchObject({ data: {} })
    return answer.data
  }
  const zone = 'America/Chicago'
  const market = await call('markets/', { name: unique('Zephyr City'), zone })
  const client = await addClient(admin)
  const name = unique('Zephyr Proof')
  const today = localDay(zone)
  const program = await call('client-programs/', {
    clientUid: client.uid,
    name,
    popUrl: name,
    status: 'active',
    startsOn: addDays(today, -10),
    endsOn: addDays(today, 30),
    markets: [{ marketUid: market.uid }],
  })
  const addDriver = async () => {
    const driver = await addUser(admin, { role: 'driver', modules: ['schedule', 'pop'] })
    const truck = await addTruck(admin)
    await call('program-schedule/', {
      truckUid: truck.uid,
      driverUid: driver.userUid,
      programUid: program.uid,
      marketUid: market.uid,
      date: today,
      start: '00:00',
      end: '23:00',
    })
    return driver
  }
  return { client, program: { uid: program.uid, name }, addDriver }
}

/** Photos that are added from now on belong to the only market. */
async function chooseMarket(page: Page) {
  await page.getByLabel('Market of added photos').click()
  await page.locator('.ant-select-item-option').filter({ visible: true }).first().click()
}

/** Photos without camera data, which belong to no market. */
async function addPhotosTo(page: Page, programUid: string, photos: ReturnType<typeof photo>[]) {
  for (const each of photos) {
    const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? ''
    const answer = await page.request.post(`${API_BASE}/client-pop/`, {
      headers: { authorization: `Bearer ${token}` },
      multipart: { data: JSON.stringify({ programUid }), photos: each },
    })
    expect(await answer.json()).toMatchObject({ data: [{ outcome: 'added' }] })
  }
}

const photo = (name: string, red: number) => png(name, 800, 600, [red, 60, 60])

test('sales adds photos, approves and orders them, publishes the page and takes it back', async ({ page, browser }) => {
  const admin = await elsewhere(browser)
  const { client, program } = await aCampaign(admin)
  const reader = await addUser(admin, { role: 'client', modules: ['pop'], clientUid: client.uid })
  await enter(page, 'sales')
  await page.goto(`/client-pop?search=${encodeURIComponent(program.name)}`)
  await page.getByRole('link', { name: program.name }).click()
  await chooseMarket(page)
  const broken = { ...photo('broken.png', 0), buffer: Buffer.from('<html>') }
  await page.getByLabel('Add photos').setInputFiles([photo('one.png', 90), photo('two.png', 180), broken])
  await expect(page.getByText('2 of 3 sent · 2 added · 1 refused')).toBeVisible()
  await page.getByLabel('Caption of one.png').fill('Corner of Elm and Main')
  await page.getByLabel('Caption of one.png').press('Enter')
  await page.getByRole('button', { name: 'Move two.png' }).focus()
  await page.keyboard.press('Home')
  await expect(page.getByRole('button', { name: 'Move two.png' })).toBeFocused()
  await page.getByRole('button', { name: /^Select all in/ }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('2 photos: approved.')).toBeVisible()

  await page.getByRole('tab', { name: 'Text' }).click()
  await page.getByLabel('Headline').fill('Seen on every corner')
  await page.getByRole('button', { name: 'Save text' }).click()
  const preview = page.frameLocator('iframe')
  await expect(preview.getByText('Seen on every corner').first()).toBeVisible()
  await expect(preview.getByText('Corner of Elm and Main').first()).toBeAttached()

  await page.getByRole('button', { name: 'Publish' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Note (optional)').fill('First weeks')
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Publish' }).click()
  const link = await drawer.getByLabel('Public link').inputValue()
  await expect(drawer.getByText('First weeks')).toBeVisible()
  const anybody = await browser.newPage()
  expect((await anybody.goto(link))?.status()).toBe(200)
  await expect(anybody.getByText('Seen on every corner').first()).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'PDF of version 1' })).toBeVisible({ timeout: 60_000 })
  await page.keyboard.press('Escape')

  const clientPage = await elsewhere(browser)
  await enterWith(clientPage, reader.email)
  await clientPage.goto('/client-pop')
  await clientPage.getByRole('link', { name: program.name }).click()
  await expect(clientPage.getByRole('dialog').getByRole('link', { name: 'Open page' })).toBeVisible()
  await expect(clientPage.getByRole('button', { name: /Publish|Withdraw|Approve/ })).toHaveCount(0)

  await page.getByRole('tab', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByRole('button', { name: 'Show again' })).toBeVisible()
  expect((await anybody.goto(link))?.status()).toBe(404)
})

test('twelve photos of four programs are approved with fourteen keys', async ({ page }) => {
  const campaigns = [await aCampaign(page), await aCampaign(page), await aCampaign(page), await aCampaign(page)]
  for (const [at, { program }] of campaigns.entries()) {
    const photos = [1, 2, 3].map((n) => photo(`${at}-${n}.png`, 20 * (3 * at + n)))
    await addPhotosTo(page, program.uid, photos)
  }
  // Others are at work in the same database.
  const programs = campaigns.map(({ program }) => `&program=${program.uid}`).join('')
  await page.goto(`/client-pop?queue=photos${programs}`)
  await expect(page.getByText('1 of 12 photos')).toBeVisible()
  await expectAccessible(page)
  // The only market of each program is chosen already.
  for (let left = 11; left >= 1; left--) {
    await page.keyboard.press('a')
    await expect(page.getByText(left === 1 ? '1 of 1 photo' : `1 of ${left} photos`)).toBeVisible()
  }
  await page.keyboard.press('u')
  await expect(page.getByText('2 photos')).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByText('1 of 1 photo')).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByText('No photos are waiting.')).toBeVisible()
})

test('a driver adds a photo to an own shift with a phone', async ({ page, browser }) => {
  const driver = await (await aCampaign(await elsewhere(browser))).addDriver()
  await page.setViewportSize(PHONE)
  await enterWith(page, driver.email)
  await page.goto('/client-pop')
  const shift = page.getByRole('region', { name: /12:00 AM–11:00 PM/ })
  await expect(shift.getByLabel('Take a photo')).toHaveAttribute('capture', 'environment')
  await shift.getByLabel('Choose photos').setInputFiles(photo('street.png', 200))
  await expect(shift.getByText('Waiting')).toBeVisible()
  await shift.getByLabel('Caption of street.png').fill('By the station')
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await shift.getByLabel('Caption of street.png').press('Enter')
  await saved
  await expectAccessible(page)
  await expectFits(page)
  await page.reload()
  await expect(shift.getByLabel('Caption of street.png')).toHaveValue('By the station')
})

test('list, editor and photo are accessible and fit', async ({ page }) => {
  const { program } = await aCampaign(page)
  await page.goto(`/client-pop?open=${program.uid}`)
  await chooseMarket(page)
  await page.getByLabel('Add photos').setInputFiles(photo('street.png', 200))
  const opening = page.getByRole('button', { name: 'Open street.png' })
  await expect(opening).toBeVisible()
  for (const viewport of [page.viewportSize() ?? PHONE, PHONE]) {
    await page.setViewportSize(viewport)
    const looks = async () => {
      await expectAccessible(page)
      await expectFits(page)
    }
    await goOn(page, `/client-pop?search=${encodeURIComponent(program.name)}`)
    await page.getByRole('link', { name: program.name }).click()
    await expect(opening).toBeVisible()
    await looks()
    await page.getByRole('tab', { name: 'Markets' }).click()
    await expect(page.getByRole('button', { name: /^Move Zephyr/ })).toBeVisible()
    await looks()
    await page.getByRole('tab', { name: 'Text' }).click()
    await expect(page.getByRole('textbox', { name: 'Headline' })).toBeVisible()
    await looks()
    await page.getByRole('tab', { name: /^Photos/ }).click()
    await opening.click()
    await expect(page.getByRole('dialog').getByText('Sent by')).toBeVisible()
    await looks()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'All POPs' }).click()
    await expect(page.getByRole('link', { name: program.name })).toBeVisible()
    await looks()
  }
})
