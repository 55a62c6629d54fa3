import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { SAVED_CREDENTIALS, TOKEN_COOKIE } from '@roadshow/contract'
import type { BenchWorld } from './world.ts'

export const openBrowser = (...args: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...args],
  })

/** Pages of the signed-in admin. */
export async function signedInContext({ ours, token, userUid }: BenchWorld, browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: TOKEN_COOKIE, value: token, url: ours, sameSite: 'Strict' }])
  await context.addInitScript(([key, saved]) => localStorage.setItem(key, saved), [
    SAVED_CREDENTIALS,
    JSON.stringify({ userUid }),
  ] as const)
  return context
}
