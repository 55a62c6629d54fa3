import type { Locator, Page } from '@playwright/test'
import { counted } from './clicks.ts'
import {
  addClient,
  addTruck,
  callAs,
  choosePassword,
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

const DATE = '2019-03-06'

interface Paid {
  uid: string
  version: number
  driver: { name: string; email: string }
}

const put = (page: Page, call: string, body: object) =>
  dataOf<{ uid: string; version: number }>(callAs(page, 'PUT', call, body))

/** A program in a market on a past Wednesday that no other journey uses. */
async function aPastProgram(page: Page) {
  const client = await addClient(page)
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
  return { programUid: program.uid, marketUid: market.uid }
}

const payRates = [{ validFrom: '2019-01-01', payHalfDay: 12050, payEightHours: 22e3, payTwelveHours: 33e3 }]

/** An 8-hour shift and its paid driver, with a start and a stop unless it lacks them or its work. */
async function aCompletedShift(
  page: Page,
  program: { programUid: string; marketUid: string },
  lacks?: 'times' | 'work',
): Promise<Paid> {
  const name = unique('Zoe Park')
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  const driver = { role: 'driver', modules: ['payroll'], name, email, payRates }
  const { userUid } = await dataOf<{ userUid: string }>(callAs(page, 'POST', 'user/', driver))
  const truck = await addTruck(page)
  const plan = { ...program, truckUid: truck.uid, driverUid: userUid, date: DATE, start: '08:00', end: '16:00' }
  let shift = await dataOf<{ uid: string; version: number }>(callAs(page, 'POST', 'program-schedule/', plan))
  const now = () => ({ uid: shift.uid, version: shift.version })
  if (lacks === 'times') {
    const completed = { ...now(), status: 'completed', reason: 'The phone was broken' }
    shift = await put(page, 'program-schedule/status', completed)
  } else {
    const stoppedAt = lacks === 'work' ? `${DATE}T14:20:00Z` : `${DATE}T22:00:00Z`
    const times = { startedAt: `${DATE}T14:00:00Z`, stoppedAt, reason: 'From the driver’s paper' }
    shift = await put(page, 'program-schedule/times', { ...now(), ...times })
  }
  return { ...now(), driver: { name, email } }
}

const fits = async (page: Page) => {
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    await expectAccessible(page)
    await expectFits(page)
  }
}

const answer = async (page: Page, word: string, click: (what: Locator) => Promise<void>) => {
  await click(page.getByRole('button', { name: word }))
  await click(page.getByRole('dialog', { name: `${word} this pay period?` }).getByRole('button', { name: word }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a period of 26 drivers with six decisions is decided, approved, locked and filed in 15 clicks, and a driver reads the statement on a phone', async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000)
  await page.setViewportSize(DESKTOP)
  await enter(page, 'admin')
  const program = await aPastProgram(page)
  const shift = await aCompletedShift(page, program, 'times')
  const { driver } = shift
  const others: Paid[] = []
  for (let made = 0; made < 25; made++) {
    others.push(await aCompletedShift(page, program, made < 3 ? 'times' : made < 5 ? 'work' : undefined))
  }
  await choosePassword(page, driver.email)
  const { click, type, press, count } = counted()
  await page.goto(`${PATH}?date=${DATE}`)
  await expect(page.getByRole('heading', { name: '6 shifts to decide' })).toBeVisible()
  await fits(page)
  // One is not what was planned: it is decided in the drawer, with a reason.
  await click(page.getByRole('table', { name: 'Shifts to decide' }).getByRole('link', { name: driver.name }))
  const drawer = page.getByRole('dialog', { name: driver.name })
  await click(drawer.getByRole('button', { name: 'Decide Wed, Mar 6, 8:00 AM–4:00 PM' }))
  await click(page.getByTitle('Half day'))
  await type(drawer.getByRole('textbox', { name: 'Reason' }), 'Rained off')
  await fits(page)
  await click(drawer.getByRole('button', { name: 'Save' }))
  await expect(drawer.getByRole('region', { name: 'Total' })).toContainText('$120.50')
  await press(page, 'Escape')
  // All others that lack the same are paid at once.
  await click(page.getByRole('button', { name: /^Pay all 3 as planned/ }))
  await expect(page.getByText(/^3 shifts: paid as planned/)).toBeVisible()
  await click(page.getByRole('button', { name: /^Pay all 2 as planned/ }))
  await expect(page.getByText(/^2 shifts: paid as planned/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Shifts to decide' })).toHaveCount(0)

  await fits(page)
  await answer(page, 'Approve', click)
  await answer(page, 'Lock', click)
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
  const { uid, version } = shift
  const refused = await callAs(page, 'PUT', 'program-schedule/status', { uid, version, status: 'out' })
  expect(refused.status()).toBe(409)

  await click(page.getByRole('button', { name: 'Files' }))
  const files = page.getByRole('dialog', { name: /^Files for/ })
  await click(files.getByRole('radio', { name: 'QuickBooks Desktop (IIF)' }))
  await expect(files.getByRole('table', { name: 'Control totals' })).toContainText('$5,620.50')
  await fits(page)
  const file = page.waitForEvent('download')
  await click(files.getByRole('button', { name: /^Download/ }))
  expect((await file).suggestedFilename()).toMatch(/^quickbooks_2019-\d\d-\d\d_2019-\d\d-\d\d\.iif$/)
  expect(count()).toBeLessThanOrEqual(15)

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
