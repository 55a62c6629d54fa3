import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

async function bundleAll(): Promise<void> {
  const child = spawn(process.execPath, [path.join(root, 'scripts/bundle.mjs'), 'tests'], {
    cwd: root,
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The API cannot be bundled.')
}

// Each project of vitest loads this file once more.
const shared = globalThis as { roadshowBundled?: Promise<void> }

/**
 * Bundles the API before tests that start nodes as they are in production, and the programs that tests start beside
 * themselves: both start much faster than sources do.
 */
export default async function bundleApi(): Promise<void> {
  await (shared.roadshowBundled ??= bundleAll())
}
