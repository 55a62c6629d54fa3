import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  type AdLogSummary,
  type InspectionSummary,
  type PayStatement,
  type Play,
  type PopPhoto,
  type ShiftDriver,
  type TruckIssue,
  truckSides,
} from '@roadshow/contract'
import { ownServer } from './own-server.ts'
import { dispatchOffice, HOUR, phoneContext, phonePage, setClock, untilInstalled, YARD } from './test-driver.ts'
import { reportPlays } from './test-fleet.ts'
import { addApprovedSet, quarteredPng } from './test-player.ts'
import { startTracker } from './test-tracker.ts'
import { callAs, dataOf, expect, goOn, png, signInWith, test } from './world.ts'

test.use({ actionTimeout: 15_000 })

const MINUTE = 60_000
const PHOTOS = 20
/** Besides the photos: the inspection, the start, the problem and the stop. */
const ACTS = 4
/** What the truck's screens show meanwhile: on each side one spot every ten minutes. */
const SPOTS = 24

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
  // They are made beside the page, also without network.
  expect(phone.workers()).toHaveLength(1)
}

async function reportProblem(phone: Page, shiftUid: string): Promise<void> {
  await phone.goto(`/driver/shifts/${shiftUid}/issue`)
  await phone.getByLabel('Screen').check()
  await phone.getByLabel('What happened?').fill('The rear screen flickers.')
  await button(phone, 'Report a problem').click()
  // The form, which has the text too, is left once the phone has kept it.
  await phone.waitForURL(`**/driver/shifts/${shiftUid}`)
  await expect(phone.getByText('The rear screen flickers.')).toBeVisible()
}

/** The truck drives around the yard's block and its screens play, while its driver has no signal. */
async function playShift(admin: Page, programUid: string, truckUid: string, from: number): Promise<void> {
  const file = quarteredPng(64, 48, [
    [200, 30, 30],
    [30, 200, 30],
    [30, 30, 200],
    [200, 200, 30],
  ])
  const art = await addApprovedSet(admin, programUid, { driverSide: file, passengerSide: file, rear: file })
  const sha256 = createHash('sha256').update(file.content).digest('hex')
  const plays = Array.from({ length: SPOTS }, (_, spot) =>
    truckSides.map((side, offset): Play => {
      const sequence = spot * truckSides.length + offset + 1
      const startedAt = new Date(from + (spot + 1) * 10 * MINUTE).toISOString()
      return {
        playId: `spot-${sequence}`,
        sequence,
        artworkSetUid: art.uid,
        sha256,
        side,
        startedAt,
        durationMs: 8000,
        place: YARD,
      }
    }),
  ).flat()
  await admin.goto('/notifications')
  await reportPlays(admin, truckUid, plays, { at: new Date().toISOString(), gpsFix: true })
}

const around = (at: number) => ({ at, ...YARD, longitude: YARD.longitude + (at % 7) / 10_000, speedKmh: 20 })

/** The ad log of the shift, as dispatch reads it. */
async function expectInAdLog(admin: Page, programUid: string, shift: { uid: string; truck: { name: string } }) {
  const total = SPOTS * truckSides.length
  // Plays that came before the truck's positions are graded again twice a minute.
  const verified = async () => {
    const summary = await dataOf<AdLogSummary>(
      callAs(admin, 'GET', `ad-log-report/summary?program=${programUid}&shift=${shift.uid}`),
    )
    return summary.total.verified
  }
  await expect.poll(verified, { timeout: 60_000 }).toBe(total)
  await goOn(admin, `/ad-log?program=${programUid}&shift=${shift.uid}&by=side`)
  const sides = admin.getByRole('table', { name: 'Plays by side' })
  for (const name of ['Driver side', 'Passenger side', 'Rear'])
    await expect(sides.getByRole('row', { name: new RegExp(`^${name} .*: ${SPOTS} ${SPOTS} 0 0 `) })).toBeVisible()
  await expect(admin.getByText(`${total} plays`, { exact: true })).toBeVisible()
  const first = admin.getByRole('table', { name: 'plays', exact: true }).locator('tbody tr').first()
  await expect(first).toContainText(shift.truck.name)
  await expect(first).toContainText('Verified')
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
  // It starts a server twice and sends twenty photos, on a machine that may be busy.
  test.setTimeout(480_000)
  const tracker = await startTracker('b78')
  const server = await ownServer(tracker.settings)
  try {
    const { admin, program, addDriver, plan } = await dispatchOffice(browser, server)
    const read = <T>(call: string) => dataOf<T>(callAs(admin, 'GET', call))
    const driver = await addDriver()
    const now = Date.now()
    const [startedAt, stoppedAt] = [now - 5 * HOUR, now - 20 * MINUTE]
    const shift = await plan(driver, startedAt, now + HOUR, { geotabDeviceId: 'b78' })
    const context = await phoneContext(browser, { baseURL: server.url })
    const phone = await phonePage(context)
    await signInWith(phone, driver.email)
    await phone.waitForURL('/driver')
    await untilInstalled(phone)
    await expect(phone.getByText(shift.truck.name).first()).toBeVisible()

    await context.setOffline(true)
    const minutes = (stoppedAt - startedAt) / MINUTE
    tracker.tell(Array.from({ length: minutes }, (_, minute) => around(startedAt + minute * MINUTE)))
    await playShift(admin, program.uid, shift.truck.uid, startedAt)
    await setClock(phone, startedAt - now)
    await inspectWithDefect(phone)
    await takePhotos(phone)
    await reportProblem(phone, shift.uid)
    await setClock(phone, stoppedAt - now)
    await phone.goto('/driver')
    await button(phone, 'Stop shift').click()
    await phone.getByRole('dialog').getByRole('button', { name: 'Stop shift' }).click()
    const waiting = `${PHOTOS + ACTS} items waiting for signal`
    await expect(phone.getByRole('heading', { name: 'Shift ended' })).toBeVisible()
    await expect(phone.getByText(waiting).first()).toBeVisible()
    await phone.close()

    const reopened = await context.newPage()
    await reopened.goto('/driver/queue')
    await setClock(reopened, 0)
    await expect(reopened.getByText(waiting)).toBeVisible()
    const some = untilSomeArrived(reopened, 3)
    await context.setOffline(false)
    await some
    await server.kill()
    await expect(reopened.getByText(/photos? waiting for (?:signal|the server)/)).toBeVisible()
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
    await expectInAdLog(admin, program.uid, shift)
    await context.close()
  } finally {
    await server.stop()
    await tracker.close()
  }
})
