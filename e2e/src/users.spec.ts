import { enter, expect, choosePassword, signInWith, test, unique } from './world.ts'

test('an admin adds a user, signs them out everywhere, deletes them and is offered them back', async ({
  page,
  browser,
}) => {
  await enter(page, 'admin')
  const name = unique('Kit Moreno')
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  await page.goto('/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const drawer = page.getByRole('dialog').first()
  await drawer.getByLabel('Name').fill(name)
  await drawer.getByLabel('Email').fill(email)
  await drawer.getByRole('combobox', { name: 'Role' }).click()
  await page.locator('.ant-select-item-option', { hasText: 'Sales' }).click()
  await expect(drawer.getByRole('checkbox', { name: 'Clients' })).toBeChecked()
  await drawer.getByRole('checkbox', { name: 'POP' }).uncheck()
  await drawer.getByRole('checkbox', { name: 'Trucks' }).check()
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toBeHidden()

  await choosePassword(page, email)
  const other = await browser.newPage()
  await signInWith(other, email)
  await other.getByRole('button', { name: 'MENU' }).click()
  await expect(other.getByRole('dialog').getByRole('link', { name: 'Trucks' })).toBeVisible()
  await expect(other.getByRole('dialog').getByRole('link', { name: 'Users' })).toHaveCount(0)

  await page.getByRole('searchbox').fill(email)
  await page.getByRole('link', { name }).click()
  await expect(drawer.getByRole('checkbox', { name: 'POP' })).not.toBeChecked()
  await drawer.getByRole('tab', { name: 'Sign-in & access' }).click()
  await drawer.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page
    .getByRole('dialog', { name: /everywhere/ })
    .getByRole('button', { name: 'Sign out' })
    .click()
  await expect(other).toHaveURL(/\/login/)
  await other.close()

  await drawer.getByRole('tab', { name: 'Details' }).click()
  await drawer.getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: /Delete/ })
    .getByRole('button', { name: 'Delete user' })
    .click()
  await expect(page.getByText('No user matches.')).toBeVisible()
  await page.getByRole('button', { name: 'New user' }).click()
  await drawer.getByLabel('Name').fill('Somebody else')
  await drawer.getByLabel('Email').fill(email)
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByRole('button', { name: `Restore ${name}` }).click()
  await expect(page.getByText(`${name} is restored.`)).toBeVisible()
  await expect(drawer.getByLabel('Name')).toHaveValue(name)
})
