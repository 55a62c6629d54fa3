import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { hasApt, installWithApt } from './packages.mjs'
import { StartError, bin, root, run } from './run.mjs'

/** The path of a Chromium that runs here, installed if need be. */
export async function ensureBrowser() {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen && !runs(chosen)) throw new StartError(`CHROMIUM_PATH is ${chosen}, and no browser runs there.`)
  const found = chosen ?? installedBrowser() ?? playwrightBrowser()
  if (found) return found

  if (hasApt()) {
    await installWithApt(['chromium'])
    const installed = installedBrowser()
    if (installed) return installed
  }
  console.log('Installing Chromium with Playwright …')
  const withLibraries = process.getuid?.() === 0 ? ['--with-deps'] : []
  const { output } = await run(bin('playwright'), ['install', ...withLibraries, 'chromium'], { quiet: true })
  const downloaded = playwrightBrowser()
  if (downloaded) return downloaded
  throw new StartError(
    `${output.trimEnd()}\nThe browser tests need Chromium: install the package "chromium", or set CHROMIUM_PATH.`,
  )
}

function installedBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const apps = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']
  return [...names.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...apps].find(runs)
}

function playwrightBrowser() {
  const { chromium } = createRequire(path.join(root, 'e2e/package.json'))('@playwright/test')
  const file = chromium.executablePath()
  return runs(file) ? file : undefined
}

/** Being there is not enough: it may be Ubuntu's placeholder for a snap, or lack its libraries. */
const runs = (/** @type {string} */ file) => existsSync(file) && spawnSync(file, ['--version']).status === 0
