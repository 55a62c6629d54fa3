import type { Page } from '@playwright/test'
import { addAuthenticator, codeOf } from './authenticator.ts'
import { ownServer } from './own-server.ts'
import { addUser, enter, expect, expectAccessible, expectFits, PASSWORD, PHONE, signInWith, test } from './world.ts'

/** A salesperson of this test's own. */
async function newPerson(page: Page) {
  await enter(page, 'admin')
  const person = await addUser(page, { role: 'sales', modules: ['clients'] })
  await page.context().clearCookies()
  return person
}

async function openOwnFactors(page: Page) {
  await page.goto('/clients?credentials=open')
  const section = page.getByRole('region', { name: 'Second factor' })
  await expect(section).toBeVisible()
  return section
}

const enterPassword = async (page: Page, email: string) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
}

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'LOGOUT' }).click()
  await page.waitForURL(/\/login/)
}

test('a passkey is registered, signs in with and without the password, is lost, and a recovery code helps', async ({
  page,
}) => {
  const { email } = await newPerson(page)
  const { cdp, authenticatorId } = await addAuthenticator(page)
  await signInWith(page, email)
  await page.waitForURL('/clients')
  const section = await openOwnFactors(page)
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name', { exact: true }).fill('My laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const recoveryCode = (await codes.getByRole('listitem').first().textContent()) ?? ''
  await expectAccessible(page)
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(section.getByText('My laptop')).toBeVisible()
  await page.setViewportSize(PHONE)
  await expectFits(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/clients')
  await signOut(page)

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('/clients')
  await signOut(page)

  await enterPassword(page, email)
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await page.waitForURL('/clients')
  await signOut(page)

  // The device is gone.
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  await enterPassword(page, email)
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('No passkey was used')
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('/clients')
  const after = await openOwnFactors(page)
  await expect(after.getByText('9 of 10 left')).toBeVisible()
  await after.getByRole('button', { name: 'Remove My laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Passkey removed.')).toBeVisible()
})

test('an authenticator app is set up, and its code is asked for after the password', async ({ page }) => {
  const { email } = await newPerson(page)
  await signInWith(page, email)
  await page.waitForURL('/clients')
  const section = await openOwnFactors(page)
  await section.getByRole('button', { name: 'Add an authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  const key = /[A-Z2-7]{4}(?: [A-Z2-7]{4})+/.exec((await dialog.textContent()) ?? '')?.[0] ?? ''
  await dialog.getByLabel('6-digit code').fill(codeOf(key))
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(section.getByText('10 of 10 left')).toBeVisible()
  await page.goto('/clients')
  await signOut(page)

  await page.setViewportSize(PHONE)
  await enterPassword(page, email)
  await expectAccessible(page)
  await expectFits(page)
  // The code of the setup is used; the next one is accepted already.
  await page.getByLabel('6-digit code').fill(codeOf(key, Date.now() + 30_000))
  await page.keyboard.press('Enter')
  await page.waitForURL('/clients')
})

// On a server of its own: the setting reaches every user of a role.
test('a role that needs a second factor leads open pages and new sign-ins to its setup, and then back', async ({
  browser,
}) => {
  // It starts a server first.
  test.setTimeout(240_000)
  const server = await ownServer()
  try {
    const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await addAuthenticator(page)
    await signInWith(page, 'sales@roadshow.example')
    await page.goto('/clients?search=a')
    await expect(page.getByRole('heading', { name: 'Clients' })).toBeVisible()

    const admin = await (await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' })).newPage()
    await signInWith(admin, 'admin@roadshow.example')
    await admin.goto('/clients?settings=open')
    await admin.getByLabel('Second factor needed for').click()
    await admin.locator('.ant-select-item-option', { hasText: 'Sales' }).click()
    await admin.keyboard.press('Escape')
    await admin.getByRole('button', { name: 'Save' }).click()
    await expect(admin.getByText('The settings are saved.')).toBeVisible()

    await page.waitForURL(/\/second-factor/)
    await expect(page.getByRole('heading', { name: 'Protect your account' })).toBeVisible()
    await expectAccessible(page)
    await expectFits(page)
    await page.getByRole('button', { name: /^Passkey/ }).click()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await expect(page.getByRole('heading', { name: 'Keep your recovery codes' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.waitForURL('/clients?search=a')
    await context.close()
  } finally {
    await server.stop()
  }
})
