// Writes docs/queries/: the statements of the product with their plans. A test makes every call and records them.
import { bin, main, run, StartError } from './run.mjs'
import { ensureInstalled, ensureNode } from './setup.mjs'

await main(async () => {
  ensureNode()
  await ensureInstalled()
  const env = { ...process.env, WRITE_QUERIES: '1' }
  const { ok } = await run(bin('vitest'), ['run', '--project=api', 'api/test/queries/queries.test.ts'], { env })
  if (!ok) throw new StartError('The statements could not be recorded.')
  await run(bin('oxfmt'), ['docs/queries'])
})
