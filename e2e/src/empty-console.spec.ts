import { API_BASE, greetingSteps, setup } from '@roadshow/contract'
import { emptyServer } from './own-server.ts'
import { headerDrawers, screens } from './hostile-places.ts'
import { expect, expectAccessible, expectFits, foreignFiguresOf, goOn, PASSWORD, PHONE, test } from './world.ts'

/** Screens on which something stands from the start: figures, settings, the first admin and the email about the new password. */
const NEVER_EMPTY = [
  '/overview',
  '/charts',
  '/users/payroll',
  '/system/audit-log',
  '/system/messages',
  '/notifications/settings',
  '/import',
  '/setup',
  '/welcome',
]
/** Screens of before offer no steps: the new ones beside them do. */
const isOld = (path: string) => path.startsWith('/old-') || path.startsWith('/programs/')

/** What says that nothing is there, without a word on what to do. */
const BARE = /\bNo data\b|\bNothing here\b|\bEmpty\b/i

test('every screen of a new console says what it is for and offers the next step', async ({ page }) => {
  test.setTimeout(400_000)
  const check = expect.configure({ soft: true })
  const server = await emptyServer({ email: 'first@example.com', name: 'Frances First' }, { SIMULATOR: 'off' })
  try {
    const token = new URL(server.passwordLink).searchParams.get('token')
    const reset = `${server.url}${API_BASE}/authentication/password-reset`
    expect((await page.request.post(reset, { data: { token, password: PASSWORD } })).status()).toBe(200)
    await page.goto(`${server.url}/login`)
    await page.getByLabel('Email').fill('first@example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${server.url}/welcome`)
    // As if each step was skipped: until then the overview leads back here.
    const session = (await page.context().cookies(server.url)).find(({ name }) => name === 'token')?.value ?? ''
    for (const step of greetingSteps) {
      const passed = await page.request.fetch(`${server.url}${API_BASE}/${setup.passStep.path}`, {
        method: setup.passStep.method,
        headers: { authorization: `Bearer ${session}` },
        data: { step },
      })
      expect(passed.status()).toBe(200)
    }
    await page.reload()

    for (const path of screens) {
      await goOn(page, path)
      const main = page.getByRole('main')
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
      await expect(main.locator('[aria-hidden] > [class*="bone"]')).toHaveCount(0)
      check(await main.innerText(), `${path} says what it is for`).not.toMatch(BARE)
      check(await foreignFiguresOf(page), `${path} writes figures as everywhere`).toEqual([])
      if (NEVER_EMPTY.includes(path) || isOld(path)) continue
      const empty = main.locator('[data-empty]').first()
      await check(empty, `${path} is empty`).toBeVisible()
      const said = await empty.locator('p').innerText()
      check(
        said.split('. ').length + Number(said.includes('Choose')),
        `${path} says what belongs here`,
      ).toBeGreaterThan(1)
    }
    for (const key of headerDrawers) {
      await goOn(page, `/pixel?${key}=open`)
      await expect(page.getByRole('dialog')).toBeVisible()
      check(await page.getByRole('dialog').innerText(), key).not.toMatch(BARE)
    }

    // The step is one click from a form.
    for (const [path, step] of [
      ['/trucks', 'New truck'],
      ['/clients', 'New client'],
      ['/client-programs', 'New program'],
      ['/client-pop', 'New program'],
      ['/schedule/program-user-schedule', 'New user'],
    ] as const) {
      await goOn(page, path)
      await page.locator('[data-empty]').getByText(step, { exact: true }).click()
      await expect(page.getByRole('dialog', { name: new RegExp(`^${step}`, 'i') })).toBeVisible()
    }
    const hasImport = screens.includes('/import')
    await goOn(page, '/trucks')
    await expect(page.locator('[data-empty]')).toBeVisible()
    await expect(page.getByText('Import from a spreadsheet')).toHaveCount(hasImport ? 1 : 0)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectFits(page)
  } finally {
    // An open page would complain that its server is gone.
    await page.goto('about:blank')
    await server.stop()
  }
})
