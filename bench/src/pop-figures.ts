import { API_BASE, contract } from '@roadshow/contract'
import type { Page } from '@playwright/test'
import { freePort } from '@roadshow/api/platform/db/embedded/server'
import { openBrowser } from './browser.ts'
import { publishTestPop } from './fill-pop.ts'
import { median, ratioOf } from './load.ts'
import { lighthouseFigures, scriptBytes, weightFigure } from './page-figures.ts'
import { type BenchFigure, times } from './report.ts'
import type { BenchWorld } from './world.ts'

const MOST_TIMES = 2
const ROUNDS = 40

/** The public page of a program: what it weighs, how Lighthouse grades it, and its data beside a stored document. */
export async function* measurePop(world: BenchWorld): AsyncGenerator<BenchFigure> {
  yield* documentFigure(world)
  await publishTestPop(world, 'seen', { seen: 14 })
  const url = `${world.ours}/programs/seen`
  const port = await freePort()
  const browser = await openBrowser(`--remote-debugging-port=${port}`)
  try {
    const guest = await browser.newContext()
    yield weightFigure('Public page, JavaScript before the map', await scriptBytes(guest, url, 'h1'), 75)
    yield weightFigure('Public page, JavaScript with the map', await scriptBytes(guest, url, 'h1', seeMap), 120)
    yield* lighthouseFigures('Public page', url, port, { performance: 95, accessibility: 100, 'best-practices': 100 })
  } finally {
    await browser.close()
  }
}

export async function seeMap(page: Page): Promise<void> {
  const loaded = page.waitForResponse((response) => /street-map.*\.js/.test(response.url()))
  await page.locator('.route').scrollIntoViewIfNeeded()
  await loaded
}

async function timeToRead(url: string): Promise<number> {
  const start = performance.now()
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  await answer.arrayBuffer()
  return performance.now() - start
}

const milliseconds = (took: number[]) => `${median(took).toFixed(1)} ms`

async function* documentFigure(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const uid = await publishTestPop(world, 'many', { madeUpPhotos: 5000 })
  const path = contract.publicPop.document.path.replace('{popUrl}', 'many')
  const took: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    took.ours.push(await timeToRead(`${world.ours}${API_BASE}/${path}`))
    took.bare.push(await timeToRead(`${world.bare}/documents/${uid}`))
  }
  const ratio = ratioOf(took.ours, took.bare)
  yield {
    name: 'Public document with 5,000 photos and two years of days, beside reading one stored document',
    ours: milliseconds(took.ours),
    beside: milliseconds(took.bare),
    ratio: times(ratio),
    bar: `≤ ${MOST_TIMES} ×`,
    met: ratio <= MOST_TIMES,
  }
}
