import { main } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

await main(async () => {
  ensureNode()
  await ensureInstalled()
  await ensureBuilt()
  await import('../api/dist/cli/distribute.js')
})
