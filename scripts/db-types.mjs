// Writes the types of the migrated database to api/src/platform/db/schema.ts; with --check it only says whether they are current.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bin, main, root, run, StartError } from './run.mjs'
import { ensureInstalled, ensureNode } from './setup.mjs'

const target = path.join(root, 'api/src/platform/db/schema.ts')

/** Among others, how the parsers in api/src/platform/db/connection.ts hand values over. */
const options = path.join(root, 'api/kysely-codegen.json')

await main(async () => {
  ensureNode()
  await ensureInstalled()
  // Only the compiler, and despite errors: the types may be what is missing.
  await run(bin('tsc'), ['-b', 'contract', 'api'], { quiet: true })
  const { startEmbedded } = await import('../api/dist/platform/db/embedded/server.js')
  const { migrate } = await import('../api/dist/platform/db/migrate.js')

  const folder = mkdtempSync(path.join(tmpdir(), 'roadshow-types-'))
  const server = await startEmbedded({ dir: path.join(folder, 'postgres'), fsync: false })
  try {
    await migrate(server.url)
    await generate(server.url, path.join(folder, 'schema.ts'))
    const current = readFileSync(path.join(folder, 'schema.ts'), 'utf8')
    if (!process.argv.includes('--check')) await generate(server.url, target)
    else if (current !== readFileSync(target, 'utf8')) {
      throw new StartError('api/src/platform/db/schema.ts is not what the migrations make: run npm run db:types.')
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})

/** @param {string} url @param {string} file */
async function generate(url, file) {
  const args = ['--config-file', options, '--url', url, '--out-file', file]
  const { ok, output } = await run(bin('kysely-codegen'), args, { quiet: true })
  if (!ok) throw new StartError(`kysely-codegen failed:\n${output}`)
}
