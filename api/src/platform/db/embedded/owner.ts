import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { constants, open, readFile, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { succeeds } from '../../runtime/promises.ts'
import { StartError } from '../../runtime/start-error.ts'
import type { DataFolder } from './folder.ts'

export type FolderLock = { release(): Promise<void> }

interface LockOptions {
  /** Aborted when this Roadshow begins to stop: from then on another start waits for it, and it waits for none. */
  signal?: AbortSignal | undefined
  log?: (sentence: string) => void
}

const STOPPING = 'stopping'
const POLL_MS = 100

/**
 * Allows one running Roadshow per folder. The lock is a listening socket: the kernel gives its name to one process and
 * frees it when that process ends in any way. This needs no pid, and of two starts at the same moment one fails. The
 * socket says whether its Roadshow is stopping: a start waits for that one.
 */
export async function lockFolder(folder: DataFolder, { signal, log }: LockOptions = {}): Promise<FolderLock> {
  const socket = createServer((connection) => {
    connection.on('error', () => {})
    connection.end(signal?.aborted ? STOPPING : 'running')
  })
  const name = socketName(folder)
  for (let isFirst = true; !(await listens(socket, name)); isFirst = false) {
    const state = await stateOf(name)
    if (state === undefined) continue
    if (state !== STOPPING) {
      throw new StartError(
        `The data folder ${folder.name} is in use by another running Roadshow. Stop it first, or set DATA_DIR to another folder.`,
      )
    }
    if (isFirst) log?.('The Roadshow before on this data folder is still stopping. Waiting for it.')
    await sleep(POLL_MS, undefined, { signal })
  }
  socket.unref()
  return {
    release: async () => {
      if (!socket.listening) return
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Linux has socket names without a file; elsewhere the file outlives a killed process. */
const hasFilelessNames = process.platform === 'linux'
const socketName = ({ id }: DataFolder) => (hasFilelessNames ? `\0${id}` : path.join(tmpdir(), `${id}.sock`))

async function listens(socket: Server, name: string): Promise<boolean> {
  try {
    socket.listen({ path: name, exclusive: true })
    await once(socket, 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (hasFilelessNames || (await stateOf(name)) !== undefined) return false
    await unlink(name)
    return listens(socket, name)
  }
}

/** What the Roadshow behind a lock says of itself; undefined if the lock is free. */
async function stateOf(name: string): Promise<string | undefined> {
  const caller = connect(name)
  try {
    if (!(await succeeds(once(caller, 'connect')))) return undefined
    return await text(caller)
  } catch {
    return ''
  } finally {
    caller.destroy()
  }
}

/** Ends the server that a killed Roadshow left running. Requires the folder's lock; answers whether there was one. */
export async function endOrphan(folder: DataFolder) {
  const pid = await recordedPid(folder)
  if (!pid || !(await servesFolder(pid, folder))) return false
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 10],
  ] as const) {
    process.kill(pid, signal)
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(50)) {
      if (!(await servesFolder(pid, folder))) return true
    }
  }
  throw new StartError(
    `The database server of a killed Roadshow (process ${pid}) does not end. End it and start again.`,
  )
}

/**
 * After a crash the pid file may name an unrelated process, and PostgreSQL would refuse to start. PostgreSQL skips that
 * check for its own parent, this process; its check of the old shared memory stays.
 */
export async function releaseStalePidFile({ pidFile }: DataFolder) {
  // Never follows a link: as root this writes into a folder of another account.
  const file = await open(pidFile, constants.O_RDWR | constants.O_NOFOLLOW).catch(() => undefined)
  if (!file) return
  const [, ...rest] = (await file.readFile('utf8')).split('\n')
  const content = [process.pid, ...rest].join('\n')
  await file.truncate()
  await file.write(content, 0)
  await file.close()
}

async function recordedPid({ pidFile }: DataFolder) {
  return Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10) || undefined
}

/** The folder's id is among the arguments of its server, and they are readable where the process's folder is not. */
async function servesFolder(pid: number, { id }: DataFolder) {
  const command = await commandOf(pid)
  return /postgres[\0 ]/.test(command) && command.includes(`cluster_name=${id}`)
}

async function commandOf(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return (await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout
  } catch {
    return ''
  }
}
