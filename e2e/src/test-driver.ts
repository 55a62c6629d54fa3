import type { Browser, BrowserContext, Page } from '@playwright/test'
import { localDay } from '@roadshow/contract'
import { addClient, addTruck, addUser, callAs, dataOf, enter, unique } from './world.ts'

const MINUTE = 60_000
export const HOUR = 60 * MINUTE

/** A zone without clock changes: the journeys plan shifts around the present hour, on any day of the year. */
const ZONE = 'America/Phoenix'
/** In the market of these journeys, where the phones are. */
export const YARD = { latitude: 33.4484, longitude: -112.074 }

const post = <T = { uid: string }>(page: Page, call: string, body: object) =>
  dataOf<T>(callAs(page, 'POST', call, body))

const clockOf = (at: number) =>
  new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: ZONE }).format(at)

export interface PlannedShift {
  uid: string
  version: number
  startsAt: string
  endsAt: string
  truck: { uid: string; name: string }
}

/** An admin with a market and a program that runs now, who adds drivers and gives them shifts. */
export async function dispatchOffice(browser: Browser, server?: { url: string; folder: string }) {
  const context = await browser.newContext(server ? { baseURL: server.url } : {})
  const admin = await context.newPage()
  await enter(admin, 'admin')
  const name = unique('Zephyr Phoenix')
  const market = await post(admin, 'markets/', {
    name,
    zone: ZONE,
    ...YARD,
    radiusM: 50_000,
    depots: [{ name: 'Grand Avenue yard', ...YARD, radiusM: 200 }],
  })
  const today = localDay(ZONE)
  const day = (days: number) => new Date(Date.parse(today) + days * 24 * HOUR).toISOString().slice(0, 10)
  const program = await post(admin, 'client-programs/', {
    clientUid: (await addClient(admin)).uid,
    name,
    popUrl: name,
    status: 'active',
    startsOn: day(-10),
    endsOn: day(30),
    markets: [{ marketUid: market.uid }],
  })
  const addDriver = () =>
    addUser(
      admin,
      {
        role: 'driver',
        modules: ['schedule', 'pop', 'payroll'],
        payRates: [{ validFrom: '2020-01-01', payHalfDay: 12_000, payEightHours: 22_000, payTwelveHours: 33_000 }],
      },
      server?.folder,
    )
  /** Between two moments, cut to whole minutes. */
  const plan = async (driver: { userUid: string }, from: number, to: number, truck = {}): Promise<PlannedShift> =>
    post<PlannedShift>(admin, 'program-schedule/', {
      truckUid: (await addTruck(admin, truck)).uid,
      driverUid: driver.userUid,
      programUid: program.uid,
      marketUid: market.uid,
      date: localDay(ZONE, from),
      start: clockOf(from),
      end: clockOf(to),
      note: 'Keys are at the gate.',
    })
  return { admin, market, program: { ...program, name }, addDriver, plan }
}

/** A driver's phone: small, touched, knows where it is, and may use its camera. */
export async function phoneContext(browser: Browser, more: object = {}): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
    locale: 'en-US',
    timezoneId: ZONE,
    geolocation: { ...YARD, accuracy: 12 },
    permissions: ['geolocation', 'camera'],
    reducedMotion: 'reduce',
    ...more,
  })
}

/** Sets the phone's clock apart from the true time, also for pages that are opened later. */
export async function setClock(page: Page, offsetMs: number): Promise<void> {
  await page.evaluate((offset) => localStorage.setItem('testClockOffset', String(offset)), offsetMs)
  await page.reload()
}

/** A page of a phone whose clock can be set. */
export async function phonePage(context: BrowserContext): Promise<Page> {
  await context.addInitScript(() => {
    const TrueDate = Date
    const now = () => TrueDate.now() + Number(localStorage.getItem('testClockOffset') ?? 0)
    const PhoneDate = function (this: unknown, ...parts: unknown[]) {
      return Reflect.construct(TrueDate, parts.length === 0 ? [now()] : parts, new.target ?? TrueDate) as Date
    } as unknown as DateConstructor
    Object.setPrototypeOf(PhoneDate, TrueDate)
    Object.defineProperty(PhoneDate, 'prototype', { value: TrueDate.prototype })
    PhoneDate.now = now
    globalThis.Date = PhoneDate
  })
  return context.newPage()
}

/** Waits until the app starts without network. */
export const untilInstalled = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })

/** Things to touch that are smaller than a thumb needs. */
export const smallTargets = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter(
      (each) => each.getClientRects().length > 0 && getComputedStyle(each).visibility === 'visible',
    )
    // What has a label is touched on the label.
    const target = (each: Element) => each.closest('label') ?? each
    return shown
      .map((each) => ({ html: each.outerHTML.slice(0, 120), box: target(each).getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ html, box }) => `${Math.round(box.width)}×${Math.round(box.height)} ${html}`)
  })
