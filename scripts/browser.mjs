import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { StartError, bin, root, run } from './run.mjs'

/** The path of a Chromium that runs here, installed if need be. */
export async function ensureBrowser() {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen && !runs(chosen)) throw new StartError(`CHROMIUM_PATH is ${chosen}, and no browser runs there.`)
  const found = chosen ?? installedBrowser() ?? playwrightBrowser()
  if (found) return found

  const isRoot = process.getuid?.() === 0
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium with apt …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update'], { quiet: true, env })
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { quiet: true, env })
    const installed = installedBrowser()
    if (installed) return installed
  }
  console.log('Installing Chromium with Playwright …')
  const { output } = await run(bin('playwright'), ['install', ...(isRoot ? ['--with-deps'] : []), 'chromium'], {
    quiet: true,
  })
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
