import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { SAVED_CREDENTIALS, TOKEN_COOKIE } from '@roadshow/contract'
import lighthouse from 'lighthouse'
import { median } from './load.ts'
import type { Figure } from './report.ts'
import { freePort, type World } from './world.ts'

const RUNS = 3

/** What the built pages weigh and how Lighthouse grades them, in a real browser from the real server. */
export async function* pageFigures(world: World): AsyncGenerator<Figure> {
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  })
  try {
    yield* weights(world, browser)
    yield* grades(`${world.ours}/login`, port)
  } finally {
    await browser.close()
  }
}

async function* weights(world: World, browser: Browser): AsyncGenerator<Figure> {
  const guest = await browser.newContext()
  yield weight('Login page, JavaScript', await scriptBytes(guest, `${world.ours}/login`, 'form'), 100)
  const admin = await signedIn(world, browser)
  const first = await scriptBytes(admin, `${world.ours}/overview`, '[role="application"]')
  yield weight('First screen (Overview with its map), JavaScript', first, 380)
  yield weight('Trucks, JavaScript', await scriptBytes(admin, `${world.ours}/trucks`, 'tbody tr'), 380)
}

const weight = (name: string, bytes: number, bar: number): Figure => ({
  name,
  ours: `${(bytes / 1000).toFixed(1)} kB gzip`,
  beside: '',
  ratio: '',
  bar: `≤ ${bar} kB`,
  met: bytes <= bar * 1000,
})

async function signedIn({ ours, token, userUid }: World, browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext()
  await context.addCookies([{ name: TOKEN_COOKIE, value: token, url: ours, sameSite: 'Strict' }])
  await context.addInitScript(([key, saved]) => localStorage.setItem(key, saved), [
    SAVED_CREDENTIALS,
    JSON.stringify({ userUid }),
  ] as const)
  return context
}

/** Every script that the page loads until it is quiet, each as gzip sends it. */
async function scriptBytes(context: BrowserContext, url: string, shown: string): Promise<number> {
  const page = await context.newPage()
  const scripts: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('javascript')) scripts.push(response.body())
  })
  await page.goto(url)
  await page.waitForSelector(shown)
  await page.waitForLoadState('networkidle')
  const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script, { level: 9 }).length)
  await page.close()
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function* grades(url: string, port: number): AsyncGenerator<Figure> {
  const performance: number[] = []
  const accessibility: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const categories = await audit(url, port)
    performance.push(score(categories['performance']))
    accessibility.push(score(categories['accessibility']))
  }
  yield grade('Login page, Lighthouse performance (mobile)', performance, 95)
  yield grade('Login page, Lighthouse accessibility', accessibility, 100)
}

/** On a busy machine Lighthouse at times loses its own trace and says to run it again. */
async function audit(url: string, port: number, attempts = 3) {
  const result = await lighthouse(url, { port, onlyCategories: ['performance', 'accessibility'], logLevel: 'silent' })
  if (result && !result.lhr.runtimeError) return result.lhr.categories
  if (attempts > 1) return audit(url, port, attempts - 1)
  throw new Error(`Lighthouse: ${result?.lhr.runtimeError?.message}`)
}

const score = (category: { score: number | null } | undefined) => Math.round((category?.score ?? 0) * 100)

const grade = (name: string, scores: number[], bar: number): Figure => ({
  name,
  ours: String(median(scores)),
  beside: '',
  ratio: '',
  bar: bar === 100 ? '100' : `≥ ${bar}`,
  met: median(scores) >= bar,
})
