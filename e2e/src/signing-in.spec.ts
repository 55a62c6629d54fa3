import { randomUUID } from 'node:crypto'
import {
  addUser,
  emailOf,
  enter,
  expect,
  expectAccessible,
  expectFits,
  HOME,
  mailTo,
  PASSWORD,
  type Person,
  PHONE,
  signIn,
  signInWith,
  test,
} from './world.ts'

const DESKTOP = { width: 1440, height: 900 }

for (const person of Object.keys(HOME) as Person[]) {
  test(`${person} signs in and comes to the first screen they may open`, async ({ page, context }) => {
    await signIn(page, person)
    const token = (await context.cookies()).find(({ name }) => name === 'token')
    expect(token).toMatchObject({ sameSite: 'Strict', path: '/' })
    const saved = await page.evaluate(() => JSON.parse(localStorage.getItem('savedCredentials') ?? '{}') as object)
    expect(saved).toEqual({ userUid: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })
}

test('a wrong password is refused with a sentence, and the page stays', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(`${randomUUID()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Wrong email or password.')
  await expect(page).toHaveURL('/login')
})

test('after signing in, a deep link leads to where it pointed', async ({ page }) => {
  await page.goto('/trucks?search=T-1')
  await page.waitForURL(/\/login\?next=/)
  await page.getByLabel('Email').fill(emailOf('admin'))
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('/trucks?search=T-1')
})

test('a forgotten password is reset by the mailed link, and every open page leaves for login', async ({
  page,
  browser,
}) => {
  const admin = await browser.newPage()
  await enter(admin, 'admin')
  const { email } = await addUser(admin, { role: 'sales', modules: ['clients'] })
  await admin.close()
  const other = await browser.newPage()
  await signInWith(other, email)
  await other.waitForURL('/clients')
  await page.goto('/login')
  await page.getByRole('link', { name: /forgot/i }).click()
  await page.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByText('If an account exists')).toBeVisible()
  const link = /http:\/\/\S+\/forgot-password\?token=[\w-]+/.exec(await mailTo(email, 'forgot-password'))?.[0] ?? ''
  const { pathname, search } = new URL(link)

  await page.goto(pathname + search)
  await expect(page).toHaveURL('/forgot-password')
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'forgotPasswordUserToken')
  expect(search).toContain(cookie?.value ?? 'no cookie')
  const field = page.getByLabel(/new password/i).first()
  await field.fill('short')
  await page.keyboard.press('Enter')
  await expect(page.getByText('At least 10 characters.').first()).toBeVisible()
  await field.fill('seven wet boots on deck')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: /sign in/i })).toBeVisible()
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('forgotPasswordUserToken')

  await other.waitForURL(/\/login/)
  await page.goto(pathname + search)
  await expect(page.getByRole('alert')).toContainText('This link was used already.')
  await expect(page.getByLabel(/new password/i)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible()
  await other.close()
})

test('the pages before signing in are accessible and fit, light and dark', async ({ page }) => {
  for (const path of ['/login', '/forgot-password', '/unauthorized']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }
    }
    await expectFits(page)
  }
  await expect(page.getByText('Ask an administrator')).toBeVisible()
})

test('the login page carries neither Ant Design nor the console', async ({ page }) => {
  const scripts: string[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.url())
  })
  await page.goto('/login', { waitUntil: 'networkidle' })
  const texts = await Promise.all(scripts.map(async (url) => (await page.request.get(url)).text()))
  expect(texts.join('')).not.toContain('ant-btn')
})
