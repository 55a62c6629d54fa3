import type { Browser, Page } from '@playwright/test'
import { dispatchOffice, HOUR } from './test-driver.ts'
import { reportIssue } from './test-fleet.ts'
import { quarteredPng } from './test-player.ts'
import {
  addTruck,
  addUser,
  callAs,
  dataOf,
  enterWith,
  expect,
  expectAccessible,
  expectFits,
  PHONE,
  test,
} from './world.ts'

const GREY = [120, 120, 120] as const
const photo = {
  name: 'rear.png',
  mimeType: 'image/png',
  buffer: quarteredPng(64, 32, [GREY, GREY, GREY, GREY]).content,
}

/** The line of a truck in what needs attention. */
const lineOf = (page: Page, truck: string) =>
  page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem').filter({ hasText: truck })

/** An office whose driver is planned on a truck now, and a colleague who may look at the overview. */
async function openOffice(browser: Browser) {
  const { admin, addDriver, plan } = await dispatchOffice(browser)
  const driver = await addDriver()
  const shift = await plan(driver, Date.now() - HOUR, Date.now() + 6 * HOUR)
  const colleague = await addUser(admin, { role: 'sales', modules: ['overview', 'schedule', 'pop'] })
  const other = await (await browser.newContext()).newPage()
  await enterWith(other, colleague.email)
  await other.goto('/overview')
  return { admin, driver, shift, colleague, other }
}

test('an issue is raised by hand with a photo, assigned, seen by the assignee and talked about', async ({
  browser,
}) => {
  const { admin, driver, shift, colleague, other } = await openOffice(browser)
  await callAs(admin, 'PUT', 'user/', {
    ...(await dataOf<object>(callAs(admin, 'GET', `user/${driver.userUid}`))),
    phone: '602-555-0188',
  })

  // From the details of the shift: the truck is chosen already.
  await admin.goto(`/schedule/program-schedule?open=${shift.uid}&tab=details`)
  await admin.getByRole('dialog').getByRole('link', { name: 'Report an issue' }).click()
  const form = admin.getByRole('dialog', { name: 'New issue' })
  await form.getByText('Screen', { exact: true }).click()
  await form.getByLabel('Description').fill('Rear screen is dark')
  await form.locator('input[type=file]').first().setInputFiles(photo)
  await expect(form.getByText('rear.png')).toBeVisible()
  await expectAccessible(admin)
  await form.getByRole('button', { name: 'Report issue' }).click()
  await expect(admin.getByText(`Issue of ${shift.truck.name} reported.`)).toBeVisible()

  // It needs attention at once, on every open page, with driver and phone.
  const line = lineOf(admin, shift.truck.name)
  await expect(line).toContainText(`${driver.name} (602) 555-0188`)
  await expect(lineOf(other, shift.truck.name)).toContainText('Rear screen is dark')
  await expect(line.getByRole('link', { name: /^Call / })).toHaveAttribute('href', 'tel:6025550188')
  await line.getByRole('button', { name: 'Message' }).click()
  const message = admin.getByRole('dialog', { name: `Message to ${driver.name}` })
  await message.getByLabel('Message').fill('Please park at the yard.')
  await message.getByRole('button', { name: 'Send message' }).click()
  await expect(message).toBeHidden()

  await line.getByRole('button', { name: 'Assign' }).click()
  const assign = admin.getByRole('dialog', { name: 'Assign issue' })
  await assign.getByLabel('Assigned to').fill(colleague.name)
  await admin.locator('.ant-select-item-option', { hasText: colleague.name }).click()
  await expectAccessible(admin)
  await assign.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(line).toContainText(`assigned to ${colleague.name}`)

  // The assignee is notified, opens it from there and answers with a comment.
  await other.getByRole('button', { name: /notification/i }).click()
  await other.getByText(`Assigned to you: ${shift.truck.name}: Screen`).click()
  const opened = other.getByRole('dialog', { name: `Screen: ${shift.truck.name}` })
  await expect(opened.getByRole('img', { name: 'Added by dispatch: rear.png' })).toBeVisible()
  await opened.getByRole('tab', { name: 'Comments' }).click()
  await opened.getByLabel('Comment', { exact: true }).fill('A cable. The shop has one.')
  await opened.locator('input[type=file]').first().setInputFiles(photo)
  await expect(opened.getByText('rear.png')).toBeVisible()
  await opened.getByRole('button', { name: 'Add comment' }).click()
  await expect(opened.getByRole('list', { name: 'Comments' })).toContainText('A cable. The shop has one.')
  await expectAccessible(other)

  await line.getByRole('button', { name: new RegExp(shift.truck.name) }).click()
  const drawer = admin.getByRole('dialog', { name: `Screen: ${shift.truck.name}` })
  await drawer.getByRole('tab', { name: 'Comments 1' }).click()
  await expect(drawer.getByRole('list', { name: 'Comments' })).toContainText(colleague.name)
  await admin.keyboard.press('Escape')
})

test('an issue is snoozed and comes back when it happens again, its truck is swapped, and it is resolved on a phone', async ({
  browser,
}) => {
  const { admin, shift, other } = await openOffice(browser)
  const spare = await addTruck(admin)
  const issue = { truckUid: shift.truck.uid, shiftUid: shift.uid, kind: 'screen', text: 'Rear screen is dark' }
  const { uid } = await dataOf<{ uid: string }>(callAs(admin, 'POST', 'issues/', issue))
  await admin.goto('/overview')
  await other.goto(`/overview?open=${uid}`)
  const line = lineOf(admin, shift.truck.name)

  // Snoozed, it waits; reported again, it is back.
  await line.getByRole('button', { name: 'Snooze' }).click()
  const snooze = admin.getByRole('dialog', { name: 'Snooze issue' })
  await snooze.getByRole('button', { name: 'Tomorrow, 8:00 AM' }).click()
  await snooze.getByRole('button', { name: 'Snooze', exact: true }).click()
  await expect(line).toHaveCount(0)
  await admin.getByRole('button', { name: /^\d+ snoozed$/ }).click()
  await expect(admin).toHaveURL(/snoozed=yes/)
  await expect(admin.getByRole('table', { name: 'issues' })).toContainText(shift.truck.name)
  await reportIssue(admin, shift.truck.uid, { kind: 'screen', text: 'Dark again' })
  await expect(line).toHaveCount(2)

  // Another truck for the shift, among those ranked for it.
  const mine = line.filter({ hasText: 'Rear screen is dark' })
  await mine.getByRole('link', { name: 'Swap truck' }).click()
  const plannedShift = admin.getByRole('dialog')
  await expect(plannedShift.getByLabel('Truck')).toBeFocused()
  await admin.keyboard.type(spare.number)
  await admin.locator('.ant-select-item-option', { hasText: spare.number }).click()
  await plannedShift.getByRole('button', { name: 'Save' }).click()
  await expect(plannedShift).toBeHidden()
  const swapped = await dataOf<{ truck: { name: string } }>(callAs(admin, 'GET', `program-schedule/${shift.uid}`))
  expect(swapped.truck.name).toBe(spare.number)

  // Resolved on the phone.
  await admin.setViewportSize(PHONE)
  await admin.goto('/overview')
  await expect(mine).toBeVisible()
  await expectFits(admin)
  await expectAccessible(admin)
  const sides = await mine
    .getByRole('group')
    .locator('a, button')
    .evaluateAll((targets) => targets.flatMap((each) => [each.clientWidth, each.clientHeight]))
  expect(Math.min(...sides)).toBeGreaterThanOrEqual(44)
  await mine.getByRole('button', { name: 'Resolve' }).click()
  const resolve = admin.getByRole('dialog', { name: 'Resolve issue' })
  await resolve.getByLabel('Note').fill('New cable')
  await resolve.getByRole('button', { name: 'Resolve' }).click()
  await expect(mine).toHaveCount(0)
  await expect(other.getByRole('dialog')).toContainText('Resolved')
})
