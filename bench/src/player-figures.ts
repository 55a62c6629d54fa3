import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { PLAYER_PATH } from '@roadshow/contract'
import { fastTime, runFast } from '@roadshow/test-kit/fast-time'
import { openBrowser } from './browser.ts'
import { addScreenTruck, reportedFrames, screenSides, SPOT_SECONDS } from './fill-screen.ts'
import { MB, megabytes, memoryOf } from './memory.ts'
import { type BenchFigure, times } from './report.ts'
import type { BenchWorld } from './world.ts'

const HOURS = 8
const SPEED = 120
const HOUR_MS = 3_600_000
const MAX_GROWTH = 20 * MB
const MAX_DROPPED = 0.001
const MAX_PROCESSOR = 1.3
const WINDOW_MS = 65_000
const WARM_UP_MS = 10_000
const PURGE_MS = 2000

/** The truck's player in a real browser: its memory over a day, its frames, and its processor time beside a bare page. */
export async function* measurePlayer(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const video = await inBrowser(async (browser) => recordVideo(await browser.newPage()))
  yield* processorAndFrames(world, video)
  yield await memoryGrowth(world, video)
}

async function inBrowser<T>(act: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await openBrowser('--autoplay-policy=no-user-gesture-required')
  try {
    return await act(browser)
  } finally {
    await browser.close()
  }
}

/** A spot of moving bars in VP9, recorded by the browser itself. */
async function recordVideo(page: Page): Promise<Buffer> {
  const recorded = await page.evaluate(async (seconds) => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 640, height: 240 })
    const brush = canvas.getContext('2d', { alpha: false })
    let count = 0
    const draw = () => {
      count += 4
      if (!brush) return
      for (let bar = 0; bar < 16; bar++) {
        brush.fillStyle = `hsl(${(bar * 22 + count) % 360} 80% 50%)`
        brush.fillRect((bar * 40 + count) % 640, 0, 40, 240)
      }
    }
    draw()
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm;codecs=vp9' })
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    const drawing = setInterval(draw, 33)
    recorder.start()
    setTimeout(() => recorder.stop(), seconds * 1000)
    await stopped
    clearInterval(drawing)
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }, SPOT_SECONDS)
  return Buffer.from(recorded, 'base64')
}

/** Opens the player and enters the code that it shows. */
async function openPlayer(world: BenchWorld, context: BrowserContext, pair: (code: string) => Promise<unknown>) {
  const page = await context.newPage()
  await page.goto(`${world.ours}${PLAYER_PATH}`)
  await page.waitForFunction(() => /^\w{4}-\w{4}$/.test(document.querySelector('h1')?.textContent ?? ''))
  await pair((await page.locator('h1').textContent()) ?? '')
  await page.waitForSelector('canvas')
  return page
}

/** Processor seconds of all processes of a browser so far. */
async function processorSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

/** Processor seconds for each second of a page that has warmed up. */
async function processorShare(browser: Browser): Promise<number> {
  await sleep(WARM_UP_MS)
  const before = await processorSeconds(browser)
  const startedAt = performance.now()
  await sleep(WINDOW_MS)
  const spent = (await processorSeconds(browser)) - before
  return spent / ((performance.now() - startedAt) / 1000)
}

/** The same video on the same places, by the browser's own means. */
async function openBarePage(browser: Browser, video: Buffer): Promise<Page> {
  const page = await browser.newPage()
  const source = `data:video/webm;base64,${video.toString('base64')}`
  const videos = Object.values(screenSides).map(
    ({ x, y, width, height }) =>
      `<video autoplay muted loop style="position:absolute;left:${x}px;top:${y}px" width="${width}" height="${height}" src="${source}"></video>`,
  )
  await page.setContent(`<body style="margin:0;background:#000">${videos.join('')}</body>`)
  return page
}

/** Frames of the videos of a page that were dropped, and all. */
const framesOf = (page: Page): Promise<{ dropped: number; total: number }> =>
  page.evaluate(() => {
    const all = Array.from(document.querySelectorAll('video'), (video) => video.getVideoPlaybackQuality())
    return {
      dropped: all.reduce((sum, { droppedVideoFrames }) => sum + droppedVideoFrames, 0),
      total: all.reduce((sum, { totalVideoFrames }) => sum + totalVideoFrames, 0),
    }
  })

async function* processorAndFrames(world: BenchWorld, video: Buffer): AsyncGenerator<BenchFigure> {
  const { truckUid, pair } = await addScreenTruck(world, video)
  const [bare, bareFrames] = await inBrowser(async (browser) => {
    const page = await openBarePage(browser, video)
    return [await processorShare(browser), await framesOf(page)] as const
  })
  const [ours, frames] = await inBrowser(async (browser) => {
    await openPlayer(world, await browser.newContext(), pair)
    return [await processorShare(browser), await reportedFrames(world, truckUid)] as const
  })
  yield {
    name: 'Processor of the player with three videos, beside a bare page with the same',
    ours: `${Math.round(ours * 100)} % of a core`,
    beside: `${Math.round(bare * 100)} %`,
    ratio: times(ours / bare),
    bar: `≤ ${times(MAX_PROCESSOR)}`,
    met: ours / bare <= MAX_PROCESSOR,
  }
  const share = frames.dropped / Math.max(1, frames.shown + frames.dropped)
  yield {
    name: 'Frames of the player that came too late, in a minute',
    ours: `${(share * 100).toFixed(2)} %`,
    beside: `${frames.dropped} of ${frames.shown + frames.dropped}; bare page ${bareFrames.dropped} of ${bareFrames.total}`,
    ratio: '',
    bar: `≤ ${MAX_DROPPED * 100} %`,
    met: frames.shown > 0 && share <= MAX_DROPPED,
  }
}

/** Bytes of the page's heap without garbage, and of all renderer processes without what they would give back. */
async function memoryOfPage(browser: Browser, page: Page): Promise<{ heap: number; renderers: number }> {
  const [session, whole] = [await page.context().newCDPSession(page), await browser.newBrowserCDPSession()]
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Memory.simulatePressureNotification', { level: 'critical' })
  await sleep(PURGE_MS)
  const { usedSize: heap } = await session.send('Runtime.getHeapUsage')
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo')
  await Promise.all([session.detach(), whole.detach()])
  const held = await Promise.all(
    processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => memoryOf(id).catch(() => ({ now: 0 }))),
  )
  return { heap, renderers: held.reduce((sum, { now }) => sum + now, 0) }
}

async function memoryGrowth(world: BenchWorld, video: Buffer): Promise<BenchFigure> {
  const { pair } = await addScreenTruck(world, video)
  return inBrowser(async (browser) => {
    const context = await browser.newContext()
    // The first hour fills caches.
    await runFast(context, fastTime((HOURS + 2) * HOUR_MS, SPEED))
    const page = await openPlayer(world, context, pair)
    await sleep(HOUR_MS / SPEED)
    const before = await memoryOfPage(browser, page)
    await sleep((HOURS * HOUR_MS) / SPEED)
    const after = await memoryOfPage(browser, page)
    const growth = after.renderers - before.renderers
    return {
      name: `Memory of the player over ${HOURS} hours at ${SPEED} × speed, growth of its process`,
      ours: megabytes(growth),
      beside: `${megabytes(before.renderers)} before; heap ${megabytes(before.heap)}, then ${megabytes(after.heap)}`,
      ratio: '',
      bar: `≤ ${megabytes(MAX_GROWTH)}`,
      met: growth <= MAX_GROWTH && after.heap - before.heap <= MAX_GROWTH,
    }
  })
}
