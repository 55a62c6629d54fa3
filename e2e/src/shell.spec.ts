import { addUser, callAs, emailOf, enter, enterWith, expect, HOME, PASSWORD, signIn, test } from './world.ts'

test('without a session every console path leads to login; public paths do not', async ({ page }) => {
  for (const path of ['/', '/trucks', '/programs/pop', '/programs/program-by-client', '/programs/bad_name', '/pixel']) {
    await page.goto(path)
    await page.waitForURL(/\/login/)
  }
  for (const path of ['/programs/Some%20Name-1', '/pop/summer']) {
    const answer = await page.goto(path)
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'This page is not available' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'MENU' })).toHaveCount(0)
  }
})

test('a path outside the allowed modules leads to the first allowed one', async ({ page }) => {
  await enter(page, 'admin')
  for (const path of ['/', '/programs/bad_name', '/nowhere']) {
    await page.goto(path)
    await page.waitForURL(HOME.admin)
  }
})

test('a user without any screen reads whom to ask', async ({ page, browser }) => {
  const admin = await browser.newPage()
  await enter(admin, 'admin')
  const { email } = await addUser(admin, { role: 'driver', modules: [] })
  await admin.close()
  await enterWith(page, email)
  await page.goto('/trucks')
  await page.waitForURL('/unauthorized')
  await expect(page.getByText('Ask an administrator')).toBeVisible()
})

test('the menu opens with MENU, shows what the user may open, and follows the route', async ({ page }) => {
  await enter(page, 'admin')
  await page.goto('/trucks')
  await expect(page).toHaveTitle('Trucks · Roadshow')
  await page.getByRole('button', { name: 'MENU' }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toBeVisible()
  expect((await drawer.boundingBox())?.width).toBe(378)
  const item = drawer.getByRole('link', { name: 'Trucks' })
  await expect(item).toHaveAttribute('aria-current', 'page')
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('button', { name: 'MENU' })).toBeFocused()
})

test('LOGOUT ends the session, and clears cookies and local storage', async ({ page, context }) => {
  await signIn(page, 'admin')
  const token = (await context.cookies()).find(({ name }) => name === 'token')?.value
  await page.getByRole('button', { name: 'LOGOUT' }).click()
  await page.waitForURL('/login')
  expect(await context.cookies()).toEqual([])
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  const answer = await page.request.get('/api/v1/trucks/run', { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status()).toBe(401)
})

// How soon, the tests of the sockets tell: here a page is also busy with loading.
test('a session ended elsewhere takes every open page to login, with the way back', async ({ page, context }) => {
  await enter(page, 'admin')
  const second = await context.newPage()
  for (const each of [page, second]) {
    const socket = each.waitForEvent('websocket')
    await each.goto('/trucks')
    await socket
    await expect(each.getByRole('button', { name: 'LOGOUT' })).toBeVisible()
  }
  expect((await callAs(page, 'POST', 'authentication/logout')).status()).toBe(200)
  for (const each of [page, second]) await expect(each).toHaveURL('/login?next=%2Ftrucks')
})

test('a call answered 401 clears all cookies and goes to login', async ({ page, context }) => {
  await enter(page, 'admin')
  await page.goto('/trucks')
  await context.addCookies([{ name: 'other', value: '1', url: page.url() }])
  await page.route('**/api/v1/trucks/run*', (route) =>
    route.fulfill({ status: 401, json: { error: 'ended', code: 'signedOut' } }),
  )
  await page.reload()
  await page.waitForURL(/\/login/)
  expect(await context.cookies()).toEqual([])
})

test('when the user cannot be fetched, it is logged, cookies are cleared, and login shows', async ({
  page,
  context,
}) => {
  await signIn(page, 'admin')
  await page.route('**/api/v1/user/user-with-permissions', (route) =>
    route.fulfill({ status: 500, json: { error: 'Something went wrong', code: 'internal' } }),
  )
  const report = page.waitForRequest((request) => request.url().endsWith('/web-log/'))
  await page.reload()
  expect((await report).postDataJSON()).toMatchObject({
    errorOrigin: expect.any(String),
    meta: { userUid: expect.any(String) },
  })
  await page.waitForURL(/\/login/)
  expect(await context.cookies()).toEqual([])
})

test('the whole way by keyboard alone: sign in, menu, a truck, back', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').focus()
  await page.keyboard.type(emailOf('admin'))
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(HOME.admin)
  await page.getByRole('button', { name: 'MENU' }).focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('dialog').getByRole('link', { name: 'Trucks' })
  await item.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('/trucks')
  const first = page.getByRole('link', { name: 'T-1', exact: true })
  await first.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})
