import { readFileSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import { API_BASE } from '@roadshow/contract'
import { feedFleet, someTrucks } from '@roadshow/test-kit/fed-fleet'
import { addHostileWorld, hostileTexts, type HostileTexts, type HostileWorld, TODAY } from './hostile-world.ts'
import { callAs, enter, expect, signInWith, test } from './world.ts'

type TextName = keyof HostileTexts

/** Goes on after a failure, so that one run names every screen that fails. */
const check = expect.configure({ soft: true })

/** A place of the console that shows names: an address, the texts it must show, and the tabs of what it opens. */
interface Place {
  query: string
  shows: TextName[]
  /** Every tab of the drawer or editor that the address opens; one that is missing here fails the test. */
  tabs?: Record<string, TextName[]>
}

const listOf = (...names: string[]) =>
  names.flatMap((name) =>
    [...readFileSync(new URL(`../../web/src/${name}`, import.meta.url), 'utf8').matchAll(/path: '(\/[^']+)'/g)].map(
      ([, path = '']) => path,
    ),
  )

/** Every screen of the console, from its own table. */
const screens = listOf('screens.ts', 'legacy/oldScreens.ts')

type Places = Record<string, (world: HostileWorld, search: (name: TextName) => string) => Place[]>

/** Each screen with its places for an admin. A screen that is added must say here what it shows. */
const adminPlaces: Places = {
  '/overview': ({ issue, market }) => [
    { query: `?market=${market.uid}`, shows: ['truck', 'driver', 'program', 'market', 'issue'] },
    {
      query: `?open=${issue.uid}`,
      shows: ['issue', 'truck'],
      tabs: { Issue: ['issue', 'issueNote'], History: ['issueNote'] },
    },
  ],
  '/clients': ({ client }, search) => [
    { query: `?${search('client')}`, shows: ['client'] },
    {
      query: `?open=${client.uid}`,
      shows: ['client', 'contact', 'clientNote'],
      tabs: {
        Details: ['client'],
        Invite: ['client'],
        History: ['client', 'contact', 'clientNote'],
      },
    },
  ],
  '/client-programs': ({ program }, search) => [
    { query: `?${search('program')}`, shows: ['program', 'client', 'market'] },
    {
      query: `?open=${program.uid}`,
      shows: ['program', 'client', 'market', 'programNote'],
      tabs: {
        Program: ['program'],
        Markets: ['market'],
        Artwork: ['artwork'],
        'SD addresses': ['addresses'],
        Shifts: ['truck', 'driver'],
        POP: [],
        History: ['program', 'programNote', 'client', 'market'],
      },
    },
    { query: '?markets=list', shows: ['market'] },
  ],
  '/artworks': ({ artwork }, search) => [
    { query: `?${search('artwork')}`, shows: ['artwork', 'program', 'client'] },
    {
      query: `?open=${artwork.uid}`,
      shows: ['artwork', 'file', 'program'],
      tabs: { Details: ['file'], Fit: ['pixelMap'], 'On the truck': [], History: ['artwork', 'file'] },
    },
  ],
  '/gps-addresses': ({ addresses }, search) => [
    { query: `?${search('addresses')}`, shows: ['addresses', 'program', 'client'] },
    {
      query: `?open=${addresses.uid}`,
      shows: ['addresses', 'place', 'street'],
      tabs: { Details: ['place'], History: ['addresses', 'place'] },
    },
  ],
  '/schedule/program-schedule': ({ shift, market }, search) => [
    { query: `?date=${TODAY}&market=${market.uid}`, shows: ['truck', 'program', 'driver', 'market'] },
    { query: `?view=list&${search('program')}`, shows: ['truck', 'program', 'driver', 'market', 'client'] },
    {
      query: `?open=${shift.uid}`,
      shows: ['truck', 'program', 'driver', 'market', 'artwork', 'addresses', 'shiftNote'],
      tabs: {
        Shift: ['shiftNote'],
        Details: ['driver'],
        History: ['truck', 'driver', 'program', 'market', 'shiftNote'],
      },
    },
  ],
  '/schedule/program-user-schedule': (_, search) => [
    { query: `?date=${TODAY}&${search('driver')}`, shows: ['driver', 'truck', 'program'] },
  ],
  '/client-pop': ({ program, photo }, search) => [
    { query: `?${search('program')}`, shows: ['program', 'client'] },
    {
      query: `?open=${program.uid}`,
      shows: ['program', 'client', 'market'],
      tabs: {
        Figures: ['market'],
        Photos: ['caption'],
        Text: ['headline', 'popText'],
        Markets: ['popMarket'],
        Versions: ['popNote'],
        History: ['headline', 'popText'],
      },
    },
    { query: `?open=${program.uid}&photo=${photo}`, shows: ['caption', 'photoFile'] },
  ],
  '/trucks': ({ truck }, search) => [
    { query: `?${search('truck')}`, shows: ['truck', 'market', 'pixelMap'] },
    {
      query: `?open=${truck.uid}`,
      shows: ['truck', 'market', 'pixelMap', 'truckNote'],
      tabs: {
        Details: ['truckNote'],
        Devices: [],
        Shifts: ['driver', 'program'],
        Live: [],
        Issues: ['issue'],
        'Miles by day': [],
        History: ['truck', 'market', 'pixelMap', 'truckNote'],
      },
    },
  ],
  '/smart-directional-report': ({ program, market }) => [
    {
      query: `?program=${program.uid}&market=${market.uid}&from=${TODAY}&to=${TODAY}`,
      shows: ['program', 'market', 'place'],
    },
  ],
  '/ad-log': ({ program }) => [
    {
      query: `?program=${program.uid}&from=${TODAY}&to=${TODAY}`,
      shows: ['program', 'truck', 'artwork', 'market', 'place'],
    },
  ],
  '/users': ({ driver }, search) => [
    { query: `?${search('driver')}`, shows: ['driver'] },
    { query: `?${search('reader')}`, shows: ['reader', 'client'] },
    {
      query: `?open=${driver.uid}`,
      shows: ['driver'],
      tabs: { Details: ['driver'], 'Sign-in & access': [], History: ['driver'] },
    },
    { query: `?view=api-keys&${search('apiKey')}`, shows: ['apiKey', 'client'] },
    { query: `?view=web-log&${search('webError')}`, shows: ['webError'] },
    { query: `?view=audit-log&${search('driver')}`, shows: ['driver'] },
  ],
  '/users/payroll': ({ driver }, search) => [
    { query: `?date=${TODAY}&${search('driver')}`, shows: ['driver'] },
    { query: `?date=${TODAY}&open=${driver.uid}`, shows: ['driver', 'adjustment'] },
  ],
  '/pixel': ({ pixelMap }, search) => [
    { query: `?${search('pixelMap')}`, shows: ['pixelMap'] },
    {
      query: `?open=${pixelMap.uid}`,
      shows: ['pixelMap', 'pixelNote'],
      tabs: { Details: ['pixelMap'], History: ['pixelMap', 'pixelNote'] },
    },
  ],
  '/old-overview': () => [{ query: `?date=${TODAY}`, shows: ['truck', 'driver', 'program', 'market'] }],
  '/old-schedule/daily-schedule': (_, search) => [
    { query: `?date=${TODAY}&${search('truck')}`, shows: ['truck', 'driver', 'program', 'market', 'shiftNote'] },
  ],
  '/old-schedule/user-schedule': (_, search) => [
    { query: `?date=${TODAY}&${search('driver')}`, shows: ['driver', 'truck', 'program', 'market'] },
  ],
  '/programs/program-by-client': (_, search) => [
    { query: `?${search('program')}`, shows: ['client', 'program', 'file'] },
  ],
  '/programs/pop': (_, search) => [{ query: `?${search('program')}`, shows: ['program', 'client', 'headline'] }],
  '/old-trucks': (_, search) => [{ query: `?${search('truck')}`, shows: ['truck', 'market', 'truckNote'] }],
  '/old-users': (_, search) => [{ query: `?${search('reader')}`, shows: ['reader', 'client'] }],
  '/old-users/payroll': ({ driver }, search) => [
    { query: `?date=${TODAY}&${search('driver')}&open=${driver.uid}`, shows: ['driver', 'adjustment'] },
  ],
}

/** The drawers under the user's name, from their own table; each opens over any screen. */
const headerDrawers = [
  ...readFileSync(new URL('../../web/src/header-tools.ts', import.meta.url), 'utf8').matchAll(/key: '([^']+)'/g),
].map(([, key = '']) => key)
const headerPlaces: Record<string, TextName[]> = { settings: [], credentials: ['apiKey'] }

/** What the driver of the shift and someone at the client see. */
const driverPlaces: Places = {
  '/schedule/program-schedule': ({ shift }) => [
    { query: `?date=${TODAY}`, shows: ['truck', 'program', 'market'] },
    { query: `?open=${shift.uid}`, shows: ['truck', 'program', 'market'] },
  ],
  '/schedule/program-user-schedule': () => [{ query: `?date=${TODAY}`, shows: ['truck', 'program', 'market'] }],
  '/client-pop': () => [{ query: '', shows: ['program', 'market'] }],
  '/users/payroll': () => [{ query: `?date=${TODAY}`, shows: ['adjustment'] }],
  '/old-schedule/user-schedule': () => [{ query: `?date=${TODAY}`, shows: ['truck', 'program'] }],
}
const clientPlaces: Places = {
  '/clients': () => [{ query: '', shows: ['client'] }],
  '/client-programs': () => [{ query: '', shows: ['program'] }],
  '/artworks': () => [{ query: '', shows: ['artwork'] }],
  '/gps-addresses': ({ addresses }) => [{ query: `?open=${addresses.uid}`, shows: ['addresses', 'place', 'street'] }],
  '/schedule/program-schedule': () => [{ query: `?view=list`, shows: ['program', 'market'] }],
  '/client-pop': ({ program }) => [{ query: `?open=${program.uid}`, shows: ['program', 'caption'] }],
  '/smart-directional-report': adminPlaces['/smart-directional-report'] ?? (() => []),
}

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
  await check.poll(missing, { message: `${where} shows these texts`, timeout: 30_000 }).toEqual([])
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

/** Opens each place as its reader, looks at every tab, and counts the screens that showed what they must. */
async function visit(page: Page, places: Places, text: HostileTexts, world: HostileWorld): Promise<string[]> {
  const search = (name: TextName) => `search=${encodeURIComponent(text[name])}`
  const seen: string[] = []
  for (const [path, placesOf] of Object.entries(places)) {
    for (const { query, shows, tabs } of placesOf(world, search)) {
      const where = `${path}${query.slice(0, 30)}`
      await page.goto(`${path}${query}`)
      await expectShown(page, text, shows, where)
      await expectNothingRan(page, where)
      if (tabs) await visitTabs(page, text, tabs, where)
    }
    seen.push(path)
  }
  return seen
}

async function visitTabs(page: Page, text: HostileTexts, tabs: Record<string, TextName[]>, where: string) {
  // The editor of a POP is a page of its own.
  const scope = where.startsWith('/client-pop') ? page.getByRole('main') : page.getByRole('dialog').last()
  await expect(scope.getByRole('tab').first()).toBeVisible()
  const names = (await scope.getByRole('tab').allInnerTexts()).map((name) => name.replace(/\s*\d*$/, ''))
  check(names.toSorted(), `the tabs of ${where}`).toEqual(Object.keys(tabs).toSorted())
  for (const [index, name] of names.entries()) {
    await scope.getByRole('tab').nth(index).click()
    await expectShown(page, text, tabs[name] ?? [], `${where}, ${name}`)
    await expectNothingRan(page, `${where}, ${name}`)
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
    await page.goto(`/pixel?${key}=open`)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectShown(page, text, shows, key)
    await expectNothingRan(page, key)
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

  await page.goto(`/gps-addresses?open=${world.addresses.uid}`)
  expect(await hoverMap(page, /Map/)).toBe(text.place)
  await page.mouse.down()
  await page.mouse.up()
  await expectNothingRan(page, 'the map of SD addresses')
  const { program, market } = world
  await page.goto(`/smart-directional-report?program=${program.uid}&market=${market.uid}&from=${TODAY}&to=${TODAY}`)
  expect(await hoverMap(page, 'Map of the addresses')).toContain(text.place)
  await expectNothingRan(page, 'the map of the SD report')

  await page.goto(`/clients?open=${world.client.uid}`)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .click()
  await expect(page.getByRole('dialog', { name: /Delete/ })).toContainText(text.client)
  await expectNothingRan(page, 'the question before deleting')
  await page.goto('/pixel')
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
  await signInWith(driver, world.driver.email)
  await visit(driver, driverPlaces, text, world)
  const client = await elsewhere(browser)
  await signInWith(client, world.reader.email)
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
  }
  const pdf = () => anyone.request.get(`${API_BASE}/public/pop/${encodeURIComponent(world.popUrl)}/pdf`)
  await expect.poll(async () => (await pdf()).status(), { timeout: 60_000 }).toBe(200)
  expect((await (await pdf()).body()).toString('latin1')).not.toMatch(/\/(?:JavaScript|JS|Launch|OpenAction)\b/)
})
