import type { Page } from '@playwright/test'
import { serverWithNextBuild } from './test-builds.ts'
import {
  addRunningTruck,
  countedOn,
  numbersOf,
  pairScreen,
  quarteredPng,
  stopPlaying,
  waitingOn,
} from './test-player.ts'
import { enter, expect, test } from './world.ts'

const side = (x: number) => ({ x, y: 0, width: 100, height: 80 })
const map = { width: 300, height: 80, sides: { driverSide: side(0), passengerSide: side(100), rear: side(200) } }
const art = quarteredPng(100, 80, [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
])

const scriptOf = (screen: Page) => screen.locator('script[src]').getAttribute('src')
/** The files that the screen keeps for starts without network. */
const keptScripts = (screen: Page) =>
  screen.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('player-'))
    const caught = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return caught.flat().map(({ url }) => new URL(url).pathname)
  })

test('a screen installs a new build while it plays, and starts it once nothing is shown', async ({
  page,
  baseURL,
  browser,
}) => {
  const server = await serverWithNextBuild(Number(new URL(baseURL ?? '').port))
  const screen = await (await browser.newContext()).newPage()
  try {
    await enter(page, 'admin')
    const files = { driverSide: art, passengerSide: art, rear: art }
    const { truck } = await addRunningTruck(page, { map, files, spotSeconds: 5 })
    await screen.goto(server.url)
    const deviceUid = await pairScreen(screen, page, truck.uid)
    await expect.poll(() => countedOn(screen)).toBeGreaterThan(0)
    const script = (await scriptOf(screen)) ?? ''
    const next = script.replace(/\.js$/, '-next.js')
    await expect.poll(() => keptScripts(screen)).toContain(script)

    server.release()
    await expect.poll(() => keptScripts(screen)).toContain(next)
    const counted = await countedOn(screen)
    await expect.poll(() => countedOn(screen)).toBeGreaterThan(counted)
    expect(await scriptOf(screen)).toBe(script)

    await stopPlaying(page, truck)
    await expect(screen.locator(`script[src="${next}"]`)).toBeAttached()
    await expect(screen.locator('canvas')).toBeVisible()
    expect(await keptScripts(screen)).not.toContain(script)
    await expect.poll(() => waitingOn(screen)).toBe(0)
    const total = await countedOn(screen)
    await expect.poll(() => numbersOf(page, deviceUid)).toMatchObject({ stored: total, missing: 0, rejected: 0 })
  } finally {
    await screen.context().close()
    server.close()
  }
})
