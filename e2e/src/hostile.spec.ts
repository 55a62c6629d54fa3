import type { Browser, Page } from '@playwright/test'
import { API_BASE } from '@roadshow/contract'
import { feedFleet, someTrucks } from '@roadshow/test-kit/fed-fleet'
import { addAuthenticator } from './authenticator.ts'
import {
  adminPlaces,
  clientPlaces,
  driverPlaces,
  headerDrawers,
  headerPlaces,
  type Places,
  screens,
  type TextName,
} from './hostile-places.ts'
import { addHostileWorld, hostileTexts, type HostileTexts, type HostileWorld, TODAY } from './hostile-world.ts'
import { addUser, callAs, enter, enterWith, expect, foreignFiguresOf, goOn, signInWith, test } from './world.ts'

/** Goes on after a failure, so that one run names every screen that fails. */
const check = expect.configure({ soft: true })

/** Notes everything that a text could have started: a script, a handler, or what the content policy stopped. */
async function watchScripts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const ran: string[] = []
    Object.assign(window, { noted: ran, ran: () => ran.push('a handler ran') })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      ran.push(`${violatedDirective} ${blockedURI}`),
    )
  })
}

/** What the page shows to a reader: text, fields, and what is read aloud; the page inside a preview included. */
const shownText = (page: Page, scrolledTo: number) =>
  page.evaluate((top) => {
    // Parts below the fold load when they come into view.
    scrollTo(0, top)
    const of = (from: Document): string[] => [
      from.body?.innerText ?? '',
      ...[...from.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value),
      ...[...from.querySelectorAll('[aria-label], [title], [alt]')].flatMap((each) =>
        ['aria-label', 'title', 'alt'].map((name) => each.getAttribute(name) ?? ''),
      ),
    ]
    const frames = [...document.querySelectorAll('iframe')].flatMap(({ contentDocument }) =>
      contentDocument ? [contentDocument] : [],
    )
    return [document, ...frames].flatMap(of).join('\n')
  }, scrolledTo)

async function expectShown(page: Page, text: HostileTexts, names: readonly TextName[], where: string): Promise<void> {
  const missing = async () => {
    const shown = `${await shownText(page, 0)}${await shownText(page, 1e6)}`
    return names.filter((name) => !shown.includes(text[name]))
  }
  const message = `${where} shows these texts`
  // More than a hundred screens are waited for: looking once a second, as is usual, would add half a second to most.
  await check.poll(missing, { message, timeout: 30_000, intervals: [100, 150, 250] }).toEqual([])
}

async function expectNothingRan(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    const frames = [...document.querySelectorAll('iframe')].flatMap(({ contentDocument }) => contentDocument ?? [])
    const injected = [document, ...frames].flatMap((each) => [
      ...each.querySelectorAll('[onerror], [onclick], [src="x"]'),
    ])
    return [...injected.map(({ tagName }) => `<${tagName}>`), ...(window as unknown as { noted: string[] }).noted]
  })
  check(found, `${where} runs nothing`).toEqual([])
}

/** What a place shows in the same words as every other: days, times, amounts, miles and phone numbers. */
const expectOwnFigures = async (page: Page, where: string) =>
  check(await foreignFiguresOf(page), `${where} writes figures as everywhere`).toEqual([])

const NO_NAMES = '/notifications/settings'

/** Opens each place as its reader, looks at every tab, and counts the screens that showed what they must. */
async function visit(page: Page, places: Places, text: HostileTexts, world: HostileWorld): Promise<string[]> {
  const search = (name: TextName) => `search=${encodeURIComponent(text[name])}`
  const seen: string[] = []
  await page.goto(NO_NAMES)
  for (const [path, placesOf] of Object.entries(places)) {
    for (const { query, shows, tabs } of placesOf(world, search)) {
      const where = `${path}${query.slice(0, 30)}`
      // By a screen without names, so that those of the last place count for nothing.
      await goOn(page, path === NO_NAMES ? '/notifications' : NO_NAMES)
      await goOn(page, `${path}${query}`)
      await expectShown(page, text, shows, where)
      await expectNothingRan(page, where)
      await expectOwnFigures(page, where)
      if (tabs) await visitTabs(page, text, tabs, where)
    }
    seen.push(path)
  }
  return seen
}

async function visitTabs(page: Page, text: HostileTexts, tabs: Record<string, TextName[]>, where: string) {
  // A POP, a program and a truck have a page of their own.
  const hasPage = ['/client-pop', '/client-programs', '/trucks'].some((path) => where.startsWith(path))
  const scope = hasPage ? page.getByRole('main') : page.getByRole('dialog').last()
  await expect(scope.getByRole('tab').first()).toBeVisible()
  const names = (await scope.getByRole('tab').allInnerTexts()).map((name) => name.replace(/\s*\d*$/, ''))
  check(names.toSorted(), `the tabs of ${where}`).toEqual(Object.keys(tabs).toSorted())
  for (const [index, name] of names.entries()) {
    await scope.getByRole('tab').nth(index).click()
    await expectShown(page, text, tabs[name] ?? [], `${where}, ${name}`)
    await expectNothingRan(page, `${where}, ${name}`)
    await expectOwnFigures(page, `${where}, ${name}`)
  }
}

const elsewhere = async (browser: Browser) => {
  const page = await (await browser.newContext()).newPage()
  await watchScripts(page)
  return page
}

/** Moves over the middle of a map until it names what is under the pointer. */
async function hoverMap(page: Page, name: string | RegExp): Promise<string> {
  const map = page.getByRole('application', { name }).last()
  await map.scrollIntoViewIfNeeded()
  const box = await map.boundingBox()
  if (!box) throw new Error('The map is on the screen.')
  const tooltip = page.locator('.leaflet-tooltip')
  const steps = Array.from({ length: 17 * 17 }, (_, index) => [(index % 17) * 4 - 32, Math.floor(index / 17) * 4 - 32])
  const nearest = steps.toSorted(([x = 0, y = 0], [u = 0, v = 0]) => x * x + y * y - u * u - v * v)
  const named = async () => {
    for (const [x = 0, y = 0] of nearest) {
      await page.mouse.move(box.x + box.width / 2 + x, box.y + box.height / 2 + y)
      if ((await tooltip.count()) > 0)
        return tooltip
          .first()
          .textContent({ timeout: 1000 })
          .catch(() => null)
    }
    return null
  }
  let found: string | null = null
  await expect.poll(async () => (found = await named())).not.toBeNull()
  return found ?? ''
}

test('names that are HTML are shown as they were typed on every screen, and nothing runs', async ({
  page,
  browser,
}) => {
  test.setTimeout(600_000)
  const text = hostileTexts()
  await watchScripts(page)
  await enter(page, 'admin')
  const world = await addHostileWorld(page, text)

  expect(screens.length).toBeGreaterThan(20)
  expect(await visit(page, adminPlaces, text, world)).toEqual(screens)

  expect(Object.keys(headerPlaces).toSorted()).toEqual(headerDrawers.toSorted())
  for (const [key, shows] of Object.entries(headerPlaces)) {
    await goOn(page, NO_NAMES)
    await goOn(page, `/pixel?${key}=open`)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectShown(page, text, shows, key)
    await expectNothingRan(page, key)
    await expectOwnFigures(page, key)
  }

  const fleet = someTrucks(1).map((truck) => ({ ...truck, number: text.truck }))
  const live = await elsewhere(browser)
  await feedFleet(live, fleet)
  await enter(live, 'admin')
  await live.goto('/overview')
  await live.getByRole('tab', { name: 'All trucks' }).click()
  await live.getByRole('option').filter({ hasText: text.truck }).click()
  // The map keeps a truck that it follows in its middle.
  await live
    .getByRole('region', { name: `Truck ${text.truck}` })
    .getByRole('button', { name: 'Follow' })
    .click()
  expect(await hoverMap(live, /Map of the fleet/)).toContain(text.truck)
  await expectNothingRan(live, 'the map of the fleet')

  await goOn(page, `/gps-addresses?open=${world.addresses.uid}`)
  expect(await hoverMap(page, /Map/)).toBe(text.place)
  await page.mouse.down()
  await page.mouse.up()
  await expectNothingRan(page, 'the map of SD addresses')
  const { program, market } = world
  await goOn(page, `/smart-directional-report?program=${program.uid}&market=${market.uid}&from=${TODAY}&to=${TODAY}`)
  expect(await hoverMap(page, 'Map of the addresses')).toContain(text.place)
  await expectNothingRan(page, 'the map of the SD report')

  await goOn(page, `/clients?open=${world.client.uid}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  const refused = page.getByRole('dialog', { name: 'can’t be deleted' })
  await expect(refused).toContainText(text.client)
  await expect(refused).toContainText(text.program)
  await expectNothingRan(page, 'why a client can’t be deleted')
  await goOn(page, '/pixel')
  await expect(page.getByRole('searchbox').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Jump to' }).fill(text.program)
  await expect(page.getByRole('option').filter({ hasText: text.program }).first()).toBeVisible()
  await expectShown(page, text, ['program'], 'Ctrl-K')
  await expectNothingRan(page, 'Ctrl-K')

  const report = `smart-directional-report/run?program=${program.uid}&market=${market.uid}&from=${TODAY}&to=${TODAY}`
  const file = await (await callAs(page, 'GET', `${report}&format=csv`)).text()
  expect(file).toContain(text.place)
  expect(file, 'a cell of a file is no formula').not.toMatch(/(?:^|,)"?=/m)

  await page.goto(`${API_BASE}/docs`)
  await expectNothingRan(page, 'the documentation')
})

test('so they are to the driver, to the client and to everybody who reads the public page', async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000)
  const text = hostileTexts()
  await watchScripts(page)
  await enter(page, 'admin')
  const world = await addHostileWorld(page, text)

  const driver = await elsewhere(browser)
  await enterWith(driver, world.driver.email)
  await visit(driver, driverPlaces, text, world)
  const client = await elsewhere(browser)
  await enterWith(client, world.reader.email)
  await visit(client, clientPlaces, text, world)

  const anyone = await elsewhere(browser)
  for (const path of ['pop', 'programs']) {
    expect((await anyone.goto(`/${path}/${encodeURIComponent(world.popUrl)}`))?.status()).toBe(200)
    await expectShown(
      anyone,
      text,
      ['program', 'client', 'market', 'headline', 'popText', 'popMarket', 'caption'],
      path,
    )
    await expectNothingRan(anyone, path)
    await expectOwnFigures(anyone, path)
  }
  const pdf = () => anyone.request.get(`${API_BASE}/public/pop/${encodeURIComponent(world.popUrl)}/pdf`)
  await expect.poll(async () => (await pdf()).status(), { timeout: 60_000 }).toBe(200)
  // Pictures and texts are packed bytes, in which "/JS" may stand by chance.
  const structure = (await (await pdf()).body()).toString('latin1').replaceAll(/\bstream\r?\n[^]*?\bendstream\b/g, '')
  expect(structure).toContain('/Type /Catalog')
  expect(structure).not.toMatch(/\/(?:JavaScript|JS|Launch|OpenAction)\b/)
})

test('so are the name of a passkey and a notice about a key', async ({ page }) => {
  test.setTimeout(180_000)
  const text = hostileTexts()
  await watchScripts(page)
  await enter(page, 'admin')
  const person = await addUser(page, { role: 'admin', modules: ['users'] })
  await page.context().clearCookies()
  await addAuthenticator(page)
  await signInWith(page, person.email)
  await page.waitForURL('/users')

  await page.goto('/users?credentials=open')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name', { exact: true }).fill(text.passkey)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
  await goOn(page, '/users')
  await goOn(page, '/users?credentials=open')
  await expectShown(page, text, ['passkey'], 'the own credentials')
  await expectNothingRan(page, 'the own credentials')
  await page.goto(`/users?open=${person.userUid}`)
  await page.getByRole('tab', { name: 'Sign-in & access' }).click()
  await expectShown(page, text, ['passkey'], 'the credentials of a user')
  await expectNothingRan(page, 'the credentials of a user')

  const input = { name: text.apiKey, modules: ['users'], access: 'read', expiresInDays: 30 }
  expect((await callAs(page, 'POST', 'api-keys/', input)).status()).toBe(200)
  await page.goto('/system/api-keys')
  await page.getByRole('link').filter({ hasText: text.apiKey }).click()
  await page.getByRole('dialog').first().getByRole('button', { name: 'End key' }).click()
  await page.getByRole('dialog', { name: /^End/ }).getByRole('button', { name: 'End key' }).click()
  await expect(page.getByText(`${text.apiKey} ended.`)).toBeVisible()
  await expectNothingRan(page, 'the notice')
})
