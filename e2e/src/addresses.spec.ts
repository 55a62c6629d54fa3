import { addProgram, choose, enter, expect, test, unique } from './world.ts'

const csv = `Label,Address,ZIP,Latitude,Longitude
North shop,1 Elm St,75201,,
West shop,,,32.75,-97.33
Nowhere,,,95,-97
`

test('an address is found by its ZIP code, and a file is imported without its wrong row', async ({ page }) => {
  await enter(page, 'sales')
  const program = await addProgram(page)
  const name = unique('Shops')
  await page.goto('/gps-addresses')
  await page.getByRole('button', { name: 'New address set' }).click()
  const drawer = page.getByRole('dialog').first()
  await drawer.getByLabel('Name').fill(name)
  await choose(page, drawer, 'Client program', program.name)
  await drawer.getByRole('button', { name: 'Add address' }).click()
  const panel = drawer.getByRole('region', { name: 'Address 1' })
  await panel.getByLabel('Label').fill('Main shop')
  await panel.getByLabel('Address').fill('500 Main St, Dallas, TX 75202')
  await panel.getByRole('button', { name: 'Find' }).click()
  await expect(panel.getByText('Approximate (ZIP code)')).toBeVisible()
  await expect(panel.getByLabel('Latitude')).toHaveValue(/^32\.7/)
  await panel.getByRole('button', { name: 'Done' }).click()

  await drawer.getByRole('button', { name: 'Import CSV or Excel' }).click()
  const importing = page.getByRole('dialog').last()
  await importing
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'shops.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(importing.getByText('1 of 3 rows are wrong.')).toBeVisible()
  await expect(importing.getByRole('row', { name: 'Nowhere' })).toContainText('Must be a number from -90 to 90')
  await importing.getByRole('button', { name: 'Take 2 good rows' }).click()
  await expect(drawer.getByText('3 addresses')).toBeVisible()
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toBeHidden()

  await page.getByRole('searchbox').fill(name)
  await page.getByRole('link', { name }).click()
  await expect(drawer.getByRole('row', { name: /West shop/ })).toContainText('Coordinates given')
  await drawer.getByRole('button', { name: 'West shop' }).click()
  await expect(
    drawer.getByRole('application', { name: 'Map of the addresses' }).getByRole('button', { name: 'West shop' }),
  ).toBeVisible()
})
