import { readFile } from 'node:fs/promises'
import { addTruck, callAs, choose, enter, expect, expectAccessible, expectFits, goOn, PHONE, test } from './world.ts'

test.beforeEach(async ({ page }) => {
  await enter(page, 'admin')
  await page.goto('/trucks')
})

test('a dispatcher adds a truck, changes it, reads its history and deletes it', async ({ page }) => {
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
  await drawer.getByLabel('Plate').fill('abc-1')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toBeHidden()
  await expect(page.getByText('ABC-1')).toBeVisible()

  await row.click()
  await drawer.getByRole('tab', { name: 'History' }).click()
  const history = drawer.getByRole('tabpanel', { name: 'History' })
  await expect(history.getByText('Avery Stone').first()).toBeVisible()
  await expect(history.getByText('ABC-1').first()).toBeVisible()
  await expect(history.getByText('Dallas').first()).toBeVisible()
  await expectAccessible(page)
  await drawer
    .getByRole('tab', { name: /Details|Truck/ })
    .first()
    .click()
  await drawer.getByRole('button', { name: /Delete/ }).click()
  const question = page.getByRole('dialog', { name: /Delete/ })
  await expect(question).toContainText('shifts, plays and photos so far are kept')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('No truck matches.')).toBeVisible()
})

test('search, filter, order and page stand in the address, and Back goes back', async ({ page }) => {
  await expect(page.getByText(/^\d+ trucks$/)).toBeVisible()
  await page.getByRole('columnheader', { name: 'Number' }).click()
  await page.waitForURL(/sort=/)
  await page
    .getByRole('listitem', { name: '2', exact: true })
    .or(page.getByTitle('2', { exact: true }))
    .first()
    .click()
  await page.waitForURL(/page=2/)
  await page.goBack()
  await expect(page).not.toHaveURL(/page=2/)
  await goOn(page, '/trucks?state=inShop&sort=-number')
  await expect(page.getByRole('link', { name: /^T-\d+$/ })).toHaveText(['T-28', 'T-13'])
  await page.goto('/trucks?sort=rubbish&page=-4&state=nonsense')
  await expect(page.getByRole('link', { name: 'T-1', exact: true })).toBeVisible()
})

test('two people edit one truck: the second sees the conflict and loses no edits', async ({ page }) => {
  const truck = await addTruck(page)
  await goOn(page, `/trucks?open=${truck.uid}`)
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByLabel('Number')).toHaveValue(truck.number)
  const other = await callAs(page, 'PUT', 'trucks/', {
    uid: truck.uid,
    version: truck.version,
    number: truck.number,
    kind: 'led',
    state: 'inShop',
    note: 'from elsewhere',
  })
  expect(other.status()).toBe(200)
  await drawer.getByLabel('Plate').fill('MINE-1')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByRole('alert')).toContainText(/changed/i)
  await expectAccessible(page)
})

test('leaving a form with edits asks first', async ({ page }) => {
  const truck = await addTruck(page)
  await goOn(page, `/trucks?open=${truck.uid}`)
  const drawer = page.getByRole('dialog').first()
  await drawer.getByLabel('Plate').fill('LOST-1')
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText(/unsaved|discard/i).first()).toBeVisible()
  await expect(drawer.getByLabel('Plate')).toHaveValue('LOST-1')
})

test('what people type is shown as text, never run', async ({ page }) => {
  const note = '<img src=x onerror=alert(1)>'
  const truck = await addTruck(page, { note, plate: `<B>${Date.now() % 10000}` })
  page.on('dialog', () => expect('a dialog').toBe('none'))
  await goOn(page, `/trucks?search=${truck.number}`)
  await expect(page.getByText(note)).toBeVisible()
})

for (const format of ['CSV', 'XLSX']) {
  test(`all rows are exported as ${format}, under the server’s filename`, async ({ page }) => {
    await goOn(page, '/trucks?state=inShop')
    await page.getByRole('button', { name: /Export/ }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: new RegExp(format) }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(new RegExp(`^trucks_\\d{4}-\\d\\d-\\d\\d\\.${format.toLowerCase()}$`))
    const content = await readFile(await file.path())
    if (format === 'CSV') expect(content.toString()).toContain('state: In shop')
    else expect(content.subarray(0, 2).toString()).toBe('PK')
  })
}

test('a list that fails says so and can be tried again', async ({ page }) => {
  await page.route('**/api/v1/trucks/run*', (route) =>
    route.fulfill({ status: 500, json: { error: 'Something went wrong (4711).', code: 'internal' } }),
  )
  await goOn(page, '/trucks?search=zzz')
  await expect(page.getByText('Something went wrong (4711).')).toBeVisible()
  await page.unroute('**/api/v1/trucks/run*')
  await page.getByRole('button', { name: /retry|try again/i }).click()
  await expect(page.getByText('No truck matches.')).toBeVisible()
})

const DESKTOP = { width: 1440, height: 900 }
for (const [size, viewport, colorScheme] of [
  ['desktop', DESKTOP, 'light'],
  ['phone', PHONE, 'dark'],
] as const) {
  test(`the list is accessible and fits: ${size}, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await expect(page.getByRole('link', { name: 'T-1', exact: true })).toBeVisible()
    await expectAccessible(page)
    await expectFits(page)
    await goOn(page, '/trucks?search=nothing-is-called-so')
    await expect(page.getByText('No truck matches.')).toBeVisible()
    await expectAccessible(page)
  })

  test(`drawer and menu are accessible and fit: ${size}, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await page.getByRole('link', { name: 'T-1', exact: true }).click()
    await expect(page.getByRole('dialog').getByLabel('Number')).toHaveValue('T-1')
    await expectAccessible(page)
    await expectFits(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'MENU' }).click()
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Trucks' })).toBeVisible()
    await expectAccessible(page)
  })
}
