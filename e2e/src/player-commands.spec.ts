import type { Page } from '@playwright/test'
import { API_BASE, type ScreenState } from '@roadshow/contract'
import { fastTime, runFast } from '@roadshow/test-kit/fast-time'
import { addRunningTruck, approve, pairScreen, quarteredPng, quarteredVideo, shownPixels } from './test-player.ts'
import { callAs, dataOf, enter, expect, expectAccessible, expectFits, PHONE, test } from './world.ts'

const side = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const map = {
  width: 480,
  height: 240,
  sides: { driverSide: side(0, 0, 320, 120), passengerSide: side(0, 120, 320, 120), rear: side(320, 0, 120, 120) },
}
const RED = [255, 0, 0] as const
const BLACK = [0, 0, 0] as const
const HOUR = 3_600_000

const screenOf = async (page: Page, truckUid: string) =>
  (await dataOf<ScreenState[]>(callAs(page, 'GET', `trucks/${truckUid}/screens`)))[0]

/** Keeps the videos that the player makes: they are on no page. The second one fails to open. */
function keepVideos(): void {
  const load = Reflect.get(HTMLMediaElement.prototype, 'load')
  let loads = 0
  HTMLMediaElement.prototype.load = function () {
    if (++loads === 2) setTimeout(() => this.dispatchEvent(new Event('error')))
    else load.call(this)
  }
  const videos: HTMLVideoElement[] = []
  Object.assign(window, { videos })
  const make = document.createElement.bind(document)
  document.createElement = (name: string) => {
    const made = make(name)
    if (made instanceof HTMLVideoElement) videos.push(made)
    return made
  }
}

interface HeldVideos extends Window {
  /** Lets videos go back to their start; resolves with their number. */
  rewindHeld(): Promise<number>
}

/** From now on videos take as long as the test wants to go back to their start. */
function holdRewinding(): void {
  const place = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime') as PropertyDescriptor
  const rewinding: (() => Promise<unknown>)[] = []
  Object.defineProperty(HTMLMediaElement.prototype, 'currentTime', {
    ...place,
    set(this: HTMLMediaElement, time: number) {
      rewinding.push(() => {
        const rewound = new Promise((resolve) => this.addEventListener('seeked', resolve, { once: true }))
        place.set?.call(this, time)
        return rewound
      })
    },
  })
  const rewindHeld = async () => {
    Object.defineProperty(HTMLMediaElement.prototype, 'currentTime', place)
    await Promise.all(rewinding.map((rewind) => rewind()))
    return rewinding.length
  }
  Object.assign(window, { rewindHeld })
}

test('a screen resumes a cut download, tells how it is, does what the console asks, and starts again by itself', async ({
  page,
  browser,
}) => {
  await enter(page, 'admin')
  const all = [RED, RED, RED, RED] as const
  const files = {
    driverSide: quarteredPng(320, 120, all),
    passengerSide: quarteredPng(160, 60, all),
    rear: await quarteredVideo(page, { width: 120, height: 120, quarters: all, durationMs: 1000 }),
  }
  const { truck, artwork } = await addRunningTruck(page, { map, files })
  const context = await browser.newContext({ serviceWorkers: 'block' })
  // Reports of its health come every three seconds.
  await runFast(context, fastTime(8 * HOUR, 20))
  await context.addInitScript(keepVideos)
  const player = await context.newPage()

  // The connection ends in the middle of the video, and at once whenever the rest is asked for, until the page is loaded again.
  const half = Math.floor(files.rear.content.length / 2)
  const asked: (string | undefined)[] = []
  let isMended = false
  let mayArrive: Promise<void> | undefined
  let loaded = 0
  await context.route(`**${API_BASE}/files/**`, async (route) => {
    const range = route.request().headers()['range']
    const isWhole = isMended
    await mayArrive
    const answer = await route.fetch()
    if (range && !isWhole) return route.fulfill({ response: answer, body: '' })
    const body = await answer.body()
    loaded++
    const isVideo = body.equals(files.rear.content)
    if (range || isVideo) asked.push(range)
    return route.fulfill({ response: answer, body: isVideo && !isWhole ? body.subarray(0, half) : body })
  })
  await player.goto('/player')
  const deviceUid = await pairScreen(player, page, truck.uid)
  const health = async () => (await screenOf(page, truck.uid))?.health?.screen
  await expect.poll(health).toMatchObject({ filesHeld: 2, filesNeeded: 3 })
  await expect.poll(async () => (await health())?.lastProblem).toContain('The connection ended early.')
  await page.setViewportSize(PHONE)
  await page.goto(`/trucks?open=${truck.uid}&tab=live`)
  await expect(page.getByText('2 of 3 files')).toBeVisible()
  await expectAccessible(page)
  await expectFits(page)
  if (process.env['E2E_PICTURES'])
    await page.screenshot({ path: `${process.env['E2E_PICTURES']}/live.png`, fullPage: true })
  isMended = true
  await player.reload()
  const corner = () => shownPixels(player, [{ x: 5, y: 5 }])
  await expect.poll(corner).toEqual([RED])
  expect(asked).toEqual([undefined, `bytes=${half}-`])

  const command = async (kind: string, seconds?: number) => {
    const { uid } = await dataOf<{ uid: string }>(
      callAs(page, 'POST', `devices/${deviceUid}/commands`, { kind, ...(seconds && { seconds }) }),
    )
    const state = async () => (await screenOf(page, truck.uid))?.commands.find((given) => given.uid === uid)?.state
    await expect.poll(state).toBe('done')
  }
  const isHeard = () =>
    player.evaluate(() => {
      const { videos } = window as unknown as { videos: HTMLVideoElement[] }
      return videos.some((video) => !video.paused && !video.muted)
    })
  await expect.poll(isHeard).toBe(true)
  await command('volumeOff')
  await expect.poll(isHeard).toBe(false)
  await command('volumeOn')
  await expect.poll(isHeard).toBe(true)

  await command('blank', 2)
  await expect.poll(corner).toEqual([BLACK])
  await expect.poll(corner).toEqual([RED])

  // A video that leaves the screen when its file is deleted does not stand in for the new one.
  await player.evaluate(holdRewinding)
  loaded = 0
  let send = () => {}
  mayArrive = new Promise((resolve) => (send = resolve))
  await command('download')
  expect(await player.evaluate(() => (window as unknown as HeldVideos).rewindHeld())).toBeGreaterThan(0)
  send()
  await expect.poll(() => loaded).toBe(3)
  await expect.poll(corner).toEqual([RED])

  await player.evaluate(() => Object.assign(window, { isOld: true }))
  const isNew = () => player.evaluate(() => !('isOld' in window)).catch(() => false)
  await command('restart')
  await expect.poll(isNew).toBe(true)
  await expect.poll(corner).toEqual([RED])

  // A page that can no longer draw starts again. Its frames tell a time that goes faster.
  await player.evaluate(() => {
    Object.assign(window, { isOld: true })
    const request = requestAnimationFrame
    window.requestAnimationFrame = (frame) => request((at) => frame(at * 20))
    CanvasRenderingContext2D.prototype.drawImage = () => {
      throw new Error('The graphics card is gone.')
    }
  })
  await expect.poll(isNew).toBe(true)
  await expect.poll(corner).toEqual([RED])

  // A new build waits until nothing is shown.
  await player.evaluate(() => {
    Object.assign(window, { isOld: true })
    for (let change = 0; change < 2; change++) navigator.serviceWorker?.dispatchEvent(new Event('controllerchange'))
  })
  await command('showScreen')
  expect(await isNew()).toBe(false)
  await dataOf(callAs(page, 'POST', 'artwork-sets/withdraw', { uid: artwork.uid }))
  await expect.poll(isNew).toBe(true)
  await approve(page, artwork)
  await expect.poll(corner).toEqual([RED])
})
