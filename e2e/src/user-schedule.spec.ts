import type { Browser, Page } from '@playwright/test'
import { addDays, localDay } from '@roadshow/contract'
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

const PATH = '/schedule/program-user-schedule'

/** An admin elsewhere, with a driver, a truck and a program that runs now. */
async function anAdminWhoPlans(browser: Browser) {
  const admin = await (await browser.newContext()).newPage()
  await enter(admin, 'admin')
  const driver = await addUser(admin, { role: 'driver', modules: ['schedule'] })
  const [truck, client] = [await addTruck(admin), await addClient(admin)]
  const found = await (await callAs(admin, 'GET', 'markets/run?search=Dallas')).json()
  const [market] = (found as { data: { uid: string; zone: string }[] }).data
  const zone = market?.zone ?? ''
  const now = Date.now()
  const today = localDay(zone, now)
  const name = unique('Zephyr Now')
  const program = await dataOf<{ uid: string }>(
    callAs(admin, 'POST', 'client-programs/', {
      clientUid: client.uid,
      name,
      popUrl: name,
      status: 'active',
      startsOn: addDays(today, -10),
      endsOn: addDays(today, 30),
      markets: [{ marketUid: market?.uid }],
    }),
  )
  const clockOf = new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone: zone })
  const hour = Number(clockOf.format(now))
  const clock = (at: number) => `${String(at % 24).padStart(2, '0')}:00`
  /** A shift of some hours that has just begun; none ends at two, which there is not in every night. */
  const hours = hour === 18 ? 7 : 8
  const plan = () =>
    dataOf<{ uid: string; date: string }>(
      callAs(admin, 'POST', 'program-schedule/', {
        truckUid: truck.uid,
        driverUid: driver.userUid,
        programUid: program.uid,
        marketUid: market?.uid,
        date: today,
        start: clock(hour),
        end: clock(hour + hours),
        note: 'Keys at the gate; ask for Sam.',
      }),
    )
  return { admin, driver, truck, program: { name }, plan }
}

const answerQuestion = async (page: Page, word: string) => {
  await page.getByRole('button', { name: word }).click()
  const question = page.getByRole('dialog', { name: `${word}?` })
  await expectAccessible(page)
  await question.getByRole('button', { name: word }).click()
  await expect(question).toBeHidden()
}

test('a driver on a phone sees a shift as soon as it is planned, starts it and completes it', async ({
  page,
  browser,
}) => {
  const { admin, driver, truck, program, plan } = await anAdminWhoPlans(browser)
  await page.setViewportSize(PHONE)
  await enterWith(page, driver.email)
  await page.goto(PATH)
  await expect(page.getByText(/^You have no shifts from/)).toBeVisible()
  await expectAccessible(page)

  const shift = await plan()
  const card = page.getByRole('article')
  for (const text of [truck.number, program.name, 'Dallas', /C[SD]T/, 'Keys at the gate; ask for Sam.', 'Planned'])
    await expect(card).toContainText(text)
  await expectAccessible(page)
  await expectFits(page)

  await answerQuestion(page, 'Start shift')
  await expect(card).toContainText('Out')
  await answerQuestion(page, 'Complete shift')
  await expect(card).toContainText('Completed')
  await expect(card.getByRole('button')).toHaveCount(0)
  const saved = await dataOf<{ status: string }>(callAs(admin, 'GET', `program-schedule/${shift.uid}`))
  expect(saved.status).toBe('completed')
})

test('a driver reads their shifts in a calendar program, until the link is removed', async ({ page, browser }) => {
  const { driver, truck, plan } = await anAdminWhoPlans(browser)
  const shift = await plan()
  await page.setViewportSize(PHONE)
  await enterWith(page, driver.email)
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Calendar link' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('textbox', { name: 'Calendar link' }).inputValue()
  await expectAccessible(page)
  await expectFits(page)
  // The link works without a session.
  const stranger = (await browser.newContext()).request
  const feed = await stranger.get(link)
  expect([feed.status(), feed.headers()['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  const text = (await feed.text()).replaceAll('\r\n ', '')
  expect(text).toContain(`UID:${shift.uid}@localhost`)
  expect(text).toContain(`SUMMARY:${truck.number}\\, `)

  await page.getByRole('button', { name: 'Remove' }).click()
  await page
    .getByRole('dialog', { name: 'Remove the calendar link?' })
    .getByRole('button', { name: 'Remove link' })
    .click()
  await expect(page.getByRole('button', { name: 'Create link' })).toBeVisible()
  expect((await stranger.get(link)).status()).toBe(404)
})

const DESKTOP = { width: 1440, height: 900 }
for (const [size, viewport, colorScheme] of [
  ['desktop', DESKTOP, 'light'],
  ['phone', PHONE, 'dark'],
] as const) {
  test(`the user schedule is accessible and fits: ${size}, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await enter(page, 'admin')
    for (const range of ['week', 'twoWeeks']) {
      // A few drivers are like many, and looked through much sooner.
      await page.goto(`${PATH}?range=${range}&pageSize=3`)
      await expect(page.getByText(/^\d+ drivers$/)).toBeVisible()
      await expectAccessible(page)
      await expectFits(page)
    }
  })
}
