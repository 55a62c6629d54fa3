import { readFile } from 'node:fs/promises'
import { callAs, choose, dataOf, enter, expect, expectAccessible, expectFits, goOn, PHONE, test } from './world.ts'

test.beforeEach(async ({ page }) => {
  await enter(page, 'admin')
  await page.goto('/trucks')
})

test('a dispatcher adds a truck, changes it, exports it, reads its history and deletes it', async ({ page }) => {
  const number = `Z-new-${Date.now()}`
  await page.getByRole('button', { name: 'New truck' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByText('Required.')).toBeVisible()
  await drawer.getByLabel('Number').fill(number)
  await drawer.getByLabel('VIN').fill('too short')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByText('A VIN has 17 letters and digits')).toBeVisible()
  await drawer.getByLabel('VIN').fill('')
  await choose(page, drawer, 'Home market', 'Dallas')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toBeHidden()

  await page.getByRole('searchbox').fill(number)
  const row = page.getByRole('link', { name: number })
  await expect(row).toBeVisible()
  await row.click()
  await expect(page).toHaveURL(/open=/)
  const record = page.getByRole('article', { name: `Truck ${number}` })
  await record.getByLabel('Plate').fill('abc-1')
  await record.getByRole('button', { name: 'Save' }).click()
  await expect(record.getByLabel('Plate')).toHaveValue('ABC-1')
  await record.getByRole('link', { name: 'All trucks' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: /Export/ }).click()
  await page.getByRole('menuitem', { name: /CSV/ }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^trucks_\d{4}-\d\d-\d\d\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toContain(`${number},`)

  await row.click()
  await record.getByRole('tab', { name: 'History' }).click()
  const history = record.getByRole('tabpanel', { name: 'History' })
  await expect(history.getByText('Avery Stone').first()).toBeVisible()
  await expect(history.getByText('ABC-1').first()).toBeVisible()
  await expect(history.getByText('Dallas').first()).toBeVisible()
  await expectAccessible(page)
  await record
    .getByRole('tab', { name: /Details|Truck/ })
    .first()
    .click()
  // Someone else is faster: the page says so, and what was typed stays.
  const uid = new URL(page.url()).searchParams.get('open') ?? ''
  const { version } = await dataOf<{ version: number }>(callAs(page, 'GET', `trucks/${uid}`))
  await dataOf(callAs(page, 'PUT', 'trucks/', { uid, version, number, kind: 'led', state: 'inShop' }))
  await record.getByLabel('Plate').fill('MINE-1')
  await record.getByRole('button', { name: 'Save' }).click()
  await expect(record.getByRole('alert')).toContainText(/changed/i)
  await expect(record.getByLabel('Plate')).toHaveValue('MINE-1')
  await expectAccessible(page)
  await record.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Discard' }).click()
  await row.click()
  await record.getByRole('button', { name: /Delete/ }).click()
  const question = page.getByRole('dialog', { name: /Delete/ })
  await expect(question).toContainText('shifts, plays and photos so far are kept')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('No truck matches.')).toBeVisible()
})

const DESKTOP = { width: 1440, height: 900 }
for (const [size, viewport, colorScheme] of [
  ['desktop', DESKTOP, 'light'],
  ['phone', PHONE, 'dark'],
] as const) {
  test(`list, record and menu are accessible and fit: ${size}, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    const first = page.getByRole('link', { name: 'T-1', exact: true })
    await expect(first).toBeVisible()
    await expectAccessible(page)
    await expectFits(page)
    await first.click()
    const record = page.getByRole('article')
    await expect(record.getByLabel('Number')).toHaveValue('T-1')
    await expectAccessible(page)
    await expectFits(page)
    await record.getByRole('tab', { name: 'Live' }).click()
    await expect(record.getByRole('application')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'MENU' }).click()
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Trucks' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await goOn(page, '/trucks?search=nothing-is-called-so')
    await expect(page.getByText('No truck matches.')).toBeVisible()
    await expectAccessible(page)
  })
}
