import { setTimeout } from 'node:timers/promises'
import type { Locator, Page, ViewportSize } from '@playwright/test'
import { auth, canOpen, programs, trucks, type UserWithPermissions } from '@roadshow/contract'
import { cutTextsOf } from './cut-text.ts'
import { faintTextsOf } from './faint-text.ts'
import { headerDrawers, screens } from './hostile-places.ts'
import { callAs, dataOf, enter, expect, expectFits, foreignFiguresOf, goOn, PHONE, type Person, test } from './world.ts'

const WIDE = { width: 1920, height: 1080 }
const SIZES = [PHONE, { width: 1440, height: 900 }, WIDE]

/** The phone app of drivers: each of its pages that needs no shift. */
const DRIVER_PAGES = ['', '/queue', '/photos', '/me', '/me/pay', '/me/profile', '/me/notifications', '/me/calendar']
const DRIVER_ACCESS = ['/me/access', '/me/access/second-step']

/** The screens that a signed-in person may open; the others lead to the first of these. */
async function screensOf(page: Page): Promise<string[]> {
  const { role, roleAccess } = await dataOf<UserWithPermissions>(callAs(page, auth.me.method, auth.me.path))
  return screens.filter((path) => canOpen({ role, modules: roleAccess.map(({ moduleKey }) => moduleKey) }, path))
}

/** The faults that remain once a page has followed its new size or colors. */
async function settled(faults: () => Promise<string[]>): Promise<string[]> {
  let found = await faults()
  for (let attempt = 0; found.length > 0 && attempt < 10; attempt++) {
    await setTimeout(100)
    found = await faults()
  }
  return found
}

const colorsOf = new WeakMap<Page, 'light' | 'dark'>()

/** Texts that are hard to read, in light and dark. The next place begins in the colors in which this one ends. */
async function faintTextsInBoth(page: Page): Promise<string[]> {
  const first = colorsOf.get(page) ?? 'light'
  const other = first === 'light' ? 'dark' : 'light'
  const found: string[] = []
  for (const colorScheme of [first, other] as const) {
    await page.emulateMedia({ colorScheme })
    const faint = await settled(() => faintTextsOf(page))
    found.push(...faint.map((each) => `${each} in ${colorScheme}`))
  }
  colorsOf.set(page, other)
  return found
}

/** Notes what one place does wrong and goes on, so that one run names every place. */
async function faultsOf(page: Page, where: string, sizes: readonly ViewportSize[] = SIZES): Promise<string[]> {
  await expect(page.getByRole('heading').first()).toBeAttached()
  await expect(page.locator('[aria-hidden] > [class*="bone"]')).toHaveCount(0, { timeout: 30_000 })
  const found: string[] = []
  for (const viewport of sizes) {
    await page.setViewportSize(viewport)
    const fits = await expectFits(page).then(
      () => [],
      (error: Error) => [error.message],
    )
    const cut = await settled(() => cutTextsOf(page))
    const here = [...fits, ...cut, ...(await foreignFiguresOf(page))]
    found.push(...here.map((each) => `${where} at ${viewport.width} px: ${each}`))
  }
  return [...found, ...(await faintTextsInBoth(page)).map((each) => `${where}: ${each}`)]
}

/** Every tab of a record's page or of the drawer that is open. */
async function faultsOfTabs(page: Page, part: Locator, where: string, sizes = SIZES): Promise<string[]> {
  const tabs = part.getByRole('tab')
  await expect(part).toBeVisible()
  const found = await faultsOf(page, where, sizes)
  for (let tab = 1; tab < (await tabs.count()); tab++) {
    // Tabs beyond the edge of a phone slide under a finger; to the test they are all there.
    await tabs.nth(tab).dispatchEvent('click')
    await expect(tabs.nth(tab)).toHaveAttribute('aria-selected', 'true')
    found.push(...(await faultsOf(page, `${where}, tab ${tab + 1}`, sizes)))
  }
  return found
}

/** The pages of records with many parts, each opened at one that the demo always has. */
const recordPages = [
  [programs.list, '/client-programs'],
  [trucks.list, '/trucks'],
] as const

async function faultsOfRecordPages(page: Page): Promise<string[]> {
  const found: string[] = []
  await page.setViewportSize(PHONE)
  for (const [{ method, path: call }, path] of recordPages) {
    const [first] = await dataOf<{ uid: string }[]>(callAs(page, method, call))
    await goOn(page, '/notifications')
    await goOn(page, `${path}?open=${first?.uid}`)
    await expect(page.getByRole('main').getByRole('tab').nth(5)).toBeAttached()
    found.push(...(await faultsOfTabs(page, page.getByRole('main'), path, [PHONE])))
  }
  return found
}

async function faultsOfHeaderDrawers(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const key of headerDrawers) {
    await goOn(page, '/notifications')
    await goOn(page, `/notifications/settings?${key}=open`)
    found.push(...(await faultsOfTabs(page, page.getByRole('dialog'), key)))
  }
  return found
}

for (const person of ['admin', 'sales', 'client'] satisfies Person[]) {
  const widths = SIZES.map(({ width }) => width).join(', ')
  test(`every screen fits ${widths} px for ${person}, cuts no text, can be read in light and dark, and writes days and figures one way`, async ({
    page,
  }) => {
    test.setTimeout(600_000)
    await page.setViewportSize(PHONE)
    await enter(page, person)
    await page.goto('/notifications')
    const found: string[] = []
    for (const path of await screensOf(page)) {
      await goOn(page, path)
      found.push(...(await faultsOf(page, path)))
    }
    if (person === 'admin') found.push(...(await faultsOfRecordPages(page)), ...(await faultsOfHeaderDrawers(page)))
    expect(found).toEqual([])
  })
}

test('every page of the drivers’ phone fits, and writes days and figures one way', async ({ page }) => {
  test.setTimeout(200_000)
  await page.setViewportSize(PHONE)
  await enter(page, 'driver')
  const found: string[] = []
  for (const path of [...DRIVER_PAGES, ...DRIVER_ACCESS]) {
    await page.goto(`/driver${path}`)
    await expect(page.getByText('Loading')).toHaveCount(0)
    found.push(...(await faultsOf(page, path, [PHONE])))
  }
  expect(found).toEqual([])
})

test('pages for everyone fit a phone and a wide screen, and write days and figures one way', async ({ page }) => {
  const found: string[] = []
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport)
    for (const path of ['/login', '/forgot-password', '/status', '/impressions', '/player']) {
      await page.goto(path)
      await expect(page.locator('body')).not.toBeEmpty()
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (beyond > 0) found.push(`${path}: ${beyond} px too wide`)
      const unread = [...(await settled(() => cutTextsOf(page))), ...(await faintTextsInBoth(page))]
      found.push(...unread.map((each) => `${path} at ${viewport.width} px: ${each}`))
      found.push(...(await foreignFiguresOf(page)).map((each) => `${path}: ${each}`))
    }
  }
  expect(found).toEqual([])
})
