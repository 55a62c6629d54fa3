import type { Page } from '@playwright/test'
import type { AdLogSummary, LoggedPlay, SdApproach, SdSummary } from '@roadshow/contract'
import { type DrivenFix, fastTime, runFast } from '@roadshow/test-kit/fast-time'
import { ownServer } from './own-server.ts'
import { networkTo } from './test-network.ts'
import {
  addRunningTruck,
  countedOn,
  killableBrowser,
  numbersOf,
  pairScreen,
  quarteredPng,
  stopPlaying,
  waitingOn,
} from './test-player.ts'
import { startTracker } from './test-tracker.ts'
import { callAs, dataOf, enter, expect, test } from './world.ts'

// How many plays each of the five parts of the day has at least. 420 make a day of six hours with 2,100 plays.
const PLAYS = Number(process.env['E2E_PLAYS'] ?? 9)
const SPOT_SECONDS = 30
const SPEED = 60
const HOUR = 3_600_000
const DAY_MS = 9 * HOUR

const side = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const map = {
  width: 480,
  height: 240,
  sides: { driverSide: side(0, 0, 320, 120), passengerSide: side(0, 120, 320, 120), rear: side(320, 0, 120, 120) },
}
const shop = { latitude: 32.78, longitude: -96.8, radiusM: 500 }

const filesIn = (red: number, blue: number) => {
  const [color, other] = [
    [red, 0, blue],
    [red, 120, blue],
  ] as const
  return {
    driverSide: quarteredPng(320, 120, [color, color, other, other]),
    passengerSide: quarteredPng(160, 60, [other, other, color, color]),
    rear: quarteredPng(120, 120, [color, other, color, other]),
  }
}

/** Up and down one street all day at 40 km/h, from 1.5 km before the shop to 1.5 km behind it. */
function shuttle(from: number): DrivenFix[] {
  const [reach, speed, every] = [1500, 40 / 3.6, 10_000]
  return Array.from({ length: DAY_MS / every }, (_, index) => {
    const driven = ((index * every) / 1000) * speed
    const meters = Math.abs((driven % (4 * reach)) - 2 * reach) - reach
    return {
      at: from + index * every,
      latitude: shop.latitude + meters / 111_195,
      longitude: shop.longitude,
      speedKmh: 40,
    }
  })
}

/** Every play of a program in the ad log. */
async function loggedPlays(page: Page, query: string): Promise<LoggedPlay[]> {
  const all: LoggedPlay[] = []
  for (let number = 1; ; number++) {
    const answer = await callAs(page, 'GET', `ad-log-report/run?${query}&pageSize=200&page=${number}`)
    const { data, total } = (await answer.json()) as { data: LoggedPlay[]; total: number }
    all.push(...data)
    if (data.length === 0 || all.length >= total) return all
  }
}

test('after a day offline with killed browsers and a killed server, each play is in the ad log once', async ({
  browser,
}) => {
  // It starts a server of its own.
  test.setTimeout(240_000 + PLAYS * 3000)
  const tracker = await startTracker('b77')
  const server = await ownServer(tracker.settings)
  const network = await networkTo(server.port, 200)
  const machine = await killableBrowser()
  try {
    const page = await (await browser.newContext({ baseURL: server.url })).newPage()
    await enter(page, 'admin')
    const { truck, program, market, today, addressUid } = await addRunningTruck(page, {
      map,
      files: filesIn(255, 0),
      address: { ...shop, files: filesIn(0, 255) },
      spotSeconds: SPOT_SECONDS,
      truck: { geotabDeviceId: 'b77' },
    })
    const time = fastTime(DAY_MS, SPEED)
    const fixes = shuttle(time.startsAt)
    const untold = [...fixes]
    const start = async () => {
      const started = await machine.start()
      await runFast(started.page, time, fixes)
      await started.page.goto(`${network.url}/player`)
      return started
    }
    let screen = await start()
    const deviceUid = await pairScreen(screen.page, page, truck.uid)
    const counted = () => countedOn(screen.page)
    const playOn = async () => {
      const before = await counted()
      await expect.poll(counted, { timeout: 60_000 + PLAYS * 1000 }).toBeGreaterThanOrEqual(before + PLAYS)
      const driven = untold.findIndex(({ at }) => at > time.startsAt + (Date.now() - time.since) * SPEED)
      tracker.tell(untold.splice(0, driven))
    }
    const killBrowser = async () => {
      await screen.kill()
      screen = await start()
    }

    await playOn()
    await killBrowser()
    await playOn()
    network.cut()
    await playOn()
    await killBrowser()
    await playOn()
    expect(await waitingOn(screen.page)).toBeGreaterThan(2 * PLAYS)
    network.mend()
    await server.kill()
    await server.start()
    await playOn()
    const simulatedMs = (Date.now() - time.since) * SPEED
    await stopPlaying(page, truck)
    await expect.poll(() => waitingOn(screen.page), { timeout: 60_000 }).toBe(0)

    const total = await counted()
    expect(await numbersOf(page, deviceUid)).toMatchObject({ used: total, stored: total, missing: 0, rejected: 0 })
    const report = `program=${program.uid}&market=${market.uid}&from=${today}&to=${today}`
    const plays = await loggedPlays(page, report)
    expect(plays.map(({ sequence }) => sequence).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: total }, (_, index) => index + 1),
    )
    const log = await dataOf<AdLogSummary>(callAs(page, 'GET', `ad-log-report/summary?${report}`))
    expect(log.total).toMatchObject({ plays: total, missing: 0, rejected: 0 })

    const sd = () => dataOf<SdSummary>(callAs(page, 'GET', `smart-directional-report/summary?${report}`))
    const approaches = `smart-directional-report/approaches?${report}&address=${addressUid}&pageSize=200`
    const readVisits = () => dataOf<SdApproach[]>(callAs(page, 'GET', approaches))
    const withPlays = (visits: SdApproach[]) => visits.filter(({ plays: count }) => count > 0)
    // A job finds visits while the track arrives: the first of them may be older than the first play.
    await expect.poll(async () => withPlays(await readVisits()).length, { timeout: 60_000 }).toBeGreaterThan(0)
    const forShop = plays.filter(({ address }) => address?.uid === addressUid)
    expect((await sd()).totals).toMatchObject({ plays: forShop.length, reached: 1 })
    const visits = await readVisits()
    const shown = withPlays(visits)
    expect(shown.every(({ isMissed, nearestM }) => !isMissed && nearestM <= shop.radiusM)).toBe(true)
    const minutes = Math.round(simulatedMs / 60_000)
    const dark = plays
      .filter(({ side: on }) => on === 'rear')
      .reduce((left, { durationMs }) => left - durationMs, simulatedMs)
    test.info().annotations.push({
      type: 'figures',
      description: `${minutes} simulated minutes, ${total} plays, ${forShop.length} of them near the shop in ${shown.length} of ${visits.length} visits, dark for ${Math.round(dark / 60_000)} minutes`,
    })
    await screen.kill()
  } finally {
    await network.close()
    await machine.remove()
    await server.stop()
    await tracker.close()
  }
})
