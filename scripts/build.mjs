import { bin, main, run, StartError } from './run.mjs'
import { buildPages, ensureInstalled, ensureNode } from './setup.mjs'

/** Builds every part, tests' types included, whatever is built already. */
await main(async () => {
  ensureNode()
  await ensureInstalled()
  const compiled = await run(bin('tsc'), ['-b'])
  if (!compiled.ok) throw new StartError('The build failed.')
  // The bundler is one of the packages that were just installed.
  const { bundleServer } = await import('./bundle.mjs')
  await bundleServer()
  const { ok } = await buildPages()
  process.exitCode = ok ? 0 : 1
})
