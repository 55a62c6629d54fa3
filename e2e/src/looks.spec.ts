import type { Page } from '@playwright/test'
import { auth, canOpen, type UserWithPermissions } from '@roadshow/contract'
import { headerDrawers, screens } from './hostile-places.ts'
import { callAs, dataOf, enter, expect, expectFits, foreignFiguresOf, goOn, PHONE, type Person, test } from './world.ts'

const WIDE = { width: 1920, height: 1080 }

/** The phone app of drivers: each of its pages that needs no shift. */
const DRIVER_PAGES = ['', '/queue', '/photos', '/me', '/me/pay', '/me/profile', '/me/notifications', '/me/calendar']
const DRIVER_ACCESS = ['/me/access', '/me/access/second-step']

/** The screens that a signed-in person may open; the others lead to the first of these. */
async function screensOf(page: Page): Promise<string[]> {
  const { role, roleAccess } = await dataOf<UserWithPermissions>(callAs(page, auth.me.method, auth.me.path))
  return screens.filter((path) => canOpen({ role, modules: roleAccess.map(({ moduleKey }) => moduleKey) }, path))
}

/** Notes what one place does wrong and goes on, so that one run names every place. */
async function faultsOf(page: Page, where: string): Promise<string[]> {
  await expect(page.getByRole('heading').first()).toBeAttached()
  await expect(page.locator('[aria-hidden] > [class*="bone"]')).toHaveCount(0, { timeout: 30_000 })
  const fits = await expectFits(page).then(
    () => [],
    (error: Error) => [`${where}: ${error.message}`],
  )
  return [...fits, ...(await foreignFiguresOf(page)).map((found) => `${where}: ${found}`)]
}

/** Every tab of the drawer that is open. */
async function faultsOfTabs(page: Page, where: string): Promise<string[]> {
  const drawer = page.getByRole('dialog')
  await expect(drawer).toBeVisible()
  const found = await faultsOf(page, where)
  for (let tab = 1; tab < (await drawer.getByRole('tab').count()); tab++) {
    await drawer.getByRole('tab').nth(tab).click()
    found.push(...(await faultsOf(page, `${where}, tab ${tab + 1}`)))
  }
  return found
}

for (const viewport of [PHONE, WIDE]) {
  for (const person of ['admin', 'sales', 'client'] satisfies Person[]) {
    test(`every screen fits ${viewport.width} px for ${person}, and writes days and figures one way`, async ({
      page,
    }) => {
      test.setTimeout(400_000)
      await page.setViewportSize(viewport)
      await enter(page, person)
      await page.goto('/notifications')
      const found: string[] = []
      for (const path of await screensOf(page)) {
        await goOn(page, path)
        found.push(...(await faultsOf(page, path)))
      }
      if (person === 'admin') {
        for (const key of headerDrawers) {
          await goOn(page, '/notifications')
          await goOn(page, `/notifications/settings?${key}=open`)
          found.push(...(await faultsOfTabs(page, key)))
        }
      }
      expect(found).toEqual([])
    })
  }
}

test('every page of the drivers’ phone fits, and writes days and figures one way', async ({ page }) => {
  test.setTimeout(200_000)
  await page.setViewportSize(PHONE)
  await enter(page, 'driver')
  const found: string[] = []
  for (const path of [...DRIVER_PAGES, ...DRIVER_ACCESS]) {
    await page.goto(`/driver${path}`)
    await expect(page.getByText('Loading')).toHaveCount(0)
    found.push(...(await faultsOf(page, path)))
  }
  expect(found).toEqual([])
})

test('pages for everyone fit a phone and a wide screen, and write days and figures one way', async ({ page }) => {
  const found: string[] = []
  for (const viewport of [PHONE, WIDE]) {
    await page.setViewportSize(viewport)
    for (const path of ['/login', '/forgot-password', '/status', '/impressions', '/player']) {
      await page.goto(path)
      await expect(page.locator('body')).not.toBeEmpty()
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (beyond > 0) found.push(`${path}: ${beyond} px too wide`)
      found.push(...(await foreignFiguresOf(page)).map((each) => `${path}: ${each}`))
    }
  }
  expect(found).toEqual([])
})
