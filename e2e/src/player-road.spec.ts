import type { Page } from '@playwright/test'
import { fastTime, type DrivenFix, runFast } from '@roadshow/test-kit/fast-time'
import type { Rgb } from './png.ts'
import { addRunningTruck, approve, pairScreen, quarteredPng, quarteredVideo } from './test-player.ts'
import { callAs, dataOf, enter, expect, test } from './world.ts'

const side = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const map = {
  width: 480,
  height: 240,
  sides: { driverSide: side(0, 0, 320, 120), passengerSide: side(0, 120, 320, 120), rear: side(320, 0, 120, 120) },
}
const shop = { latitude: 32.78, longitude: -96.8, radiusM: 500 }
const METERS_PER_DEGREE = 111_195
const MINUTE = 60_000
const latitudeOf = (meters: number) => shop.latitude + meters / METERS_PER_DEGREE

/** A file for each side in one color; the rear side has a video. */
async function filesIn(page: Page, color: Rgb) {
  const quarters = [color, color, color, color] as const
  return {
    driverSide: quarteredPng(320, 120, quarters),
    passengerSide: quarteredPng(160, 60, quarters),
    rear: await quarteredVideo(page, { width: 120, height: 120, quarters, durationMs: 1000 }),
  }
}

interface Seen {
  colors: string
  /** By the fast clock. */
  at: number
}

/** Looks at the middle of each side in every frame, and keeps what differs from the frame before. */
const watchSides = (player: Page) =>
  player.evaluate((points) => {
    const seen: Seen[] = []
    Object.assign(window, { seen })
    const brush = document.querySelector('canvas')?.getContext('2d')
    const look = () => {
      const colors = points.map(([x, y]) => {
        const [red = 0, , blue = 0] = brush?.getImageData(x, y, 1, 1).data ?? []
        return red > 128 ? 'red' : blue > 128 ? 'blue' : 'black'
      })
      if (seen.at(-1)?.colors !== colors.join(' ')) seen.push({ colors: colors.join(' '), at: Date.now() })
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, middles)
const middles = Object.values(map.sides).map(({ x, y, width, height }) => [x + width / 2, y + height / 2] as const)
const changesOn = (player: Page) => player.evaluate(() => (window as unknown as { seen: Seen[] }).seen)
const seenOn = async (player: Page) => (await changesOn(player)).map(({ colors }) => colors)

const RED = 'red red red'
const BLUE = 'blue blue blue'
const BLACK = 'black black black'

test('near an address its artwork is on all sides in the same frame without flicker, and withdrawn artwork leaves the screen', async ({
  page,
  browser,
}) => {
  await enter(page, 'admin')
  const address = { ...shop, files: await filesIn(page, [0, 0, 255]) }
  const { truck, artwork } = await addRunningTruck(page, { map, files: await filesIn(page, [255, 0, 0]), address })
  const time = fastTime(30 * MINUTE, 30)
  const begin = time.startsAt + 4 * MINUTE
  // Meters from the shop: along its border, to the shop, along the border where its artwork stays, and away.
  const distances = [1000, 800, 600, 400, 600, 400, 600, 400, 600, 400, 200, 100, 100, 100, 100, 100, 100, 300, 500]
  const away = [550, 750, 550, 750, 550, 750, 550, 750, 950, 1150]
  const fixes = [...distances, ...away].map((meters, index): DrivenFix => {
    return { at: begin + index * 6000, latitude: latitudeOf(meters), longitude: shop.longitude, speedKmh: 110 }
  })
  const context = await browser.newContext()
  await runFast(context, time, fixes)
  const player = await context.newPage()
  await player.goto('/player')
  await pairScreen(player, page, truck.uid)
  await watchSides(player)
  await expect.poll(() => seenOn(player)).toContain(RED)
  await expect.poll(() => seenOn(player)).toContain(BLUE)
  await expect.poll(async () => (await seenOn(player)).at(-1)).toBe(RED)
  const changes = (await changesOn(player)).filter(({ colors }) => colors !== BLACK)
  expect(changes.map(({ colors }) => colors)).toEqual([RED, BLUE, RED])
  // Only two positions in a row change what is shown: the second one near the shop, and the second one far from it.
  const fixAt = (meters: number) => fixes.find(({ latitude }) => latitude === latitudeOf(meters))?.at
  expect(changes[1]?.at).toBeGreaterThanOrEqual(fixAt(200) ?? Infinity)
  expect(changes[2]?.at).toBeGreaterThanOrEqual(fixAt(950) ?? Infinity)

  await dataOf(callAs(page, 'POST', 'artwork-sets/withdraw', { uid: artwork.uid }))
  await expect.poll(async () => (await seenOn(player)).at(-1)).toBe(BLACK)
  await approve(page, artwork)
  await expect.poll(async () => (await seenOn(player)).at(-1)).toBe(RED)
  expect((await seenOn(player)).slice(-3)).toEqual([RED, BLACK, RED])
  // A set that a running shift needs cannot be deleted: withdrawing is the only way off the screen.
  const refused = await callAs(page, 'DELETE', `artwork-sets/${artwork.uid}`)
  expect(await refused.json()).toMatchObject({ code: 'stillNeeded' })
})
