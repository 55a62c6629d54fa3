import { hashPassword } from '@roadshow/api/accounts/sign-in/index'
import { freePort } from '@roadshow/api/platform/db/embedded/server'
import type { BrowserContext, Page } from '@playwright/test'
import { CLIENT_TYPE, DRIVER_PATH, localDay, SAVED_CREDENTIALS, TOKEN_COOKIE } from '@roadshow/contract'
import { openBrowser } from './browser.ts'
import { median } from './load.ts'
import { lighthouseFigures, scriptBytes, weightFigure } from './page-figures.ts'
import type { BenchFigure } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const RUNS = 3
const SCRIPTS_KB = 110
const FIRST_VISIT_S = 8
const SECOND_VISIT_S = 4
/** Slow 3G. */
const NETWORK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const ZONE = 'America/Phoenix'

interface BenchDriver {
  token: string
  userUid: string
  truck: string
}

/** From a link to today's shift on a phone with a slow network, and what the drivers' app weighs. */
export async function* measureDriverApp(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const driver = await addDriver(world)
  const port = await freePort()
  const browser = await openBrowser(`--remote-debugging-port=${port}`)
  const phone = async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await enterAs(world, driver, context)
    return context
  }
  try {
    const url = `${world.ours}${DRIVER_PATH}`
    yield weightFigure('Driver’s phone, JavaScript', await scriptBytes(await phone(), url, 'nav'), SCRIPTS_KB)
    const [first, second]: [number[], number[]] = [[], []]
    for (let run = 0; run < RUNS; run++) {
      const context = await phone()
      first.push(await secondsToShift(context, url, driver.truck))
      second.push(await secondsToShift(context, url, driver.truck))
      await context.close()
    }
    yield secondsFigure('Driver’s phone on slow 3G, link to shift, first visit', first, FIRST_VISIT_S)
    yield secondsFigure('Driver’s phone on slow 3G, link to shift, second visit', second, SECOND_VISIT_S)
    // Lighthouse opens its own page, outside of the contexts above.
    const session = await browser.newBrowserCDPSession()
    const cookie = { name: TOKEN_COOKIE, value: driver.token, url: world.ours, sameSite: 'Strict' as const }
    await session.send('Storage.setCookies', { cookies: [cookie] })
    yield* lighthouseFigures('Driver’s phone', url, port, { performance: 95, accessibility: 100 })
  } finally {
    await browser.close()
  }
}

async function enterAs({ ours }: BenchWorld, { token, userUid }: BenchDriver, context: BrowserContext): Promise<void> {
  await context.addCookies([{ name: TOKEN_COOKIE, value: token, url: ours, sameSite: 'Strict' }])
  await context.addInitScript(([key, saved]) => localStorage.setItem(key, saved), [
    SAVED_CREDENTIALS,
    JSON.stringify({ userUid }),
  ] as const)
}

async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', NETWORK)
}

async function secondsToShift(context: BrowserContext, url: string, truck: string): Promise<number> {
  const page = await context.newPage()
  await throttle(page)
  const begun = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.getByText(truck).first().waitFor()
  const seconds = (performance.now() - begun) / 1000
  // The next visit finds what this one has kept.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.close()
  return seconds
}

const secondsFigure = (name: string, runs: number[], bar: number): BenchFigure => ({
  name,
  ours: `${median(runs).toFixed(1)} s`,
  beside: '',
  ratio: '',
  bar: `≤ ${bar} s`,
  met: median(runs) <= bar,
})

/** A driver with a shift that runs today. */
async function addDriver(world: BenchWorld): Promise<BenchDriver> {
  const post = async <T = { uid: string }>(path: string, body: object): Promise<T> => {
    const { url, headers } = apiTarget(world, path)
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return ((await answer.json()) as { data: T }).data
  }
  const [email, password, truck] = ['driver@bench.example', 'only for this run', 'DRV-1']
  const [user] = await world.sql<{ uid: string }>(
    `insert into user_account (email, name, role, modules, password_hash) values ($1, 'Dana Brooks', 'driver', $2, $3) returning uid`,
    [email, ['schedule', 'pop', 'payroll'], await hashPassword(password)],
  )
  const today = localDay(ZONE)
  const market = await post('markets/', { name: 'Driver bench', zone: ZONE })
  const client = await post('clients/', { name: 'Driver bench' })
  const program = await post('client-programs/', {
    clientUid: client.uid,
    name: 'Driver bench',
    popUrl: 'driver-bench',
    status: 'active',
    startsOn: today,
    endsOn: today,
    markets: [{ marketUid: market.uid }],
  })
  const { uid: truckUid } = await post('trucks/', { number: truck, kind: 'led', state: 'active' })
  await post('program-schedule/', {
    truckUid,
    driverUid: user?.uid,
    programUid: program.uid,
    marketUid: market.uid,
    date: today,
    start: '00:00',
    end: '23:59',
  })
  const session = await post<{ token: string }>('authentication/authenticate', {
    email,
    password,
    clientType: CLIENT_TYPE,
  })
  return { token: session.token, userUid: user?.uid ?? '', truck }
}
