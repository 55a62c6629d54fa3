import { API_BASE } from '@roadshow/contract'
import type { Page } from '@playwright/test'
import { addClient, callAs, enter, expect, expectAccessible, expectFits, PHONE, png, test, unique } from './world.ts'

type Row = { uid: string; version: number }

/** A program with three photos, published; answers the address of its page. */
async function publish(page: Page, name: string): Promise<string> {
  await enter(page, 'admin')
  const call = async <T = Row>(method: string, path: string, body?: object) =>
    ((await (await callAs(page, method, path, body)).json()) as { data: T }).data
  const market = await call('POST', 'markets/', { name: unique('Zephyr City'), zone: 'America/Chicago' })
  const client = await addClient(page)
  const { uid } = await call('POST', 'client-programs/', {
    clientUid: client.uid,
    name,
    status: 'active',
    startsOn: '2031-06-01',
    endsOn: '2031-08-31',
    popUrl: name,
    markets: [{ marketUid: market.uid }],
  })
  const token = (await page.context().cookies()).find((cookie) => cookie.name === 'token')?.value ?? ''
  const uids: string[] = []
  for (const red of [10, 120, 240]) {
    const answer = await page.request.post(`${API_BASE}/client-pop/`, {
      headers: { authorization: `Bearer ${token}` },
      multipart: {
        data: JSON.stringify({ programUid: uid, marketUid: market.uid, caption: `Red ${red}` }),
        photos: png(`${red}.png`, 900, 600, [red, 60, 60]),
      },
    })
    const { data } = (await answer.json()) as { data: { photo: Row }[] }
    uids.push(...data.map(({ photo }) => photo.uid))
  }
  await call('PUT', 'client-pop/photos/status', { uids, status: 'approved' })
  const { version } = await call('GET', `client-pop/${uid}`)
  await call('POST', 'client-pop/program-pop', { uid, version })
  await page.context().clearCookies()
  return `/programs/${encodeURIComponent(name)}`
}

test('anybody sees the published page and looks through its photos by keyboard', async ({ page, browser }) => {
  const name = unique('Zephyr Lights')
  const address = await publish(page, name)
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('miles driven').first()).toBeVisible()
  await expectAccessible(page)

  const first = page.locator('.chapter .photo > a').first()
  await first.focus()
  await page.keyboard.press('Enter')
  const photo = page.getByRole('dialog', { name: 'Photos' })
  await expect(photo).toContainText('1 of 3')
  await expectAccessible(page)
  await page.keyboard.press('ArrowLeft')
  await expect(photo).toContainText('3 of 3')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(photo).toBeHidden()
  await expect(first).toBeFocused()

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(PHONE)
  await expectFits(page)
  await expectAccessible(page)

  const plain = await browser.newPage({ javaScriptEnabled: false })
  await plain.goto(address)
  await plain.locator('.chapter .photo > a').first().click()
  await expect(plain).toHaveURL(/\/pictures\/[0-9a-f]{32}\/large$/)
  await plain.close()
  expect((await page.goto('/programs/nobody-has-this-name'))?.status()).toBe(404)
})
