import { main, sayAsJson } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

await main(async () => {
  if (process.env.NODE_ENV === 'production') sayAsJson()
  ensureNode()
  await ensureInstalled()
  await ensureBuilt()
  // The app runs in this process, so that signals reach it.
  await import('../api/dist/bundled/main.js')
})
