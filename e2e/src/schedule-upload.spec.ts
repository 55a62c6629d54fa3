import { readFile } from 'node:fs/promises'
import { addShift, enter, expect, expectAccessible, test } from './world.ts'

test('a schedule is uploaded by the template: what is wrong is shown and left out, and twice changes nothing', async ({
  page,
}) => {
  await enter(page, 'admin')
  const { market, program, truck, driver } = await addShift(page)
  await page.goto(`/schedule/program-schedule?date=2031-07-09&market=${market.uid}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Upload' }).click()
  const drawer = page.getByRole('dialog', { name: 'Upload shifts' })
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    drawer.getByRole('button', { name: 'CSV template' }).click(),
  ])
  const [head = ''] = (await readFile(await template.path(), 'utf8')).replace('\uFEFF', '').split(/\r?\n/)
  const lineOf = (cells: Record<string, string>) =>
    head
      .split(',')
      .map((title) => cells[title] ?? '')
      .join(',')
  const good = { Date: '7/11/2031', Start: '8pm', End: '4:00', Truck: truck.number, Driver: driver.name }
  const where = { Program: program.name, Market: market.name }
  const rows = [head, lineOf({ ...good, ...where }), lineOf({ ...good, ...where, Date: '9/11/2031' })]
  const file = { name: 'july.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) }

  await drawer.getByLabel('Choose a file').setInputFiles(file)
  await expect(drawer.getByText('2 rows: 1 new, 1 with errors.')).toBeVisible()
  const wrong = drawer.getByRole('row').filter({ hasText: 'Thu, Sep 11, 2031' })
  await expect(wrong).toContainText(`${program.name} runs from Jun 1, 2031 to Aug 31, 2031.`)
  await expect(wrong).toHaveCSS('background-color', 'rgb(255, 222, 222)')
  await drawer.getByText('All 2').click()
  await expect(drawer.getByRole('row').filter({ hasText: 'Fri, Jul 11, 2031' })).toContainText(
    'Ends the next day, after 8 h.',
  )
  await expectAccessible(page)

  await drawer.getByRole('button', { name: 'Save 1 shift' }).click()
  await expect(drawer.getByText('Saved: 1 new shift and 0 changed shifts. 1 row with errors skipped.')).toBeVisible()
  await drawer.getByRole('button', { name: 'Upload another file' }).click()
  await drawer.getByLabel('Choose a file').setInputFiles(file)
  await expect(drawer.getByText('2 rows: 1 unchanged, 1 with errors.')).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  const cell = page.locator(`[data-truck="${truck.uid}"][data-day="2031-07-11"]`)
  await expect(cell.getByRole('button')).toContainText('8:00 PM–4:00 AM')
})
