import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { succeeds } from '../../runtime/promises.ts'
import { StartError } from '../../runtime/start-error.ts'
import { SUPERUSER } from './roles.ts'

const run = promisify(execFile)

/** The user that runs PostgreSQL; empty for the user that runs the app. */
export type ServerAccount = { uid?: number; gid?: number }

export type DataFolder = {
  /** The folder as DATA_DIR names it, for messages. */
  name: string
  /** Identifies this folder on this machine; a copy of it has another id. */
  id: string
  dir: string
  cluster: string
  pidFile: string
  logFile: string
  /** The superuser's password, which initdb reads. */
  passwordFile: string
  appPasswordFile: string
  /** Which migrations have run, as long as the server rests. */
  schemaFile: string
  account: ServerAccount
  env: NodeJS.ProcessEnv
}

/**
 * The server starts in its folder and uses the current one, so it needs no right to enter the folders above: the data
 * may lie in /root, which the server's account cannot enter.
 */
export const folderPath = process.platform === 'linux' ? '/proc/self/cwd' : '.'

const isRoot = process.getuid?.() === 0

export async function openFolder(relative: string): Promise<DataFolder> {
  const dir = path.resolve(relative)
  const name = path.dirname(dir)
  try {
    await makeFolder(dir)
    await assertWritable(dir)
    const cluster = path.join(dir, 'cluster')
    const { dev, ino } = await stat(dir, { bigint: true })
    return {
      name,
      id: `roadshow-${dev}-${ino}`,
      dir,
      cluster,
      pidFile: path.join(cluster, 'postmaster.pid'),
      logFile: path.join(dir, 'postgres.log'),
      passwordFile: path.join(dir, 'password'),
      appPasswordFile: path.join(dir, 'app-password'),
      schemaFile: path.join(dir, 'schema.json'),
      account: {},
      // Excludes the caller's PG* variables; messages are in English because server.ts reads them.
      env: { LC_ALL: 'C' },
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!code) throw error
    throw new StartError(
      `The data folder ${name} is not writable (${code}). Give this user write access, or set DATA_DIR to another folder.`,
    )
  }
}

/** Not `mkdir({ recursive })`: Node 20 never returns from that where folders cannot be made, such as in /proc. */
async function makeFolder(dir: string, isLastTry = false): Promise<void> {
  try {
    await mkdir(dir, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || isLastTry) throw error
    // Another start may have made it meanwhile.
    if (!(await exists(path.dirname(dir)))) await makeFolder(path.dirname(dir))
    await makeFolder(dir, true)
  }
}

/** The system account that runs PostgreSQL where the app runs as root, as which PostgreSQL refuses to run. */
const NAME = 'roadshow-postgres'
const NOBODY = { uid: 65534, gid: 65534 } as const

async function idsOf(name: string): Promise<Required<ServerAccount> | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
    )
    return uid && gid ? { uid, gid } : undefined
  } catch {
    return undefined
  }
}

// Of shadow-utils, and of BusyBox in small containers.
const WAYS = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME],
  ['adduser', '-S', '-D', '-H', '-s', '/sbin/nologin', NAME],
] as const

async function create(): Promise<void> {
  for (const [program, ...args] of WAYS) {
    if (await succeeds(run(program, args))) return
  }
}

/** An account of its own, created on the first start as root; `nobody` where none can be created. */
export async function dedicatedAccount(): Promise<Required<ServerAccount>> {
  const known = await idsOf(NAME)
  if (known) return known
  await create()
  // Another start may have created it meanwhile.
  return (await idsOf(NAME)) ?? NOBODY
}

export async function giveFolder(folder: string, { uid, gid }: Required<ServerAccount>): Promise<void> {
  try {
    await run('chown', ['-R', '--no-dereference', `${uid}:${gid}`, folder])
  } catch (error) {
    throw new StartError(`Cannot give ${folder} to the account ${uid} of the database: ${(error as Error).message}`)
  }
}

/**
 * The account that a cluster is of, to look at it without a change. Undefined if there is none, or if it is root's, as
 * which PostgreSQL refuses to run.
 */
export async function presentAccount({ cluster }: DataFolder): Promise<ServerAccount | undefined> {
  const found = await stat(cluster).catch(() => undefined)
  if (!found || (isRoot && found.uid === 0)) return undefined
  return isRoot ? { uid: found.uid, gid: found.gid } : {}
}

/** Whether chooseAccount gives the cluster to another account than the one that it is of. */
export async function isHandedOver({ dir, cluster }: DataFolder): Promise<boolean> {
  if (!isRoot || !(await exists(cluster))) return false
  const [around, own] = await Promise.all([stat(dir), stat(cluster)])
  return isFromRoot(around, own) && (await dedicatedAccount()).uid !== own.uid
}

/** Earlier versions gave the cluster to `nobody`, which other programs use too. */
const isFromRoot = (around: { uid: number }, cluster: { uid: number }) => around.uid === 0 && cluster.uid === NOBODY.uid

/**
 * PostgreSQL refuses to run as root, so root gives the cluster to an account of its own. A cluster of another user keeps
 * its owner, who can then use it without root. The folder around it stays root's: a link in it could redirect root's
 * writes. Requires the folder's lock.
 */
export async function chooseAccount({ dir, cluster, passwordFile }: DataFolder): Promise<ServerAccount> {
  if (!isRoot) return {}
  const around = await stat(dir)
  const { uid, gid } = await stat(cluster).catch(() => around)
  if (uid !== 0 && !isFromRoot(around, { uid })) return { uid, gid }
  const account = await dedicatedAccount()
  if (uid !== account.uid && (await exists(cluster))) {
    await giveFolder(cluster, account)
    await give(passwordFile, account)
  }
  return account
}

async function assertWritable(dir: string) {
  await chmod(dir, isRoot ? 0o711 : 0o700)
  // A unique name: another start may probe at the same moment.
  const probe = path.join(dir, `.writable-${randomBytes(6).toString('hex')}`)
  await writeFile(probe, '')
  await rm(probe)
}

/** Creates the database cluster on the first start; returns its password, which never leaves the folder. */
export async function initializeCluster(
  folder: DataFolder,
  binaries: string,
  fsync: boolean,
  log: (sentence: string) => void,
) {
  await removeUnfinished(folder)
  if (await exists(folder.cluster)) return (await readFile(folder.passwordFile, 'utf8')).trim()
  log('Preparing the database.')
  const password = randomBytes(24).toString('hex')
  await rm(folder.passwordFile, { force: true })
  await writeFile(folder.passwordFile, password, { mode: 0o600, flush: true })
  await give(folder.passwordFile, folder.account)

  // The cluster is built in a new folder and renamed, so an interrupted start can be repeated. The initdb of a killed
  // start may still be running in its own folder.
  const unfinished = await mkdtemp(folder.cluster + unfinishedSuffix)
  await give(unfinished, folder.account)
  await initdb(folder, unfinished, binaries, fsync)
  await rename(unfinished, folder.cluster)
  const parent = await open(folder.dir)
  await parent.sync()
  await parent.close()
  return password
}

const unfinishedSuffix = '.new-'

async function removeUnfinished({ dir, cluster }: DataFolder) {
  const prefix = path.basename(cluster) + unfinishedSuffix
  for (const name of await readdir(dir)) {
    // A folder that is still being written stays until the next start.
    if (name.startsWith(prefix)) await rm(path.join(dir, name), { recursive: true, force: true }).catch(() => {})
  }
}

async function initdb(folder: DataFolder, cluster: string, binaries: string, fsync: boolean) {
  const options = { ...folder.account, cwd: cluster, env: folder.env }
  const args = (ctype: string) => [
    ...`-D ${folderPath} -U ${SUPERUSER} --pwfile=${folderPath}/../password --auth=scram-sha-256`.split(' '),
    // PostgreSQL's own C.UTF-8 sorts by bytes and knows the case of É; it does not change with the system's library.
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${ctype}`,
    ...(fsync ? [] : ['--no-sync']),
  ]
  const program = path.join(binaries, 'initdb')
  try {
    // pg_trgm asks the system what a letter is; systems without this locale know ASCII letters only.
    await run(program, args('C.UTF-8'), options).catch(() => run(program, args('C'), options))
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    const reason = stderr?.split('\n').find((line) => line.includes('error:')) ?? message
    throw new StartError(`The embedded PostgreSQL could not create its database in ${folder.name}: ${reason}`)
  }
}

/** The server inherits the open log, so it keeps logging after this process is killed. */
export async function openLog({ logFile }: DataFolder) {
  await rename(logFile, `${logFile}.old`).catch(() => {})
  return open(logFile, 'w', 0o600)
}

/** The reason that the server logged before it ended. */
export async function readExitReason({ logFile }: DataFolder) {
  const lines = (await readFile(logFile, 'utf8')).split('\n')
  const reason = lines.findLast((line) => /FATAL|PANIC|error/.test(line)) ?? 'it gave no reason'
  return reason.replace(/^.*?(FATAL|PANIC): */, '').trim()
}

async function give(file: string, { uid, gid }: ServerAccount) {
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid)
}

export const exists = (file: string): Promise<boolean> => succeeds(stat(file))
