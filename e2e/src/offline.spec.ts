import type { Page } from '@playwright/test'
import {
  addClient,
  addUser,
  callAs,
  dataOf,
  enter,
  expect,
  expectAccessible,
  expectFits,
  PASSWORD,
  PHONE,
  signInWith,
  test,
} from './world.ts'

interface Change {
  action: string
}

/** Opens the console and waits until it has loaded ahead what it needs without network. */
async function openPrepared(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.waitForFunction(() => performance.getEntriesByName('loaded-ahead').length > 0, null, { timeout: 60_000 })
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
}

const bar = (page: Page) => page.getByRole('region', { name: 'Connection' })
const drawer = (page: Page) => page.getByRole('dialog')

const changesOf = async (page: Page, uid: string) =>
  (await dataOf<Change[]>(callAs(page, 'GET', `clients/${uid}/history`))).map(({ action }) => action)

// Contexts of their own: a browser without network complains of every socket that it cannot open.

test('a day with the network going away, a colleague who is faster and a forced sign-out loses no typed word', async ({
  browser,
}) => {
  test.slow()
  const context = await browser.newContext()
  const page = await context.newPage()
  const admin = await browser.newPage()
  await enter(admin, 'admin')
  const { email, userUid } = await addUser(admin, { role: 'sales', modules: ['clients'] })
  const [one, other] = [await addClient(admin), await addClient(admin)]
  await signInWith(page, email)
  await openPrepared(page, '/clients')

  await test.step('the network goes away: the bar says since when, and saves wait', async () => {
    await page.getByRole('searchbox').fill(one.name)
    await page.getByRole('link', { name: one.name }).click()
    await drawer(page).getByLabel('Note').fill('Prefers calls before ten')
    await context.setOffline(true)
    await expect(bar(page)).toContainText(/Offline, last update \d{1,2}:\d\d [AP]M/)
    await expect(drawer(page)).toContainText('your save waits here')
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await expect(drawer(page)).toBeHidden()
    await page.getByRole('button', { name: 'New client' }).click()
    await drawer(page).getByLabel('Name').first().fill(`${one.name} Two`)
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await expect(bar(page)).toContainText('2 saves waiting')
    await expectAccessible(page)
  })

  await test.step('screens still open, and so does a page of ours after a reload', async () => {
    await page.getByRole('button', { name: 'MENU' }).click()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Client Programs' }).click()
    await expect(page.getByRole('heading', { name: 'Client Programs', level: 1 })).toBeVisible()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await expect(page.getByRole('heading', { name: 'You’re offline' })).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('the network is back: everything is sent once, in order', async () => {
    await context.setOffline(false)
    await expect(page.getByRole('heading', { name: 'Client Programs', level: 1 })).toBeVisible()
    await expect(page.getByText('New client saved.')).toBeVisible({ timeout: 30_000 })
    await expect(bar(page)).toBeHidden()
    expect(await changesOf(admin, one.uid)).toEqual(['changed', 'created'])
    const { note } = await dataOf<{ note: string }>(callAs(admin, 'GET', `clients/${one.uid}`))
    expect(note).toBe('Prefers calls before ten')
  })

  await test.step('it goes away again, and meanwhile someone else saves the same record', async () => {
    await page.goto(`/clients?open=${other.uid}`)
    await drawer(page).getByLabel('Note').fill('Wants two trucks in May')
    await context.setOffline(true)
    await expect(bar(page)).toBeVisible()
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await expect(bar(page)).toContainText('1 save waiting')
    const theirs = { uid: other.uid, version: other.version, name: other.name, note: 'Theirs', contacts: [] }
    await dataOf(callAs(admin, 'PUT', 'clients/', { ...theirs, logoFileUid: null }))
    await context.setOffline(false)
    await expect(drawer(page).getByLabel('Note')).toHaveValue('Wants two trucks in May')
    await expect(drawer(page)).toContainText('Someone else changed this record first.')
    await expect(drawer(page)).toContainText('Note was changed to: Theirs')
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(`${other.name} saved.`)).toBeVisible()
    expect(await changesOf(admin, other.uid)).toEqual(['changed', 'changed', 'created'])
  })

  await test.step('saves that wait are sent after a forced sign-out, by the same user', async () => {
    await page.goto(`/clients?open=${one.uid}`)
    await drawer(page).getByLabel('Note').fill('Kept through the night')
    await context.setOffline(true)
    await expect(bar(page)).toBeVisible()
    await drawer(page).getByRole('button', { name: 'Save' }).click()
    await expect(bar(page)).toContainText('1 save waiting')
    await page.getByRole('button', { name: 'LOGOUT' }).click()
    await expect(page.getByRole('dialog')).toContainText('Sign out and lose 1 save?')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

    await callAs(admin, 'PUT', `user/force-logout-user/${userUid}`)
    await context.setOffline(false)
    await page.waitForURL(/\/login/)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`${one.name} saved.`)).toBeVisible({ timeout: 30_000 })
    expect(await changesOf(admin, one.uid)).toEqual(['changed', 'changed', 'created'])
  })
  await admin.close()
})

test('a save whose answer was lost is applied once', async ({ browser }) => {
  const context = await browser.newContext({ viewport: PHONE })
  const page = await context.newPage()
  await enter(page, 'admin')
  const client = await addClient(page)
  await openPrepared(page, `/clients?open=${client.uid}`)
  await drawer(page).getByLabel('Note').fill('Said once')
  const keys: (string | undefined)[] = []
  await page.route('**/api/v1/clients/', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await context.setOffline(true)
    await route.abort('internetdisconnected')
  })
  await drawer(page).getByRole('button', { name: 'Save' }).click()
  await expect(bar(page)).toContainText('1 save waiting')
  await expectFits(page)
  await context.setOffline(false)
  await expect(page.getByText(`${client.name} saved.`)).toBeVisible({ timeout: 30_000 })
  await expect(bar(page)).toBeHidden()
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(await changesOf(page, client.uid)).toEqual(['changed', 'created'])
})
