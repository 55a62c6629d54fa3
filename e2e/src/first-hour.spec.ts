import { localDay } from '@roadshow/contract'
import { officeTable } from '@roadshow/test-kit/office-tables'
import { emptyServer, type OwnServer } from './own-server.ts'
import { handOn } from './hand.ts'
import { callAs, dataOf, expect, expectAccessible, expectFits, PHONE, png, test } from './world.ts'

const LIMIT = 120
/** For one person, everything waited for included. */
const MINUTES = 60
const ADMIN = { email: 'robin@vale.example', name: 'Robin Vale' }
const PASSWORD = 'seven green lanterns drift'
const IMEI = '861234567890123'
/** In the market of the journey. */
const DALLAS = { latitude: 32.7767, longitude: -96.797 }
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** What the office keeps in its spreadsheets, in the shape in which offices keep it. */
function officeFiles() {
  const inDays = (days: number) => localDay('America/Chicago', Date.now() + days * DAY)
  const [year = '', month = '', day = ''] = inDays(0).split('-')
  const american = `${Number(month)}/${Number(day)}/${year.slice(2)}`
  const last = new Date(`${inDays(20)}T12:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  const trucks = Array.from({ length: 8 }, (_, index) => [
    `T-${index + 1}`,
    `HDK ${2291 + index}`,
    'LED',
    'Dallas',
    'Box truck',
    index === 3 ? 'back from paint in May' : '',
  ])
  return [
    {
      line: 'Trucks',
      records: '8 new trucks',
      file: officeTable({
        name: 'Fleet list FINAL (2).xlsx',
        title: 'VALE MOBILE ADS: FLEET, updated by Robin',
        rows: [
          ['Truck #', 'License Plate', 'Type', 'Home Base', 'Screen layout', 'Remarks'],
          ...trucks.slice(0, 4),
          [],
          ...trucks.slice(4),
        ],
      }),
    },
    {
      line: 'Drivers',
      records: '4 new users',
      file: officeTable({
        name: 'drivers.csv',
        title: 'Driver phone list',
        rows: [
          ['Employee #', 'Driver Name', 'Cell', 'E-mail', 'T-shirt'],
          [1041, 'Dee Park', '(214) 555-0142', 'dee@vale.example', 'M'],
          [],
          [1042, 'Sam Ortega', '214.555.0143', 'SAM@vale.example', 'L'],
          [1043, 'Lou Hart', '2145550144', 'lou@vale.example', 'XL'],
          [1044, 'Ida Cole', '', 'ida@vale.example', 'S'],
        ],
      }),
    },
    {
      line: 'Clients',
      records: '3 new clients',
      file: officeTable({
        name: 'Customers.xlsx',
        title: 'Customers',
        rows: [
          ['Customer', 'Contact Person', 'Email', 'Phone #', 'Notes'],
          ['Blue Kettle', 'Kim Moss', 'kim@kettle.example', '(972) 555-0170', 'Pays by quarter'],
          ['Blue Kettle', 'Lee Moss', 'lee@kettle.example', '', ''],
          [],
          ['Northside Dental', 'Ana Ruiz', 'ana@northside.example', '', ''],
          ['Bike Week', '', '', '', ''],
        ],
      }),
    },
    {
      line: 'First program',
      records: '3 new programs',
      file: officeTable({
        name: 'Campaigns.xlsx',
        title: 'Campaigns of the season',
        rows: [
          ['Customer', 'Campaign', 'Status', 'Start Date', 'End Date', 'City', 'Units', 'Qty', 'Total'],
          ['Blue Kettle', 'Kettle Days', 'Active', american, last, 'Dallas', 'Truck-days', 20, '$15,000.00'],
          [],
          ['Northside Dental', 'Bright Smiles', 'Active', american, last, 'dallas', 'Hours', 80, '$6,400'],
          ['Bike Week', 'Winter Bikes', 'Draft', american, last, 'Dallas', 'Plays', '20,000', 4200],
        ],
      }),
    },
  ]
}

let server: OwnServer | undefined
test.afterEach(() => server?.stop())

/** What a tracker sends by itself: positions of the last minutes, each in a call of its own. Answers the statuses. */
async function sendDrive(address: string, id: string): Promise<number[]> {
  const since = Date.now() - 3 * MINUTE
  const statuses: number[] = []
  for (let index = 0; index < 18; index++) {
    const fix = new URLSearchParams({
      id,
      timestamp: String(since + index * 10_000),
      lat: String(DALLAS.latitude + index * 0.001),
      lon: String(DALLAS.longitude),
      // Knots: 25 miles an hour.
      speed: '21.6',
    })
    statuses.push((await fetch(`${address}?${fix}`)).status)
  }
  return statuses
}

test(`from the first admin of an empty database to a published proof in at most ${LIMIT} clicks and keys, with records from four spreadsheets`, async ({
  browser,
}) => {
  test.setTimeout(400_000)
  const started = await emptyServer(ADMIN)
  server = started
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const hand = handOn(page)
  const drawer = page.getByRole('dialog').first()
  const save = () => hand.click(drawer.getByRole('button', { name: 'Save', exact: true }))
  const line = (title: string) =>
    page
      .getByRole('list', { name: 'What is left to set up' })
      .getByRole('listitem')
      .filter({ has: page.locator('strong', { hasText: new RegExp(`^${title}$`) }) })
  const done = (title: string) => expect(line(title).getByRole('img', { name: 'Done' })).toBeVisible()
  const backToList = async () => {
    await hand.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Jump to' })).toBeFocused()
    await hand.type('Set up')
    await hand.press('Enter')
    await page.waitForURL(/\/setup/)
  }
  const goTo = async (label: string) => {
    if (new URL(page.url()).pathname !== '/setup') await backToList()
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
    const market = page.getByRole('dialog', { name: 'New market' })
    await hand.click(market.getByLabel('Name').first())
    await hand.type('Dallas')
    await hand.click(market.getByLabel('ZIP code of the center'))
    await hand.type('75201')
    await hand.press('Enter')
    await expect(market.getByLabel('Latitude of the center').first()).not.toHaveValue('')
    await expect(market).toContainText('America/Chicago')
    await hand.click(market.getByRole('button', { name: 'Save', exact: true }))
    await expect(market).toBeHidden()
    await hand.click(drawer.getByRole('button', { name: 'Close' }))
    await expect(drawer).toBeHidden()
    await hand.click(page.getByRole('button', { name: 'Continue', exact: true }))
    await page.waitForURL(/step=pay/)
    await hand.click(page.getByRole('button', { name: 'Save and continue' }))
    await page.waitForURL(/step=dates/)
    await hand.click(page.getByRole('button', { name: 'Save and continue' }))
    await page.waitForURL(/\/setup/)
    for (const each of ['Company', 'Markets']) await done(each)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectFits(page)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('a canvas for the trucks', async () => {
    await goTo('Pixel Maps: Screens')
    await hand.click(page.getByRole('button', { name: 'New pixel map' }).first())
    await hand.click(drawer.getByLabel('Name').first())
    await hand.type('Box truck')
    await save()
    await expect(drawer).toBeHidden()
  })

  await test.step('trucks, drivers, clients and programs from spreadsheets as the office has them', async () => {
    for (const { line: title, records, file } of officeFiles()) {
      await goTo(`Import from a spreadsheet: ${title}`)
      await hand.file(page.getByLabel('Choose a file'), file)
      await expect(page.getByRole('status').filter({ hasText: /rows?:/ })).toContainText(`${records}, `)
      await expect(page.getByText(/with errors/)).toHaveCount(0)
      await hand.click(page.getByRole('button', { name: /^Save \d+/ }))
      await expect(page.getByText(`Saved: ${records}`)).toBeVisible()
    }
    await backToList()
    for (const each of ['Trucks', 'Drivers', 'Clients', 'First program']) await done(each)
    await expect(line('Trucks')).toContainText('8 trucks')
  })

  const next = (label: string) => hand.click(page.getByRole('status').getByRole('button', { name: label }))
  await test.step('artwork for the first program', async () => {
    await goTo('Artworks: Artwork')
    await hand.click(page.getByRole('button', { name: 'New artwork set' }).first())
    await hand.click(drawer.getByLabel('Name'))
    await hand.type('Launch')
    await hand.choose(drawer, 'Program', 'Kettle Days')
    const side = (name: string) => drawer.locator('input[type=file]').and(drawer.getByLabel(name))
    await hand.file(side('Driver side'), png('driver.png', 1280, 384, [200, 30, 40]))
    await hand.file(side('Passenger side'), png('passenger.png', 1280, 384, [30, 60, 200]))
    await hand.file(side('Rear'), png('rear.png', 384, 384, [20, 120, 60]))
    for (const file of ['driver.png', 'passenger.png', 'rear.png'])
      await expect(drawer.getByText(file, { exact: true })).toBeVisible()
    await expect(drawer.getByRole('progressbar')).toHaveCount(0)
    await save()
    await next('Approve')
    await backToList()
    await done('Artwork')
  })

  await test.step('the first position arrives, and the line ticks while it is looked at', async () => {
    await expect(line('Tracker')).toContainText('No tracker connected yet')
    await goTo('Position sources: Tracker')
    await hand.click(drawer.getByRole('tabpanel', { name: 'Position sources' }).getByLabel('Name'))
    await hand.type('Our trackers')
    await hand.press('Enter')
    const made = page.getByRole('dialog', { name: 'Our trackers' })
    const address = ((await made.getByText(/\/track\//).textContent()) ?? '').trim()
    await hand.click(made.getByRole('button', { name: 'Done' }))
    await expect(made).toBeHidden()
    await hand.click(drawer.getByRole('button', { name: 'Close' }))
    await expect(drawer).toBeHidden()
    // As an installer does it: the tracker in truck T-1 is given the address, and the truck the tracker's id.
    expect(new Set(await sendDrive(address, IMEI))).toEqual(new Set([400]))
    await goTo('Trucks: Tracker')
    await hand.click(page.getByRole('link', { name: 'T-1' }).first())
    await hand.click(page.getByRole('tab', { name: 'Trackers' }))
    await hand.click(page.getByLabel('Id there'))
    await hand.type(IMEI)
    await hand.press('Enter')
    await expect(page.getByRole('list', { name: 'Trackers' })).toContainText(IMEI)
    await backToList()
    expect(new Set(await sendDrive(address, IMEI))).toEqual(new Set([200]))
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
    await hand.times(drawer.getByLabel('Start', { exact: true }), at(-5), at(120))
    await save()
    await expect(drawer).toBeHidden()
    await backToList()
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
  const minutes = hand.personSeconds() / 60
  test
    .info()
    .annotations.push(
      { type: 'clicks and keys', description: String(hand.count()) },
      { type: 'minutes of a person', description: `${minutes.toFixed(1)}, ${hand.characters()} characters typed` },
    )
  expect(hand.count()).toBeGreaterThan(60)
  expect(hand.count()).toBeLessThanOrEqual(LIMIT)
  expect(minutes).toBeLessThanOrEqual(MINUTES)
})
