import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { hasApt, installWithApt } from './packages.mjs'
import { StartError, bin, root, run } from './run.mjs'

// Chromium without features that tests do not need: it starts sooner and uses less CPU.
const SHELL = 'chromium-headless-shell'
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The path of a Chromium that runs here, installed if need be; for tests of the lightest one.
 * @param {{ light?: boolean }} [options]
 */
export async function ensureBrowser({ light = false } = {}) {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen && !runs(chosen)) throw new StartError(`CHROMIUM_PATH is ${chosen}, but no browser starts there.`)
  if (chosen) return chosen
  // Some releases of Debian lack the shell.
  const shell = light ? (installedBrowser([SHELL]) ?? (await installedByApt(SHELL))) : undefined
  const found = shell ?? installedBrowser(WHOLE) ?? playwrightBrowser() ?? (await installedByApt('chromium'))
  if (found) return found
  console.log('Installing Chromium with Playwright …')
  const withLibraries = process.getuid?.() === 0 ? ['--with-deps'] : []
  const { output } = await run(bin('playwright'), ['install', ...withLibraries, 'chromium'], { quiet: true })
  const downloaded = playwrightBrowser()
  if (downloaded) return downloaded
  throw new StartError(
    `${output.trimEnd()}\nThe browser tests need Chromium: install the package "chromium", or set CHROMIUM_PATH.`,
  )
}

async function installedByApt(/** @type {string} */ name) {
  if (!hasApt()) return undefined
  await installWithApt([name])
  return installedBrowser([name])
}

function installedBrowser(/** @type {string[]} */ names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const apps = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']
  return [...names.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...apps].find(runs)
}

function playwrightBrowser() {
  const { chromium } = createRequire(path.join(root, 'e2e/package.json'))('@playwright/test')
  const file = chromium.executablePath()
  return runs(file) ? file : undefined
}

/** A file at the path is not enough: it can be Ubuntu's placeholder for a snap, or lack its libraries. */
const runs = (/** @type {string} */ file) => existsSync(file) && spawnSync(file, ['--version']).status === 0
