import type { Page } from '@playwright/test'
import {
  addClient,
  addUser,
  callAs,
  enter,
  expect,
  expectAccessible,
  PASSWORD,
  PHONE,
  signInWith,
  test,
} from './world.ts'

async function signInAgain(page: Page, email: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}

test('a forced sign-out says why, leads back to the open form and keeps what was typed', async ({ page, browser }) => {
  const admin = await browser.newPage()
  await enter(admin, 'admin')
  const { email, userUid } = await addUser(admin, { role: 'sales', modules: ['clients'] })
  const client = await addClient(admin)

  await page.setViewportSize(PHONE)
  await signInWith(page, email)
  await page.goto(`/clients?open=${client.uid}`)
  const form = page.getByRole('dialog')
  await form.getByLabel('Note').fill('Prefers calls before ten')
  const place = page.url()

  await callAs(admin, 'PUT', `user/force-logout-user/${userUid}`)
  await page.waitForURL(/\/login\?next=/)
  await expect(page.getByRole('status')).toContainText('You were signed out by an administrator')
  await expectAccessible(page)
  await signInAgain(page, email)

  await page.waitForURL(place)
  await expect(page.getByText('Your unsaved changes are back.')).toBeVisible()
  await expect(form.getByLabel('Note')).toHaveValue('Prefers calls before ten')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${client.name} saved.`)).toBeVisible()
  await admin.close()
})

test('what one user typed into a new record is not shown to the next user of the same tab', async ({
  page,
  browser,
}) => {
  const admin = await browser.newPage()
  await enter(admin, 'admin')
  const [one, other] = [
    await addUser(admin, { role: 'sales', modules: ['clients'] }),
    await addUser(admin, { role: 'sales', modules: ['clients'] }),
  ]
  await signInWith(page, one.email)
  await page.goto('/clients?open=new')
  const name = page.getByRole('dialog').getByLabel('Name').first()
  await name.fill('A client of my own')
  await callAs(admin, 'PUT', `user/force-logout-user/${one.userUid}`)
  await page.waitForURL(/\/login\?next=/)
  await signInAgain(page, other.email)
  await page.waitForURL(/\/clients\?open=new/)
  await expect(name).toHaveValue('')
  await admin.close()
})
