import { localDay } from '@roadshow/contract'
import { emptyServer, type OwnServer } from './own-server.ts'
import { handOn } from './hand.ts'
import { startTracker } from './test-tracker.ts'
import { callAs, dataOf, expect, expectAccessible, expectFits, PHONE, png, test } from './world.ts'

const LIMIT = 120
const ADMIN = { email: 'robin@vale.example', name: 'Robin Vale' }
const PASSWORD = 'seven green lanterns drift'
/** In the market of the journey. */
const DALLAS = { latitude: 32.7767, longitude: -96.797 }
const MINUTE = 60_000

let server: OwnServer | undefined
let closeTracker: (() => Promise<void>) | undefined
test.afterEach(async () => {
  await server?.stop()
  await closeTracker?.()
})

test(`from the first admin of an empty database to a published proof in at most ${LIMIT} clicks and keys`, async ({
  browser,
}) => {
  test.setTimeout(900_000)
  const tracker = await startTracker('b1')
  closeTracker = () => tracker.close()
  const started = await emptyServer(ADMIN, tracker.settings)
  server = started
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const hand = handOn(page)
  const drawer = page.getByRole('dialog').first()
  const save = () => hand.click(drawer.getByRole('button', { name: 'Save', exact: true }))
  const line = (title: string) =>
    page.getByRole('list', { name: 'What is left to set up' }).getByRole('listitem').filter({ hasText: title })
  const done = (title: string) => expect(line(title).getByRole('img', { name: 'Done' })).toBeVisible()
  const goTo = async (label: string) => {
    if (new URL(page.url()).pathname !== '/setup') {
      await hand.press('Control+k')
      await hand.type('Set up')
      await hand.press('Enter')
    }
    await hand.click(page.getByRole('button', { name: label }))
  }
  const option = (text: string) => page.locator('.ant-select-item-option', { hasText: text }).filter({ visible: true })

  await test.step('the first admin', async () => {
    await page.goto(started.passwordLink.replace(/^http:\/\/[^/]+/, started.url))
    await hand.click(page.getByLabel(/new password/i).first())
    await hand.type(PASSWORD)
    await hand.press('Enter')
    await hand.click(page.getByRole('link', { name: /sign in/i }))
    await hand.click(page.getByLabel('Email'))
    await hand.type(ADMIN.email)
    await hand.press('Tab')
    await hand.type(PASSWORD)
    await hand.press('Enter')
  })

  await test.step('the greeting, which goes on where it stopped', async () => {
    await page.waitForURL(/\/welcome/)
    await hand.click(page.getByLabel('Company name'))
    await hand.type('Vale Mobile Ads')
    await hand.click(page.getByRole('button', { name: 'Save and continue' }))
    await expect(page.getByRole('button', { name: 'New market' })).toBeVisible()
    await page.goto('/overview')
    await page.waitForURL(/\/welcome/)
    await expect(page.getByRole('banner')).toContainText('Vale Mobile Ads')
    await hand.click(page.getByRole('button', { name: 'New market' }))
    await hand.click(drawer.getByLabel('Name').first())
    await hand.type('Dallas')
    await hand.click(drawer.getByLabel('ZIP code of the center'))
    await hand.type('75201')
    await hand.press('Enter')
    await expect(drawer.getByLabel('Latitude of the center').first()).not.toHaveValue('')
    await expect(drawer).toContainText('America/Chicago')
    await save()
    await expect(drawer).toBeHidden()
    await hand.click(page.getByRole('button', { name: 'Continue', exact: true }))
    await hand.click(page.getByRole('button', { name: 'Save and continue' }))
    await hand.click(page.getByRole('button', { name: 'Save and continue' }))
    await page.waitForURL(/\/setup/)
    for (const each of ['Company', 'Markets']) await done(each)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectFits(page)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('a canvas, a truck with its tracker, a driver', async () => {
    await goTo('Pixel Maps: Screens')
    await hand.click(page.getByRole('button', { name: 'New pixel map' }).first())
    await hand.click(drawer.getByLabel('Name').first())
    await hand.type('Box truck')
    await save()
    await expect(drawer).toBeHidden()
    await goTo('Add: Trucks')
    await hand.click(drawer.getByLabel('Number'))
    await hand.type('T-1')
    await hand.choose(drawer, 'Home market', 'Dallas')
    await hand.choose(drawer, 'Pixel map', 'Box truck')
    await hand.click(drawer.getByLabel('Geotab device'))
    await hand.type('b1')
    await save()
    await expect(page.getByRole('link', { name: 'T-1' }).first()).toBeVisible()
    await goTo('Add: Drivers')
    await hand.click(drawer.getByLabel('Name').first())
    await hand.type('Dee Park')
    await hand.click(drawer.getByLabel('Email'))
    await hand.type('dee@vale.example')
    await save()
    await expect(drawer).toBeHidden()
  })

  const next = (label: string) => hand.click(page.getByRole('status').getByRole('button', { name: label }))
  await test.step('a client, its program and artwork', async () => {
    await goTo('Add: Clients')
    await hand.click(drawer.getByLabel('Name').first())
    await hand.type('Blue Kettle')
    await hand.press('Enter')
    await next('New program')
    const today = localDay('America/Chicago')
    await expect(drawer.getByLabel('Name').first()).toBeFocused()
    await hand.type('Kettle Days')
    await hand.click(drawer.getByLabel('Status'))
    await hand.click(option('Active'))
    await hand.day(drawer.getByLabel('Starts on').first(), today)
    await hand.day(
      drawer.getByLabel('Ends on').first(),
      localDay('America/Chicago', Date.now() + 20 * 24 * 60 * MINUTE),
    )
    await hand.click(drawer.getByRole('tab', { name: 'Markets' }))
    await hand.click(drawer.getByRole('button', { name: 'Add market' }))
    await hand.choose(drawer, 'Market', 'Dallas')
    await save()
    await next('Add artwork')
    await expect(drawer.getByLabel('Name')).toBeFocused()
    await hand.type('Launch')
    const side = (name: string) => drawer.locator('input[type=file]').and(drawer.getByLabel(name))
    await hand.file(side('Driver side'), png('driver.png', 1280, 384, [200, 30, 40]))
    await hand.file(side('Passenger side'), png('passenger.png', 1280, 384, [30, 60, 200]))
    await hand.file(side('Rear'), png('rear.png', 640, 384, [20, 120, 60]))
    for (const file of ['driver.png', 'passenger.png', 'rear.png'])
      await expect(drawer.getByText(file, { exact: true })).toBeVisible()
    await expect(drawer.getByRole('progressbar')).toHaveCount(0)
    await save()
    await next('Approve')
    const reason = page.getByRole('dialog').getByLabel(/reason/i)
    if (await reason.isVisible().catch(() => false)) {
      await hand.click(reason)
      await hand.type('The canvas crops the edges.')
      await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Approve' }))
    }
  })

  await test.step('the first position arrives, and the line ticks while it is looked at', async () => {
    await hand.press('Control+k')
    await hand.type('Set up')
    await hand.press('Enter')
    await expect(line('Tracker')).toContainText('no position yet')
    const since = Date.now() - 3 * MINUTE
    tracker.tell(
      Array.from({ length: 18 }, (_, index) => ({
        at: since + index * 10_000,
        latitude: DALLAS.latitude + index * 0.001,
        longitude: DALLAS.longitude,
        speedKmh: 40,
      })),
    )
    await expect(line('Tracker')).toContainText(/Last position of T-1, \d+ (s|min) ago/, { timeout: 60_000 })
    await done('Tracker')
  })

  await test.step('a screen is paired, a shift planned that has begun, and plays arrive', async () => {
    const player = await (await browser.newContext({ baseURL: started.url })).newPage()
    await player.goto('/player')
    const code = player.getByRole('heading')
    await expect(code).toHaveText(/^\w{4}-\w{4}$/, { timeout: 60_000 })
    const text = (await code.textContent()) ?? ''
    await goTo('Trucks: Screens')
    await hand.click(page.getByRole('link', { name: 'T-1' }).first())
    await hand.click(page.getByRole('tab', { name: 'Devices' }))
    await hand.click(page.getByLabel('Code on the screen'))
    await hand.type(text)
    await hand.press('Enter')
    await expect(player.locator('canvas')).toBeVisible({ timeout: 60_000 })

    await goTo('Program Schedule: First shift')
    await hand.choose(drawer, 'Program', 'Kettle Days')
    await hand.day(drawer.getByLabel('Date'), localDay('America/Chicago'))
    await hand.choose(drawer, 'Truck', 'T-1')
    await hand.choose(drawer, 'Driver', 'Dee Park')
    const at = (minutes: number) =>
      new Date(Date.now() + minutes * MINUTE).toLocaleTimeString('en-US', {
        timeZone: 'America/Chicago',
        hour: 'numeric',
        minute: '2-digit',
      })
    await hand.day(drawer.getByLabel('Start', { exact: true }), at(-5))
    await hand.day(drawer.getByLabel('End', { exact: true }), at(120))
    await save()
    await expect(drawer).toBeHidden()
    await hand.press('Control+k')
    await hand.type('Set up')
    await hand.press('Enter')
    await done('First shift')
    await expect(line('First play').getByRole('img', { name: 'Done' })).toBeVisible({ timeout: 180_000 })
  })

  await test.step('photos, approval and the page', async () => {
    await hand.click(page.getByRole('button', { name: 'POP: First proof of play' }))
    await hand.click(page.getByRole('link', { name: 'Kettle Days' }).first())
    await hand.click(page.getByLabel('Market of added photos'))
    await hand.click(option('Dallas').first())
    await hand.file(page.getByLabel('Add photos'), png('street.png', 800, 600, [90, 60, 60]))
    await expect(page.getByText('1 of 1 sent · 1 added')).toBeVisible()
    await hand.click(page.getByRole('button', { name: /^Select all in/ }))
    await hand.click(page.getByRole('toolbar').getByRole('button', { name: 'Approve' }))
    await hand.click(page.getByRole('button', { name: 'Publish' }))
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
    const link = await page.getByRole('dialog').getByLabel('Public link').inputValue()
    const anybody = await browser.newPage()
    expect((await anybody.goto(link))?.status()).toBe(200)
    await expect(anybody.getByText('Vale Mobile Ads').first()).toBeVisible()
  })

  await test.step('with it the list is done', async () => {
    const standing = await dataOf<{ isUnfinished: boolean }>(callAs(page, 'GET', 'setup/standing'))
    expect(standing.isUnfinished).toBe(false)
  })
  test.info().annotations.push({ type: 'clicks and keys', description: String(hand.count()) })
  expect(hand.count()).toBeGreaterThan(60)
  expect(hand.count()).toBeLessThanOrEqual(LIMIT)
})
