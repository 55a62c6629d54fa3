import type { Page } from '@playwright/test'
import { addDays } from '@roadshow/contract'
import { feedFleet, panFleet, someTrucks } from '@roadshow/test-kit/fed-fleet'
import { longestTask } from '@roadshow/test-kit/longest-task'
import { openBrowser, signedInContext } from './browser.ts'
import { TRUCKS } from './fill-road.ts'
import { FIRST_DAY, retireUnplanned, returnUnplanned } from './fill-shifts.ts'
import { median } from './load.ts'
import type { BenchFigure } from './report.ts'
import type { BenchWorld } from './world.ts'

const ROUNDS = 3
const MOST_MS = 100
const SETTLED_MS = 1_000
const PATIENCE_MS = 120_000

type Measure = (name: string, act: () => Promise<unknown>) => Promise<void>
type Screen = (page: Page, measure: Measure, address: string) => Promise<void>

/** How long the two fullest screens block their user, in a real browser. */
export async function* measureScreens(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const program = await world.sql<{ uid: string }>(`select uid from client_program where name = 'Bench Program 1'`)
  yield* longest(world, panMap)
  await retireUnplanned(world.sql)
  try {
    yield* longest(world, planShifts(program[0]?.uid ?? ''))
  } finally {
    await returnUnplanned(world.sql)
  }
}

/** The longest tasks of a screen that is opened some times, each time by a browser that has seen nothing. */
async function* longest(world: BenchWorld, act: Screen): AsyncGenerator<BenchFigure> {
  const found = new Map<string, number[]>()
  for (let round = 0; round < ROUNDS; round++) {
    const browser = await openBrowser()
    try {
      const page = await (await signedInContext(world, browser)).newPage()
      // What counts is the processor's time; on a busy machine everything else may take long.
      page.setDefaultTimeout(PATIENCE_MS)
      const measure: Measure = async (name, step) => {
        const ms = await longestTask(browser, async () => {
          await step()
          await page.waitForTimeout(SETTLED_MS)
        })
        found.set(name, [...(found.get(name) ?? []), ms])
      }
      await act(page, measure, world.ours)
    } finally {
      await browser.close()
    }
  }
  for (const [name, all] of found) {
    yield {
      name: `${name}, longest task`,
      ours: `${Math.round(median(all))} ms`,
      beside: '',
      ratio: '',
      bar: `≤ ${MOST_MS} ms`,
      met: median(all) <= MOST_MS,
    }
  }
}

const panMap: Screen = async (page, measure, address) => {
  await feedFleet(page, someTrucks(TRUCKS))
  await page.goto(`${address}/overview`)
  await page.getByRole('tab', { name: 'All trucks' }).click()
  await page.getByText(`${TRUCKS.toLocaleString('en')} trucks`).waitFor()
  await measure(`Overview with ${TRUCKS.toLocaleString('en')} moving trucks, panning its map`, () => panFleet(page))
}

const SCROLLS = 12

/** The board of 1,000 trucks with 10,000 shifts in two weeks, half of them dimmed by a filter. */
const planShifts =
  (program: string): Screen =>
  async (page, measure, address) => {
    const board = `${address}/schedule/program-schedule?date=${addDays(FIRST_DAY, 100)}&program=${program}`
    const bar = page.locator('[data-shift]').first()
    const what = 'Board of 1,000 trucks with 10,000 shifts in two weeks'
    await measure(`${what}, opening`, async () => {
      await page.goto(`${board}&range=twoWeeks`)
      await bar.waitFor()
    })
    const { x, y } = (await bar.boundingBox()) ?? { x: 0, y: 0 }
    await measure(`${what}, scrolling`, async () => {
      await page.mouse.move(x + 10, y + 10)
      for (let step = 0; step < SCROLLS; step++) {
        await page.mouse.wheel(0, step < SCROLLS / 2 ? 700 : -700)
        await page.waitForTimeout(100)
      }
    })
    await measure(`${what}, dragging`, async () => {
      await page.mouse.move(x + 10, y + 10)
      await page.mouse.down()
      await page.mouse.move(x + 600, y + 300, { steps: 30 })
      await page.mouse.move(x + 10, y + 10, { steps: 30 })
      await page.mouse.up()
    })
    await page.getByText('Week', { exact: true }).click()
    await page.waitForTimeout(SETTLED_MS)
    await measure(`${what}, switching to them from one week`, async () => {
      await page.getByText('Two weeks', { exact: true }).click()
      await page.locator('[data-range="twoWeeks"]').waitFor()
    })
  }
