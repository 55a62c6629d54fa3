import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, type Locator, type Page, test as base } from '@playwright/test'
import { API_BASE } from '@roadshow/contract'
import { foreignFigures } from '@roadshow/test-kit/written-figures'
import axe from 'axe-core'
import { pngOf } from './png.ts'

export type Person = 'admin' | 'sales' | 'driver' | 'client'

export const PASSWORD = 'big-truck-demo'
export const emailOf = (person: Person) => `${person}@roadshow.example`

/** Where each of them arrives after signing in. */
export const HOME: Record<Person, string> = {
  admin: '/overview',
  sales: '/overview',
  driver: '/driver',
  client: '/campaigns',
}

/** Signs in by the form, as a person does. */
export async function signInWith(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

/** Begins signed in, without the form: for journeys that are about something else. */
export const enter = (page: Page, person: Person) => enterWith(page, emailOf(person))

export async function enterWith(page: Page, email: string): Promise<void> {
  const data = { email, password: PASSWORD, clientType: 'web' }
  const answer = await page.request.post(`${API_BASE}/authentication/authenticate`, { data })
  const { data: signedIn } = (await answer.json()) as { data: { token: string } }
  const { hostname: domain } = new URL(answer.url())
  await page.context().addCookies([{ name: 'token', value: signedIn.token, domain, path: '/', sameSite: 'Strict' }])
}

export async function signIn(page: Page, person: Person): Promise<void> {
  await signInWith(page, emailOf(person))
  await page.waitForURL(HOME[person])
}

/**
 * Goes on to another address within the open console, as its links do, which takes a third of loading it again. Another
 * screen stands there when this settles; of the same screen, what it opens may be still to come.
 */
export async function goOn(page: Page, address: string): Promise<void> {
  const isOther = await page.evaluate((to) => {
    const { pathname } = new URL(to, location.href)
    const leaves = pathname !== location.pathname
    if (leaves) document.querySelector('main > :last-child')?.setAttribute('data-left', '')
    history.pushState(null, '', to)
    return leaves
  }, address)
  if (isOther) await expect(page.locator('[data-left]')).toHaveCount(0)
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

/** What a call answered, which must not have been refused. */
export async function dataOf<T>(answer: ReturnType<typeof callAs>): Promise<T> {
  const body = (await (await answer).json()) as { data: T }
  expect(body).toMatchObject({ data: {} })
  return body.data
}

let counter = 0

/** A name that nothing else has, in this run or beside it. */
export const unique = (word: string) => `${word} ${process.pid}-${Date.now() % 1_000_000}-${counter++}`

interface Made {
  uid: string
  name: string
  version: number
}

/** Adds a record by the API, for journeys that begin with one. */
async function add<Row = Made>(page: Page, call: string, fields: object): Promise<Row> {
  const answer = await callAs(page, 'POST', call, fields)
  expect(await answer.json()).toMatchObject({ data: {} })
  return ((await answer.json()) as { data: Row }).data
}

/** A truck of this test's own. Its number sorts behind the demo's, so that the first page stays as it is. */
export const addTruck = (page: Page, fields: object = {}) =>
  add<{ uid: string; number: string; version: number }>(page, 'trucks/', {
    number: unique('Z').replace(' ', '-'),
    kind: 'led',
    state: 'active',
    ...fields,
  })

export const addClient = (page: Page) => add(page, 'clients/', { name: unique('Zephyr Foods') })

export async function addProgram(page: Page, clientUid?: string) {
  const name = unique('Zephyr Summer')
  return add<Made & { popUrl: string; client: { uid: string; name: string } }>(page, 'client-programs/', {
    clientUid: clientUid ?? (await addClient(page)).uid,
    name,
    status: 'active',
    startsOn: '2031-06-01',
    endsOn: '2031-08-31',
    popUrl: name,
    markets: [],
  })
}

export const addArtworkSet = async (page: Page) =>
  add(page, 'artwork-sets/', { programUid: (await addProgram(page)).uid, name: unique('Zephyr Art') })

export const addAddressSet = async (page: Page) =>
  add(page, 'gps-address-sets/', {
    programUid: (await addProgram(page)).uid,
    name: unique('Zephyr Stores'),
    addresses: [
      { label: 'Elm Street', latitude: 32.78, longitude: -96.8, radiusM: 8047, locatedBy: 'given' },
      {
        label: 'Zoo',
        address: 'Chicago, IL 60614',
        latitude: 41.92,
        longitude: -87.65,
        radiusM: 3000,
        locatedBy: 'zip',
      },
    ],
  })

export const addPixelMap = (page: Page) =>
  add(page, 'pixel/', {
    name: unique('Zephyr Canvas'),
    width: 1664,
    height: 768,
    pitchUm: 5e3,
    sides: {
      driverSide: {
        x: 0,
        y: 0,
        width: 1280,
        height: 384,
      },
      passengerSide: {
        x: 0,
        y: 384,
        width: 1280,
        height: 384,
      },
      rear: {
        x: 1280,
        y: 0,
        width: 384,
        height: 384,
      },
    },
  })

/** A user who has set a password by the link in the welcome mail. */
export async function addUser(page: Page, fields: object, dataFolder?: string) {
  const name = unique('Zoe Park')
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  const user = await add<Made & { userUid: string }>(page, 'user/', { name, email, ...fields })
  await choosePassword(page, email, dataFolder)
  return { ...user, name, email }
}

/** Sets the password of a new user as the link in the welcome mail does. */
export async function choosePassword(page: Page, email: string, dataFolder?: string): Promise<void> {
  const token = /forgot-password\?token=([\w-]+)/.exec(await mailTo(email, 'welcome', dataFolder))?.[1]
  const answer = await page.request.post(`${API_BASE}/authentication/password-reset`, {
    data: { token, password: PASSWORD },
  })
  expect(answer.status()).toBe(200)
}

/** A market, a program that runs in it in the summer of 2031, a truck and a driver: all that a shift needs. */
async function addCrew(page: Page) {
  const market = await add(page, 'markets/', { name: unique('Zephyr City'), zone: 'America/Chicago' })
  const client = await addClient(page)
  const name = unique('Zephyr Tour')
  const program = await add(page, 'client-programs/', {
    clientUid: client.uid,
    name,
    status: 'active',
    startsOn: '2031-06-01',
    endsOn: '2031-08-31',
    popUrl: name,
    markets: [{ marketUid: market.uid }],
  })
  const truck = await addTruck(page, { homeMarketUid: market.uid })
  const driver = { name: unique('Zoe Park') }
  const email = `${driver.name.toLowerCase().replaceAll(' ', '.')}@example.com`
  const { userUid } = await add<{ userUid: string }>(page, 'user/', {
    name: driver.name,
    email,
    role: 'driver',
    modules: ['schedule'],
  })
  return { market, program, truck, driver: { ...driver, uid: userUid } }
}

/** A shift of this test's own, 08:00 to 16:00 on Wednesday, 2031-07-09, with a crew of its own. */
export async function addShift(page: Page, fields: object = {}) {
  const crew = await addCrew(page)
  const shift = await add<{ uid: string; version: number }>(page, 'program-schedule/', {
    programUid: crew.program.uid,
    marketUid: crew.market.uid,
    truckUid: crew.truck.uid,
    driverUid: crew.driver.uid,
    date: '2031-07-09',
    start: '08:00',
    end: '16:00',
    ...fields,
  })
  return { ...shift, ...crew }
}

/** The first record of an open list that was typed into: until it has narrowed down, records move from under the pointer. */
export async function narrowedTo(page: Page, name: string): Promise<Locator> {
  const offered = page.locator('.ant-select-item-option').filter({ visible: true })
  await expect(offered.filter({ hasNotText: name })).toHaveCount(0)
  return offered.first()
}

/** Chooses a record in a field that finds them by typing. */
export async function choose(page: Page, form: Locator, label: string, name: string): Promise<void> {
  await form.getByLabel(label, { exact: true }).click()
  await page.keyboard.type(name)
  await (await narrowedTo(page, name)).click()
}

/** Types a day into a field. */
export async function fillDay(field: Locator, day: string): Promise<void> {
  await field.fill(day)
  await field.press('Enter')
}

/** A picture of one color, as a file that an input takes. */
export function png(name: string, width: number, height: number, rgb: [number, number, number]) {
  const row = Array.from({ length: width }, () => rgb)
  const buffer = pngOf(
    width,
    Array.from({ length: height }, () => row),
  )
  return { name, mimeType: 'image/png', buffer }
}

/** No violation that axe can find on the page as it is now, and no figure in a way of its own. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is still being loaded has no heading yet. Colors are judged when what was just set is shown, and nothing is
  // fading in.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))))
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: typeof axe }
    // A page within the page, such as a preview, is looked at where it stands by itself. What is well is not described,
    // which on a long page takes longer than to find it out.
    const { violations } = await inPage.run({ exclude: [['iframe']] }, { resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  })
  expect(found).toEqual([])
  expect(await foreignFiguresOf(page)).toEqual([])
}

/**
 * The days, times and figures that a page shows, reads aloud or holds in its fields in another way than the rest of the
 * console. What machines sent, such as the body of a delivery, stands as code; a field in use holds what is typed.
 */
export async function foreignFiguresOf(page: Page): Promise<string[]> {
  const text = await page.evaluate(() => {
    const withoutCode = new CSSStyleSheet()
    withoutCode.replaceSync('pre, code { visibility: hidden !important }')
    const sheets = [...document.adoptedStyleSheets]
    document.adoptedStyleSheets = [...sheets, withoutCode]
    const shown = document.body.innerText
    document.adoptedStyleSheets = sheets
    const drawn = [...document.querySelectorAll('svg text')].map(({ textContent }) => textContent)
    const typed = [...document.querySelectorAll<HTMLInputElement>('input:not([type="search"], :focus)')].map(
      ({ value }) => value,
    )
    const spoken = [...document.querySelectorAll('[aria-label], [title], [alt], [placeholder]')].flatMap((each) =>
      ['aria-label', 'title', 'alt', 'placeholder'].map((name) => each.getAttribute(name)),
    )
    return [shown, ...drawn, ...typed, ...spoken].filter(Boolean).join('\n')
  })
  return foreignFigures(text)
}

/** Nothing sticks out sideways, of the page or of a drawer over it, and on a phone a finger hits what is there. */
export async function expectFits(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page)
  if (page.viewportSize()?.width === PHONE.width) await expectFingerSized(page)
}

/** Nothing sticks out sideways, once the page follows the size of its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widestBeyond = () =>
    page.evaluate(() => {
      const parts = [...document.querySelectorAll('[role="dialog"] *')].filter(
        (part) => ['auto', 'scroll'].includes(getComputedStyle(part).overflowX) && !part.matches('[tabindex]'),
      )
      const beyond = parts.map((part) => part.scrollWidth - part.clientWidth)
      return Math.max(document.documentElement.scrollWidth - window.innerWidth, ...beyond)
    })
  await expect.poll(widestBeyond).toBeLessThanOrEqual(0)
}

// What a finger aims at. A checkbox is hit by its words, and a picture that is a link by itself.
const CONTROLS = [
  'button',
  'select',
  'input:not([type="checkbox"], [type="radio"], [type="file"], [type="range"])',
  '[role="button"]',
  '[role="combobox"]',
  '[role="tab"]',
].join(', ')
// A field is as large as the frame around it, which takes the click for it.
const FRAMES = '.ant-select, .ant-picker, .ant-input-number, .ant-input-affix-wrapper, .ant-tabs-tab, label'
const FINGER = 44

/** Every control is as high as a finger needs it, of the page or of the dialog over it. */
async function expectFingerSized(page: Page): Promise<void> {
  const tooSmall = () =>
    page.evaluate(
      ({ controls, frames, least }) => {
        const part = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.body
        // Some look smaller than they are: what is drawn after them takes the click.
        const heightOf = (control: HTMLElement) => {
          const target = control.closest<HTMLElement>(frames) ?? control
          const after = getComputedStyle(target, '::after')
          const margin = after.position === 'absolute' ? Number.parseFloat(after.height) : 0
          return Math.max(target.getBoundingClientRect().height, margin || 0)
        }
        return [...part.querySelectorAll<HTMLElement>(controls)]
          .filter((control) => control.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
          .filter((control) => heightOf(control) < least - 0.5)
          .map((control) => `${control.ariaLabel ?? (control.textContent || control.outerHTML)}: ${heightOf(control)}`)
      },
      { controls: CONTROLS, frames: FRAMES, least: FINGER },
    )
  await expect.poll(tooSmall).toEqual([])
}

/** Waits for the newest mail of a kind to an address. */
export async function mailTo(
  email: string,
  kind: 'forgot-password' | 'welcome' | 'confirm-single-sign-on' | 'second-factor' | 'proposal',
  dataFolder = process.env['E2E_DATA'] ?? '',
): Promise<string> {
  const folder = path.join(dataFolder, 'mail')
  const newest = async () => {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(`_${kind}_${email}.eml`))
    return names.toSorted().at(-1)
  }
  await expect.poll(newest).toBeTruthy()
  const raw = await readFile(path.join(folder, (await newest()) ?? ''), 'utf8')
  // Long lines are folded in quoted-printable.
  return raw.replace(/=\r?\n/g, '').replace(/=3D/g, '=')
}

export const test = base.extend<{ leaveTidy: undefined; failOnConsoleErrors: undefined }>({
  // Pages that a journey opened besides its own would draw and listen until the last journey ends. The test runner can
  // take pictures by itself, but then takes one of every page that is closed, whether its journey failed or not.
  leaveTidy: [
    async ({ browser, context }, use, info) => {
      await use(undefined)
      const contexts = browser.contexts()
      if (info.status !== info.expectedStatus) {
        for (const [index, page] of contexts.flatMap((each) => each.pages()).entries()) {
          const picture = await page.screenshot({ path: info.outputPath(`failed-${index + 1}.png`) })
          await info.attach(`failed ${index + 1}`, { body: picture, contentType: 'image/png' })
        }
      }
      await Promise.all(contexts.filter((each) => each !== context).map((each) => each.close()))
    },
    { auto: true },
  ],
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
