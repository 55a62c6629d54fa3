import type { Page } from '@playwright/test'
import { addShift, addTruck, enter, expect, expectAccessible, expectFits, goOn, PHONE, test } from './world.ts'

const WEEK = '/schedule/program-schedule?date=2031-07-09'

/** The board of one market in the week of the test's shift, so that other tests do not stand in it. */
const board = (market: { uid: string }) => `${WEEK}&market=${market.uid}`

const bar = (page: Page, uid: string) => page.locator(`[data-shift="${uid}"]`)
const cell = (page: Page, truck: { uid: string }, day: string) =>
  page.locator(`[data-truck="${truck.uid}"][data-day="${day}"]`)

/** Takes a bar by the mouse and holds it over a cell. */
async function hold(page: Page, uid: string, truck: { uid: string }, day: string): Promise<void> {
  const from = await bar(page, uid).boundingBox()
  const to = await cell(page, truck, day).boundingBox()
  if (!from || !to) throw new Error('Bar and cell are on the screen.')
  await page.mouse.move(from.x + 20, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + 12, { steps: 6 })
}

test('a shift is dragged to another truck, seen by another dispatcher at once, and taken back', async ({
  page,
  browser,
}) => {
  await enter(page, 'admin')
  const { uid, market, truck } = await addShift(page)
  const other = await addTruck(page, { homeMarketUid: market.uid })
  const colleague = await browser.newPage()
  await enter(colleague, 'sales')
  for (const each of [page, colleague]) {
    await each.goto(board(market))
    await expect(cell(each, truck, '2031-07-09').locator(bar(each, uid))).toBeVisible()
  }
  await hold(page, uid, other, '2031-07-10')
  await page.mouse.up()
  await expect(page.getByText(`Moved to ${other.number} · Thu, Jul 10, 8:00 AM–4:00 PM.`)).toBeVisible()
  await expect(cell(colleague, other, '2031-07-10').locator(`[data-shift="${uid}"]`)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cell(page, truck, '2031-07-09').locator(`[data-shift="${uid}"]`)).toBeVisible()
  await colleague.close()
})

test('board, list, agenda and drawer are accessible and fit', async ({ page }) => {
  await enter(page, 'admin')
  const { uid, market, truck } = await addShift(page)
  const shown = async (address: string) => {
    await goOn(page, '/notifications')
    await goOn(page, address)
  }
  await page.goto(board(market))
  await expect(bar(page, uid)).toBeVisible()
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await expectAccessible(page)
  }
  // The found truck stays in view when the filter puts it among the others.
  await page.getByRole('searchbox', { name: 'Find truck' }).fill(truck.number)
  await goOn(page, `${board(market)}&status=cancelled`)
  await expect(bar(page, uid)).toHaveAttribute('data-faded', 'true')
  await expectAccessible(page)
  await shown(`${board(market)}&range=day`)
  await expect(bar(page, uid)).toBeVisible()
  await expectAccessible(page)
  for (const viewport of [page.viewportSize() ?? PHONE, PHONE]) {
    await page.setViewportSize(viewport)
    await shown(`${board(market)}&view=list`)
    await expect(page.getByRole('link', { name: /^Wed, Jul 9, 2031, 8:00 AM–4:00 PM/ })).toBeVisible()
    await expectAccessible(page)
    await expectFits(page)
    await shown(`${board(market)}&open=${uid}`)
    await expect(page.getByRole('dialog').getByLabel('Date')).toHaveValue('Jul 9, 2031')
    await expectAccessible(page)
    await expectFits(page)
  }
  await shown(board(market))
  await expect(page.getByRole('region', { name: 'Wed, Jul 9' }).getByRole('button')).toContainText('8:00 AM–4:00 PM')
  await expectAccessible(page)
  await expectFits(page)
})
