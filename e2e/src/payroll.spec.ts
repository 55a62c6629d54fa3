import type { Locator, Page } from '@playwright/test'
import {
  addClient,
  addTruck,
  addUser,
  callAs,
  dataOf,
  enter,
  enterWith,
  expect,
  expectAccessible,
  expectFits,
  PHONE,
  test,
  unique,
} from './world.ts'

const PATH = '/users/payroll'
const DESKTOP = { width: 1280, height: 800 }

/** An 8-hour shift on a past Wednesday that no other journey uses, and its paid driver. */
async function aCompletedShift(page: Page, date: string) {
  const driver = await addUser(page, {
    role: 'driver',
    modules: ['payroll'],
    payRates: [
      {
        validFrom: '2019-01-01',
        payHalfDay: 12050,
        payEightHours: 22e3,
        payTwelveHours: 33e3,
      },
    ],
  })
  const [truck, client] = [await addTruck(page), await addClient(page)]
  const name = unique('Zephyr City')
  const market = await dataOf<{ uid: string }>(callAs(page, 'POST', 'markets/', { name, zone: 'America/Chicago' }))
  const program = await dataOf<{ uid: string }>(
    callAs(page, 'POST', 'client-programs/', {
      clientUid: client.uid,
      name,
      popUrl: name,
      status: 'active',
      startsOn: '2019-01-01',
      endsOn: '2019-12-31',
      markets: [{ marketUid: market.uid }],
    }),
  )
  let shift = await dataOf<{ uid: string; version: number }>(
    callAs(page, 'POST', 'program-schedule/', {
      truckUid: truck.uid,
      driverUid: driver.userUid,
      programUid: program.uid,
      marketUid: market.uid,
      date,
      start: '08:00',
      end: '16:00',
    }),
  )
  for (const status of ['out', 'completed']) {
    shift = await dataOf(
      callAs(page, 'PUT', 'program-schedule/status', { uid: shift.uid, version: shift.version, status }),
    )
  }
  return { driver, shift }
}

const fits = async (page: Page) => {
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    await expectAccessible(page)
    await expectFits(page)
  }
}

/** Clicks, and counts how often. */
function clickCounter() {
  let clicks = 0
  return {
    clicks: () => clicks,
    click: async (target: Locator) => {
      await target.click()
      clicks++
    },
  }
}

const answer = async (page: Page, word: string, click: (target: Locator) => Promise<void>) => {
  await click(page.getByRole('button', { name: word }))
  await click(page.getByRole('dialog', { name: `${word} this pay period?` }).getByRole('button', { name: word }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a period is decided, approved, locked and filed with few clicks, and a driver reads the statement on a phone', async ({
  page,
  browser,
}) => {
  await page.setViewportSize(DESKTOP)
  await enter(page, 'admin')
  const { driver, shift } = await aCompletedShift(page, '2019-03-06')
  const others = [await aCompletedShift(page, '2019-03-06'), await aCompletedShift(page, '2019-03-06')]
  const { click, clicks } = clickCounter()
  await page.goto(`${PATH}?date=2019-03-06`)
  await expect(page.getByRole('heading', { name: '3 shifts to decide' })).toBeVisible()
  await fits(page)
  // One is not what was planned: it is decided in the drawer, with a reason.
  await click(page.getByRole('table', { name: 'Shifts to decide' }).getByRole('link', { name: driver.name }))
  const drawer = page.getByRole('dialog', { name: driver.name })
  await click(drawer.getByRole('button', { name: 'Decide Wed, Mar 6, 8:00 AM–4:00 PM' }))
  await click(drawer.getByRole('combobox', { name: 'Pay option' }))
  await click(page.getByTitle('Half day'))
  await drawer.getByRole('textbox', { name: 'Reason' }).fill('Rained off')
  await fits(page)
  await click(drawer.getByRole('button', { name: 'Save' }))
  await expect(drawer.getByRole('region', { name: 'Total' })).toContainText('$120.50')
  await page.keyboard.press('Escape')
  // All others that lack the same are paid at once.
  await click(page.getByRole('button', { name: /^Pay all 2 as planned/ }))
  await expect(page.getByText(/^2 shifts: paid as planned/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Shifts to decide' })).toHaveCount(0)
  await expect(page.getByRole('row', { name: others[0]?.driver.name ?? '' })).toContainText('$220.00')

  await expect(page.getByRole('row', { name: driver.name })).toContainText('$120.50')
  await fits(page)
  await answer(page, 'Approve', click)
  await answer(page, 'Lock', click)
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
  const { uid, version } = shift
  const refused = await callAs(page, 'PUT', 'program-schedule/status', { uid, version, status: 'out' })
  expect(refused.status()).toBe(409)

  await click(page.getByRole('button', { name: 'Files' }))
  const files = page.getByRole('dialog', { name: /^Files for/ })
  await click(files.getByRole('combobox', { name: 'File for' }))
  await click(page.getByTitle('QuickBooks Desktop (IIF)'))
  await expect(files.getByRole('table', { name: 'Control totals' })).toContainText('$560.50')
  await fits(page)
  const file = page.waitForEvent('download')
  await click(files.getByRole('button', { name: /^Download/ }))
  expect((await file).suggestedFilename()).toMatch(/^quickbooks_2019-\d\d-\d\d_2019-\d\d-\d\d\.iif$/)
  expect(clicks()).toBeLessThanOrEqual(15)

  const phone = await (await browser.newContext({ viewport: PHONE })).newPage()
  await enterWith(phone, driver.email)
  await phone.goto(`${PATH}?date=2019-03-06`)
  await expect(phone.getByRole('region', { name: 'Total' })).toContainText('$120.50')
  await expect(phone.getByText('Settled. Corrections are made as adjustments.')).toBeVisible()
  await expect(phone.getByRole('article')).toContainText('“Rained off”')
  await fits(phone)
  const statement = phone.waitForEvent('download')
  await phone.getByRole('button', { name: 'Statement (PDF)' }).click()
  expect((await statement).suggestedFilename()).toMatch(/^pay_.*\.pdf$/)
})
