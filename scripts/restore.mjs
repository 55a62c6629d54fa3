import { main } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

await main(async () => {
  ensureNode()
  await ensureInstalled()
  await ensureBuilt()
  // npm starts us in its own folder; paths are meant from where it was called.
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
  await import('../api/dist/cli/restore.js')
})
