import type { Page } from '@playwright/test'
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

const answer = async (page: Page, word: string) => {
  await page.getByRole('button', { name: word }).click()
  await page
    .getByRole('dialog', { name: `${word} this pay period?` })
    .getByRole('button', { name: word })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('an admin approves and locks a period, and its driver reads the statement on a phone', async ({
  page,
  browser,
}) => {
  await page.setViewportSize(DESKTOP)
  await enter(page, 'admin')
  const { driver, shift } = await aCompletedShift(page, '2019-03-06')
  await page.goto(`${PATH}?date=2019-03-06`)
  await page.getByRole('link', { name: driver.name }).click()
  const drawer = page.getByRole('dialog', { name: driver.name })
  await drawer.getByRole('button', { name: 'Decide Wed, Mar 6, 8:00 AM–4:00 PM' }).click()
  await drawer.getByRole('combobox', { name: 'Pay option' }).click()
  await page.getByTitle('Half day').click()
  await drawer.getByRole('textbox', { name: 'Reason' }).fill('Rained off')
  await fits(page)
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByRole('region', { name: 'Total' })).toContainText('$120.50')
  await drawer.getByRole('button', { name: 'Close' }).click()

  await expect(page.getByRole('row', { name: driver.name })).toContainText('$120.50')
  await fits(page)
  await answer(page, 'Approve')
  await answer(page, 'Lock')
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
  const { uid, version } = shift
  const refused = await callAs(page, 'PUT', 'program-schedule/status', { uid, version, status: 'out' })
  expect(refused.status()).toBe(409)

  await page.getByRole('button', { name: 'Files' }).click()
  const files = page.getByRole('dialog', { name: /^Files for/ })
  await files.getByRole('combobox', { name: 'File for' }).click()
  await page.getByTitle('QuickBooks Desktop (IIF)').click()
  await expect(files.getByRole('table', { name: 'Control totals' })).toContainText('$120.50')
  await fits(page)
  const file = page.waitForEvent('download')
  await files.getByRole('button', { name: /^Download/ }).click()
  expect((await file).suggestedFilename()).toBe('quickbooks_2019-03-04_2019-03-10.iif')

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
