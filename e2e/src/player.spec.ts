import { createHash } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { API_BASE, areaOnSide, type ScreenState, type TruckSide, truckSides } from '@roadshow/contract'
import {
  addMap,
  addRunningTruck,
  type ArtworkFile,
  countedOn,
  killableBrowser,
  numbersOf,
  pairScreen,
  quarteredPng,
  quarteredVideo,
  type Quarters,
  shownPixels,
  stopPlaying,
  type TestMap,
  waitingOn,
} from './test-player.ts'
import type { Rgb } from './png.ts'
import { callAs, dataOf, enter, expect, expectAccessible, test } from './world.ts'

const BLACK: Rgb = [0, 0, 0]
const warm: Quarters = [
  [255, 0, 0],
  [255, 178, 36],
  [200, 0, 120],
  [120, 60, 0],
]
const cold: Quarters = [
  [0, 0, 255],
  [0, 200, 120],
  [90, 0, 200],
  [0, 90, 90],
]
// Videos keep less of a color than of its brightness.
const VIDEO_TOLERANCE = 12

const side = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const maps: TestMap[] = [
  {
    width: 480,
    height: 240,
    sides: { driverSide: side(0, 0, 320, 120), passengerSide: side(0, 120, 320, 120), rear: side(320, 0, 120, 120) },
  },
  {
    width: 700,
    height: 333,
    sides: { driverSide: side(7, 5, 640, 240), passengerSide: side(3, 250, 200, 80), rear: side(400, 251, 90, 61) },
  },
  {
    width: 1201,
    height: 160,
    sides: { driverSide: side(881, 0, 320, 120), passengerSide: side(0, 40, 320, 120), rear: side(400, 20, 240, 120) },
  },
]

/** The corners of a side and of its file on it, with the color that must be there. */
function expectedPixels(map: TestMap, at: TruckSide, file: ArtworkFile) {
  const place = map.sides[at]
  const area = areaOnSide(file, place)
  const [left, top] = [place.x + area.x, place.y + area.y]
  const [right, bottom] = [left + area.width - 1, top + area.height - 1]
  const [a, b, c, d] = file.quarters
  const corners = [
    { x: left, y: top, color: a },
    { x: right, y: top, color: b },
    { x: left, y: bottom, color: c },
    { x: right, y: bottom, color: d },
  ]
  const [endX, endY] = [place.x + place.width - 1, place.y + place.height - 1]
  const beside = [
    { x: place.x, y: place.y },
    { x: endX, y: place.y },
    { x: place.x, y: endY },
    { x: endX, y: endY },
  ].filter(({ x, y }) => x < left || x > right || y < top || y > bottom)
  return [...corners, ...beside.map((point) => ({ ...point, color: BLACK }))]
}

const isClose = (one: Rgb, other: Rgb, tolerance: number) =>
  one.every((value, index) => Math.abs(value - (other[index] ?? -999)) <= tolerance)

/** Every rectangle's corners, as they leave the browser. */
async function wrongPixels(page: Page, map: TestMap, files: Record<TruckSide, ArtworkFile>): Promise<string[]> {
  const points = truckSides.flatMap((at) => {
    const tolerance = files[at].contentType.startsWith('video/') ? VIDEO_TOLERANCE : 0
    return expectedPixels(map, at, files[at]).map((point) => ({ ...point, at, tolerance }))
  })
  // Beside the sides nothing is lit.
  const outside = { x: map.width + 3, y: map.height + 3, color: BLACK, at: 'outside', tolerance: 0 }
  const all = [...points, outside]
  const colors = await shownPixels(page, all)
  return all.flatMap(({ x, y, at, color, tolerance }, index) => {
    const found = colors[index] ?? [-1, -1, -1]
    return isClose(found, color, tolerance) ? [] : [`${at} ${x},${y}: ${found.join(' ')} instead of ${color.join(' ')}`]
  })
}

const commandState = async (page: Page, truckUid: string, uid: string) => {
  const screens = await dataOf<{ commands: { uid: string; state: string }[] }[]>(
    callAs(page, 'GET', `trucks/${truckUid}/screens`),
  )
  return screens.flatMap(({ commands }) => commands).find((command) => command.uid === uid)?.state
}

test('a paired screen is exact to the pixel on three pixel maps, and shows a code again once its key is revoked', async ({
  page,
  browser,
}) => {
  await enter(page, 'admin')
  const files = {
    driverSide: quarteredPng(640, 240, warm),
    passengerSide: await quarteredVideo(page, {
      width: 120,
      height: 200,
      quarters: cold,
      durationMs: 1000,
      codec: 'h264',
    }),
    rear: await quarteredVideo(page, { width: 240, height: 120, quarters: warm, durationMs: 1000 }),
  }
  const [first, ...others] = maps
  if (!first) throw new Error('No map.')
  const { truck } = await addRunningTruck(page, { map: first, files })
  const player = await browser.newPage()
  await player.goto('/player')
  await expect(player.getByRole('heading')).toBeVisible()
  await expectAccessible(player)
  const deviceUid = await pairScreen(player, page, truck.uid)
  await expect.poll(() => wrongPixels(player, first, files)).toEqual([])

  let { version } = truck
  for (const map of others) {
    const { uid: pixelMapUid } = await addMap(page, map)
    const fields = { uid: truck.uid, version, number: truck.number, kind: 'led', state: 'active', pixelMapUid }
    version = (await dataOf<{ version: number }>(callAs(page, 'PUT', 'trucks/', fields))).version
    await expect.poll(() => wrongPixels(player, map, files)).toEqual([])
    await expect(player.locator('canvas')).toHaveJSProperty('width', map.width)
  }

  await callAs(page, 'POST', `devices/${deviceUid}/revoke`)
  await expect(player.getByRole('heading')).toHaveText(/^\w{4}-\w{4}$/, { timeout: 2000 })
  await expect(player.locator('canvas')).toHaveCount(0)

  // As another device it counts its plays from 1 again; what it had not sent, if anything, is lost.
  const unsent = await waitingOn(player)
  await callAs(page, 'DELETE', `devices/${deviceUid}`)
  const anotherUid = await pairScreen(player, page, truck.uid)
  expect(anotherUid).not.toBe(deviceUid)
  await expect.poll(async () => (await numbersOf(page, anotherUid)).stored, { timeout: 40_000 }).toBeGreaterThan(0)
  expect(await numbersOf(page, anotherUid)).toMatchObject({ missing: 0, rejected: 0 })
  const screens = await dataOf<ScreenState[]>(callAs(page, 'GET', `trucks/${truck.uid}/screens`))
  expect(screens.find((screen) => screen.deviceUid === anotherUid)?.health?.screen).toMatchObject({ playsLost: unsent })
})

/** The server is busy when a page connects for the first time. */
async function refuseFirstConnection(context: BrowserContext): Promise<void> {
  const busy = { message: 'Please try again.', data: { code: 'unavailable' } }
  let connections = 0
  await context.routeWebSocket(/socket\.io/, (socket) => {
    if (connections++ > 0) return void socket.connectToServer()
    socket.onMessage((message) => {
      if (String(message).startsWith('40')) socket.send(`44${JSON.stringify(busy)}`)
    })
    socket.send(`0${JSON.stringify({ sid: 'first', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000 })}`)
  })
}

test('a window that calls two pixels one shows the same pixels, and shows them to the console', async ({
  page,
  browser,
}) => {
  await enter(page, 'admin')
  const files = {
    driverSide: quarteredPng(320, 120, warm),
    passengerSide: quarteredPng(320, 120, cold),
    rear: quarteredPng(120, 120, warm),
  }
  const [map] = maps
  if (!map) throw new Error('No map.')
  const { truck } = await addRunningTruck(page, { map, files })
  const dense = await browser.newContext({ deviceScaleFactor: 2 })
  await refuseFirstConnection(dense)
  const player = await dense.newPage()
  await player.goto('/player')
  const deviceUid = await pairScreen(player, page, truck.uid)
  await expect.poll(() => wrongPixels(player, map, files), { timeout: 40_000 }).toEqual([])

  const command = (kind: string) =>
    dataOf<{ uid: string }>(callAs(page, 'POST', `devices/${deviceUid}/commands`, { kind }))
  const shown = await command('showScreen')
  await expect.poll(() => commandState(page, truck.uid, shown.uid), { timeout: 10_000 }).toBe('done')
  const picture = await callAs(page, 'GET', `device-commands/${shown.uid}/picture`)
  expect(picture.headers()['content-type']).toBe('image/jpeg')
  const pattern = await command('testPattern')
  await expect.poll(() => commandState(page, truck.uid, pattern.uid)).toBe('done')
  // The grid has a white line around the canvas.
  await expect.poll(() => shownPixels(player, [{ x: map.width - 1, y: map.height - 1 }])).toEqual([[255, 255, 255]])
})

test('a file whose bytes were changed on the way is never shown', async ({ page, browser }) => {
  await enter(page, 'admin')
  const files = {
    driverSide: quarteredPng(320, 120, warm),
    passengerSide: quarteredPng(320, 120, cold),
    rear: quarteredPng(120, 120, cold),
  }
  const [map] = maps
  if (!map) throw new Error('No map.')
  const { truck } = await addRunningTruck(page, { map, files })
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const player = await context.newPage()
  const red: Rgb = [255, 0, 0]
  let changed = 0
  await context.route(`**${API_BASE}/files/**`, async (route) => {
    const answer = await route.fetch()
    const body = await answer.body()
    if (body.equals(files.rear.content)) {
      // Still a picture of the same size, in another color.
      changed++
      const { content } = quarteredPng(120, 120, [red, red, red, red])
      const padded = Buffer.concat([content, Buffer.alloc(body.length)]).subarray(0, body.length)
      return route.fulfill({ response: answer, body: padded })
    }
    return route.fulfill({ response: answer, body })
  })
  await player.goto('/player')
  await pairScreen(player, page, truck.uid)
  await expect.poll(() => changed).toBeGreaterThan(0)
  // The other two are here, and this one is not.
  await expect.poll(() => keptFiles(player)).toHaveLength(2)
  expect(await keptFiles(player)).not.toContain(sha256(files.rear.content))
  const middle = { x: map.sides.rear.x + 10, y: map.sides.rear.y + 10 }
  expect(await shownPixels(player, [middle, { x: 5, y: 5 }])).toEqual([BLACK, BLACK])
  await context.unrouteAll({ behavior: 'wait' })
  await player.reload()
  await expect.poll(() => wrongPixels(player, map, files)).toEqual([])
})

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** The hashes of complete files on the device. */
const keptFiles = (player: Page) =>
  player.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('artwork')
    const names: string[] = []
    for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name)
    return names.filter((name) => !name.endsWith('.part'))
  })

/** Keeps the connections of a page to its stores. */
function keepStores(): void {
  const stores: IDBDatabase[] = []
  Object.assign(window, { stores })
  type Open = IDBFactory['open']
  const open = Reflect.get(IDBFactory.prototype, 'open')
  IDBFactory.prototype.open = function (this: IDBFactory, ...given: Parameters<Open>) {
    const opening = open.apply(this, given)
    opening.addEventListener('success', () => stores.push(opening.result))
    return opening
  }
}

/** Closes the stores of a page as the browser does by itself; answers how many plays were counted until then. */
async function closeStores(page: Page): Promise<number> {
  await page.evaluate(() => {
    for (const store of (window as unknown as { stores: IDBDatabase[] }).stores) {
      store.close()
      store.dispatchEvent(new Event('close'))
    }
  })
  return countedOn(page)
}

test('a screen that is killed twice loses no play and counts none twice', async ({ page, baseURL }) => {
  await enter(page, 'admin')
  const video = await quarteredVideo(page, { width: 120, height: 120, quarters: cold, durationMs: 700 })
  const files = { driverSide: video, passengerSide: quarteredPng(320, 120, cold), rear: quarteredPng(120, 120, warm) }
  const [map] = maps
  if (!map) throw new Error('No map.')
  const { truck, program } = await addRunningTruck(page, { map, files })
  const machine = await killableBrowser()
  try {
    let screen = await machine.start()
    await screen.page.goto(`${baseURL}/player`)
    const deviceUid = await pairScreen(screen.page, page, truck.uid)
    for (const plays of [3, 9]) {
      await expect.poll(() => countedOn(screen.page)).toBeGreaterThan(plays)
      await screen.kill()
      screen = await machine.start()
      await screen.page.addInitScript(keepStores)
      await screen.page.goto(`${baseURL}/player`)
    }
    await expect.poll(() => countedOn(screen.page)).toBeGreaterThan(15)
    // A browser may close the store of a page that runs for weeks.
    const kept = await closeStores(screen.page)
    await expect.poll(() => countedOn(screen.page)).toBeGreaterThan(kept + 3)
    await screen.page.context().setOffline(true)
    const before = await countedOn(screen.page)
    await expect.poll(() => countedOn(screen.page)).toBeGreaterThan(before + 3)
    // Without network it starts all the same.
    await screen.page.reload()
    await expect(screen.page.locator('canvas')).toBeVisible()
    await screen.page.context().setOffline(false)
    await stopPlaying(page, truck)
    await expect.poll(() => waitingOn(screen.page), { timeout: 40_000 }).toBe(0)
    const counted = await countedOn(screen.page)
    await expect.poll(async () => (await numbersOf(page, deviceUid)).stored).toBe(counted)
    expect(await numbersOf(page, deviceUid)).toMatchObject({ stored: counted, missing: 0, rejected: 0 })
    const log = await callAs(page, 'GET', `ad-log-report/run?program=${program.uid}&pageSize=200`)
    const { data } = (await log.json()) as { data: { sequence: number }[] }
    expect(data.map(({ sequence }) => sequence).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: counted }, (_, index) => index + 1),
    )
    await screen.kill()
  } finally {
    await machine.remove()
  }
})

test('the self-test finds a browser that is fit for a screen', async ({ browser }) => {
  // This machine has no GPS bridge, which the browser complains about by itself.
  const page = await browser.newPage()
  await page.goto('/player?self-test')
  await expect(page.locator('main[data-done]')).toBeVisible()
  await expect(page.locator('[data-result="failed"]')).toHaveCount(0)
  await expectAccessible(page)
})
