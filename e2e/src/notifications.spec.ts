import { reportIssue } from './test-fleet.ts'
import { addTruck, callAs, dataOf, enter, expect, expectAccessible, expectFits, goOn, PHONE, test } from './world.ts'

test('a notification counts in the bell without a reload, opens what it is about, and is read then', async ({
  page,
  browser,
}) => {
  await enter(page, 'admin')
  const context = await browser.newContext()
  const dispatcher = await context.newPage()
  await enter(dispatcher, 'sales')
  await dispatcher.goto('/notifications')
  const bell = dispatcher.getByRole('button', { name: /^Notifications/ })
  const unread = async () => Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0] ?? 0)
  await expect(dispatcher.getByRole('button', { name: 'Mark all as read' })).toBeVisible()
  const before = await dataOf<{ unread: number }>(callAs(dispatcher, 'GET', 'notifications/unread'))
  await expect.poll(unread).toBeGreaterThanOrEqual(before.unread)

  const { uid, number } = await addTruck(page)
  await page.goto('/pixel')
  await reportIssue(page, uid, { kind: 'screen', text: 'The rear screen flickers.' })
  await expect.poll(unread).toBeGreaterThan(before.unread)
  await bell.click()
  const panel = dispatcher.getByRole('dialog', { name: 'Notifications' })
  const row = panel.getByRole('link', { name: new RegExp(number) })
  await expect(row).toContainText('Needs you')
  await expectAccessible(dispatcher)
  await row.click()
  await expect(dispatcher).toHaveURL(/\/overview\?open=/)
  await expect(panel).toBeHidden()
  const own = async () => {
    const rows = await dataOf<{ subject: string; text: string; readAt: string | null }[]>(
      callAs(dispatcher, 'GET', 'notifications/run?pageSize=200'),
    )
    return rows
      .filter(({ subject, text }) => `${subject} ${text}`.includes(number))
      .map(({ readAt }) => readAt !== null)
  }
  await expect.poll(own).toEqual([true])
  await context.close()
})

test('every role chooses what reaches it and when, at both widths', async ({ page }) => {
  await enter(page, 'driver')
  for (const viewport of [page.viewportSize() ?? PHONE, PHONE]) {
    await page.setViewportSize(viewport)
    await page.goto('/notifications/settings')
    const mail = page.getByRole('switch', { name: 'New shift: Email' })
    await expect(mail).toBeVisible()
    await expectAccessible(page)
    await expectFits(page)
    const wasOn = await mail.isChecked()
    await mail.press('Space')
    await expect(page.getByText('Saved.')).toBeVisible()
    await page.reload()
    await expect(mail).toBeChecked({ checked: !wasOn })
    await goOn(page, '/notifications')
    await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible()
    await expectAccessible(page)
    await expectFits(page)
  }
})

test('a push message is shown by the browser, and clicking it opens the page in the open tab', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications'])
  // The browser of these tests has no desktop to show notifications on, and says so by refusing the permission.
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'granted' }))
  await enter(page, 'admin')
  // The part of the console that hears of clicks is loaded last.
  await page.goto('/notifications', { waitUntil: 'networkidle' })
  // Chromium reaches no push service here, so the worker is registered as turning notifications on does.
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/console-worker.js', { scope: '/' })
    await navigator.serviceWorker.ready
  })
  const truck = await addTruck(page)
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const { origin } = new URL(page.url())
  const data = JSON.stringify({
    title: 'Truck dark',
    body: truck.number,
    path: `/trucks?open=${truck.uid}`,
    tag: 'one',
  })
  // So the worker notes what it would show, and gets the event of a click.
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(() => {
    const scope = self as unknown as ServiceWorkerScope
    scope.shown = []
    scope.registration.showNotification = async (title, options) => void scope.shown.push({ title, ...options })
  })
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
  const shown = () => worker.evaluate(() => (self as unknown as ServiceWorkerScope).shown)
  await expect.poll(shown).toMatchObject([{ title: 'Truck dark', body: truck.number, tag: 'one' }])
  await worker.evaluate(() => {
    const scope = self as unknown as ServiceWorkerScope
    const [first] = scope.shown
    const notification = { ...first, close: () => void scope.shown.splice(0) }
    scope.dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), { notification }))
  })
  await expect(page).toHaveURL(`/trucks?open=${truck.uid}`)
  await expect(page.getByRole('article').getByLabel('Number')).toHaveValue(truck.number)
  expect(await shown()).toEqual([])
  expect(await dataOf<{ browsers: unknown[] }>(callAs(page, 'GET', 'push/browsers'))).toMatchObject({ browsers: [] })
})

/** The scope of a service worker, as far as it is needed here: its types clash with those of pages. */
interface ServiceWorkerScope extends EventTarget {
  shown: Record<string, unknown>[]
  registration: { showNotification(title: string, options: object): Promise<void> }
}
declare const ExtendableEvent: new (type: string) => Event
