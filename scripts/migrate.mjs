import { main } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

await main(async () => {
  ensureNode()
  await ensureInstalled()
  await ensureBuilt()
  // npm runs scripts in the project folder; relative paths refer to the folder where npm was called.
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
  await import('../api/dist/cli/migrate.js')
})
