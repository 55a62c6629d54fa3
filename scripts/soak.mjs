import { ensurePackages } from './packages.mjs'
import { bin, main, run } from './run.mjs'
import { compile, ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/**
 * Puts two nodes behind the proxy under load, kills nodes and the database, and reports whether confirmed data is lost.
 * Then it sends malformed requests for a quarter of that time.
 */
await main(async () => {
  ensureNode()
  await ensureInstalled({ tools: true })
  await ensureBuilt()
  await ensurePackages()
  await compile('bench')
  const given = process.argv.slice(2)
  const soaked = await run(process.execPath, ['bench/dist/soak.js', ...given])
  const minutes = Number(given[given.indexOf('--minutes') + 1]) || 20
  const env = { ...process.env, FUZZ_SECONDS: String(minutes * 15) }
  const fuzzed = await run(bin('vitest'), ['run', '--project', 'system', 'test/fuzz'], { env })
  process.exitCode = soaked.ok && fuzzed.ok ? 0 : 1
})
