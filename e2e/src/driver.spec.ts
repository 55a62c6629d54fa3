import type { Page } from '@playwright/test'
import type { DriverDay } from '@roadshow/contract'
import { dispatchOffice, HOUR, phoneContext, phonePage, setClock, smallTargets, untilInstalled } from './test-driver.ts'
import { callAs, dataOf, expect, expectAccessible, expectFits, PASSWORD, signInWith, test } from './world.ts'

test.use({ actionTimeout: 15_000 })

const MINUTE = 60_000

type ShiftTimes = { status: string; startedAt: string | null; stoppedAt: string | null }

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name })

/** Opens the phone app as the driver does, until it also starts without network. */
async function openApp(page: Page, email: string): Promise<void> {
  await signInWith(page, email)
  await page.waitForURL('/driver')
  await untilInstalled(page)
}

const shiftOf = (office: Page, uid: string) => dataOf<ShiftTimes>(callAs(office, 'GET', `program-schedule/${uid}`))

test('two phones of a driver, one with a wrong clock, and a session that ends while offline', async ({ browser }) => {
  const { admin, addDriver, plan } = await dispatchOffice(browser)
  const driver = await addDriver()
  const shift = await plan(driver, Date.now() - 10 * MINUTE, Date.now() + 6 * HOUR)
  const [first, second] = [await phoneContext(browser), await phoneContext(browser)]
  const [one, other] = [await phonePage(first), await phonePage(second)]
  await openApp(one, driver.email)
  await openApp(other, driver.email)

  await first.setOffline(true)
  const startedAt = Date.now()
  await button(one, 'Start without inspection').click()
  await inDialog(one, 'Start without inspection').click()
  await expect(button(one, 'Stop shift')).toBeVisible()

  await setClock(other, HOUR)
  await expect(other.getByText(/clock of this phone is off by/)).toBeVisible()
  await button(other, 'Start without inspection').click()
  await inDialog(other, 'Start without inspection').click()
  await expect.poll(async () => (await shiftOf(admin, shift.uid)).status).toBe('out')
  const later = Date.parse((await shiftOf(admin, shift.uid)).startedAt ?? '')
  expect(Math.abs(later - Date.now())).toBeLessThan(MINUTE)

  // What was done first counts, although it arrives last, by a session that has ended meanwhile.
  await callAs(admin, 'PUT', `user/force-logout-user/${driver.userUid}`)
  await first.setOffline(false)
  await expect(one.getByText(/1 item is kept on this phone/)).toBeVisible()
  await button(one, 'Sign in').click()
  await one.getByLabel('Email').fill(driver.email)
  await one.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await one.keyboard.press('Enter')
  await one.waitForURL('/driver')
  await expect.poll(async () => Date.parse((await shiftOf(admin, shift.uid)).startedAt ?? '')).toBeLessThan(later)
  expect(Date.parse((await shiftOf(admin, shift.uid)).startedAt ?? '')).toBeGreaterThanOrEqual(startedAt - 1000)

  await first.setOffline(true)
  await button(one, 'Stop shift').click()
  await inDialog(one, 'Stop shift').click()
  await expect(one.getByRole('heading', { name: 'Shift ended' })).toBeVisible()
  await expectAccessible(one)
  expect(await smallTargets(one)).toEqual([])
  await one.getByRole('link', { name: 'Me', exact: true }).click()
  await button(one, 'Sign out').click()
  await expect(one.getByRole('dialog')).toContainText('1 item has not been sent.')
  await inDialog(one, 'Cancel').click()

  // Another driver sees nothing of it, and changes nothing.
  const stranger = await addDriver()
  const third = await phonePage(await phoneContext(browser))
  await openApp(third, stranger.email)
  await third.goto(`/driver/shifts/${shift.uid}`)
  await expect(third.getByRole('heading', { level: 1 })).toHaveText('Shift not found')
  expect((await dataOf<DriverDay>(callAs(third, 'GET', 'driver-app/day'))).shifts).toEqual([])
  const act = { kind: 'stop', actId: crypto.randomUUID(), at: new Date().toISOString(), shiftUid: shift.uid }
  const answer = await callAs(third, 'POST', 'driver-app/acts', { sentAt: new Date().toISOString(), acts: [act] })
  expect(await answer.json()).toMatchObject({ data: { results: [{ result: 'rejected', problem: 'shiftOfAnother' }] } })
  expect((await shiftOf(admin, shift.uid)).status).toBe('out')
})

test('every screen of the app is accessible by day and by night, in both languages and with large text', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const { addDriver, plan } = await dispatchOffice(browser)
  const driver = await addDriver()
  const shift = await plan(driver, Date.now() - 10 * MINUTE, Date.now() + 6 * HOUR)
  const paths = [
    '',
    '/queue',
    `/shifts/${shift.uid}`,
    `/shifts/${shift.uid}/inspection`,
    `/shifts/${shift.uid}/issue`,
    '/photos',
    `/photos/${shift.uid}`,
    '/me',
    '/me/pay',
    '/me/profile',
    '/me/notifications',
    '/me/calendar',
    '/me/access',
    '/me/access/second-step',
  ]
  const context = await phoneContext(browser)
  const page = await context.newPage()
  await openApp(page, driver.email)
  for (const path of paths) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`/driver${path}`, { waitUntil: 'networkidle' })
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectAccessible(page)
    expect(await smallTargets(page), path).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await page.evaluate(() => (document.documentElement.style.fontSize = '225%'))
    await expectFits(page)
  }
  const spanish = await phoneContext(browser, { locale: 'es-MX', storageState: await context.storageState() })
  const pagina = await spanish.newPage()
  await pagina.goto('/driver/me')
  await expect(button(pagina, 'Cerrar sesión')).toBeVisible()
  await expect(pagina.locator('html')).toHaveAttribute('lang', 'es')
})

test('a phone can install the app', async ({ browser }) => {
  const { addDriver } = await dispatchOffice(browser)
  const context = await phoneContext(browser)
  const page = await context.newPage()
  await openApp(page, (await addDriver()).email)
  const session = await context.newCDPSession(page)
  const { url, errors, data } = await session.send('Page.getAppManifest')
  expect([new URL(url).pathname, errors]).toEqual(['/driver/manifest.webmanifest', []])
  const manifest = JSON.parse(data ?? '') as { icons: { src: string; sizes: string }[] }
  expect(manifest).toMatchObject({ name: 'Roadshow', start_url: '/driver', scope: '/driver', display: 'standalone' })
  const sizes = await page.evaluate(
    async (icons) =>
      Promise.all(
        icons.map(async (src) => {
          const { width, height } = await createImageBitmap(await (await fetch(src)).blob())
          return `${width}x${height}`
        }),
      ),
    manifest.icons.map(({ src }) => src),
  )
  expect(sizes).toEqual(['192x192', '512x512', '512x512'])
  expect(manifest.icons.map((icon) => icon.sizes)).toEqual(sizes)
  // Journeys run in windows of their own, like private ones, in which nothing is installed.
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})
