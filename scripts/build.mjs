import { bin, main, run, StartError } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/** Builds every part, whatever is built already, and compiles what journeys and the bench read. */
await main(async () => {
  ensureNode()
  await ensureInstalled({ tools: true })
  const compiled = await run(bin('tsc'), ['-b'])
  if (!compiled.ok) throw new StartError('The build failed.')
  await ensureBuilt(undefined, { anew: true })
})
