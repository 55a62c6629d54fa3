import type { Browser, Page } from '@playwright/test'
import { contract } from '@roadshow/contract'
import { longestTask } from '@roadshow/test-kit/longest-task'
import { openBrowser, signedInContext } from './browser.ts'
import { type FilledDay, FIXES, fillReplay } from './fill-replay.ts'
import { median, ratioOf } from './load.ts'
import { timed } from './report-figures.ts'
import { type BenchFigure, times } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const ROUNDS = 5
const CALLS = 20
const MOST_MS = { opening: 1_000, task: 100 }
const SCRUBS = 120
const DAY = `Replay of a day of ${FIXES.toLocaleString('en')} positions`

const POSITIONS = `select at, latitude, longitude, speed_kmh from position where truck_uid = $1 and at >= $2::date and at < $2::date + 1 order by at`
const PLAYS = `select started_at, side, duration_ms, sha256, grade from play where truck_uid = $1 and started_at >= $2::date and started_at < $2::date + 1 order by started_at`

/** How long the call of a replay takes, and how long it blocks the person who opens and scrubs it. */
export async function* measureReplay(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const filled = await fillReplay(world.sql)
  yield await callFigure(world, filled)
  yield* screenFigures(world, filled)
}

/** The one call that a replay makes, beside reading the same rows and writing them as JSON. */
async function callFigure(world: BenchWorld, { truck, day }: FilledDay): Promise<BenchFigure> {
  const { url, headers } = apiTarget(world, `${contract.replays.get.path}?truck=${truck}&day=${day}`)
  const call = async () => {
    const answer = await fetch(url, { headers })
    const { data } = (await answer.json()) as { data?: { track: { at: number[] }; thinned: number } }
    if ((data?.track.at.length ?? 0) + (data?.thinned ?? 0) !== FIXES) throw new Error(`${url}: ${answer.status}`)
  }
  const bare = async () => {
    const rows = await Promise.all([POSITIONS, PLAYS].map((statement) => world.sql(statement, [truck, day])))
    return JSON.parse(JSON.stringify(rows)) as unknown
  }
  const took = { call: [] as number[], bare: [] as number[] }
  for (let round = 0; round < CALLS; round++) {
    took.call.push(await timed(call))
    took.bare.push(await timed(bare))
  }
  return {
    name: `${DAY}: its call, beside the bare rows`,
    ours: `${Math.round(median(took.call))} ms`,
    beside: `${Math.round(median(took.bare))} ms`,
    ratio: `${times(ratioOf(took.call, took.bare))} as long`,
    bar: '',
    met: undefined,
  }
}

/** Opens a replay in a console that is open, as its links do; answers when the map and the time line stand there. */
async function openReplay(page: Page, { truck, day }: FilledDay): Promise<number> {
  return page.evaluate((address) => {
    const start = performance.now()
    history.pushState(null, '', address)
    return new Promise<number>((resolve) => {
      const look = () => {
        const isThere =
          document.querySelector('main [role="slider"] canvas') && document.querySelector('main .leaflet-container')
        if (isThere) resolve(performance.now() - start)
        else requestAnimationFrame(look)
      }
      look()
    })
  }, `/replay?truck=${truck}&day=${day}`)
}

/** Drags the time to and fro, steps by keys, and lets it run. */
async function scrub(page: Page): Promise<void> {
  const slider = page.getByRole('slider', { name: /^Time of/ })
  const box = await slider.boundingBox()
  if (!box) throw new Error('The time line is on the screen.')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + 2, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 2, y, { steps: SCRUBS })
  await page.mouse.move(box.x + box.width / 2, y, { steps: SCRUBS })
  await page.mouse.up()
  for (let step = 0; step < SCRUBS / 4; step++) await slider.press('ArrowRight')
  await page.waitForTimeout(500)
}

/** A browser that was never here, with a console that is open. */
async function inConsole(world: BenchWorld, work: (page: Page, browser: Browser) => Promise<void>): Promise<void> {
  const browser = await openBrowser()
  try {
    const page = await (await signedInContext(world, browser)).newPage()
    await page.goto(`${world.ours}/notifications`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await work(page, browser)
  } finally {
    await browser.close()
  }
}

async function* screenFigures(world: BenchWorld, filled: FilledDay): AsyncGenerator<BenchFigure> {
  const found = { opens: [] as number[], opening: [] as number[], scrubbing: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    // What records tasks slows the page down, so the clock runs in a browser of its own.
    await inConsole(world, async (page) => void found.opens.push(await openReplay(page, filled)))
    await inConsole(world, async (page, browser) => {
      found.opening.push(await longestTask(browser, async () => void (await openReplay(page, filled))))
      found.scrubbing.push(await longestTask(browser, () => scrub(page)))
    })
  }
  yield limitFigure(`${DAY}: from the click to map and time line`, found.opens, MOST_MS.opening)
  yield { ...limitFigure(`${DAY}: opening, longest task`, found.opening, MOST_MS.task), bar: '', met: undefined }
  yield limitFigure(`${DAY}: scrubbing, longest task`, found.scrubbing, MOST_MS.task)
}

const limitFigure = (name: string, took: number[], mostMs: number): BenchFigure => ({
  name,
  ours: `${Math.round(median(took))} ms`,
  beside: '',
  ratio: '',
  bar: `≤ ${mostMs.toLocaleString('en')} ms`,
  met: median(took) <= mostMs,
})
