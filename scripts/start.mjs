import { main } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

await main(async () => {
  ensureNode()
  await ensureInstalled()
  await ensureBuilt()
  // The app runs in this process, so that signals reach it.
  await import('../api/dist/main.js')
})
