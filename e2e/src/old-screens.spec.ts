import type { Locator, Page } from '@playwright/test'
import { addDays, localDay } from '@roadshow/contract'
import {
  addClient,
  addShift,
  addTruck,
  callAs,
  dataOf,
  enter,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  goOn,
  type Person,
  PHONE,
  png,
  test,
  unique,
} from './world.ts'

const DAY = '2031-07-09'
const cell = (page: Page, name: string) => page.getByLabel(name, { exact: true })

/** Types over a cell and saves its row, as fast as the keyboard allows. */
async function typeOver(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press('Enter')
}

/** Pastes what a spreadsheet would have copied. */
const paste = (field: Locator, rows: string[][]) =>
  field.evaluate(
    (input: HTMLElement, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      input.focus()
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    rows.map((row) => row.join('\t')).join('\n'),
  )

test('what is typed and pasted into the daily schedule stands on the board, and the other way round', async ({
  page,
}) => {
  await enter(page, 'admin')
  const { market, program, truck, driver, uid } = await addShift(page)
  const other = await addTruck(page)
  await page.goto('/notifications')
  const daily = (number: string) => goOn(page, `/old-schedule/daily-schedule?date=${DAY}&search=${number}`)
  const board = () => goOn(page, `/schedule/program-schedule?date=${DAY}&market=${market.uid}`)
  const onBoard = (truckUid: string) =>
    page.locator(`[data-truck="${truckUid}"][data-day="${DAY}"]`).getByRole('button')

  await daily(truck.number)
  await typeOver(cell(page, `Start, ${truck.number} at 8:00 AM`), '9am')
  await expect(cell(page, `Start, ${truck.number} at 9:00 AM`)).toHaveValue('9:00 AM')
  await page.getByRole('button', { name: 'Add row' }).click()
  const row = [other.number, driver.name, program.name, market.name, '6pm', '22:00']
  await paste(cell(page, 'Truck, new row'), [row, [other.number, 'Nobody', program.name, market.name, '8', '10']])
  await expect(page.getByText('Driver “Nobody” not found.')).toBeVisible()
  await page.getByRole('button', { name: 'Save 2 rows' }).click()
  await expect(page.getByText('1 row saved.')).toBeVisible()
  await expect(page.getByText('1 row not saved, 1 with errors.')).toBeVisible()
  await expectAccessible(page)
  await cell(page, 'Driver, new row').press('Escape')

  await board()
  await expect(onBoard(truck.uid)).toContainText('9:00 AM–4:00 PM')
  await expect(onBoard(other.uid)).toContainText('6:00–10:00 PM')

  // Another user moves it on the new side: the open row follows, and an old version is refused.
  await daily(truck.number)
  const end = cell(page, `End, ${truck.number} at 9:00 AM`)
  await end.fill('17')
  await dataOf(
    callAs(page, 'PUT', 'program-schedule/', {
      uid,
      version: 2,
      truckUid: truck.uid,
      driverUid: driver.uid,
      programUid: program.uid,
      marketUid: market.uid,
      date: DAY,
      start: '10:00',
      end: '16:00',
    }),
  )
  await end.press('Enter')
  await page.getByRole('button', { name: /^Reload .* and keep my edits$/ }).click()
  await expect(cell(page, `Start, ${truck.number} at 10:00 AM`)).toHaveValue('10:00 AM')
  await cell(page, `End, ${truck.number} at 10:00 AM`).press('Enter')
  await expect(page.getByText('1 row not saved.')).toBeHidden()
  await board()
  await expect(onBoard(truck.uid)).toContainText('10:00 AM–5:00 PM')
})

test('a POP is filled and published on the old screen, and the public reads it', async ({ page }) => {
  await enter(page, 'admin')
  const zone = 'America/Chicago'
  const market = await dataOf<{ uid: string; name: string }>(
    callAs(page, 'POST', 'markets/', { name: unique('Zephyr City'), zone }),
  )
  const name = unique('Zephyr Proof')
  await dataOf(
    callAs(page, 'POST', 'client-programs/', {
      clientUid: (await addClient(page)).uid,
      name,
      popUrl: name,
      status: 'active',
      startsOn: addDays(localDay(zone), -10),
      endsOn: addDays(localDay(zone), 30),
      markets: [{ marketUid: market.uid }],
    }),
  )
  await page.goto(`/programs/pop?search=${encodeURIComponent(name)}`)
  await page.getByLabel('Add photos').setInputFiles([png('corner.png', 800, 600, [120, 60, 60])])
  const approve = page.getByRole('button', { name: `Approve photos of ${name}` })
  // As soon as it is there, not with the next look.
  await expect(approve).toBeVisible()
  await approve.click()
  await expect(page.getByRole('link', { name: 'corner.png, approved, unverified' })).toBeVisible()
  await typeOver(cell(page, `Headline, ${name}`), 'Seen on every corner')
  await typeOver(cell(page, `Headline, ${market.name} of ${name}`), 'All over the city')
  await expect(page.getByText('not saved')).toHaveCount(0)
  await page.getByRole('button', { name: `Publish ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await page
    .getByRole('dialog', { name: `${name} published` })
    .getByRole('button', { name: 'Close' })
    .click()
  await expect(page.getByText('Published, version 1')).toBeVisible()
  await page.goto(`/programs/${encodeURIComponent(name)}`)
  await expect(page.getByText('Seen on every corner')).toBeVisible()
})

// As few rows as say the same as many, and are looked through much sooner.
const all = [
  '/old-overview',
  '/old-schedule/daily-schedule?search=T-1',
  '/old-schedule/user-schedule?search=Dana',
  '/programs/program-by-client?search=Bluebird',
  '/programs/pop?search=Days',
  '/old-trucks?search=T-1',
  '/old-users?search=Dana',
  '/old-users/payroll?search=Dana',
]

for (const [size, viewport, colorScheme, screens] of [
  ['desktop', { width: 1280, height: 800 }, 'light', { admin: all }],
  [
    'phone',
    PHONE,
    'dark',
    {
      admin: all.filter((path) => /daily|trucks|old-users\?/.test(path)),
      sales: ['/old-overview', '/programs/program-by-client?search=Bluebird'],
      driver: ['/old-schedule/user-schedule', '/old-users/payroll'],
      client: ['/programs/pop'],
    },
  ],
] as const) {
  test(`the old screens are accessible and fit: ${size}, ${colorScheme}`, async ({ browser }) => {
    for (const [person, paths] of Object.entries(screens) as [Person, string[]][]) {
      const page = await browser.newPage({ viewport, colorScheme })
      await enter(page, person)
      await page.goto('/notifications')
      for (const path of paths) {
        await goOn(page, path)
        await expect(
          page
            .getByRole('table')
            .or(page.getByText(/^No shifts/))
            .first(),
        ).toBeVisible()
        await expect(page.locator('table[aria-busy="true"]')).toHaveCount(0)
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      }
      await page.close()
    }
  })
}
