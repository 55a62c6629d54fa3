import { readFile } from 'node:fs/promises'
import { callAs, enter, expect, expectAccessible, expectFits, goOn, PHONE, test } from './world.ts'

interface StartsRow {
  market: { uid: string; name: string }
  week: string
  onTime: number
}

/** The Monday of a week five weeks ago: the past of the demo has all of it. */
const firstWeek = () => {
  const day = new Date(Date.now() - 35 * 86_400_000)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, 10)
}

test('a chart leads to its rows, shows the same figures in its table, and is kept as a file', async ({ page }) => {
  test.slow()
  await enter(page, 'admin')
  await page.goto('/overview')
  await page.getByRole('button', { name: 'MENU' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Charts' }).click()
  await expect(page).toHaveURL('/charts')
  await expect(page.getByRole('group', { name: /^All markets\. \d+% of truck-days used/ })).toBeVisible()
  await expectAccessible(page)

  // One market, named by the address, and weeks from long ago on.
  const week = firstWeek()
  const asked = (market: string) => `charts/on-time-starts?from=${week}&to=${week}${market && `&market=${market}`}`
  const rowsOf = async (market = '') =>
    ((await (await callAs(page, 'GET', asked(market))).json()) as { data: StartsRow[] }).data
  // The demo's past is recorded in the background.
  let row: StartsRow | undefined
  await expect
    .poll(async () => (row = (await rowsOf()).find(({ onTime }) => onTime > 0)), { timeout: 100_000 })
    .toBeDefined()
  const { market } = row as StartsRow
  await goOn(page, `/charts?from=${week}&to=${week}`)
  await page.getByRole('combobox', { name: 'Market' }).fill(market.name)
  await page.locator('.ant-select-item-option').filter({ hasText: market.name, visible: true }).first().click()
  await expect(page).toHaveURL(new RegExp(`market=${market.uid}`))
  await page.keyboard.press('Escape')

  const starts = page.getByRole('region', { name: 'On-time starts', exact: true })
  await expect(starts).toHaveAttribute('aria-busy', 'false')
  await starts.getByRole('button', { name: 'Show table' }).click()
  const cells = starts.getByRole('row', { name: new RegExp(`^${market.name}`) })
  await expect(cells).toHaveCount(1)
  const onTime = cells.getByRole('link').first()
  const figure = (await onTime.textContent()) ?? ''
  // Away from the button, whose color under the pointer is that of the theme.
  await page.mouse.move(0, 0)
  await expectAccessible(page)

  const saved = page.waitForEvent('download')
  await starts.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const file = await readFile(await (await saved).path(), 'utf8')
  expect(file.split('\r\n')[1]).toMatch(new RegExp(`^${market.name},${week},${figure.replaceAll(',', '')},`))
  const picture = page.waitForEvent('download')
  await starts.getByRole('button', { name: 'Save picture' }).click()
  expect((await picture).suggestedFilename()).toMatch(/^charts-on-time-starts_.*\.svg$/)

  await onTime.click()
  await expect(page).toHaveURL(/\/schedule\/program-schedule\?.*startOutcome=onTime/)
  await expect(page.getByText(`${figure} ${figure === '1' ? 'shift' : 'shifts'}`, { exact: true })).toBeVisible()
  await page.goBack()

  // A bar is a link, too: Tab reaches the chart, and Enter opens its rows.
  const bar = page.getByRole('group', { name: /^Starts by week/ }).getByRole('link')
  await bar.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/startOutcome=onTime&startOutcome=late/)
  await page.goBack()

  await page.setViewportSize(PHONE)
  await expect(page.getByRole('region', { name: 'Hours by driver' })).toBeVisible()
  await expectAccessible(page)
  await expectFits(page)
})
