import { reportIssue } from './test-fleet.ts'
import {
  addTruck,
  callAs,
  dataOf,
  enter,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  PHONE,
  test,
} from './world.ts'

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
  await expect(row).toContainText('Unread')
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
    const mail = page.getByRole('switch', { name: 'New shift: Mail' })
    await expect(mail).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const wasOn = await mail.isChecked()
    await mail.press('Space')
    await expect(page.getByText('Saved.')).toBeVisible()
    await page.reload()
    await expect(mail).toBeChecked({ checked: !wasOn })
    await page.goto('/notifications')
    await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  }
})

test('a push message is shown by the browser, and clicking it opens the page in the open tab', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications'])
  await enter(page, 'admin')
  await page.goto('/notifications')
  // Chromium reaches no push service here, so the worker is registered as turning notifications on does.
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js', { scope: '/' })
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
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
  const shown = () =>
    page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready
      const notifications = await (await navigator.serviceWorker.ready).getNotifications()
      return { state: active?.state, titles: notifications.map(({ title, body }) => `${title}: ${body}`) }
    })
  await expect.poll(shown).toEqual({ state: 'activated', titles: [`Truck dark: ${truck.number}`] })
  const [worker] = context.serviceWorkers()
  // A notification of the desktop can't be clicked from here: its event is.
  await worker?.evaluate(async () => {
    const scope = self as unknown as ServiceWorkerScope
    const [notification] = await scope.registration.getNotifications()
    scope.dispatchEvent(new NotificationEvent('notificationclick', { notification }))
  })
  await expect(page).toHaveURL(`/trucks?open=${truck.uid}`)
  await expect.poll(shown).toEqual({ state: 'activated', titles: [] })
  expect(await dataOf<{ browsers: unknown[] }>(callAs(page, 'GET', 'push/browsers'))).toMatchObject({ browsers: [] })
})

/** The scope of a service worker, as far as it is needed here: its types clash with those of pages. */
interface ServiceWorkerScope extends EventTarget {
  registration: { getNotifications(): Promise<unknown[]> }
}
declare const NotificationEvent: new (type: string, init: { notification: unknown }) => Event
