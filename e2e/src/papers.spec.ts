import { addDays, localDay } from '@roadshow/contract'
import { counted } from './clicks.ts'
import {
  addClient,
  addShift,
  callAs,
  dataOf,
  enter,
  expect,
  expectAccessible,
  expectFits,
  test,
  unique,
} from './world.ts'

test('who changed a shift, a day on paper, a shift by its truck and who is late are found in a few clicks', async ({
  page,
}) => {
  await enter(page, 'admin')
  const { truck, driver, market } = await addShift(page, { date: '2031-08-05' })
  await page.goto('/schedule/program-schedule?date=2031-08-05')
  const more = page.getByRole('button', { name: 'More' })

  const paper = counted()
  await paper.click(more)
  await paper.click(page.getByRole('menuitem', { name: 'Day sheet' }))
  const sheet = page.getByRole('main')
  await expect(sheet).toContainText(truck.number)
  await expect(sheet).toContainText(driver.name)
  expect(paper.count()).toBeLessThanOrEqual(2)
  await expectAccessible(page)
  await expectFits(page)
  await page.goBack()

  const changed = counted()
  await changed.click(more)
  await changed.click(page.getByRole('menuitem', { name: 'Changes' }))
  const changes = page.getByRole('dialog', { name: 'Changes' })
  await expect(changes.getByRole('listitem').filter({ hasText: truck.number }).first()).toContainText('Avery Stone')
  await expectAccessible(page)
  await changed.click(changes.getByRole('button', { name: 'Yesterday' }))
  await expect(changes.getByRole('listitem').filter({ hasText: truck.number })).toHaveCount(0)
  expect(changed.count()).toBeLessThanOrEqual(3)
  await page.keyboard.press('Escape')
  await expect(changes).toBeHidden()

  // A shift, a day and a market: a key that opens the search, and the words.
  const jumpTo = async (words: string, found: string) => {
    await expect(page.getByRole('button', { name: 'Jump to a screen or record' })).toBeVisible()
    const jump = counted()
    await jump.press(page, 'Control+k')
    const field = page.getByRole('combobox', { name: 'Jump to' })
    await field.fill(words)
    await expect(page.getByRole('option').first()).toContainText(found)
    await jump.type(field, words, 'Enter')
    expect(jump.count()).toBeLessThanOrEqual(2)
  }
  await jumpTo(`${truck.number} 8/5/2031`, `${truck.number} · `)
  await expect(page.getByRole('dialog').filter({ hasText: truck.number }).first()).toBeVisible()
  await page.goto('/overview')
  await jumpTo('8/5/2031', 'Aug 5, 2031')
  await expect(page).toHaveURL(/date=2031-08-05/)
  await jumpTo(market.name, market.name)
  await expect(page).toHaveURL(new RegExp(market.uid))

  await page.goto('/overview')
  const late = counted()
  await late.click(page.getByRole('group', { name: 'Shifts' }).getByRole('button', { name: /Late/ }))
  await expect(page).toHaveURL(/\/overview\?stage=late/)
  expect(late.count()).toBeLessThanOrEqual(1)
})

test('the month of a client is mailed in four clicks', async ({ page }) => {
  await enter(page, 'sales')
  const client = await addClient(page)
  const record = await dataOf<{ uid: string; version: number; name: string }>(
    callAs(page, 'GET', `clients/${client.uid}`),
  )
  const contacts = [{ name: 'Ann Zephyr', email: 'ann@zephyr.example' }]
  await dataOf(
    callAs(page, 'PUT', 'clients/', { uid: record.uid, version: record.version, name: record.name, contacts }),
  )
  const name = unique('Zephyr Month')
  const days = { startsOn: addDays(localDay('America/Chicago'), -70), endsOn: localDay('America/Chicago') }
  await dataOf(
    callAs(page, 'POST', 'client-programs/', {
      clientUid: client.uid,
      name,
      popUrl: name,
      status: 'active',
      ...days,
      markets: [],
    }),
  )
  await page.goto(`/clients?search=${encodeURIComponent(client.name)}`)
  const sent = counted()
  await sent.click(page.getByRole('link', { name: client.name }))
  await sent.click(page.getByRole('tab', { name: 'Monthly report' }))
  await expect(page.getByRole('table', { name: 'Delivered by program' })).toContainText(name)
  await expectAccessible(page)
  await sent.click(page.getByRole('button', { name: 'Add Ann Zephyr' }))
  await sent.click(page.getByRole('button', { name: /^Send now: / }))
  await expect(page.getByText('Report sent to 1 recipient.')).toBeVisible()
  expect(sent.count()).toBeLessThanOrEqual(4)
})
