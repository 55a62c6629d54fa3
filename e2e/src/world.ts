import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test as base } from '@playwright/test'
import { API_BASE } from '@roadshow/contract'

export type Person = 'admin' | 'sales' | 'driver' | 'client'

export const PASSWORD = 'big-truck-demo'
export const emailOf = (person: Person) => `${person}@roadshow.example`

/** Signs in by the form, as a person does. */
export async function signIn(page: Page, person: Person, password = PASSWORD): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(emailOf(person))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

/** Makes a call of the API with the session of a page. */
export async function callAs(page: Page, method: string, call: string, body?: object) {
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? ''
  return page.request.fetch(`${API_BASE}/${call}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { data: body }),
  })
}

let counter = 0

/** A truck of this test's own. Its number sorts behind the demo's, so that the first page stays as it is. */
export async function addTruck(page: Page, fields: object = {}) {
  const number = `Z-${process.pid}-${Date.now() % 1_000_000}-${counter++}`
  const answer = await callAs(page, 'POST', 'trucks/', { number, kind: 'led', state: 'active', ...fields })
  expect(answer.status()).toBe(200)
  const { data } = (await answer.json()) as { data: { uid: string; number: string; version: number } }
  return data
}

/** No violation that axe can find on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours are judged when nothing is fading in.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found).toEqual([])
}

/** Nothing sticks out sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
}

/** The newest mail to somebody, once it is there. */
export async function mailTo(email: string): Promise<string> {
  const folder = path.join(process.env['E2E_DATA'] ?? '', 'mail')
  const newest = async () => {
    const names = (await readdir(folder).catch(() => [])).filter(
      (name) => name.includes(email) && name.includes('forgot-password'),
    )
    return names.toSorted().at(-1)
  }
  await expect.poll(newest).toBeTruthy()
  const raw = await readFile(path.join(folder, (await newest()) ?? ''), 'utf8')
  // Long lines are folded in quoted-printable.
  return raw.replace(/=\r?\n/g, '').replace(/=3D/g, '=')
}

export const test = base.extend<{ failOnConsoleErrors: undefined }>({
  // A page that works does not complain.
  failOnConsoleErrors: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
          complaints.push(message.text())
      })
      await use(undefined)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

export const PHONE = { width: 390, height: 844 }
export { expect }
