import type { Page } from '@playwright/test'
import { TestIdentityProvider } from '@roadshow/test-kit/identity-provider'
import {
  addUser,
  callAs,
  enter,
  expect,
  expectAccessible,
  expectFits,
  HOME,
  mailTo,
  PASSWORD,
  PHONE,
  test,
  unique,
} from './world.ts'

// One worker, which holds the provider.
test.describe.configure({ mode: 'default' })

const provider = new TestIdentityProvider({
  port: Number(process.env['E2E_OIDC_PORT']),
  host: 'localhost',
  publicUrl: `http://localhost:${process.env['E2E_PORT']}`,
})
test.afterAll(() => provider.stop())

const BUTTON = { name: 'Sign in with Acme' }

/** A person at the provider who types this name there. */
function addPerson(email: string, claims: object = {}): string {
  const name = unique('zoe').replaceAll(' ', '-')
  provider.people.set(name, { claims: { email, email_verified: true, name: 'Zoe Park', ...claims } })
  return name
}

/** From the login page through the provider's form. */
async function signInWithAcme(page: Page, name: string): Promise<void> {
  await provider.start()
  await page.getByRole('button', BUTTON).click()
  await page.waitForURL((url) => url.origin === provider.issuer)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('while the provider is away the page says so, and works as soon as it is back', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', BUTTON).click()
  await expect(page.getByRole('alert')).toContainText("The company sign-in can't be reached right now.")
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  await provider.start()
  await page.getByRole('button', BUTTON).click()
  await page.waitForURL((url) => url.origin === provider.issuer)
})

test('the company sign-in opens the console at the page that was asked for, and signs out of both', async ({
  page,
  context,
}) => {
  const name = addPerson(`${unique('zoe').replaceAll(' ', '.')}@example.com`, { roles: ['dispatch'] })
  await page.goto('/clients?search=Zephyr')
  await page.waitForURL(/\/login\?next=/)
  await signInWithAcme(page, name)
  await page.waitForURL('/clients?search=Zephyr')
  const token = (await context.cookies()).find(({ name }) => name === 'token')
  expect(token).toMatchObject({ sameSite: 'Strict', path: '/' })
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('singleSignOn')
  // Going back in the browser's history does not meet the code again.
  await page.goBack()
  await expect(page).not.toHaveURL(/code=/)
  await page.goto('/clients')

  await page.getByRole('button', { name: 'LOGOUT' }).click()
  await page.waitForURL((url) => url.origin === provider.issuer)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/\/login$/)
  await expect(page.getByRole('button', BUTTON)).toBeVisible()
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('token')
  // Signed out there too: the provider asks again.
  await page.getByRole('button', BUTTON).click()
  await expect(page.getByLabel('Name')).toBeVisible()
})

test('signing out at the provider leaves the open console for the login page', async ({ page }) => {
  const name = addPerson(`${unique('zoe').replaceAll(' ', '.')}@example.com`, { roles: ['dispatch'] })
  await page.goto('/login')
  await signInWithAcme(page, name)
  await page.waitForURL(HOME.sales)
  const logoutToken = await provider.signLogoutToken({ sub: name })
  const answer = await page.request.post('/api/v1/authentication/single-sign-on/back-channel-logout', {
    form: { logout_token: logoutToken },
  })
  expect(answer.status()).toBe(200)
  await page.waitForURL(/\/login/)
})

test('an account with an owner is linked only after its owner has confirmed: by password', async ({
  page,
  browser,
}) => {
  const admin = await browser.newPage()
  await enter(admin, 'admin')
  const { email, name: accountName } = await addUser(admin, { role: 'sales', modules: ['clients'] })
  await admin.close()
  const name = addPerson(email)
  await page.goto('/login')
  await signInWithAcme(page, name)
  await expect(page.getByRole('heading', { name: 'Is this your account?' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`You signed in with Acme as ${email}.`)
  await expect(page.getByRole('main')).toContainText(accountName)
  await expectAccessible(page)
  await page.setViewportSize(PHONE)
  await expectAccessible(page)
  await expectFits(page)
  await page.getByLabel('Your Roadshow password').fill('not the password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Wrong email or password.')
  await page.getByLabel('Your Roadshow password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('/clients')
  const own = (await (await callAs(page, 'GET', 'authentication/credentials')).json()) as { data: { kind: string }[] }
  expect(own.data.map(({ kind }) => kind)).toContain('singleSignOn')
})

test('an account with an owner is linked by a mailed link, in the same browser only', async ({ page, browser }) => {
  const admin = await browser.newPage()
  await enter(admin, 'admin')
  const { email } = await addUser(admin, { role: 'sales', modules: ['clients'] })
  await admin.close()
  await page.goto('/login')
  await signInWithAcme(page, addPerson(email))
  await page.getByRole('button', { name: 'Email me a link instead' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  const link = /http:\/\/\S+\/login\?confirm=[\w-]+/.exec(await mailTo(email, 'confirm-single-sign-on'))?.[0] ?? ''
  const { pathname, search } = new URL(link)

  const stranger = await browser.newPage()
  await stranger.goto(pathname + search)
  await expect(stranger.getByRole('alert')).toContainText('began in another browser')
  await stranger.close()

  await page.goto(pathname + search)
  await expect(page).toHaveURL('/login')
  await page.getByRole('button', { name: 'Link and sign in' }).click()
  await page.waitForURL('/clients')
})

test('someone without an account is told what to do', async ({ page }) => {
  await page.goto('/login')
  await signInWithAcme(page, addPerson(`${unique('zoe').replaceAll(' ', '.')}@example.com`))
  await expect(page.getByRole('alert')).toContainText('There is no account for you here yet.')
  await expectAccessible(page)
})
