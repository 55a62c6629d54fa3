import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { mapFile } from '@roadshow/test-kit/map-file'
import { ownServer } from './own-server.ts'
import { addRunningTruck, quarteredPng } from './test-player.ts'
import { startTracker } from './test-tracker.ts'
import { callAs, dataOf, expect, PHONE, signInWith, test } from './world.ts'

const side = (x: number) => ({ x, y: 0, width: 100, height: 80 })
const map = { width: 300, height: 80, sides: { driverSide: side(0), passengerSide: side(100), rear: side(200) } }
const picture = quarteredPng(100, 80, [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
])

/** The colors of a map's tiles, near their left and their right edges. */
const tileColors = (page: Page) =>
  page.locator('canvas.leaflet-tile').evaluateAll((tiles) => {
    const colors = tiles.flatMap((tile) => {
      const { width, height } = tile as HTMLCanvasElement
      const drawn = (tile as HTMLCanvasElement).getContext('2d')
      return [0.05, 0.95].map((x) => drawn?.getImageData(width * x, height / 2, 1, 1).data.join(' ') ?? '')
    })
    return [...new Set(colors)]
  })

/** Streets as the library paints them by day: east of the 90th degree all is water in this file, west of it all is land. */
const WATER = '128 222 234 255'
const LAND = '226 223 218 255'

/** A page of the server, and the other servers that it asks for something. */
async function openOn(browser: Browser, baseURL: string, isPhone = false) {
  const phone = isPhone ? { viewport: PHONE, isMobile: true, hasTouch: true } : {}
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...phone })
  const elsewhere: string[] = []
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== baseURL) elsewhere.push(origin)
  })
  return { page: await context.newPage(), elsewhere }
}

/** Drives a truck of a program along a street in Dallas, and publishes the program's page; answers its address. */
async function publishRoute(page: Page, tracker: Awaited<ReturnType<typeof startTracker>>): Promise<string> {
  const files = { driverSide: picture, passengerSide: picture, rear: picture }
  const { program } = await addRunningTruck(page, { map, files, truck: { geotabDeviceId: 'b77' } })
  const from = Date.now() - 20 * 60_000
  tracker.tell(
    Array.from({ length: 60 }, (_, index) => ({
      at: from + index * 15_000,
      latitude: 32.78 + index * 0.001,
      longitude: -96.8,
      speedKmh: 30,
    })),
  )
  const preview = () => dataOf<{ html: string }>(callAs(page, 'GET', `client-pop/${program.uid}/preview`))
  await expect.poll(async () => (await preview()).html.includes('class="sheet"'), { timeout: 60_000 }).toBe(true)
  const { version } = await dataOf<{ version: number }>(callAs(page, 'GET', `client-pop/${program.uid}`))
  await dataOf(callAs(page, 'POST', 'client-pop/program-pop', { uid: program.uid, version }))
  const { popUrl } = await dataOf<{ popUrl: string }>(callAs(page, 'GET', `client-programs/${program.uid}`))
  return `/programs/${encodeURIComponent(popUrl)}`
}

test('console, public page and phone draw the streets of a file, and ask no other server for them', async ({
  browser,
}) => {
  // It starts a server first.
  test.setTimeout(240_000)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-e2e-map-'))
  const file = path.join(folder, 'world.pmtiles')
  await writeFile(file, mapFile())
  const tracker = await startTracker('b77')
  const server = await ownServer({ ...tracker.settings, MAP_FILE: file, TILE_ATTRIBUTION: '© the county' })
  try {
    const console = await openOn(browser, server.url)
    await signInWith(console.page, 'admin@roadshow.example')
    await console.page.goto('/overview')
    await expect.poll(() => tileColors(console.page)).toEqual(expect.arrayContaining([WATER, LAND]))
    await expect(console.page.getByRole('link', { name: '© the county' }).first()).toBeVisible()

    const address = await publishRoute(console.page, tracker)
    const anyone = await openOn(browser, server.url)
    await anyone.page.goto(address)
    await anyone.page.locator('.route .sheet').first().scrollIntoViewIfNeeded()
    await expect(anyone.page.locator('.has-streets').first()).toBeVisible()
    await expect.poll(() => tileColors(anyone.page)).toEqual([LAND])

    const phone = await openOn(browser, server.url, true)
    await signInWith(phone.page, 'driver@roadshow.example')
    await phone.page.goto('/driver')
    await phone.page.getByRole('button', { name: 'Show the map' }).first().tap()
    await expect(phone.page.getByRole('application', { name: /^Map of the shift/ })).toBeVisible()
    await expect.poll(() => tileColors(phone.page)).toEqual([LAND])
    expect([...console.elsewhere, ...anyone.elsewhere, ...phone.elsewhere]).toEqual([])
  } finally {
    await server.stop()
    await tracker.close()
    await rm(folder, { recursive: true })
  }
})
