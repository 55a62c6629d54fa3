import { ensureBrowser } from './browser.mjs'
import { main, run } from './run.mjs'
import { compile, ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/** Measures every figure of its README in one run; fails if a bar is missed. */
await main(async () => {
  ensureNode()
  await ensureInstalled({ tools: true })
  await ensureBuilt()
  await compile('bench')
  const env = { ...process.env, CHROMIUM_PATH: await ensureBrowser() }
  const { ok } = await run(process.execPath, ['bench/dist/main.js', ...process.argv.slice(2)], { env })
  process.exitCode = ok ? 0 : 1
})
