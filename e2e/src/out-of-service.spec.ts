import type { Page } from '@playwright/test'
import { counted } from './clicks.ts'
import { addShift, callAs, dataOf, enter, expect, expectAccessible, expectFits, PHONE, test } from './world.ts'

const WEEK = '/schedule/program-schedule?date=2031-07-07'

const bar = (page: Page, uid: string) => page.locator(`[data-shift="${uid}"]`)

/** Shifts of one truck and driver on some days of July 2031. */
async function addWeek(page: Page, days: readonly number[]) {
  const dateOf = (day: number) => `2031-07-${String(day).padStart(2, '0')}`
  const [first = 7, ...others] = days
  const { uid, market, program, truck, driver } = await addShift(page, { date: dateOf(first) })
  const body = { programUid: program.uid, marketUid: market.uid, truckUid: truck.uid, driverUid: driver.uid }
  const uids = [uid]
  for (const day of others) {
    const given = { ...body, date: dateOf(day), start: '08:00', end: '16:00' }
    uids.push((await dataOf<{ uid: string }>(callAs(page, 'POST', 'program-schedule/', given))).uid)
  }
  return { market, program, truck, driver, uids }
}

const shiftOf = (page: Page, uid: string) =>
  dataOf<{ status: string; driver: { uid: string }; truck: { uid: string } }>(
    callAs(page, 'GET', `program-schedule/${uid}`),
  )

test('a sick driver is replaced for three days, and a truck goes to the shop for a week, in a few clicks', async ({
  page,
}) => {
  await enter(page, 'admin')
  const { market, truck, driver, uids } = await addWeek(page, [7, 8, 9, 10, 11])
  // Someone and something free in the same market.
  const spare = await addShift(page, { date: '2031-06-30' })
  await page.goto(`${WEEK}&market=${market.uid}`)
  const sick = counted()
  await sick.click(bar(page, uids[0] ?? ''), { button: 'right' })
  await sick.click(page.getByRole('menuitem', { name: 'Driver is off…' }))
  const dialog = page.getByRole('dialog')
  await sick.type(dialog.getByLabel('Last day'), '7/9/2031')
  await expect(dialog.getByText('3 shifts in this time')).toBeVisible()
  await expectAccessible(page)
  await sick.click(dialog.getByRole('button', { name: 'Save with 3 shifts' }))
  await expect(page.getByText(/^Time off saved\. 3 shifts (moved|canceled)\./)).toBeVisible()
  expect(sick.count()).toBeLessThanOrEqual(6)
  for (const uid of uids.slice(0, 3)) expect((await shiftOf(page, uid)).driver.uid).not.toBe(driver.uid)
  expect((await shiftOf(page, uids[3] ?? '')).driver.uid).toBe(driver.uid)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Undone: Time off saved\./)).toBeVisible()
  expect((await shiftOf(page, uids[0] ?? '')).driver.uid).toBe(driver.uid)

  const shop = counted()
  await shop.click(bar(page, uids[0] ?? ''), { button: 'right' })
  await shop.click(page.getByRole('menuitem', { name: 'Truck to the shop…' }))
  await shop.type(dialog.getByLabel('Until', { exact: true }), '7/13/2031')
  await expect(dialog.getByText('5 shifts in this time')).toBeVisible()
  await shop.click(dialog.getByRole('button', { name: 'Save with 5 shifts' }))
  await expect(page.getByText(/^Shop time saved\. 5 shifts moved\./)).toBeVisible()
  expect(shop.count()).toBeLessThanOrEqual(6)
  for (const uid of uids) expect((await shiftOf(page, uid)).truck.uid).not.toBe(truck.uid)
  await expect(page.locator(`[data-truck="${truck.uid}"][data-refused="inShop"]`)).toHaveCount(7)
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await expectAccessible(page)
  }
  // Next month it can be planned again.
  const { uid } = await dataOf<{ uid: string }>(
    callAs(page, 'POST', 'program-schedule/', {
      programUid: spare.program.uid,
      marketUid: spare.market.uid,
      truckUid: truck.uid,
      driverUid: driver.uid,
      date: '2031-08-11',
      start: '08:00',
      end: '16:00',
    }),
  )
  expect(uid).toBeTruthy()
  await page.setViewportSize(PHONE)
  await page.goto(`/trucks?open=${truck.uid}&tab=shop`)
  await page.getByRole('button', { name: 'Change' }).click()
  await expect(page.getByRole('dialog').getByLabel('Reason')).toBeVisible()
  await expectFits(page)
})

test('a program is shortened although shifts are planned beyond its new end', async ({ page }) => {
  await enter(page, 'admin')
  const { program, uids } = await addWeek(page, [7, 8, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30])
  await page.goto(`/client-programs?search=${encodeURIComponent(program.name)}`)
  const job = counted()
  await job.click(page.getByRole('link', { name: program.name }).first())
  await job.type(page.getByLabel('Ends on').first(), '7/15/2031')
  await job.click(page.getByRole('button', { name: 'Save', exact: true }))
  const way = page.getByRole('region', { name: 'In the way' })
  await expect(way.getByText('10 shifts from Jul 21, 2031 to Jul 30, 2031:')).toBeVisible()
  await expect(way.getByRole('link', { name: 'Show' })).toHaveAttribute('href', new RegExp(uids[2] ?? ''))
  await expectAccessible(page)
  await job.click(way.getByRole('button', { name: 'Cancel them…' }))
  await job.click(page.getByRole('button', { name: 'Cancel 10 shifts' }))
  await expect(page.getByText(`${program.name} saved.`)).toBeVisible()
  expect(job.count()).toBeLessThanOrEqual(5)
  expect((await shiftOf(page, uids[4] ?? '')).status).toBe('cancelled')
  expect((await shiftOf(page, uids[1] ?? '')).status).toBe('planned')
})
