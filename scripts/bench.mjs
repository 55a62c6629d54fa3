import { ensureBrowser } from './browser.mjs'
import { bin, main, run, StartError } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/** Measures every figure of the README in one run; fails if a bar is missed. */
await main(async () => {
  ensureNode()
  await ensureInstalled()
  await ensureBuilt()
  const compiled = await run(bin('tsc'), ['-b', 'bench'], { quiet: true })
  if (!compiled.ok) throw new StartError(`The build failed:\n${compiled.output.trimEnd()}`)
  const env = { ...process.env, CHROMIUM_PATH: await ensureBrowser() }
  const { ok } = await run(process.execPath, ['bench/dist/main.js', ...process.argv.slice(2)], { env })
  process.exitCode = ok ? 0 : 1
})
