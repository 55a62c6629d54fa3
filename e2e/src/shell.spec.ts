import { callAs, emailOf, enter, expect, HOME, PASSWORD, signIn, test } from './world.ts'

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

test('the whole way by keyboard alone: sign in, menu, a truck, back', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').focus()
  await page.keyboard.type(emailOf('admin'))
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(HOME.admin)
  const menu = page.getByRole('button', { name: 'MENU' })
  await menu.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await expect(drawer).toBeVisible()
  expect((await drawer.boundingBox())?.width).toBe(378)
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await page.keyboard.press('Enter')
  const item = drawer.getByRole('link', { name: 'Trucks' })
  await item.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('/trucks')
  const first = page.getByRole('link', { name: 'T-1', exact: true })
  await first.focus()
  await page.keyboard.press('Enter')
  const record = page.getByRole('article', { name: 'Truck T-1' })
  await expect(record.getByRole('heading', { name: 'Truck T-1' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(record).toBeHidden()
  await expect(first).toBeFocused()
})
