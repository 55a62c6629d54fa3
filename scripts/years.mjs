import { main, run } from './run.mjs'
import { compile, ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/** Fills a database and an archive with three years of plays, and measures a node on them: the figures of docs/scale.md. */
await main(async () => {
  ensureNode()
  await ensureInstalled({ tools: true })
  await ensureBuilt()
  await compile('bench')
  const { ok } = await run(process.execPath, ['bench/dist/years.js', ...process.argv.slice(2)])
  process.exitCode = ok ? 0 : 1
})
