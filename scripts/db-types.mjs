// Writes api/src/platform/db/schema.ts (types) and api/schema.sql (for reading) from the migrations, and the table of
// lifetimes in docs/operations.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bin, main, run } from './run.mjs'
import { ensureInstalled, ensureNode } from './setup.mjs'

await main(async () => {
  ensureNode()
  await ensureInstalled({ tools: true })
  // Type errors do not matter here: the missing types may be their cause.
  await run(bin('tsc'), ['-b', 'contract', 'api'], { quiet: true })
  const { startEmbedded } = await import('../api/dist/platform/db/embedded/server.js')
  const { migrate } = await import('../api/dist/platform/db/migrate.js')
  const { schemaFiles } = await import('../api/dist/platform/db/schema-files.js')

  const { tableLifetimes } = await import('../api/dist/app.js')
  const { withLifetimeTable } = await import('../api/dist/platform/lifetimes/document.js')
  const operations = path.join(import.meta.dirname, '../docs/operations.md')
  writeFileSync(operations, withLifetimeTable(readFileSync(operations, 'utf8'), tableLifetimes))

  const folder = mkdtempSync(path.join(tmpdir(), 'roadshow-types-'))
  const server = await startEmbedded({ dir: path.join(folder, 'postgres'), fsync: false })
  try {
    await migrate(server.url)
    for (const [file, content] of Object.entries(await schemaFiles(server.url))) writeFileSync(file, content)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})
