import { addProgram, addUser, callAs, enter, enterWith, expect, goOn, test } from './world.ts'

test('a client user who is granted the module sees their own client only, and changes nothing', async ({
  page,
  browser,
}) => {
  const admin = await browser.newPage()
  await enter(admin, 'admin')
  const [own, foreign] = [await addProgram(admin), await addProgram(admin)]
  const user = await addUser(admin, { role: 'client', modules: ['clients', 'pop'], clientUid: own.client.uid })
  await admin.close()

  await enterWith(page, user.email)
  await page.goto('/clients')
  await expect(page.getByRole('link', { name: own.client.name })).toBeVisible()
  await expect(page.getByText('1 client', { exact: true })).toBeVisible()
  await goOn(page, '/client-programs')
  await expect(page.getByText('1 program', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New program' })).toHaveCount(0)
  await page.getByRole('link', { name: own.name }).click()
  const drawer = page.getByRole('article')
  await expect(drawer.getByRole('definition').filter({ hasText: own.name }).first()).toBeVisible()
  await expect(drawer.getByRole('textbox')).toHaveCount(0)
  await expect(drawer.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await page.goto(`/client-programs?open=${foreign.uid}`)
  await expect(drawer.getByRole('alert')).toBeVisible()
  await expect(page.getByText(foreign.name)).toHaveCount(0)
  expect((await callAs(page, 'GET', `client-programs/${foreign.uid}`)).status()).toBe(404)
  expect((await callAs(page, 'DELETE', `client-programs/${own.uid}`)).status()).toBe(403)
})
