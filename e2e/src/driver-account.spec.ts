import type { Page } from '@playwright/test'
import { addAuthenticator, codeOf } from './authenticator.ts'
import { phoneContext, smallTargets } from './test-driver.ts'
import {
  addUser,
  callAs,
  enter,
  expect,
  expectAccessible,
  expectFits,
  mailTo,
  PASSWORD,
  signInWith,
  test,
} from './world.ts'

test.use({ actionTimeout: 15_000 })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

/** A step of the page is readable by day and by night, and each target is large enough for a thumb. */
async function expectGoodOnPhone(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  expect(await smallTargets(page)).toEqual([])
  await expectFits(page)
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/driver/me')
  await button(page, 'Cerrar sesión').click()
  await inDialog(page, 'Cerrar sesión').click()
  await page.waitForURL(/\/login/)
}

/** By the form, as a driver whose phone is set to Spanish. */
async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Iniciar sesión', exact: true }).click()
  await page.waitForURL('/driver')
}

/** As ten minutes after signing in: the next change asks for a proof first. */
async function askForProofOnce(page: Page, call: string): Promise<void> {
  await page.context().route(
    `**/${call}`,
    (route) =>
      route.fulfill({
        status: 403,
        json: { error: 'Please confirm that it’s you.', code: 'proofNeeded', fields: {} },
      }),
    { times: 1 },
  )
}

test('a driver turns on the second step on the phone, in Spanish, signs in with it, and turns it off', async ({
  browser,
  page: office,
}) => {
  test.setTimeout(150_000)
  await enter(office, 'admin')
  const driver = await addUser(office, { role: 'driver', modules: ['schedule', 'pop', 'payroll'] })
  const context = await phoneContext(browser, { locale: 'es-MX' })
  const page = await context.newPage()
  await addAuthenticator(page)
  const other = await (await phoneContext(browser)).newPage()
  await signInWith(other, driver.email)
  await signIn(page, driver.email)

  await page.goto('/driver/me/access')
  await expect(page.getByRole('heading', { name: /^Chrome en / })).toBeVisible()
  await expect(page.getByText('Solo se pide su contraseña.')).toBeVisible()
  await button(page, 'Cerrar esa sesión').click()
  await expect(page.getByRole('heading', { name: /^Chrome en / })).toBeHidden()
  expect((await callAs(other, 'GET', 'driver-app/day')).status()).toBe(401)
  await page.getByRole('link', { name: 'Activarlo' }).click()
  await expect(button(page, 'Usar una aplicación de autenticación')).toBeVisible()
  await expectGoodOnPhone(page)

  await askForProofOnce(page, 'authentication/code-app/setup')
  await button(page, 'Usar una aplicación de autenticación').click()
  await page.getByLabel('Contraseña').fill('not it at all')
  await inDialog(page, 'Continuar').click()
  await expect(page.getByRole('alert')).toHaveText('Contraseña incorrecta.')
  await expectGoodOnPhone(page)
  await page.getByLabel('Contraseña').fill(PASSWORD)
  await inDialog(page, 'Continuar').click()
  const open = page.getByRole('link', { name: 'Abrir la aplicación de autenticación' })
  await expect(open).toHaveAttribute('href', /^otpauth:\/\/totp\//)
  const key = new URL((await open.getAttribute('href')) ?? '').searchParams.get('secret') ?? ''
  await page.getByText('La aplicación está en otro dispositivo').click()
  await expect(page.getByRole('img', { name: 'Código QR con la clave' })).toBeVisible()
  await page.getByLabel('Código de 6 dígitos').fill('000 000')
  await button(page, 'Continuar').click()
  await expect(page.getByRole('alert')).toContainText('Código incorrecto.')
  await expectGoodOnPhone(page)
  await page.getByLabel('Código de 6 dígitos').fill(codeOf(key))
  await button(page, 'Continuar').click()
  const codes = page.getByRole('list', { name: 'Códigos de recuperación' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expectGoodOnPhone(page)
  const recoveryCode = (await codes.first().textContent()) ?? ''
  await button(page, 'Ya los guardé').click()
  await expect(page.getByText('Quedan 10 de 10')).toBeVisible()
  await expectGoodOnPhone(page)
  const mail = await mailTo(driver.email, 'second-factor')
  expect(mail).toContain('lang="es"')
  expect(mail).toContain('Se agreg=C3=B3 una aplicaci=C3=B3n')

  await signOut(page)
  await page.getByLabel('Correo electrónico').fill(driver.email)
  await page.getByLabel('Contraseña', { exact: true }).fill('not it at all')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Correo o contraseña incorrectos.')
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Un paso más' })).toBeVisible()
  await expectAccessible(page)
  // The code of the setup is used; the next one is accepted already.
  await page.getByLabel('Código de 6 dígitos').fill(codeOf(key, Date.now() + 30_000))
  await page.keyboard.press('Enter')
  await page.waitForURL('/driver')

  await page.goto('/driver/me/access/second-step')
  await askForProofOnce(page, 'authentication/passkeys/challenge')
  await button(page, 'Usar una llave de acceso').click()
  await expect(inDialog(page, 'Continuar')).toBeVisible()
  await expectGoodOnPhone(page)
  await inDialog(page, 'Continuar').click()
  await button(page, 'Usar un código de recuperación').click()
  await page.getByLabel('Código de recuperación').fill(recoveryCode)
  await inDialog(page, 'Continuar').click()
  await expect(page.getByText('La llave de acceso está activada.')).toBeVisible()
  await expect(page.getByText('Quedan 9 de 10')).toBeVisible()
  await signOut(page)
  await page.getByRole('button', { name: 'Iniciar sesión con una llave de acceso' }).click()
  await page.waitForURL('/driver')

  await page.goto('/driver/me/access/second-step')
  for (const name of ['Aplicación de autenticación', 'Mi teléfono']) {
    const card = page.locator('section', { has: page.getByRole('heading', { name }) })
    await card.getByRole('button', { name: 'Desactivar' }).click()
    await expect(page.getByRole('dialog')).toContainText(`¿Desactivar ${name}?`)
    await inDialog(page, 'Desactivar').click()
    await expect(card).toBeHidden()
  }
  await expect(button(page, 'Usar una aplicación de autenticación')).toBeVisible()
  await signOut(page)
  await signIn(page, driver.email)
})
