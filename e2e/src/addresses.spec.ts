import { longestTask } from '@roadshow/test-kit/longest-task'
import { addProgram, choose, enter, expect, expectAccessible, test } from './world.ts'

const csv = `Label,Address,ZIP,Latitude,Longitude
North shop,1 Elm St,75201,,
West shop,,,32.75,-97.33
Nowhere,,,95,-97
`

const ROWS = 10_000

test('10,000 rows of a file are scrolled through without a stall, each reason beside its row', async ({
  page,
  browser,
}) => {
  await enter(page, 'sales')
  const program = await addProgram(page)
  const rows = Array.from({ length: ROWS }, (_, n) => ({
    row: n + 2,
    cells: { label: `Shop ${n + 2}`, address: '500 Main St, Dallas, TX 75202', latitude: '99', longitude: '-96.8' },
    problems: {
      latitude: 'Must be a number from -90 to 90. Longer reasons wrap and stay beside the number of their row.',
    },
    value: null,
  }))
  await page.route('**/gps-address-sets/check-import', (route) => route.fulfill({ json: { data: rows } }))
  await page.goto('/gps-addresses?open=new')
  const drawer = page.getByRole('dialog').first()
  await choose(page, drawer, 'Client program', program.name)
  await drawer.getByRole('button', { name: 'Import CSV or Excel' }).click()
  const importing = page.getByRole('dialog').last()
  const file = { name: 'shops.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await importing.getByLabel('Choose a file').setInputFiles(file)
  await expect(importing.getByText('10,000 of 10,000 rows have errors.')).toBeVisible()
  const region = importing.getByRole('region', { name: 'Rows of the file' })
  await expectAccessible(page)
  const longest = await longestTask(browser, async () => {
    for (let step = 1; step <= 40; step++) {
      await region.evaluate((element, share) => element.scrollTo(0, element.scrollHeight * share), step / 40)
      await expect(region.getByRole('row').nth(5)).toBeVisible()
    }
  })
  expect(longest).toBeLessThan(200)
  await expect(region.getByRole('row', { name: /Shop 10001/ })).toBeInViewport()
  expect(await region.getByRole('row').count()).toBeLessThan(60)
})
