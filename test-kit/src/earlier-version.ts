import { execFile } from 'node:child_process'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: root })).stdout.trim()

/**
 * The last commit whose newest migration has this number. Undefined where the history does not reach back to it: in a
 * shallow clone, or in a folder without one.
 */
export async function lastCommitWith(migration: string): Promise<string | undefined> {
  try {
    const added = await git(
      'log',
      '--topo-order',
      '--diff-filter=A',
      '--format=%H',
      '--name-only',
      '--',
      'api/migrations',
    )
    const commits = added.split(/\n(?=[0-9a-f]{40}$)/m)
    const newer = commits.filter((commit) =>
      [...commit.matchAll(/^api\/migrations\/(\d{4})/gm)].some(([, number = '']) => number > migration),
    )
    const first = newer.at(-1)?.slice(0, 40)
    return await git('rev-parse', '--verify', '--quiet', first ? `${first}^^{commit}` : 'HEAD')
  } catch {
    return undefined
  }
}

const PACKAGES = ['contract', 'simulator', 'api']

/** Builds the API of a commit in a folder and returns its entry. It uses the packages that are installed here. */
export async function buildEarlierVersion(commit: string, folder: string): Promise<string> {
  const archive = path.join(folder, 'earlier.tar')
  await run('git', ['archive', '-o', archive, commit, ...PACKAGES, 'package.json', 'tsconfig.base.json'], { cwd: root })
  await run('tar', ['-xf', archive, '-C', folder])
  const modules = path.join(folder, 'node_modules')
  await mkdir(path.join(modules, '@roadshow'), { recursive: true })
  for (const entry of await readdir(path.join(root, 'node_modules'))) {
    if (entry !== '@roadshow') await symlink(path.join(root, 'node_modules', entry), path.join(modules, entry))
  }
  for (const each of PACKAGES) await symlink(path.join(folder, each), path.join(modules, '@roadshow', each))
  await symlink(path.join(root, 'api/node_modules'), path.join(folder, 'api/node_modules'))
  // It was checked when it was committed.
  // oxlint-disable-next-line node/no-process-env
  const env = { ...process.env, PWD: folder }
  const building = run(path.join(root, 'node_modules/.bin/tsc'), ['-b', ...PACKAGES, '--noCheck'], { cwd: folder, env })
  // The compiler says on its standard output what is wrong.
  await building.catch((error: Error & { stdout?: string; signal?: string }) => {
    throw new Error(`${error.message} ${error.signal ?? ''} ${error.stdout ?? ''}`)
  })
  return path.join(folder, 'api/dist/main.js')
}
