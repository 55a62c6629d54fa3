import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { API_BASE } from '@roadshow/contract'
import lighthouse from 'lighthouse'
import { freePort } from '@roadshow/api/platform/db/embedded/server'
import { openBrowser, signedInContext } from './browser.ts'
import { median } from './load.ts'
import type { BenchFigure } from './report.ts'
import type { BenchWorld } from './world.ts'

const RUNS = 3
const FIRST_SCREEN_KB = 300

/** What the built pages weigh and how Lighthouse grades them, in a real browser from the real server. */
export async function* measurePages(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const port = await freePort()
  const browser = await openBrowser(`--remote-debugging-port=${port}`)
  try {
    yield* weights(world, browser)
    yield* lighthouseFigures('Login page', `${world.ours}/login`, port, { performance: 95, accessibility: 100 })
  } finally {
    await browser.close()
  }
}

async function* weights(world: BenchWorld, browser: Browser): AsyncGenerator<BenchFigure> {
  const guest = await browser.newContext()
  yield weightFigure('Login page, JavaScript', await scriptBytes(guest, `${world.ours}/login`, 'form'), 100)
  const admin = await signedInContext(world, browser)
  const first = await scriptBytes(admin, `${world.ours}/overview`, '[role="application"]')
  yield weightFigure('First screen (Overview with its map), JavaScript', first, FIRST_SCREEN_KB)
  yield transferFigure('First screen, all files as they are sent', await fileBytes(world, browser))
  yield weightFigure('Trucks, JavaScript', await scriptBytes(admin, `${world.ours}/trucks`, 'tbody tr'), 380)
}

export const weightFigure = (name: string, bytes: number, bar: number): BenchFigure => ({
  name,
  ours: `${(bytes / 1000).toFixed(1)} kB gzip`,
  beside: '',
  ratio: '',
  bar: `≤ ${bar} kB`,
  met: bytes <= bar * 1000,
})

/** Informs only: fonts, outlines of the states and the headers of each file are in it. */
const transferFigure = (name: string, bytes: number): BenchFigure => ({
  name,
  ours: `${(bytes / 1000).toFixed(1)} kB`,
  beside: '',
  ratio: '',
  bar: '',
  met: undefined,
})

/** Every byte of the files that a browser without any of them loads for the first screen; without calls and tiles. */
async function fileBytes(world: BenchWorld, browser: Browser): Promise<number> {
  const context = await signedInContext(world, browser)
  const page = await context.newPage()
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin !== world.ours || pathname.startsWith(API_BASE) || pathname.startsWith('/socket.io')) return
    sizes.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    )
  })
  await page.goto(`${world.ours}/overview`)
  await page.waitForSelector('[role="application"]')
  await page.waitForLoadState('networkidle')
  const all = await Promise.all(sizes)
  await context.close()
  return all.reduce((sum, size) => sum + size, 0)
}

/** Every script that the page loads until it is quiet, each as gzip sends it; more may come of what is done with it. */
export async function scriptBytes(
  context: BrowserContext,
  url: string,
  shown: string,
  act?: (page: Page) => Promise<void>,
): Promise<number> {
  const page = await context.newPage()
  const scripts: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('javascript')) scripts.push(response.body())
  })
  await page.goto(url)
  await page.waitForSelector(shown)
  await act?.(page)
  await page.waitForLoadState('networkidle')
  const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script, { level: 9 }).length)
  await page.close()
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The bar of each category. */
type Bars = Partial<Record<'performance' | 'accessibility' | 'best-practices', number>>

/** How Lighthouse grades a page on a phone, each category beside its bar. */
export async function* lighthouseFigures(
  name: string,
  url: string,
  port: number,
  bars: Bars,
): AsyncGenerator<BenchFigure> {
  const ids = Object.keys(bars) as (keyof Bars)[]
  const scores = new Map<string, number[]>(ids.map((id) => [id, []]))
  // The first page of a browser waits for the browser's own start: fonts and tables of languages are read from the disk.
  await audit(url, port, ids)
  for (let run = 0; run < RUNS; run++) {
    const { categories, audits } = await audit(url, port, ids)
    for (const id of ids) scores.get(id)?.push(score(categories[id]))
    const parts = PERFORMANCE_PARTS.map((part) => `${audits[part]?.title} ${audits[part]?.displayValue}`)
    if (bars.performance) process.stdout.write(`  ${name}, ${score(categories.performance)}: ${parts.join(', ')}\n`)
  }
  for (const id of ids) yield grade(`${name}, Lighthouse ${id} (mobile)`, scores.get(id) ?? [], bars[id] ?? 100)
}

/** What the grade of performance is made of. */
const PERFORMANCE_PARTS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'speed-index',
  'total-blocking-time',
  'cumulative-layout-shift',
]

/** On a busy machine Lighthouse at times loses its own trace and says to run it again. */
async function audit(url: string, port: number, onlyCategories: string[], attempts = 3) {
  const result = await lighthouse(url, { port, onlyCategories, logLevel: 'silent' })
  if (result && !result.lhr.runtimeError) return result.lhr
  if (attempts > 1) return audit(url, port, onlyCategories, attempts - 1)
  throw new Error(`Lighthouse: ${result?.lhr.runtimeError?.message}`)
}

const score = (category: { score: number | null } | undefined) => Math.round((category?.score ?? 0) * 100)

const grade = (name: string, scores: number[], bar: number): BenchFigure => ({
  name,
  ours: String(median(scores)),
  beside: '',
  ratio: '',
  bar: bar === 100 ? '100' : `≥ ${bar}`,
  met: median(scores) >= bar,
})
