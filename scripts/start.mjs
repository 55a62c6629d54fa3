import { main } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

await main(async () => {
  ensureNode()
  await ensureInstalled()
  await ensureBuilt()
  // In this process, so that a signal reaches the app itself.
  await import('../api/dist/main.js')
})
