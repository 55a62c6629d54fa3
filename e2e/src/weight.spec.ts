import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { enter, expect, test } from './world.ts'

/** The scripts that a page loads until it is quiet, as gzip sends them. */
async function scriptsOf(page: Page, path: string, shown: string): Promise<{ bytes: number; headers: string[] }> {
  const scripts: Promise<Buffer>[] = []
  const headers: string[] = []
  const note = (response: Response) => {
    // What the console loads ahead, later and for other screens, it fetches.
    if (response.request().resourceType() === 'fetch') return
    const { 'content-type': type = '', 'cache-control': cache = '', 'content-encoding': encoding } = response.headers()
    if (!type.includes('javascript')) return
    scripts.push(response.body())
    headers.push(`${encoding}; ${cache}`)
  }
  page.on('response', note)
  await page.goto(path)
  await page.waitForSelector(shown)
  await page.waitForLoadState('networkidle')
  page.off('response', note)
  const bodies = await Promise.all(scripts)
  return { bytes: bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0), headers }
}

test('the first screen with its map loads at most 300 kB in 40 scripts, compressed and kept forever', async ({
  page,
}) => {
  await enter(page, 'admin')
  const { bytes, headers } = await scriptsOf(page, '/overview', '[role="application"]')
  expect(bytes).toBeGreaterThan(150_000)
  expect(bytes).toBeLessThanOrEqual(300_000)
  expect(headers.length).toBeLessThanOrEqual(40)
  expect(new Set(headers)).toEqual(new Set(['br; public, max-age=31536000, immutable']))
})

test('a list as the first screen needs at most 40 scripts', async ({ page }) => {
  await enter(page, 'admin')
  const { headers } = await scriptsOf(page, '/trucks', 'tbody a')
  expect(headers.length).toBeGreaterThan(5)
  expect(headers.length).toBeLessThanOrEqual(40)
})

test('the sign-in page loads at most 85 kB of scripts', async ({ page }) => {
  const { bytes } = await scriptsOf(page, '/login', 'form')
  expect(bytes).toBeGreaterThan(40_000)
  expect(bytes).toBeLessThanOrEqual(85_000)
})

test('the player of a truck loads at most 90 kB of scripts until it shows its code', async ({ browser }) => {
  // Without its service worker, which would load everything a second time.
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const { bytes } = await scriptsOf(await context.newPage(), '/player', 'h1')
  expect(bytes).toBeGreaterThan(30_000)
  expect(bytes).toBeLessThanOrEqual(90_000)
})

test('the drivers’ app loads at most 110 kB of scripts until it shows the day', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await enter(page, 'driver')
  const { bytes, headers } = await scriptsOf(page, '/driver', 'h2')
  expect(bytes).toBeGreaterThan(60_000)
  expect(bytes).toBeLessThanOrEqual(110_000)
  expect(new Set(headers)).toEqual(new Set(['br; public, max-age=31536000, immutable']))
})
