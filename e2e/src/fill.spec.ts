import type { Page } from '@playwright/test'
import {
  addClient,
  addShift,
  callAs,
  choose,
  dataOf,
  enter,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  fillDay,
  PHONE,
  test,
  unique,
} from './world.ts'

const MONDAY = '2031-07-14'

/** A program in two markets of its own, with a truck and a driver in each. */
async function twoMarkets(page: Page) {
  const crews = [await addShift(page), await addShift(page)]
  const name = unique('Zephyr Twins')
  const program = await dataOf<{ uid: string; name: string }>(
    callAs(page, 'POST', 'client-programs/', {
      clientUid: (await addClient(page)).uid,
      name,
      status: 'active',
      startsOn: '2031-06-01',
      endsOn: '2031-08-31',
      popUrl: name,
      markets: crews.map(({ market }) => ({ marketUid: market.uid })),
    }),
  )
  return { program, crews }
}

test('on a phone the form, the search and its end fit the screen', async ({ page }) => {
  test.setTimeout(120_000)
  await page.setViewportSize(PHONE)
  await enter(page, 'admin')
  const { program } = await twoMarkets(page)
  await page.goto(`/schedule/program-schedule?date=${MONDAY}`)
  await page.getByRole('button', { name: 'Fill', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Fill the schedule' })
  await choose(page, form, 'Program', program.name)
  await fillDay(form.getByLabel('First day'), MONDAY)
  await fillDay(form.getByLabel('Last day'), MONDAY)
  await expectNoSidewaysScroll(page)
  await form.getByRole('button', { name: 'Find trucks and drivers' }).click()
  const panel = page.getByRole('region', { name: 'Fill' })
  await expect(panel.getByRole('button', { name: 'Accept 2 shifts' })).toBeVisible({ timeout: 60_000 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Discard' }).click()
  await expect(panel).toBeHidden()
})
