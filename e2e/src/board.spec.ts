import type { Locator, Page } from '@playwright/test'
import { addShift, callAs, choose, dataOf, enter, expect, expectAccessible, expectFits, test } from './world.ts'

const WEEK = '/schedule/program-schedule?date=2031-07-09'
const LANDSCAPE = { width: 844, height: 390 }

const bar = (page: Page, uid: string) => page.locator(`[data-shift="${uid}"]`)
const cell = (page: Page, truck: { uid: string }, day: string) =>
  page.locator(`[data-truck="${truck.uid}"][data-day="${day}"]`)

interface Made {
  uid: string
  version: number
}

/** A crew with shifts on Wednesday, Thursday and Friday. */
async function addThree(page: Page) {
  const first = await addShift(page)
  const { market, program, truck, driver } = first
  const plan = (date: string, more: object = {}) =>
    dataOf<Made>(
      callAs(page, 'POST', 'program-schedule/', {
        programUid: program.uid,
        marketUid: market.uid,
        truckUid: truck.uid,
        driverUid: driver.uid,
        date,
        start: '08:00',
        end: '16:00',
        ...more,
      }),
    )
  const others = [await plan('2031-07-10'), await plan('2031-07-11')]
  return { ...first, uids: [first.uid, ...others.map(({ uid }) => uid)], plan }
}

const rowOf = async (page: Page, uid: string) => {
  const {
    version: _version,
    updatedAt: _updatedAt,
    ...row
  } = await dataOf<Made & { updatedAt: string }>(callAs(page, 'GET', `program-schedule/${uid}`))
  return row
}

async function selectBars(page: Page, uids: readonly string[]): Promise<void> {
  for (const uid of uids) await bar(page, uid).click({ modifiers: ['ControlOrMeta'] })
  await expect(page.getByText(`${uids.length} shifts selected`)).toBeVisible()
}

const act = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole('group', { name: 'Selected shifts' }).getByRole('button', { name }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  return dialog
}

test('several shifts are moved together, given to another driver, and every act is taken back', async ({ page }) => {
  await enter(page, 'admin')
  const { market, truck, driver, uids } = await addThree(page)
  const other = await addShift(page, { date: '2031-08-20' })
  await page.goto(`${WEEK}&market=${market.uid}`)
  const before = await Promise.all(uids.map((uid) => rowOf(page, uid)))
  await selectBars(page, uids)
  const moving = await act(page, 'Move')
  await moving.getByLabel('Days later').fill('1')
  await expect(moving.getByText('3 shifts will be moved.')).toBeVisible()
  await expectAccessible(page)
  await moving.getByRole('button', { name: 'Move 3 shifts' }).click()
  await expect(page.getByText('3 shifts moved.')).toBeVisible()
  await expect(cell(page, truck, '2031-07-12').locator(bar(page, uids[2] ?? ''))).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByText('Undone: 3 shifts moved.')).toBeVisible()
  await expect(cell(page, truck, '2031-07-09').locator(bar(page, uids[0] ?? ''))).toBeVisible()
  expect(await Promise.all(uids.map((uid) => rowOf(page, uid)))).toEqual(before)

  await selectBars(page, uids.slice(0, 2))
  const giving = await act(page, 'Change driver')
  await choose(page, giving, 'Driver', other.driver.name)
  await giving.getByRole('button', { name: 'Change driver of 2 shifts' }).click()
  await expect(bar(page, uids[1] ?? '')).toHaveAccessibleName(new RegExp(other.driver.name))
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(bar(page, uids[1] ?? '')).toHaveAccessibleName(new RegExp(driver.name))

  await selectBars(page, uids.slice(1))
  const deleting = await act(page, 'Delete')
  await deleting.getByRole('button', { name: 'Delete 2 shifts' }).click()
  await expect(bar(page, uids[1] ?? '')).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(bar(page, uids[1] ?? '')).toBeVisible()
  expect(await Promise.all(uids.map((uid) => rowOf(page, uid)))).toEqual(before)
  const history = await callAs(page, 'GET', `program-schedule/${uids[1]}/history`)
  const { data } = (await history.json()) as { data: { action: string }[] }
  expect(data.map(({ action }) => action)).toEqual([
    'restored',
    'deleted',
    'changed',
    'changed',
    'changed',
    'changed',
    'created',
  ])
})

test('a bar has a menu, and nothing covers its time', async ({ page }) => {
  await enter(page, 'admin')
  const { uid, market, truck, driver } = await addShift(page)
  await page.goto(`${WEEK}&market=${market.uid}&range=twoWeeks`)
  await bar(page, uid).hover()
  const covered = await bar(page, uid).evaluate((element) => {
    const time = element.querySelector('span > span') as HTMLElement
    const { left, right, top, height } = time.getBoundingClientRect()
    const { right: edge } = element.getBoundingClientRect()
    const isOnTop = [left + 2, (left + right) / 2, right - 2].map(
      (x) => document.elementFromPoint(x, top + height / 2) === time,
    )
    return [right <= edge, ...isOnTop]
  })
  expect(covered).toEqual([true, true, true, true])
  await bar(page, uid).click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Message driver' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Message driver' }).click()
  await expect(page.getByRole('dialog').getByRole('tab', { name: 'Driver', selected: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await bar(page, uid).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Cancel shift…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(`${truck.number} · ${driver.name}`)).toBeVisible()
  await dialog.getByLabel('Reason').fill('Snow')
  await dialog.getByRole('button', { name: 'Cancel 1 shift' }).click()
  await expect(bar(page, uid)).toHaveAccessibleName(/Canceled/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(bar(page, uid)).toHaveAccessibleName(/Planned/)
})

test('a phone held sideways shows the board, and several shifts are chosen by tapping', async ({ browser }) => {
  const page = await browser.newPage({ viewport: LANDSCAPE, hasTouch: true, isMobile: true })
  await enter(page, 'admin')
  const { market, uids } = await addThree(page)
  await page.goto(`${WEEK}&market=${market.uid}`)
  await expect(bar(page, uids[0] ?? '')).toBeVisible()
  await expectFits(page)
  const { height = 0 } = (await page.getByRole('grid').locator('xpath=../..').boundingBox()) ?? {}
  expect(height).toBeGreaterThan(200)
  expect(height).toBeLessThanOrEqual(LANDSCAPE.height)
  await page.getByRole('button', { name: 'Select', exact: true }).tap()
  for (const uid of uids) await bar(page, uid).tap()
  await expect(page.getByText('3 shifts selected')).toBeVisible()
  await page.getByRole('button', { name: 'Move', exact: true }).tap()
  await page.getByRole('dialog').getByLabel('Days later').fill('1')
  await page.getByRole('dialog').getByRole('button', { name: 'Move 3 shifts' }).tap()
  await expect(page.getByText('3 shifts moved.')).toBeVisible()
  await page.close()
})
