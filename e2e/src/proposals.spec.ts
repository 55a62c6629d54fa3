import { addDays, localDay } from '@roadshow/contract'
import type { Page } from '@playwright/test'
import { counted } from './clicks.ts'
import {
  addClient,
  callAs,
  dataOf,
  enter,
  expect,
  expectAccessible,
  expectFits,
  goOn,
  mailTo,
  PHONE,
  test,
  unique,
} from './world.ts'

const ZONE = 'America/Chicago'

/** A draft with a booked line and a place. */
async function addDraft(page: Page) {
  const post = <T = { uid: string }>(call: string, body: object) => dataOf<T>(callAs(page, 'POST', call, body))
  const [startsOn, endsOn] = [addDays(localDay(ZONE), 10), addDays(localDay(ZONE), 40)]
  const market = await post('markets/', { name: unique('Zephyr City'), zone: ZONE })
  const client = await addClient(page)
  const name = unique('Zephyr Parade')
  const program = await post('client-programs/', {
    clientUid: client.uid,
    name,
    status: 'draft',
    startsOn,
    endsOn,
    popUrl: name,
    note: 'Internal remark',
    markets: [{ marketUid: market.uid }],
    bookedLines: [{ marketUid: market.uid, unit: 'truckDays', amount: 20, startsOn, endsOn, priceCents: 1_250_000 }],
  })
  const place = { label: 'Shop on Main', address: '1 Main St', latitude: 32.78, longitude: -96.8, radiusM: 500 }
  const addresses = [{ ...place, locatedBy: 'given' }]
  await post('gps-address-sets/', { programUid: program.uid, name: 'Shops', addresses })
  return { program, name, client }
}

test('sales makes a proposal, the client accepts it on a phone without a script, and sales hears of it', async ({
  page,
  browser,
}) => {
  await enter(page, 'sales')
  const { program, name } = await addDraft(page)
  await page.goto(`/client-programs?open=${program.uid}&tab=proposals`)
  await page.getByRole('button', { name: 'New proposal' }).click()
  const drawer = page.getByRole('dialog', { name: /^New proposal for/ })
  await drawer.getByLabel('Introduction').fill('Dear Ann, please read.')
  await drawer.getByRole('button', { name: 'Preview' }).click()
  const preview = drawer.frameLocator('iframe[title="Preview of the proposal"]')
  await expect(preview.getByText('$12,500.00').first()).toBeVisible()
  await drawer.getByRole('button', { name: 'Create proposal' }).click()
  const link = await drawer.getByLabel('Proposal link').inputValue()
  expect(link).toMatch(/\/o\/[\w-]{43}$/)
  await drawer.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'View proposal 1' })).toBeVisible()
  await expectAccessible(page)

  const { pathname } = new URL(link)
  const desk = await browser.newPage()
  expect((await desk.goto(pathname))?.status()).toBe(200)
  await expectAccessible(desk)
  const bytes = await desk.content()
  for (const secret of ['Internal remark', program.uid]) expect(bytes).not.toContain(secret)

  const phone = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })
  const client = await phone.newPage()
  await client.goto(pathname)
  await expect(client.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(client.getByText('20 truck-days')).toBeVisible()
  await expectFits(client)
  await client.getByLabel('Your name').fill('Ann Buyer')
  await client.getByRole('checkbox').check()
  await client.getByRole('button', { name: 'Accept proposal' }).click()
  await expect(client.getByRole('status')).toHaveText(/^Accepted by Ann Buyer on /)
  await expect(client.getByRole('button', { name: 'Accept proposal' })).toHaveCount(0)
  await phone.close()

  // The form that was open beside it shows a sentence.
  await desk.getByLabel('Your name').fill('Ben Late')
  await desk.getByRole('checkbox').check()
  await desk.getByRole('button', { name: 'Accept proposal' }).click()
  await expect(desk.getByRole('heading', { name: /accepted already\. Accepted by Ann Buyer/ })).toBeVisible()
  await expectAccessible(desk)

  await goOn(page, '/notifications')
  await page.getByRole('link', { name: `${name}: proposal accepted` }).click()
  await expect(page.getByText('Accepted by Ann Buyer')).toBeVisible()
})

test('a proposal goes to the mailbox of the client in three clicks', async ({ page }) => {
  await enter(page, 'sales')
  const { program, name, client } = await addDraft(page)
  const record = await dataOf<{ uid: string; version: number; name: string }>(
    callAs(page, 'GET', `clients/${client.uid}`),
  )
  const email = `${unique('ann').replace(' ', '-')}@zephyr.example`
  const contacts = [{ name: 'Ann Zephyr', email }]
  await dataOf(
    callAs(page, 'PUT', 'clients/', { uid: record.uid, version: record.version, name: record.name, contacts }),
  )
  await page.goto(`/client-programs?open=${program.uid}`)
  const sent = counted()
  await sent.click(page.getByRole('tab', { name: 'Proposals' }))
  await sent.click(page.getByRole('button', { name: 'New proposal' }))
  const drawer = page.getByRole('dialog', { name: /^New proposal for/ })
  await expect(drawer.getByRole('checkbox', { name: /Ann Zephyr/ })).toBeChecked()
  await expect(drawer.getByLabel('Text of the email')).toHaveValue(
    `Here is what we propose for ${client.name}: ${name}.`,
  )
  await expectAccessible(page)
  await sent.click(drawer.getByRole('button', { name: 'Send proposal' }))
  await expect(drawer.getByRole('status')).toHaveText(`Emailed to ${email}.`)
  expect(sent.count()).toBeLessThanOrEqual(3)
  expect(await mailTo(email, 'proposal')).toContain('Hello Ann Zephyr')
})
