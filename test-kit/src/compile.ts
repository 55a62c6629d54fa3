import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

async function run(program: string, args: string[]): Promise<void> {
  // The compiler trusts PWD, which may be a symbolic link to this folder.
  // oxlint-disable-next-line node/no-process-env
  const child = spawn(program, args, { cwd: root, env: { ...process.env, PWD: root }, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The API does not compile.')
}

async function compileAll(): Promise<void> {
  await run(path.join(root, 'node_modules/.bin/tsc'), ['-b', 'api'])
  await run(process.execPath, [path.join(root, 'scripts/bundle.mjs'), 'tests'])
}

// Each project of vitest loads this file once more.
const shared = globalThis as { roadshowCompiled?: Promise<void> }

/**
 * Compiles the API before tests that start nodes as they are in production, and the programs that tests start beside
 * themselves: both start much faster than sources do.
 */
export default async function compileApi(): Promise<void> {
  await (shared.roadshowCompiled ??= compileAll())
}
