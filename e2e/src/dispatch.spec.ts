import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { dispatchOffice, HOUR, phoneContext } from './test-driver.ts'
import {
  addTruck,
  callAs,
  dataOf,
  expect,
  expectAccessible,
  expectFits,
  goOn,
  PHONE,
  signInWith,
  test,
} from './world.ts'

const bar = (page: Page, uid: string) => page.locator(`[data-shift="${uid}"]`)

test('dispatch sees at once what drivers say on their phones: on the board, in the list, in the overview', async ({
  browser,
}) => {
  const { admin, market, addDriver, plan } = await dispatchOffice(browser)
  const [driver, silent] = [await addDriver(), await addDriver()]
  const asked = await plan(driver, Date.now() + 20 * HOUR, Date.now() + 24 * HOUR)
  const waiting = await plan(silent, Date.now() + 20 * HOUR, Date.now() + 24 * HOUR)
  const phone = await (await phoneContext(browser)).newPage()
  await signInWith(phone, driver.email)
  await phone.goto(`/driver/shifts/${asked.uid}`)
  await expect(phone.getByRole('button', { name: 'Decline' })).toBeVisible()

  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Phoenix' }).format(Date.parse(asked.startsAt))
  const ofMarket = `/schedule/program-schedule?date=${day}&market=${market.uid}`
  await admin.goto(ofMarket)
  await expect(bar(admin, asked.uid)).toHaveAccessibleName(/No answer from the driver yet\./)
  await phone.getByRole('button', { name: 'Decline' }).click()
  await phone.getByRole('dialog').getByRole('textbox').fill('Dentist')
  await phone.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await expect(bar(admin, asked.uid)).toHaveAccessibleName(/Declined by the driver: Dentist\./)
  await expect(bar(admin, waiting.uid)).toHaveAccessibleName(/No answer from the driver yet\./)
  await expectAccessible(admin)

  await goOn(admin, `${ofMarket}&view=list&driverAnswer=declined`)
  const declined = admin.getByText('Declined: Dentist')
  await expect(declined).toBeVisible()
  await expect(admin.getByText('1 shift', { exact: true })).toBeVisible()
  await expectAccessible(admin)
  await goOn(admin, `${ofMarket}&view=list&driverAnswer=none`)
  await expect(admin.getByText('No answer yet', { exact: true })).toBeVisible()
  await expect(declined).toBeHidden()

  await goOn(admin, '/overview')
  await admin.getByRole('button', { name: /declined by the driver$/ }).click()
  await expect(admin).toHaveURL(/driverMark=declined/)
  await expect(declined).toBeVisible()
  await admin.setViewportSize(PHONE)
  await admin.goto(ofMarket)
  await expect(declined).toBeVisible()
  await expectAccessible(admin)
  await expectFits(admin)

  // A truck that the driver asks for is planned beside edits that are not saved yet.
  const { number } = await addTruck(admin)
  const act = { kind: 'otherTruck', actId: randomUUID(), shiftUid: asked.uid, truckNumber: number }
  const sentAt = new Date().toISOString()
  await callAs(phone, 'POST', 'driver-app/acts', { sentAt, acts: [{ ...act, at: sentAt }] })
  await admin.setViewportSize({ width: 1440, height: 900 })
  await goOn(admin, `${ofMarket}&open=${asked.uid}`)
  const drawer = admin.getByRole('dialog')
  await drawer.getByLabel('Note').fill('Bring the flags.')
  await drawer.getByRole('tab', { name: 'Driver' }).click()
  await drawer.getByRole('button', { name: `Plan onto ${number}` }).click()
  await expect(drawer).toContainText(`${number} · `)
  await drawer.getByRole('tab', { name: 'Shift' }).click()
  await expect(drawer.getByLabel('Note')).toHaveValue('Bring the flags.')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toBeHidden()
  const saved = await dataOf<{ note: string; truck: { name: string } }>(
    callAs(admin, 'GET', `program-schedule/${asked.uid}`),
  )
  expect([saved.note, saved.truck.name]).toEqual(['Bring the flags.', number])

  // A driver who follows a link into the console finds back.
  await phone.goto('/schedule/program-schedule')
  await phone.getByRole('link', { name: 'Open the driver app' }).click()
  await expect(phone).toHaveURL('/driver')
})
