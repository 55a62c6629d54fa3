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
  expectFits,
  goOn,
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
const IN_DARK = ['/gps-addresses', '/pixel']

for (const [path, add] of Object.entries(screens)) {
  const schemes = IN_DARK.includes(path) ? (['light', 'dark'] as const) : (['light'] as const)
  test(`${path} and its drawer are accessible and fit, ${schemes.join(' and ')}`, async ({ page }) => {
    const expectFit = async () => {
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }
      await expectFits(page)
    }
    await enter(page, 'admin')
    const { uid, name } = await add(page)
    const list = `${path}?search=${encodeURIComponent(name)}`
    await page.goto(list)
    for (const viewport of [page.viewportSize() ?? PHONE, PHONE]) {
      await page.setViewportSize(viewport)
      await goOn(page, list)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page.getByRole('link', { name })).toBeVisible()
      await expectFit()
      await goOn(page, `${path}?open=${uid}`)
      const drawer = page.getByRole('dialog').or(page.getByRole('article'))
      await expect(drawer.getByLabel('Name').first()).toHaveValue(name)
      await expectFit()
    }
  })
}
