import { main } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

/** Runs a command of api/src/cli: `node scripts/command.mjs NAME [OPTIONS]`. */
await main(async () => {
  ensureNode()
  await ensureInstalled()
  await ensureBuilt(['server'])
  // npm runs scripts in the project folder; relative paths refer to the folder where npm was called.
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
  const [name] = process.argv.splice(2, 1)
  await import(`../api/dist/bundled/${name}.js`)
})
