import type { Page } from '@playwright/test'
import type { InspectionSummary, PayStatement, PopPhoto, ShiftDriver, TruckIssue } from '@roadshow/contract'
import { ownServer } from './own-server.ts'
import { dispatchOffice, HOUR, phoneContext, phonePage, setClock, untilInstalled, YARD } from './test-driver.ts'
import { callAs, dataOf, expect, png, signInWith, test } from './world.ts'

test.use({ actionTimeout: 15_000 })

const MINUTE = 60_000
const PHOTOS = 20
/** Besides the photos: the inspection, the start, the problem and the stop. */
const ACTS = 4

type ShiftTimes = { status: string; startedAt: string | null; stoppedAt: string | null }

const button = (page: Page, name: string) => page.getByRole('button', { name })
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const minutesApart = (at: string | null, expected: number) => Math.abs(Date.parse(at ?? '') - expected) / MINUTE

async function inspectWithDefect(phone: Page): Promise<void> {
  await phone.getByRole('link', { name: 'Start inspection' }).first().click()
  await phone.getByLabel('Defect').first().check()
  await phone.getByLabel('What is wrong?').fill('Left mirror is loose')
  await phone.locator('input[type=file]').setInputFiles(png('mirror.png', 64, 48, [200, 30, 30]))
  await expect(phone.getByRole('img')).toBeVisible()
  await button(phone, 'All others are OK').click()
  await phone.getByLabel('Type your name to sign').fill('Dana Brooks')
  await button(phone, 'Finish inspection').click()
  await button(phone, 'Start shift').click()
}

async function takePhotos(phone: Page): Promise<void> {
  await phone.getByRole('link', { name: 'Take photo' }).click()
  await expect(phone.getByText(/Position recorded/)).toBeVisible()
  for (let number = 1; number <= PHOTOS; number++) {
    await button(phone, 'Take photo').click()
    await expect(status(phone, `Photo ${number} is kept.`)).toBeVisible()
  }
}

async function reportProblem(phone: Page, shiftUid: string): Promise<void> {
  await phone.goto(`/driver/shifts/${shiftUid}/issue`)
  await phone.getByLabel('Screen').check()
  await phone.getByLabel('What happened?').fill('The rear screen flickers.')
  await button(phone, 'Report a problem').click()
  await expect(phone.getByText('The rear screen flickers.')).toBeVisible()
}

/** Settles when the server has taken some photos, with others under way. */
const untilSomeArrived = (phone: Page, count: number) =>
  new Promise<void>((resolve) => {
    let arrived = 0
    phone.on('response', (response) => {
      if (response.url().endsWith('/client-pop/') && response.ok() && ++arrived === count) resolve()
    })
  })

test('a shift in flight mode arrives once with its true times, although the server is killed in the middle', async ({
  browser,
}) => {
  // It starts a server twice.
  test.setTimeout(300_000)
  const server = await ownServer()
  try {
    const { admin, addDriver, plan } = await dispatchOffice(browser, server)
    const read = <T>(call: string) => dataOf<T>(callAs(admin, 'GET', call))
    const driver = await addDriver()
    const now = Date.now()
    const [startedAt, stoppedAt] = [now - 5 * HOUR, now - 20 * MINUTE]
    const shift = await plan(driver, startedAt, now + HOUR)
    const context = await phoneContext(browser, { baseURL: server.url })
    const phone = await phonePage(context)
    await signInWith(phone, driver.email)
    await phone.waitForURL('/driver')
    await untilInstalled(phone)
    await expect(phone.getByText(shift.truck.name).first()).toBeVisible()

    await context.setOffline(true)
    await setClock(phone, startedAt - now)
    await inspectWithDefect(phone)
    await takePhotos(phone)
    await reportProblem(phone, shift.uid)
    await setClock(phone, stoppedAt - now)
    await phone.goto('/driver')
    await button(phone, 'Stop shift').click()
    await phone.getByRole('dialog').getByRole('button', { name: 'Stop shift' }).click()
    const waiting = `${PHOTOS + ACTS} items waiting for signal`
    await expect(phone.getByText(waiting)).toBeVisible()
    await phone.close()

    const reopened = await context.newPage()
    await reopened.goto('/driver/queue')
    await setClock(reopened, 0)
    await expect(reopened.getByText(waiting)).toBeVisible()
    const some = untilSomeArrived(reopened, 3)
    await context.setOffline(false)
    await some
    await server.kill()
    await expect(reopened.getByText(/photos? waiting for signal/)).toBeVisible()
    await expect(button(reopened, 'Send now').last()).toBeVisible()
    await server.start()
    await reopened.reload()
    await expect(reopened.getByText('Everything is sent.')).toBeVisible({ timeout: 120_000 })

    const times = await read<ShiftTimes>(`program-schedule/${shift.uid}`)
    expect(times.status).toBe('completed')
    expect(minutesApart(times.startedAt, startedAt)).toBeLessThan(3)
    expect(minutesApart(times.stoppedAt, stoppedAt)).toBeLessThan(3)
    expect(await read<ShiftDriver>(`program-schedule/${shift.uid}/driver`)).toMatchObject({ sentLater: ACTS })

    const photos = await read<PopPhoto[]>(`client-pop/photos/run?shift=${shift.uid}&pageSize=200`)
    expect(photos).toHaveLength(PHOTOS)
    expect(new Set(photos.map(({ takenAt }) => takenAt)).size).toBe(PHOTOS)
    for (const photo of photos) {
      expect(photo).toMatchObject({ timeSource: 'phone', placeSource: 'phone', ...YARD, accuracyM: 12 })
      expect(minutesApart(photo.takenAt, startedAt)).toBeLessThan(3)
    }
    const inspections = await read<InspectionSummary[]>(`inspections/run?truck=${shift.truck.uid}`)
    expect(inspections).toMatchObject([
      { defects: 1, isLate: true, signedBy: 'Dana Brooks', shift: { uid: shift.uid } },
    ])
    const issues = await read<TruckIssue[]>(`overview/truck-issues?shift=${shift.uid}`)
    expect(issues.map(({ text }) => text).toSorted()).toEqual([
      expect.stringContaining('Left mirror is loose'),
      'The rear screen flickers.',
    ])
    for (const { at } of inspections) expect(minutesApart(at, startedAt)).toBeLessThan(3)
    for (const { openedAt } of issues) expect(minutesApart(openedAt, startedAt)).toBeLessThan(3)

    const [from, to] = [startedAt - 24 * HOUR, now].map((at) => new Date(at).toISOString().slice(0, 10))
    const { lines } = await read<PayStatement>(`payroll/statement?driver=${driver.userUid}&from=${from}&to=${to}`)
    expect(lines).toHaveLength(1)
    expect(Math.abs((lines[0]?.actualMinutes ?? 0) - 280)).toBeLessThanOrEqual(3)
    await context.close()
  } finally {
    await server.stop()
  }
})
