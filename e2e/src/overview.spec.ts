import { feedFleet, panFleet, someTrucks } from '@roadshow/test-kit/fed-fleet'
import { longestTask } from '@roadshow/test-kit/longest-task'
import { enter, expect, expectAccessible, expectFits, PHONE, test } from './world.ts'

test('the overview is accessible and fits, light and dark', async ({ page }) => {
  await enter(page, 'admin')
  await feedFleet(page, someTrucks(60))
  for (const viewport of [page.viewportSize() ?? PHONE, PHONE]) {
    await page.setViewportSize(viewport)
    await page.goto('/overview')
    await expect(page.getByRole('group', { name: 'Figures of today' }).getByText('Open issues')).toBeInViewport()
    const title = page.getByRole('banner').getByText('Overview', { exact: true })
    expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
    await page.getByRole('tab', { name: 'All trucks' }).click()
    await page.getByRole('searchbox', { name: 'Find a truck' }).fill('S-10')
    await page.getByRole('option', { name: /^S-10 / }).click()
    await expect(page.getByRole('region', { name: 'Truck S-10' })).toContainText('Kit Moreno')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
    await expectFits(page)
  }
})

test('trucks are found, shown and followed by keyboard alone, and the page shows an interruption and recovers', async ({
  page,
}) => {
  await enter(page, 'admin')
  const feed = await feedFleet(page, someTrucks(200))
  await page.goto('/overview')
  await page.getByRole('tab', { name: 'Needs attention' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const list = page.getByRole('listbox', { name: 'Trucks' })
  await expect(page.getByText('200 trucks')).toBeVisible()
  await list.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Truck S-200' })
  await expect(card).toBeVisible()
  await expect(page).toHaveURL(/live=/)
  await card.getByRole('button', { name: 'Follow' }).click()
  await expect(card.getByRole('button', { name: 'Stop following' })).toBeVisible()

  await feed.leave()
  await expect(page.getByText(/Live updates stopped at \d{1,2}:\d\d [AP]M/)).toBeVisible()
  await feed.comeBack()
  await expect(page.getByText(/Live updates are interrupted/)).toBeHidden()
  await expect(card).toContainText(/Position\s*[0-3] s ago/)
})

const LIMIT_MS = 100

test('panning a map of 2,000 moving trucks never holds up the page', async ({ page, browser }) => {
  await enter(page, 'admin')
  await feedFleet(page, someTrucks(2_000))
  await page.goto('/overview')
  await page.getByRole('tab', { name: 'All trucks' }).click()
  await expect(page.getByText('2,000 trucks')).toBeVisible()
  // What else the machine does falls into one of them, seldom into most.
  const all: number[] = []
  for (let round = 0; round < 3; round++) all.push(await longestTask(browser, () => panFleet(page)))
  const longest = all.toSorted((a, b) => a - b)[1] ?? 0
  test.info().annotations.push({ type: 'longest task, ms', description: longest.toFixed(0) })
  expect(longest).toBeGreaterThan(0)
  expect(longest).toBeLessThan(LIMIT_MS)
})
