import { addProgram, choose, enter, expect, png, test, unique } from './world.ts'

test('sales uploads a set, sees it on the truck and approves it; another file makes it a draft again', async ({
  page,
}) => {
  await enter(page, 'sales')
  const program = await addProgram(page)
  const name = unique('Red and blue')
  await page.goto('/artworks')
  await page.getByRole('button', { name: 'New artwork set' }).click()
  const drawer = page.getByRole('dialog').first()
  const side = (name: string) => drawer.locator('input[type=file]').and(drawer.getByLabel(name))
  await drawer.getByLabel('Name').fill(name)
  await choose(page, drawer, 'Program', program.name)
  await side('Driver side').setInputFiles(png('driver.png', 640, 384, [200, 30, 40]))
  await side('Passenger side').setInputFiles(png('passenger.png', 640, 384, [30, 60, 200]))
  await side('Rear').setInputFiles({ ...png('rear.png', 1, 1, [0, 0, 0]), buffer: Buffer.from('<html>') })
  await expect(drawer.getByRole('alert').filter({ hasText: 'rear.png' })).toBeVisible()
  await side('Rear').setInputFiles(png('rear.png', 256, 384, [20, 120, 60]))
  const stored = async (...files: string[]) => {
    for (const file of files) await expect(drawer.getByText(file, { exact: true })).toBeVisible()
    await expect(drawer.getByRole('progressbar')).toHaveCount(0)
  }
  await stored('driver.png', 'passenger.png', 'rear.png')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toBeHidden()

  await page.getByRole('searchbox').fill(name)
  const row = page.getByRole('row', { name })
  await expect(row).toContainText('Draft')
  await page.getByRole('link', { name }).click()
  await drawer.getByRole('button', { name: 'Approve' }).click()
  await expect(row).toContainText('Approved')

  await page.getByRole('link', { name }).click()
  await drawer.getByRole('tab', { name: 'On the truck' }).click()
  const worn = drawer.getByRole('tabpanel', { name: 'On the truck' }).locator('image')
  await expect(worn).toHaveCount(3)
  const shown = await page.request.get((await worn.first().getAttribute('href')) ?? '')
  expect(shown.headers()['content-type']).toMatch(/^image\//)
  await drawer.getByRole('button', { name: 'Look closely at the rear' }).click()
  const close = page.getByRole('dialog', { name: 'rear.png' })
  await expect(close.getByRole('slider', { name: 'Zoom' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(close).toBeHidden()

  await drawer.getByRole('tab', { name: 'Details' }).click()
  await side('Rear').setInputFiles(png('other.png', 192, 192, [90, 90, 90]))
  await stored('other.png')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toBeHidden()
  await expect(row).toContainText('Draft')
})
