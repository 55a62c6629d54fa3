import { API_BASE } from '@roadshow/contract'
import type { Page } from '@playwright/test'
import {
  addClient,
  addProgram,
  addTruck,
  choose,
  enter,
  expect,
  expectAccessible,
  expectFits,
  PHONE,
  test,
  unique,
} from './world.ts'

/** A call as another program makes it: with the key, and without the cookies of the browser. */
async function callWith(key: string, path: string, init: RequestInit = {}) {
  const answer = await fetch(`http://localhost:${process.env['E2E_PORT']}${API_BASE}/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  return { status: answer.status, text: await answer.text() }
}

async function createKey(page: Page, client: string): Promise<{ name: string; key: string }> {
  const name = unique('Data warehouse')
  await page.goto('/system/api-keys')
  await page.getByRole('button', { name: 'New API key' }).click()
  const drawer = page.getByRole('dialog').first()
  await drawer.getByLabel('Name').fill(name)
  await choose(page, drawer, 'Client', client)
  await expect(drawer.getByRole('radio', { name: /Read and write/ })).toBeDisabled()
  await drawer.getByRole('checkbox', { name: 'Clients' }).check()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Create key' }).click()
  const key = await drawer.getByLabel('API key').inputValue()
  await drawer.getByRole('button', { name: 'Done' }).click()
  return { name, key }
}

test('a key for one client reads that client’s records and nothing else, until an admin ends it', async ({ page }) => {
  await enter(page, 'admin')
  const [own, other] = [await addClient(page), await addClient(page)]
  const [ownProgram, otherProgram] = [await addProgram(page, own.uid), await addProgram(page, other.uid)]
  const truck = await addTruck(page)
  const { name, key } = await createKey(page, own.name)

  const programs = await callWith(key, 'client-programs/run?pageSize=100')
  expect(programs.status).toBe(200)
  expect(programs.text).toContain(ownProgram.uid)
  expect(programs.text).not.toContain(otherProgram.uid)
  expect((await callWith(key, `client-programs/${otherProgram.uid}`)).status).toBe(404)
  expect((await callWith(key, `trucks/${truck.uid}`)).status).toBe(403)
  const body = JSON.stringify({ name: unique('Intruder') })
  expect((await callWith(key, 'clients/', { method: 'POST', body })).status).toBe(403)

  await page.setViewportSize(PHONE)
  await page.goto('/system/api-keys')
  await expectFits(page)
  await page.getByRole('link', { name: new RegExp(name) }).click()
  const drawer = page.getByRole('dialog').first()
  await expect(drawer.getByText(/from .*127\.0\.0\.1|from ::1/)).toBeVisible()
  // The key itself was shown once.
  await expect(page.getByText(key)).toHaveCount(0)
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'End key' }).click()
  await page.getByRole('dialog', { name: /End/ }).getByRole('button', { name: 'End key' }).click()
  await expect(page.getByText(`${name} ended.`)).toBeVisible()
  expect((await callWith(key, 'client-programs/run')).status).toBe(401)
})
