import type { Page } from '@playwright/test'
import {
  addAddressSet,
  addArtworkSet,
  addClient,
  addPixelMap,
  addProgram,
  addUser,
  enter,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  PHONE,
  test,
} from './world.ts'

const addSales = async (page: Page) => {
  const { userUid: uid, name } = await addUser(page, { role: 'sales', modules: ['clients'] })
  return { uid, name }
}

const screens: Record<string, (page: Page) => Promise<{ uid: string; name: string }>> = {
  '/clients': addClient,
  '/client-programs': addProgram,
  '/artworks': addArtworkSet,
  '/gps-addresses': addAddressSet,
  '/users': addSales,
  '/pixel': addPixelMap,
}
const DARK = ['/gps-addresses', '/pixel']

for (const [path, add] of Object.entries(screens)) {
  for (const colorScheme of DARK.includes(path) ? (['light', 'dark'] as const) : (['light'] as const)) {
    test(`${path} and its drawer are accessible and fit, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await enter(page, 'admin')
      const { uid, name } = await add(page)
      for (const viewport of [page.viewportSize() ?? PHONE, PHONE]) {
        await page.setViewportSize(viewport)
        await page.goto(`${path}?search=${encodeURIComponent(name)}`)
        await expect(page.getByRole('link', { name })).toBeVisible()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await page.goto(`${path}?open=${uid}`)
        const drawer = page.getByRole('dialog')
        await expect(drawer.getByLabel('Name').first()).toHaveValue(name)
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      }
    })
  }
}
