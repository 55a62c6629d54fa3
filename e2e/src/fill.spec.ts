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
  expectFits,
  fillDay,
  goOn,
  PHONE,
  test,
  unique,
} from './world.ts'

// A user has one fill proposal at a time, and both journeys are of the same user.
test.describe.configure({ mode: 'serial' })

const MONDAY = '2031-07-14'
const SECOND_FRIDAY = '2031-07-25'

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

test('a dispatcher fills two weeks in two markets, changes the fill proposal and accepts it', async ({ page }) => {
  test.setTimeout(180_000)
  await enter(page, 'admin')
  const { program, crews } = await twoMarkets(page)
  await page.goto(`/schedule/program-schedule?date=${MONDAY}&range=twoWeeks`)
  await page.getByRole('button', { name: 'Fill', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Fill the schedule' })
  await choose(page, form, 'Program', program.name)
  for (const { market } of crews) await expect(form.getByLabel(market.name)).toHaveValue('1')
  await fillDay(form.getByLabel('First day'), MONDAY)
  await fillDay(form.getByLabel('Last day'), SECOND_FRIDAY)
  await expect(form.getByText('20 shifts in all.')).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Find trucks and drivers' }).click()
  await expect(form).toBeHidden()

  const panel = page.getByRole('region', { name: 'Fill' })
  await expect(panel.getByRole('heading', { name: `Proposal for ${program.name}: 20 shifts` })).toBeVisible({
    timeout: 60_000,
  })
  const ghosts = page.getByRole('button', { name: /^Proposed: / })
  await expect(ghosts).toHaveCount(20)
  // The board scrolls to them, however many other trucks stand above.
  const isSeen = (elements: Element[]) =>
    elements.some((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })
  await expect.poll(() => ghosts.evaluateAll(isSeen)).toBe(true)
  await expectAccessible(page)

  // One shift is removed, another one gets another driver.
  const editor = page.getByRole('dialog', { name: /^Proposed shift/ })
  await panel.getByText('Proposed shifts').click()
  const listed = panel.getByRole('listitem').getByRole('button')
  await listed.first().click()
  await editor.getByRole('button', { name: 'Remove from proposal' }).click()
  await expect(ghosts).toHaveCount(19)
  const driver = await dataOf<{ userUid: string; name: string }>(
    callAs(page, 'POST', 'user/', {
      name: unique('Zack Moore'),
      email: `${unique('zack').replaceAll(' ', '.')}@example.com`,
      role: 'driver',
      modules: ['schedule'],
    }),
  )
  // A reload keeps what was changed.
  await page.reload()
  await expect(ghosts).toHaveCount(19)
  await panel.getByText('Proposed shifts').click()
  await listed.first().click()
  await choose(page, editor, 'Driver', driver.name)
  await editor.getByRole('button', { name: 'Apply' }).click()
  await expect(listed.first()).toContainText(`${driver.name} (changed)`)

  await panel.getByRole('button', { name: 'Accept 19 shifts' }).click()
  await expect(panel).toBeHidden()
  await expect(page.getByText(`19 shifts planned for ${program.name}.`)).toBeVisible()
  await expect(ghosts).toHaveCount(0)
  const found = await (await callAs(page, 'GET', `program-schedule/run?program=${program.uid}&pageSize=100`)).json()
  const saved = (found as { data: { uid: string; driver: { name: string }; truck: { name: string } }[] }).data
  expect(saved).toHaveLength(19)
  expect(saved.filter((shift) => shift.driver.name === driver.name)).toHaveLength(1)
  await goOn(page, `/schedule/program-schedule?date=${MONDAY}&range=twoWeeks&program=${program.uid}`)
  const [first] = saved
  // Filters dim the others, and trucks of other journeys may stand above: the board draws only the rows in sight.
  await page.getByRole('searchbox', { name: 'Find truck' }).fill(first?.truck.name ?? '')
  await expect(page.locator(`[data-shift="${first?.uid}"]`)).toBeVisible()
})

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
  await expectFits(page)
  await form.getByRole('button', { name: 'Find trucks and drivers' }).click()
  const panel = page.getByRole('region', { name: 'Fill' })
  await expect(panel.getByRole('button', { name: 'Accept 2 shifts' })).toBeVisible({ timeout: 60_000 })
  await expectFits(page)
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Discard' }).click()
  await expect(panel).toBeHidden()
})
