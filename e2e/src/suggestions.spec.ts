import { addApprovedSet, quarteredPng } from './test-player.ts'
import { addShift, addTruck, callAs, enter, expect, expectAccessible, expectFits, PHONE, test } from './world.ts'

const DAY = '2031-07-11'
const RED = [200, 30, 30] as const

test('a dispatcher plans from an empty cell in five clicks and keys', async ({ page }) => {
  await enter(page, 'admin')
  const { market, program, truck, driver } = await addShift(page)
  const busy = await addShift(page, { date: DAY })
  const file = quarteredPng(64, 32, [RED, RED, RED, RED])
  const artwork = await addApprovedSet(page, program.uid, { driverSide: file, passengerSide: file, rear: file })
  await page.goto(`/schedule/program-schedule?date=2031-07-09&market=${market.uid}`)
  await page.locator(`[data-truck="${truck.uid}"][data-day="${DAY}"]`).click()
  const drawer = page.getByRole('dialog')
  const option = (name: string) => page.locator('.ant-select-item-option', { hasText: name }).filter({ visible: true })

  // The program is typed; market and artwork follow by themselves.
  await expect(drawer.getByLabel('Program')).toBeFocused()
  await page.keyboard.type(program.name)
  await expect(option(program.name)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(drawer.getByText(artwork.name)).toBeVisible()

  // Drivers of the market come first, those who are booked say until when and stay readable.
  await drawer.getByLabel('Driver').click()
  await page.keyboard.type(busy.driver.name)
  await expect(option(busy.driver.name)).toContainText('Booked until 4:00 PM CDT')
  await expect(option(busy.driver.name)).toContainText('The driver has another shift at that time:')
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(driver.name)
  await expect(option(driver.name)).toContainText('16 h this week with this shift')
  await expect(option(driver.name)).toContainText(`Ends in ${market.name} Wed, Jul 9, 4:00 PM CDT`)
  await page.keyboard.press('Enter')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toBeHidden()
  await expect(page.locator(`[data-truck="${truck.uid}"][data-day="${DAY}"]`).getByRole('button')).toBeVisible()
})

test('trucks are suggested on a phone, the best first and the booked ones with the reason', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await enter(page, 'admin')
  const { uid, market, truck } = await addShift(page)
  const other = await addTruck(page, { homeMarketUid: market.uid })
  const plan = await (await callAs(page, 'GET', `program-schedule/${uid}`)).json()
  const { program, driver } = plan.data as { program: { uid: string }; driver: { uid: string } }
  await page.goto(`/schedule/program-schedule?date=2031-07-09&open=new&program=${program.uid}&driver=${driver.uid}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Date').fill('2031-07-09')
  await drawer.getByLabel('Date').press('Enter')
  await drawer.getByLabel('Truck').click()
  const options = page.locator('.ant-select-item-option').filter({ visible: true })
  // The only free truck that is at home there.
  await expect(options.first()).toContainText(other.number)
  await expect(options.first()).toContainText(`At home in ${market.name}`)
  await page.keyboard.type(truck.number)
  await expect(options.first()).toContainText('The truck has another shift at that time:')
  await expectFits(page)
  await expectAccessible(page)
  // It can be chosen all the same, and the form says why it can't be saved like that.
  await options.first().click()
  await expect(drawer.getByText(/^Truck already booked:/)).toBeVisible()
})
