import type { Page } from '@playwright/test'
import { formatTime, formatWeekday, localHour, timestamp } from '@roadshow/contract'
import { counted } from './clicks.ts'
import { callAs, enter, expect, expectAccessible, expectFits, PHONE, test } from './world.ts'

interface Found {
  uid: string
  name: string
  approaches?: number
}

const DESKTOP = { width: 1440, height: 900 }
const PATIENCE = { timeout: 100_000 }

const firstOf = async (page: Page, address: string): Promise<Found | undefined> =>
  ((await (await callAs(page, 'GET', address)).json()) as { data: Found[] }).data[0]

/** A program of the demo with a past, and a market of it: its POP is published when all of that is there. */
async function programWithPast(page: Page, report: string) {
  /** The first of a list, once there is one. */
  const awaited = async (address: string) => {
    let found: Found | undefined
    await expect.poll(async () => (found = await firstOf(page, address)), PATIENCE).toBeDefined()
    return found as Found
  }
  const client = await awaited('clients/run?search=Northwind')
  const { uid, name } = await awaited(`client-pop/run?state=published&client=${client.uid}`)
  const known = await awaited(`${report}/client-program-lookup?search=${encodeURIComponent(name)}`)
  expect(known.uid).toBe(uid)
  const market = await awaited(`${report}/client-program-market-lookup?program=${uid}`)
  return { program: name, market: market.name }
}

async function choose(page: Page, box: string, typed: string) {
  await page.getByRole('combobox', { name: box }).fill(typed)
  await page.locator('.ant-select-item-option').filter({ hasText: typed, visible: true }).first().click()
}

async function expectRight(page: Page) {
  await expectAccessible(page)
  await expectFits(page)
}

/** The days proposed stand in the address, so that the same link shows the same report. */
const WITH_DAYS = /from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/

test('the SD report tells what came of each address, and shows the ways of trucks past one', async ({ page }) => {
  test.slow()
  await enter(page, 'sales')
  const { program, market } = await programWithPast(page, 'smart-directional-report')
  await page.goto('/smart-directional-report')
  await choose(page, 'Program', program)
  await choose(page, 'Market', market)
  await expect(page).toHaveURL(WITH_DAYS)
  // Tracks are looked through for approaches in the background.
  const asked = `smart-directional-report/run?${new URL(page.url()).searchParams}`
  await expect.poll(async () => (await firstOf(page, asked))?.approaches, PATIENCE).toBeGreaterThan(0)
  await page.reload()
  const first = page.getByRole('table', { name: 'addresses' }).locator('tbody tr').first()
  await expect(first).toContainText(market)
  await expect(page.getByRole('application', { name: 'Map of the addresses' })).toBeVisible()
  await expectRight(page)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  expect((await saved).suggestedFilename()).toContain(program.toLowerCase().replaceAll(' ', '-'))
  expect((await saved).suggestedFilename()).toMatch(/\.csv$/)

  await first.getByRole('link').first().click()
  const drawer = page.getByRole('dialog')
  const approach = drawer.getByRole('button', { name: /Truck .* closest/ }).first()
  await approach.click()
  await expect(approach).toHaveAttribute('aria-pressed', 'true')
  await expect(drawer.getByRole('application')).toBeVisible()
  await expectRight(page)

  await page.setViewportSize(PHONE)
  await page.reload()
  await expect(drawer.getByRole('button', { name: /Truck .* closest/ }).first()).toBeVisible()
  await expectFits(page)
  await drawer.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('list', { name: 'addresses' }).getByRole('link').first()).toBeVisible()
  await expectRight(page)
})

interface Play {
  startedAt: string
  day: string
  zone: string
  market: { name: string }
}

/** Plays in a market on an evening, and where their truck was at a time: counted from the Overview on. */
async function expectReplayIn(page: Page, most: number) {
  // A night shift of yesterday may still play.
  const over = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  const { data } = (await (await callAs(page, 'GET', `ad-log-report/run?to=${over}`)).json()) as { data: Play[] }
  const [play] = data
  if (!play) throw new Error('The demo has plays.')
  const { day, market, zone, startedAt } = play
  const hour = localHour(zone, Date.parse(startedAt))
  // Beside wide screens the menu can stay open.
  await callAs(page, 'PUT', 'user/preferences', { clock: null, rowsPerPage: '10', menuPinned: true })
  await page.goto('/overview')
  const { click, type, count } = counted()
  await click(page.getByRole('link', { name: 'Ad Log Report' }))
  const markets = page.getByRole('combobox', { name: 'Market' })
  await markets.fill(market.name)
  await expect(page.locator('.ant-select-item-option').filter({ hasText: market.name, visible: true })).toHaveCount(1)
  await type(markets, market.name, 'Enter')
  await click(page.getByRole('link', { name: new RegExp(`^Plays, ${formatWeekday(day)}:`) }))
  await expect(page).toHaveURL(new RegExp(`to=${day}`))
  await type(page.getByLabel('Hours'), `${hour}:00-${hour + 1}:00`, 'Enter')
  await expect(page).toHaveURL(new RegExp(`fromHour=${hour}`))
  const row = page.getByRole('table', { name: 'plays', exact: true }).locator('tbody tr').first()
  await expect(row).toContainText(timestamp(startedAt, zone))
  await click(row.getByTitle('Replay this minute'))
  const now = page.getByRole('region', { name: 'This minute' })
  await expect(now.getByRole('heading')).toHaveText(formatTime(startedAt, zone))
  await expect(now.getByText('Verified').first()).toBeVisible()
  await expect(page.getByRole('application', { name: /^The way of/ })).toBeVisible()
  expect(count()).toBeLessThanOrEqual(most)
  await callAs(page, 'PUT', 'user/preferences', { clock: null, rowsPerPage: '10', menuPinned: false })
  await page.getByRole('slider').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/\/replay\?shift=.*&at=/)
  await expectRight(page)
  await page.setViewportSize(PHONE)
  await expectRight(page)
  await page.setViewportSize(DESKTOP)
}

test('the ad log counts plays by day, side and truck, and lists them to the last', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  test.slow()
  await enter(page, 'admin')
  const { program } = await programWithPast(page, 'ad-log-report')
  await expectReplayIn(page, 5)
  await page.goto('/ad-log')
  await choose(page, 'Program', program)
  await expect(page).toHaveURL(WITH_DAYS)
  // Of the first day everything has been told; on the last one trucks may still be out.
  await page.goto(page.url().replace(/from=([\d-]+)&to=[\d-]+/, 'from=$1&to=$1'))
  await expect(page.getByRole('img', { name: /^Plays per day from/ })).toBeVisible()
  const plays = page.getByRole('table', { name: 'plays', exact: true })
  await expect(plays.locator('tbody tr').nth(9)).toContainText('Verified')
  await page.getByText('By truck').click()
  const trucks = page.getByRole('table', { name: 'Plays by truck' })
  await expect(trucks.getByRole('row', { name: /^Total/ })).toBeVisible()
  await expectRight(page)

  await page.getByRole('button', { name: 'Rear' }).click()
  await expect(page).toHaveURL(/side=rear/)
  await expect(page.getByText(/^Only rear\./)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Summary' })).toHaveAttribute('aria-busy', 'false')
  // What the figures say above is as many as are listed below.
  const total =
    (await trucks
      .getByRole('row', { name: /^Total/ })
      .getByRole('cell')
      .first()
      .textContent()) ?? ''
  await expect(page.getByText(`${total} plays`, { exact: true })).toBeVisible()
  await page.locator('.ant-pagination-item').last().click()
  await expect(page).toHaveURL(/page=\d+/)
  await expect(plays.locator('tbody tr').first()).toContainText('Rear')
  await expect(plays).toHaveAttribute('aria-busy', 'false')

  await page.setViewportSize(PHONE)
  await expect(page.getByRole('list', { name: 'plays' }).getByRole('listitem').first()).toBeVisible()
  await expectRight(page)

  await page.getByRole('navigation', { name: 'Lists of the ad log' }).getByRole('link', { name: 'Unassigned' }).click()
  await expect(page).toHaveURL(/view=unassigned&program=/)
  await expect(page.getByRole('region', { name: 'Unassigned plays' })).toBeVisible()
  await expectRight(page)
})
