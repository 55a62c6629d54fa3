import type { Page } from '@playwright/test'
import { handOn } from './hand.ts'
import { addShift, addTruck, addUser, callAs, dataOf, enter, expect, png, signInWith, test, unique } from './world.ts'

const LIMIT = 60

const FIRST_WEEK = ['2031-07-07', '2031-07-08', '2031-07-09', '2031-07-10', '2031-07-11']
const SECOND_WEEK = ['2031-07-14', '2031-07-15', '2031-07-16', '2031-07-17', '2031-07-18']
const days = [...FIRST_WEEK, ...SECOND_WEEK]

/** Two markets, a truck and a driver for each, and another program that has one of the trucks for a day. */
async function prepare(admin: Page) {
  const addMarket = (name: string) =>
    dataOf<{ uid: string; name: string }>(
      callAs(admin, 'POST', 'markets/', { name: unique(name), zone: 'America/Chicago' }),
    )
  const [north, south] = [await addMarket('Northfield'), await addMarket('Southport')]
  const [one, other] = [await addTruck(admin), await addTruck(admin)]
  const drivers = [
    await addUser(admin, { role: 'driver', modules: ['schedule'] }),
    await addUser(admin, { role: 'driver', modules: ['schedule'] }),
  ] as const
  await addShift(admin, { truckUid: other.uid, date: '2031-07-16', start: '10:00', end: '14:00' })
  const dispatcher = await addUser(admin, { role: 'sales', modules: ['clients', 'schedule'] })
  return { north, south, one, other, drivers, dispatcher }
}

test(`two weeks of a new client's program in two markets take fewer than ${LIMIT} clicks and keys`, async ({
  page,
  browser,
}) => {
  test.slow()
  const admin = await browser.newPage()
  await enter(admin, 'admin')
  const { north, south, one, other, drivers, dispatcher } = await prepare(admin)
  const names = { client: unique('Zenith Cola'), program: unique('Zenith Summer') }
  await signInWith(page, dispatcher.email)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  const hand = handOn(page)
  const form = page.getByRole('dialog').first()
  const next = (label: string) => hand.click(page.getByRole('status').getByRole('button', { name: label }))
  const save = () => hand.click(form.getByRole('button', { name: 'Save' }))

  await test.step('client', async () => {
    await hand.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Jump to' })).toBeFocused()
    await hand.type('new client')
    await hand.press('Enter')
    await expect(form.getByLabel('Name').first()).toBeFocused()
    await hand.type(names.client)
    await hand.press('Enter')
  })

  await test.step('program in two markets', async () => {
    await next('New program')
    await expect(form.getByLabel('Name').first()).toBeFocused()
    await hand.type(names.program)
    await expect(form).toContainText(names.client)
    await hand.click(form.getByLabel('Status'))
    await hand.click(page.locator('.ant-select-item-option', { hasText: 'Active' }).filter({ visible: true }))
    await hand.day(form.getByLabel('Starts on').first(), '2031-07-07')
    await hand.day(form.getByLabel('Ends on').first(), '2031-07-18')
    await hand.click(form.getByRole('tab', { name: 'Markets' }))
    for (const market of [north, south]) {
      await hand.click(form.getByRole('button', { name: 'Add market' }))
      await hand.choose(form, 'Market', market.name)
    }
    await save()
  })

  await test.step('artwork, approved', async () => {
    await next('Add artwork')
    await expect(form.getByLabel('Name')).toBeFocused()
    await hand.type('Launch')
    await expect(form).toContainText(names.program)
    const side = (name: string) => form.locator('input[type=file]').and(form.getByLabel(name))
    await hand.file(side('Driver side'), png('driver.png', 640, 384, [200, 30, 40]))
    await hand.file(side('Passenger side'), png('passenger.png', 640, 384, [30, 60, 200]))
    await hand.file(side('Rear'), png('rear.png', 256, 384, [20, 120, 60]))
    for (const file of ['driver.png', 'passenger.png', 'rear.png'])
      await expect(form.getByText(file, { exact: true })).toBeVisible()
    await expect(form.getByRole('progressbar')).toHaveCount(0)
    await save()
    await next('Approve')
  })

  await test.step('SD addresses', async () => {
    await next('Add SD addresses')
    await expect(form.getByLabel('Name')).toBeFocused()
    await hand.type('Shops')
    await hand.click(form.getByRole('button', { name: 'Import CSV or Excel' }))
    const importing = page.getByRole('dialog').last()
    const csv = 'Label,Address,ZIP,Latitude,Longitude\nNorth shop,,,32.8,-96.8\nWest shop,,,32.75,-97.33\n'
    const file = { name: 'shops.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await hand.file(importing.getByLabel('Choose a file'), file)
    await hand.click(importing.getByRole('button', { name: /^Import \d/ }))
    await save()
  })

  await test.step('one shift by hand, the others from the plan on paper, one of which is in the way', async () => {
    await next('Plan shifts')
    await expect(form).toContainText(names.program)
    // A program has few markets, so this list is not searched.
    await hand.click(form.getByLabel('Market', { exact: true }))
    await hand.click(page.locator('.ant-select-item-option', { hasText: north.name }).filter({ visible: true }))
    await hand.day(form.getByLabel('Date'), '2031-07-07')
    await hand.choose(form, 'Truck', one.number)
    await hand.choose(form, 'Driver', drivers[0].name)
    await save()
    await expect(form).toBeHidden()

    const row = (day: string, market: { name: string }, truck: { number: string }, driver: { email: string }) =>
      [day, '8:00 AM', '4:00 PM', truck.number, driver.email, names.program, market.name].join(',')
    const lines = days.flatMap((day) => [row(day, north, one, drivers[0]), row(day, south, other, drivers[1])])
    // The first one is planned already; in its place stands one more.
    const extra = '2031-07-12,8:00 AM,4:00 PM'
    const rows = [...lines.slice(1), [extra, one.number, drivers[0].email, names.program, north.name].join(',')]
    const head = 'Date,Start,End,Truck,Driver,Program,Market'
    const file = { name: 'july.csv', mimeType: 'text/csv', buffer: Buffer.from([head, ...rows].join('\n')) }
    await hand.click(page.getByRole('button', { name: 'More' }))
    await hand.click(page.getByRole('menuitem', { name: 'Upload' }))
    const upload = page.getByRole('dialog', { name: 'Upload shifts' })
    await hand.file(upload.getByLabel('Choose a file'), file)
    await expect(upload.getByText('20 rows: 19 new, 1 with errors.')).toBeVisible()
    await expect(upload).toContainText('This truck has another shift at that time')
    await hand.click(upload.getByRole('button', { name: 'Save 19 shifts' }))
    await expect(upload.getByText('Saved: 19 new shifts')).toBeVisible()
  })

  await test.step('the program shows what is done', async () => {
    const found = await dataOf<{ uid: string }[]>(
      callAs(admin, 'GET', `client-programs/run?search=${encodeURIComponent(names.program)}`),
    )
    await page.goto(`/client-programs?open=${found[0]?.uid}`)
    const steps = page.getByRole('list', { name: 'Steps of the program' }).getByRole('listitem')
    await expect(steps).toContainText([/1 approved set/, /1 set/, /20 shifts/, /After the first shift/])
  })
  await admin.close()
  test.info().annotations.push({ type: 'clicks and keys', description: String(hand.count()) })
  expect(hand.count()).toBeGreaterThan(30)
  expect(hand.count()).toBeLessThan(LIMIT)
})
