import type { Page } from '@playwright/test'
import { localDay, type StopVisit, visitText, windowText } from '@roadshow/contract'
import { ownServer } from './own-server.ts'
import { dispatchOffice, HOUR, phoneContext, phonePage, YARD } from './test-driver.ts'
import { startTracker } from './test-tracker.ts'
import { addTruck, callAs, dataOf, enterWith, expect, expectAccessible, expectFits, PHONE, test } from './world.ts'

const MINUTE = 60_000
const ZONE = 'America/Phoenix'
const METERS_PER_DEGREE = 111_195
/** Ten kilometers north of the yard. */
const STADIUM = { latitude: YARD.latitude + 10_000 / METERS_PER_DEGREE, longitude: YARD.longitude }

const clockOf = (at: number) =>
  new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: ZONE }).format(at)

/** From 6 km away to the stadium, there for 40 minutes, and away again; a position every half minute. */
function visitOf(arrives: number) {
  const metersAt = (minute: number) =>
    minute < 0 ? Math.min(6000, -minute * 600) : minute > 40 ? Math.min(6000, (minute - 40) * 600) : 0
  return Array.from({ length: 160 }, (_, index) => index / 2 - 20).map((minute) => ({
    at: arrives + minute * MINUTE,
    latitude: STADIUM.latitude + metersAt(minute) / METERS_PER_DEGREE,
    longitude: STADIUM.longitude,
    speedKmh: metersAt(minute) > 0 && metersAt(minute) < 6000 ? 36 : 0,
  }))
}

/** Plans a stop in the form of a shift, placed on the map and then exactly. */
async function planStop(page: Page, shift: { uid: string; date: string }, window: { from: string; to: string }) {
  await page.goto(`/schedule/program-schedule?date=${shift.date}&open=${shift.uid}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Add planned stop' }).click()
  await drawer.getByLabel('Stop', { exact: true }).fill('Stadium')
  await drawer.getByLabel('From').fill(window.from)
  await drawer.getByLabel('To', { exact: true }).fill('25:00')
  await drawer.getByRole('application', { name: 'Map of the planned stops' }).click({ position: { x: 200, y: 200 } })
  await expect(drawer.getByLabel('Latitude')).not.toHaveValue('')
  await drawer.getByLabel('Latitude').fill(String(STADIUM.latitude))
  await drawer.getByLabel('Longitude').fill(String(STADIUM.longitude))
  await drawer.getByLabel('Stay at least (minutes)').fill('30')
  await drawer.getByLabel('Note for the driver').fill('Use the north gate.')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer.getByText('This time does not exist.')).toBeVisible()
  await drawer.getByLabel('To', { exact: true }).fill(window.to)
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toBeHidden()
}

test('a planned stop is placed, driven to, and told in details, on the phone and on the POP', async ({ browser }) => {
  // It starts a server first.
  test.setTimeout(240_000)
  const tracker = await startTracker('b77')
  const server = await ownServer(tracker.settings)
  try {
    const { admin, market, program, addDriver } = await dispatchOffice(browser, server)
    const driver = await addDriver()
    const truck = await addTruck(admin, { geotabDeviceId: 'b77' })
    const now = Math.floor(Date.now() / MINUTE) * MINUTE
    const shift = await dataOf<{ uid: string; date: string }>(
      callAs(admin, 'POST', 'program-schedule/', {
        truckUid: truck.uid,
        driverUid: driver.userUid,
        programUid: program.uid,
        marketUid: market.uid,
        date: localDay(ZONE, now - 4 * HOUR),
        start: clockOf(now - 4 * HOUR),
        end: clockOf(now + 2 * HOUR),
      }),
    )
    const window = { from: clockOf(now - 3 * HOUR), to: clockOf(now - HOUR) }
    await planStop(admin, shift, window)

    // Without positions it is not missed.
    const visit = async () => {
      const [details] = await dataOf<{ stops: StopVisit[] }[]>(
        callAs(admin, 'GET', `program-schedule/details/run?uid=${shift.uid}`),
      )
      return details?.stops[0]
    }
    expect(await visit()).toMatchObject({ state: 'noData', dwellMinutes: null })
    tracker.tell(visitOf(now - 150 * MINUTE))
    await expect.poll(async () => (await visit())?.state, { timeout: 60_000 }).toBe('onTime')
    const found = await visit()
    // A quarter of a mile at 600 m a minute, before and after the 40 minutes.
    expect(found?.dwellMinutes).toBe(41)

    await admin.goto(`/schedule/program-schedule?date=${shift.date}&open=${shift.uid}&tab=details`)
    await admin.getByRole('tab', { name: 'Details' }).click()
    const stops = admin.getByRole('region', { name: 'Planned stops' })
    await expect(stops.getByRole('row').nth(1)).toContainText(`Stadium`)
    await expect(stops.getByRole('row').nth(1)).toContainText(`${windowText(window)}On time`)
    await expect(stops.getByRole('row').nth(1)).toContainText('41 min')
    await expectAccessible(admin)

    const phone = await phonePage(await phoneContext(browser, { baseURL: server.url, viewport: PHONE }))
    await enterWith(phone, driver.email)
    await phone.goto(`/driver/shifts/${shift.uid}`)
    const part = phone.locator('section', { has: phone.getByRole('heading', { name: 'Planned stops' }) })
    await expect(part.getByText('Stadium')).toBeVisible()
    await expect(part.getByText('Use the north gate.')).toBeVisible()
    await expect(part.getByText(/^Arrived .*, left .* \(41 min\)$/)).toBeVisible()
    await expect(part.getByRole('link', { name: 'Directions to Stadium' })).toBeVisible()
    await expectFits(phone)

    const { version } = await dataOf<{ version: number }>(callAs(admin, 'GET', `client-pop/${program.uid}`))
    await dataOf(callAs(admin, 'POST', 'client-pop/program-pop', { uid: program.uid, version }))
    const { popUrl } = await dataOf<{ popUrl: string }>(callAs(admin, 'GET', `client-programs/${program.uid}`))
    const anyone = await (await browser.newContext({ baseURL: server.url })).newPage()
    await anyone.goto(`/programs/${encodeURIComponent(popUrl)}`)
    await expect(anyone.getByText(visitText(found as StopVisit, ZONE))).toBeVisible()
    await expect(anyone.getByText('1 of 1 planned stop reached, 41 min in all.')).toBeVisible()
    await expect(anyone.getByText('Use the north gate.')).toHaveCount(0)
  } finally {
    await server.stop()
    await tracker.close()
  }
})
